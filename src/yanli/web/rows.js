/**
 * People in rows, and what they are called.
 *
 * Comes in: a performance, who is to be named, and where they stand. Goes out: rows of people of one name who follow one
 * another in rank and in space, everybody else as a row of one; and names: of one, of a row, of what a hand holds.
 */

import {nameOf, numberOf, wordOf} from "yanli/language.js";

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
  /** @param {StageDoc} doc */
  constructor(doc) {
    this.doc = doc;
    /** @type {Map<number, number>}  by the name of a person: the group that he and others of another name make up */
    this.families = familiesOf(doc);
    /** @type {Map<number, number>} */
    this.sizes = new Map();
    for (const person of doc.people) {
      for (const group of person.groups) this.sizes.set(group, (this.sizes.get(group) ?? 0) + 1);
    }
  }

  /** What somebody is called now: his office, else his name. @param {number} person @param {PersonState} state @param {Script} script */
  person(person, state, script) {
    const role = state.roles.at(-1);
    return role === undefined ? nameOf(this.doc, person, script) : short(wordOf(this.doc, role, script), script);
  }

  /** One name for a row: 三耦, 眾賓四–九. @param {number[]} row @param {Moment} moment @param {Script} script */
  row(row, moment, script) {
    const [first = -1] = row;
    const last = row.at(-1) ?? -1;
    const one = this.doc.people[first];
    const other = this.doc.people[last];
    if (!one || !other) return "";
    const family = this.families.get(one.base);
    if (family !== undefined && row.length === this.sizes.get(family))
      return short(wordOf(this.doc, family, script), script);
    const from = this.person(first, state(moment, first), script);
    if (one.base !== other.base) return `${from}–${this.person(last, state(moment, last), script)}`;
    const stem = script === "en" ? from.replace(/ \d+$/, "") : wordOf(this.doc, one.base, script);
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
    const ranked = people
      .map((person) => ({person, key: this.families.has(this.base(person)) ? -1 : this.base(person)}))
      .sort((one, other) => one.key - other.key || one.person - other.person);
    /** @type {number[][]} */
    const found = [];
    for (const {person} of ranked) {
      const row = found.at(-1);
      if (row && apart(row.at(-1) ?? -1) === apart(person) && this.follows(row, person, moment, poses))
        row.push(person);
      else found.push([person]);
    }
    return found;
  }

  /** @param {number} person */
  base(person) {
    return this.doc.people[person]?.base ?? -1;
  }

  /** @param {number[]} row @param {number} person @param {Moment} moment @param {Pose[]} poses */
  follows(row, person, moment, poses) {
    const last = row.at(-1) ?? -1;
    if (state(moment, last).roles.length > 0 || state(moment, person).roles.length > 0) return false;
    const family = this.families.get(this.base(last));
    const one = this.doc.people[last];
    const other = this.doc.people[person];
    if (!one || !other) return false;
    const ranked =
      family === undefined
        ? one.base === other.base && other.number === one.number + 1
        : this.families.get(other.base) === family && person === last + 1;
    return ranked && goesOn(row, person, poses);
  }
}

/** Whether somebody stands at the next step of a row, like those in it. @param {number[]} row @param {number} person @param {Pose[]} poses */
function goesOn(row, person, poses) {
  const pose = poses[person];
  const last = poses[row.at(-1) ?? -1];
  const before = poses[row.at(-2) ?? -1];
  if (!pose || !last) return false;
  const x = pose.x - last.x;
  const y = pose.y - last.y;
  if (Math.hypot(x, y) > APART || pose.walking !== last.walking) return false;
  if (Math.abs(pose.facing - last.facing) > TURN || Math.abs(pose.kneel - last.kneel) > 0.5) return false;
  if (!before || row.length === 1) return true;
  return Math.abs(x - (last.x - before.x)) < SAME && Math.abs(y - (last.y - before.y)) < SAME;
}

/** @param {Moment} moment @param {number} person @returns {PersonState} */
function state(moment, person) {
  const found = moment.people[person];
  if (!found) throw new RangeError(`no person ${person}`);
  return found;
}

/**
 * Groups of people of several names that hold all who bear those names: the 三耦 of 上射 and 下射.
 * @param {StageDoc} doc
 */
function familiesOf(doc) {
  /** @type {Map<number, number>} */
  const numbers = new Map();
  /** @type {Map<number, Map<number, number>>} */
  const groups = new Map();
  for (const person of doc.people) {
    numbers.set(person.base, (numbers.get(person.base) ?? 0) + 1);
    for (const group of person.groups) {
      const bases = groups.get(group) ?? new Map();
      bases.set(person.base, (bases.get(person.base) ?? 0) + 1);
      groups.set(group, bases);
    }
  }
  /** @type {Map<number, number>} */
  const found = new Map();
  for (const [group, bases] of groups) {
    const whole = [...bases].every(([base, count]) => numbers.get(base) === count && count > 1);
    if (bases.size > 1 && whole) for (const base of bases.keys()) if (!found.has(base)) found.set(base, group);
  }
  return found;
}

/** The beginning of an English gloss, short enough for a label. @param {string} words @param {Script} script */
export function short(words, script) {
  if (script !== "en") return words;
  const [head = words] = words.split(/[,;:]| \(/);
  return head.length > 14 ? (head.split(/ (?:of|and|at|on|without) /)[0] ?? head) : head;
}
