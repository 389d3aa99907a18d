/**
 * The way of whoever is followed: where he, or it, has gone as a faint line, where he goes next as a dotted one.
 *
 * Comes in: a performance, and a person or a thing. Goes out: two paths in 尺, changed only when something was done.
 */

import {element, set, spot} from "yanli/draw.js";
import {clamp} from "yanli/space.js";

/** @typedef {import("yanli/timeline.js").Timeline} Timeline */
/** @typedef {{start: number, end: number, points: number[]}} Leg */

/** So many ways back and ahead are drawn. */
const BACK = 14;
const AHEAD = 4;
const SAME = 0.05;

export class Trace {
  #timeline;
  #past;
  #next;
  #key = "";
  /** @type {Leg[]} */
  #legs = [];
  #drawn = "";

  /** @param {SVGGElement} group @param {Timeline} timeline */
  constructor(group, timeline) {
    this.#timeline = timeline;
    this.#past = element("path", {class: "past"}, group);
    this.#next = element("path", {class: "next"}, group);
  }

  /**
   * @param {number} person  who is followed, or -1 @param {number} thing  what is followed, or -1 @param {number} time
   * @param {[number, number] | null} at  where he or it is now
   */
  show(person, thing, time, at) {
    const key = `${person} ${thing}`;
    if (key !== this.#key) {
      this.#key = key;
      const timeline = this.#timeline;
      this.#legs = person >= 0 ? legsOf(timeline, person) : thing >= 0 ? carriedLegs(timeline, thing) : [];
    }
    const legs = this.#legs;
    const gone = legs.filter((leg) => leg.end <= time).slice(-BACK);
    const now = legs.find((leg) => leg.start <= time && time < leg.end);
    const ahead = legs.filter((leg) => leg.start > time).slice(0, AHEAD);
    const drawn = `${key} ${gone.length} ${gone.at(-1)?.end} ${ahead[0]?.start} ${now && at ? spot(...at) : ""}`;
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    const past = gone.map(({points}) => points);
    const next = ahead.map(({points}) => points);
    if (now && at) {
      const [before, after] = split(now.points, at);
      past.push(before);
      next.unshift(after);
    }
    set(this.#past, {d: past.map(line).join(" ")});
    set(this.#next, {d: next.map(line).join(" ")});
  }
}

/** @param {number[]} points */
function line(points) {
  let way = "";
  for (let at = 0; at + 1 < points.length; at += 2) way += (at ? "L" : "M") + spot(points[at], points[at + 1]);
  return way;
}

/** A path in two, at the point of it that is nearest. @param {number[]} points @param {[number, number]} at @returns {[number[], number[]]} */
function split(points, [x, y]) {
  let best = Infinity;
  let cut = 0;
  for (let i = 0; i + 3 < points.length; i += 2) {
    const [ax, ay, bx, by] = points.slice(i, i + 4);
    const long = (bx - ax) ** 2 + (by - ay) ** 2;
    const share = long > 0 ? clamp(((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / long, 0, 1) : 0;
    const far = Math.hypot(x - ax - (bx - ax) * share, y - ay - (by - ay) * share);
    if (far < best) {
      best = far;
      cut = i + 2;
    }
  }
  return [
    [...points.slice(0, cut), x, y],
    [x, y, ...points.slice(cut)],
  ];
}

/** The ways that a person walks. @param {Timeline} timeline @param {number} person @returns {Leg[]} */
function legsOf(timeline, person) {
  return timeline.eventsOf(person).flatMap((index) => {
    const {actor, start, end, path} = timeline.events[index];
    return actor === person && path ? [{start, end, points: path}] : [];
  });
}

/** The ways on which a thing is carried, and those of an arrow that is shot. @param {Timeline} timeline @param {number} thing @returns {Leg[]} */
function carriedLegs(timeline, thing) {
  const {doc} = timeline;
  /** @type {Leg[]} */
  const found = [];
  let holder = doc.start.things[thing].holder;
  let since = 0;
  let [x, y] = doc.spots[doc.start.things[thing].spot];
  for (const index of [...timeline.eventsWithThing(thing), -1]) {
    const row = timeline.events[index];
    const until = row ? row.end : timeline.length;
    if (holder >= 0) {
      for (const leg of legsOf(timeline, holder)) {
        if (leg.start < since || leg.end > until) continue;
        found.push(leg);
        [x, y] = leg.points.slice(-2);
      }
    }
    if (!row) break;
    for (const change of row.changes ?? []) {
      if (typeof change === "string" || change[0] !== "t" || change[1] !== thing) continue;
      if (change[2] === "holder") {
        holder = change[3];
        since = row.end;
      }
      if (change[2] === "spot") {
        const [u, v] = doc.spots[change[3]];
        if (Math.hypot(u - x, v - y) > SAME) found.push({start: row.start, end: row.end, points: [x, y, u, v]});
        [x, y] = [u, v];
      }
    }
  }
  return found;
}
