/**
 * What is true at a moment, gathered for drawing.
 *
 * Comes in: a performance, a time in seconds, whom to follow, who is marked. Goes out: a `Frame`. What has not changed since
 * the last one is the same object, so that whoever draws it can tell.
 */

import {wordOf} from "yanli/language.js";
import {flights, poses} from "yanli/pose.js";
import {short} from "yanli/rows.js";
import {lower, upper} from "yanli/timeline.js";

/** @typedef {import("yanli/timeline.js").Timeline} Timeline */
/** @typedef {import("yanli/pane.js").Frame} Frame */
/** @typedef {import("yanli/stacks.js").Stacks} Stacks */
/** @typedef {import("yanli/language.js").Script} Script */

/**
 * Everything at a time.
 * @param {Timeline} timeline @param {Stacks} stacks @param {number} time @param {Frame | null} last
 * @param {{script: Script, follow: string | null, marks: Map<number, string> | null, deeds: boolean}} wanted  `deeds`: what
 *   is done is said in a word
 * @returns {Frame}
 */
export function frameAt(timeline, stacks, time, last, {script, follow, marks, deeds}) {
  const {doc} = timeline;
  const moment = timeline.at(time);
  let running = timeline.running(time);
  if (running.length === 0) running = justDone(timeline, time);
  /** @type {Set<number>} */
  const acting = new Set();
  /** @type {Map<number, string>} */
  const tags = new Map();
  /** @type {Set<number>} */
  const touched = new Set();
  for (const index of running) {
    const {actor, info, target, things} = doc.events[index];
    if (actor >= 0) acting.add(actor);
    if (actor >= 0 && deeds) tags.set(actor, short(wordOf(doc, doc.infos[info].verb, script), script));
    for (const person of target ?? []) acting.add(person);
    for (const thing of things ?? []) touched.add(thing);
  }
  const kept = last && last.moment.things === moment.things;
  const [person, thing] = followed(timeline, follow);
  /** @type {Frame} */
  const frame = {
    time,
    moment,
    poses: poses(timeline, time),
    flights: flights(timeline, time),
    stacks: kept ? last.stacks : stacks.at(moment),
    acting,
    tags,
    touched,
    person,
    thing,
    at: null,
    marks: marks ?? new Map(),
    script,
  };
  frame.at = placeOf(timeline, frame);
  return frame;
}

/**
 * What was done last, when nothing is under way.
 * @param {Timeline} timeline @param {number} time @returns {number[]}
 */
function justDone(timeline, time) {
  const count = upper(timeline.ends, time);
  const first = lower(timeline.ends, timeline.ends[count - 1] ?? 0);
  return [...timeline.done.subarray(first, count)];
}

/** @param {Timeline} timeline @param {string | null} follow @returns {[person: number, thing: number]} */
function followed({doc}, follow) {
  if (!follow) return [-1, -1];
  if (/^p\d+$/.test(follow)) return [Number(follow.slice(1)), -1];
  if (/^t\d+$/.test(follow)) return [-1, Number(follow.slice(1))];
  const person = doc.people.findIndex((one) => doc.words[one.name] === follow);
  return person >= 0 ? [person, -1] : [-1, doc.things.findIndex((one) => one.id === follow)];
}

/** Where that is which is followed. @param {Timeline} timeline @param {Frame} frame @returns {[number, number] | null} */
function placeOf({doc}, {person, thing, poses: all, flights: flying, moment}) {
  if (person >= 0) return [all[person].x, all[person].y];
  if (thing < 0) return null;
  const flight = flying.find((one) => one.thing === thing);
  if (flight) {
    const {from, to, share} = flight;
    return [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share];
  }
  const state = moment.things[thing];
  if (state.holder >= 0) return [all[state.holder].x, all[state.holder].y];
  const [x, y] = doc.spots[state.spot];
  return [x, y];
}
