/**
 * Two performances of one rite side by side, in step by the clauses that both play.
 *
 * In: two timelines. Out: a track whose time maps to a time of each. Where only one has something to play, the other
 * waits; what both play begins and ends together.
 */

import {clamp} from "yanli/space.js";
import {count} from "yanli/timeline.js";

const {max, min} = Math;

/** @typedef {import("yanli/timeline.js").Timeline} Timeline */
/** @typedef {import("yanli/types.js").Play} Play */
/** @typedef {[joint: number, one: number, other: number]} Anchor  moments that belong together */

const EPSILON = 1e-6;

export class Pairing {
  #one;
  #other;
  #anchors;

  /** @param {Timeline} one @param {Timeline} other */
  constructor(one, other) {
    this.#one = one;
    this.#other = other;
    this.#anchors = anchorsOf(one, other);
    this.length = this.#anchors.at(-1)?.[0] ?? 0;
  }

  /**
   * The time of each at a joint time.
   * @param {number} time
   * @returns {[one: number, other: number]}
   */
  both(time) {
    return [this.#across(time, 0, 1), this.#across(time, 0, 2)];
  }

  /**
   * The joint time of a time of the one (side 1) or the other (side 2).
   * @param {number} time @param {1 | 2} side
   */
  joint(time, side) {
    return this.#across(time, side, 0);
  }

  /** @param {number} time @param {1 | -1} direction */
  stepAct(time, direction) {
    return this.#step(time, direction, "stepAct");
  }

  /** @param {number} time @param {1 | -1} direction */
  stepClause(time, direction) {
    return this.#step(time, direction, "stepClause");
  }

  /** @param {number} time @param {1 | -1} direction */
  stepSection(time, direction) {
    return this.#step(time, direction, "stepSection");
  }

  /**
   * The nearer of the two next moments.
   * @param {number} time @param {1 | -1} direction @param {"stepAct" | "stepClause" | "stepSection"} kind
   */
  #step(time, direction, kind) {
    const [one, other] = this.both(time);
    const found = [
      this.joint(this.#one[kind](one, direction), 1),
      this.joint(this.#other[kind](other, direction), 2),
    ].filter((each) => (each - time) * direction > EPSILON);
    if (!found.length) return direction > 0 ? this.length : 0;
    return direction > 0 ? min(...found) : max(...found);
  }

  /**
   * From one of the three clocks to another, straight between anchors; where a clock stands, the end of its standing is
   * meant only by those that move then.
   * @param {number} time @param {0 | 1 | 2} from @param {0 | 1 | 2} to
   */
  #across(time, from, to) {
    const anchors = this.#anchors;
    const begun = anchors.findLastIndex((anchor) => anchor[from] <= time);
    const [before, after] = anchors.slice(clamp(begun, 0, anchors.length - 2));
    const span = after[from] - before[from];
    const share = span > EPSILON ? clamp((time - before[from]) / span, 0, 1) : 1;
    return before[to] + (after[to] - before[to]) * share;
  }
}

/**
 * @param {Timeline} one @param {Timeline} other
 * @returns {Anchor[]}
 */
function anchorsOf(one, other) {
  const theirs = new Map(keyed(other));
  const pairs = keyed(one).flatMap(([key, play]) => {
    const match = theirs.get(key);
    return match ? [{ours: play, theirs: match}] : [];
  });
  const kept = inOrder(pairs, (pair) => pair.theirs.start);
  /** @type {[number, number][]} */
  const points = [[0, 0]];
  kept.forEach(({ours, theirs: match}, index) => {
    const next = kept[index + 1];
    points.push([ours.start, match.start]);
    points.push([min(ours.end, next?.ours.start ?? one.length), min(match.end, next?.theirs.start ?? other.length)]);
  });
  points.push([one.length, other.length]);
  /** @type {Anchor[]} */
  const anchors = [];
  for (const [a, b] of points) {
    const last = anchors.at(-1) ?? [0, 0, 0];
    const ours = max(a, last[1]);
    const match = max(b, last[2]);
    anchors.push([last[0] + max(ours - last[1], match - last[2]), ours, match]);
  }
  return anchors;
}

/**
 * The plays of the running text, each with its clause and how often that was played by then.
 * @param {Timeline} timeline
 * @returns {[string, Play][]}
 */
function keyed(timeline) {
  /** @type {Map<number, number>} */
  const times = new Map();
  return timeline.doc.plays
    .filter((play) => !play.via.length)
    .map((play) => {
      const nth = (times.get(play.clause) ?? 0) + 1;
      times.set(play.clause, nth);
      return [`${play.clause}/${nth}`, play];
    });
}

/**
 * The most items whose values never fall (the longest rising run, kept in the order given).
 * @template T
 * @param {T[]} items @param {(item: T) => number} rank
 */
function inOrder(items, rank) {
  /** @type {number[]} */
  const tails = [];
  /** @type {number[]} */
  const before = [];
  const values = items.map(rank);
  values.forEach((value, index) => {
    const place = count(tails, (tail) => values[tail] <= value);
    before[index] = tails[place - 1] ?? -1;
    tails[place] = index;
  });
  /** @type {T[]} */
  const found = [];
  for (let at = tails.at(-1) ?? -1; at >= 0; at = before[at]) found.unshift(items[at]);
  return found;
}
