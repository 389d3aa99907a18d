/**
 * People in rows, and what they are called.
 *
 * Comes in: a performance, who is to be named, and where they stand. Goes out: rows of people of one name who follow one
 * another in rank and in space, everybody else as a row of one; and names: of one, of a row, of what a hand holds.
 */

import {nameOf, numberOf, wordOf} from "yanli/language.js";

const {abs} = Math;

/** @typedef {import("yanli/types.js").StageDoc} StageDoc */
/** @typedef {import("yanli/types.js").PersonState} PersonState */
/** @typedef {import("yanli/types.js").Moment} Moment */
/** @typedef {import("yanli/types.js").Pose} Pose */
/** @typedef {import("yanli/language.js").Script} Script */

/** In a row nobody stands farther than this from the one before him, in 尺. */
const APART = 7;
/** The same step again, in 尺. */
const SAME = 0.3;
const TURN = 1;

export class Names {
  #doc;
  /** @type {Map<number, number>}  by the name of a person: the group that he and others of another name make up */
  #families;
  /** @type {Map<number, number>}  how many are in a group */
  #sizes;

  /** @param {StageDoc} doc */
  constructor(doc) {
    this.#doc = doc;
    this.#families = familiesOf(doc);
    this.#sizes = counts(doc.people.flatMap((person) => person.groups));
  }

  /** What somebody is called now: his office, else his name. @param {number} person @param {PersonState} state @param {Script} script */
  person(person, state, script) {
    const role = state.roles.at(-1);
    return role === undefined ? nameOf(this.#doc, person, script) : short(wordOf(this.#doc, role, script), script);
  }

  /** One name for a row: 三耦, 眾賓四–九. @param {number[]} row @param {Moment} moment @param {Script} script */
  row(row, moment, script) {
    const [first] = row;
    const last = row[row.length - 1];
    const {people} = this.#doc;
    const [one, other] = [people[first], people[last]];
    const family = this.#families.get(one.base);
    if (family !== undefined && row.length === this.#sizes.get(family))
      return short(wordOf(this.#doc, family, script), script);
    const from = this.person(first, moment.people[first], script);
    if (one.base !== other.base) return `${from}–${this.person(last, moment.people[last], script)}`;
    const stem = script === "en" ? from.replace(/ \d+$/, "") : wordOf(this.#doc, one.base, script);
    const range = `${numberOf(one.number, script)}–${numberOf(other.number, script)}`;
    return script === "en" ? `${stem} ${range}` : `${stem}${range}`;
  }

  /**
   * Rows among some people.
   * @param {number[]} people @param {Moment} moment @param {Pose[]} poses @param {(person: number) => boolean} apart  who
   *   stands alone though he is in a row
   * @returns {number[][]}
   */
  rows(people, moment, poses, apart) {
    const key = (/** @type {number} */ person) =>
      this.#family(person) === undefined ? this.#doc.people[person].base : -1;
    /** @type {number[][]} */
    const found = [];
    for (const person of people.toSorted((one, other) => key(one) - key(other) || one - other)) {
      const row = found.at(-1);
      if (row && apart(row[row.length - 1]) === apart(person) && this.#follows(row, person, moment, poses))
        row.push(person);
      else found.push([person]);
    }
    return found;
  }

  /** @param {number} person */
  #family(person) {
    return this.#families.get(this.#doc.people[person].base);
  }

  /** @param {number[]} row @param {number} person @param {Moment} moment @param {Pose[]} poses */
  #follows(row, person, moment, poses) {
    const last = row[row.length - 1];
    if (moment.people[last].roles.length > 0 || moment.people[person].roles.length > 0) return false;
    const family = this.#family(last);
    const one = this.#doc.people[last];
    const other = this.#doc.people[person];
    const ranked =
      family === undefined
        ? one.base === other.base && other.number === one.number + 1
        : this.#family(person) === family && person === last + 1;
    return ranked && goesOn(row, person, poses);
  }
}

/** Whether somebody stands at the next step of a row, like those in it. @param {number[]} row @param {number} person @param {Pose[]} poses */
function goesOn(row, person, poses) {
  const pose = poses[person];
  const last = poses[row[row.length - 1]];
  const before = poses[row[row.length - 2]];
  const x = pose.x - last.x;
  const y = pose.y - last.y;
  if (Math.hypot(x, y) > APART || pose.walking !== last.walking) return false;
  if (abs(pose.facing - last.facing) > TURN || abs(pose.kneel - last.kneel) > 0.5) return false;
  return !before || (abs(x - (last.x - before.x)) < SAME && abs(y - (last.y - before.y)) < SAME);
}

/**
 * Groups of people of several names that hold all who bear those names: the 三耦 of 上射 and 下射.
 * @param {StageDoc} doc
 */
function familiesOf(doc) {
  const numbers = counts(doc.people.map((person) => person.base));
  /** @type {Map<number, number>} */
  const found = new Map();
  for (const group of new Set(doc.people.flatMap((person) => person.groups))) {
    const bases = counts(doc.people.filter((person) => person.groups.includes(group)).map((person) => person.base));
    const whole = [...bases].every(([base, count]) => numbers.get(base) === count && count > 1);
    if (bases.size > 1 && whole) for (const base of bases.keys()) if (!found.has(base)) found.set(base, group);
  }
  return found;
}

/** How often each stands there. @param {number[]} values */
function counts(values) {
  /** @type {Map<number, number>} */
  const found = new Map();
  for (const value of values) found.set(value, (found.get(value) ?? 0) + 1);
  return found;
}

/** The beginning of an English gloss, short enough for a label. @param {string} words @param {Script} script */
export function short(words, script) {
  if (script !== "en") return words;
  const [head = words] = words.split(/[,;:]| \(/);
  return head.length > 14 ? (head.split(/ (?:of|and|at|on|without) /)[0] ?? head) : head;
}
