/**
 * What the plan says: the words of its controls, of one person, of a stack of things, and the whole plan in words for
 * those who do not see it.
 *
 * Comes in: a moment, names, and a script. Goes out: text.
 */

import {numberOf, say, thingsOf, wordOf} from "yanli/language.js";

/** @typedef {import("yanli/types.js").StageDoc} StageDoc */
/** @typedef {import("yanli/types.js").Moment} Moment */
/** @typedef {import("yanli/pane.js").Frame} Frame */
/** @typedef {import("yanli/rows.js").Names} Names */
/** @typedef {import("yanli/stacks.js").Stacks} Stacks */
/** @typedef {import("yanli/stacks.js").Stack} Stack */
/** @typedef {import("yanli/language.js").Script} Script */

const BARED = ["袒", "肉袒"];

/** @param {Script} script @param {keyof (typeof import("yanli/interface.js").STRINGS)["plan"]} key @param {string} [value] */
export function planSay(script, key, value = "") {
  return say(script, `plan.${key}`, value);
}

/** What one of eight ways is called, in Chinese, for those who read the page by program. @param {number} degrees */
export function quarter(degrees) {
  return ["北", "東北", "東", "東南", "南", "西南", "西", "西北"][eighth(degrees)];
}

/** @param {number} degrees */
function eighth(degrees) {
  return ((Math.round(degrees / 45) % 8) + 8) % 8;
}

/**
 * One person, or a row: name, zone, place, facing, posture, dress and what he holds. Of a row what is true of all is said
 * once, the rest of each by himself.
 * @param {StageDoc} doc @param {Frame} frame @param {Names} names @param {number} person @param {number[]} [row]
 */
export function personSaid(doc, frame, names, person, row = [person]) {
  const {script, moment} = frame;
  const [comma, colon, semicolon, open, close] = script === "en" ? [", ", ": ", "; ", " (", ")"] : [..."，：；（）"];
  const each = row.map((one) => particulars(doc, frame, one));
  const all = each[0].filter((part) => each.every((parts) => parts.includes(part)));
  const name = row.length > 1 ? names.row(row, moment, script) : names.person(person, moment.people[person], script);
  const rest = row.flatMap((one, at) => {
    const own = each[at].filter((part) => !all.includes(part));
    return own.length > 0 ? names.person(one, moment.people[one], script) + colon + own.join(comma) : [];
  });
  const said = [name, ...all].join(comma);
  return rest.length > 0 ? said + open + rest.join(semicolon) + close : said;
}

/** @param {StageDoc} doc @param {Frame} frame @param {number} person */
function particulars(doc, frame, person) {
  const {script, moment, poses} = frame;
  const state = moment.people[person];
  const [, , place, zone] = doc.spots[state.spot];
  const parts = [zone, ...(doc.words[place] === doc.words[zone] ? [] : [place])];
  parts.push(doc.facings[eighth(poses[person].facing)], state.posture);
  const said = parts.map((word) => wordOf(doc, word, script));
  if (state.step !== null) said.push(planSay(script, "step", numberOf(state.step, script)));
  if (state.dress.some((word) => BARED.includes(doc.words[word]))) said.push(planSay(script, "bared"));
  for (const hand of /** @type {const} */ (["right", "left", "belt"])) {
    if (state[hand].length > 0)
      said.push(`${planSay(script, hand)}${script === "en" ? ": " : "："}${heldSaid(doc, frame, state[hand])}`);
  }
  if (frame.marks.has(person)) said.push(planSay(script, "differs"));
  if (frame.person === person) said.push(planSay(script, "followed"));
  return said;
}

/** What a hand holds. @param {StageDoc} doc @param {Frame} frame @param {number[]} things */
function heldSaid(doc, {moment, script}, things) {
  const full = things.some((thing) => moment.things[thing].filled);
  const words = thingsOf(doc, things, script);
  return full ? `${planSay(script, "full")}${script === "en" ? " " : ""}${words}` : words;
}

/** A stack of things: what, how many, where, and what is in it. @param {StageDoc} doc @param {Frame} frame @param {Stack} stack */
export function stackSaid(doc, frame, stack) {
  const {script, moment} = frame;
  const state = moment.things[stack.things[0]];
  const inside =
    stack.content.length > 0
      ? `${script === "en" ? ` ${planSay(script, "holds")} ` : planSay(script, "holds")}${heldSaid(doc, frame, stack.content)}`
      : "";
  const place = wordOf(doc, state.where, script);
  const words = heldSaid(doc, frame, stack.things);
  const told = Object.entries(state.states).map(([part, how]) => (part === "狀" ? how : `${part}${how}`));
  const parts = [
    words,
    ...(place !== words && doc.words[state.where] !== stack.kind ? [place] : []),
    ...(script === "en" ? [] : told),
  ];
  return parts.join(script === "en" ? ", " : "，") + inside;
}

/**
 * The whole plan in words, zone by zone: who stands where, which way, and with what; and what lies there.
 * @param {StageDoc} doc @param {Frame} frame @param {Names} names
 * @returns {string[]}  a paragraph for each zone
 */
export function account(doc, frame, names) {
  const {script, moment, poses} = frame;
  const english = script === "en";
  /** @type {Map<number, {people: string[], things: string[]}>} */
  const zones = new Map();
  const zone = (/** @type {number} */ word) => {
    const there = zones.get(word) ?? {people: [], things: []};
    zones.set(word, there);
    return there;
  };
  const everybody = poses.map((_, person) => person);
  for (const row of names.rows(everybody, moment, poses, () => false)) {
    const [first] = row;
    zone(doc.spots[moment.people[first].spot][3]).people.push(personSaid(doc, frame, names, first, row));
  }
  for (const stack of frame.stacks) {
    const spot = doc.spots[moment.things[stack.things[0]].spot];
    zone(spot[3]).things.push(stackSaid(doc, frame, stack));
  }
  return [...zones].map(([word, {people, things}]) => {
    const head = wordOf(doc, word, script);
    const who = people.join(english ? "; " : "；") || planSay(script, "nobody");
    const what =
      things.length > 0
        ? `${english ? " " : ""}${planSay(script, "things")}${english ? ": " : "："}${things.join(english ? "; " : "、")}${english ? "." : "。"}`
        : "";
    return english ? `${head}: ${who}.${what}` : `${head}：${who}。${what}`;
  });
}
