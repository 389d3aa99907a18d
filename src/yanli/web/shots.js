/**
 * Where things happen: which ground the camera shows at which time, when nobody steers it.
 *
 * Comes in: a performance and the size of the window. Goes out: shots, one after another. A shot holds everybody and
 * everything concerned in as many clauses as there is room for at a scale at which figures can be told, so that the camera
 * seldom moves; who walks too far for that is followed. What happens at a distant target while something happens here as
 * well is left to the small window there.
 */

import {around, clamp, dot, grown, holds, meets} from "yanli/space.js";

const {abs, max, min} = Math;

/** @typedef {import("yanli/timeline.js").Timeline} Timeline */
/** @typedef {import("yanli/types.js").StageDoc} StageDoc */
/** @typedef {import("yanli/camera.js").Box} Box */
/** @typedef {{start: number, box: Box, follow: number}} Shot  `follow`: the person with whom the camera goes, or -1 */

/** Room round everybody, in 尺. */
const MARGIN = 6;
/** So much of the ground should fit into the smaller side of the window, in 尺; of a broad hall such a share of its breadth. */
const SIGHT = 74;
const SHARE = 0.55;
/** Pixels for one 尺 at which figures are told well. */
const NEAR = 5.4;
const NEAREST = 15;
/** For one clause the camera goes back so far, as a share of that, but not farther than to so many pixels for one 尺. */
const BACK = 0.62;
const FARTHEST = 4.2;
/** What happens at the target for no longer than this, in seconds, does not call the camera there. */
const BRIEF = 25;
const MOMENT = 1e-6;
/** So much lies round what makes up the ground of a target, in 尺. */
const AROUND = 9;
/** The share of time, at either side, that is left out of the ground where people are wont to be. */
const FEW = 0.03;

export class Shots {
  scale = 0;
  #timeline;
  #doc;
  /** @type {{near: Box, whole: Box}[]} */
  #extents;
  #home;
  /** @type {Shot[]} */
  #shots = [];
  #broad = 0;
  #high = 0;

  /** @param {Timeline} timeline */
  constructor(timeline) {
    const {doc} = timeline;
    this.#timeline = timeline;
    this.#doc = doc;
    /** The ground of each target with its screen, and that of all; null when there is none. */
    this.grounds = doc.building.targets.map((box) => grown(box, AROUND));
    /** @type {Box | null} */
    this.far = this.grounds.reduce((all, box) => around(box, all), /** @type {Box | null} */ (null));
    this.#extents = extentsOf(doc);
    this.#home = homeOf(doc, timeline.length, this.far);
  }

  /**
   * Plan for a window.
   * @param {number} broad @param {number} high  in pixels, without what its controls cover
   * @param {number} big  how much larger the page's type is than usual
   */
  fit(broad, high, big) {
    if (abs(broad - this.#broad) < 1 && abs(high - this.#high) < 1) return;
    this.#broad = broad;
    this.#high = high;
    const sight = max(SIGHT, SHARE * (this.#doc.building.measures["堂廣"] ?? 0));
    this.scale = clamp(min(broad, high) / sight, NEAR * big, NEAREST * big);
    this.#shots = this.#joined(this.#items());
  }

  /** The shot of a moment. @param {number} time @returns {Shot} */
  at(time) {
    const shot = this.#shots.findLast(({start}) => start <= time + MOMENT) ?? this.#shots[0];
    return shot ?? {start: 0, box: this.#doc.building.bounds, follow: -1};
  }

  /** How far back the camera goes for one clause. */
  get #least() {
    return max(this.scale * BACK, FARTHEST);
  }

  /** At which scale a box fills the window. @param {Box} box */
  #scaleOf([west, south, east, north]) {
    return min(this.#broad / max(east - west, 1), this.#high / max(north - south, 1));
  }

  /** What each playing of a clause needs, in the order of time. @returns {Shot[]} */
  #items() {
    const tops = this.#doc.plays.filter((play) => play.via.length === 0);
    /** @type {Shot[]} */
    const found = [];
    // When the next words come that are not of the target only; reckoned from the last.
    const here = tops.map((play) => !this.#away(play.clause));
    let next = Infinity;
    const following = tops.map(() => Infinity);
    for (let at = tops.length - 1; at >= 0; at--) {
      following[at] = next;
      if (here[at]) next = tops[at].start;
    }
    tops.forEach((play, at) => {
      const all = this.#timeline.clauseEvents(play.clause).filter((index) => {
        const event = this.#doc.events[index];
        return event.start >= play.start - MOMENT && event.start <= play.end + MOMENT;
      });
      const near = all.filter((index) => !this.#distant(index));
      if (near.length === 0 && all.length > 0 && found.length > 0 && following[at] - play.start < BRIEF) return;
      found.push(...this.#needs(play.start, near.length > 0 ? near : all));
    });
    return found.sort((one, other) => one.start - other.start);
  }

  /** Whether an act is one at the target. @param {number} index */
  #distant(index) {
    return this.ground(this.#extents[index].near) >= 0;
  }

  /** At which target a box is, or -1. @param {Box} near */
  ground(near) {
    return this.grounds.findIndex((box) => holds(box, near));
  }

  /** @param {number} clause */
  #away(clause) {
    const acts = this.#timeline.clauseEvents(clause);
    return acts.length > 0 && acts.every((index) => this.#distant(index));
  }

  /**
   * When something happens at a target, arrows that come there too: stretches of time, joined where they nearly touch, and
   * at which target.
   * @param {number} gap  in seconds
   * @returns {[number, number, number][]}
   */
  busy(gap) {
    /** @type {[number, number, number][]} */
    const found = [];
    this.#doc.events.forEach(({start, end, hit, changes = []}, index) => {
      let {near} = this.#extents[index];
      if (hit !== undefined) {
        for (const change of changes) {
          if (typeof change === "string" || change[0] !== "t" || change[2] !== "spot") continue;
          const [x, y] = this.#doc.spots[change[3]];
          near = dot(x, y);
        }
      }
      const ground = this.ground(near);
      if (ground < 0) return;
      const last = found.findLast((one) => one[2] === ground);
      if (last && start - last[1] <= gap) last[1] = max(last[1], end);
      else found.push([start, end, ground]);
    });
    return found;
  }

  /** @param {number} start @param {number[]} indices @returns {Shot[]} */
  #needs(start, indices) {
    /** @type {Box | null} */
    let whole = null;
    /** @type {Box | null} */
    let near = null;
    for (const index of indices) {
      whole = around(whole, this.#extents[index].whole);
      near = around(near, this.#extents[index].near);
    }
    for (const box of [whole, near]) {
      const roomy = box && grown(box, MARGIN);
      if (roomy && this.#scaleOf(roomy) >= this.#least) return [{start, box: roomy, follow: -1}];
    }
    /** @type {Shot[]} */
    const found = [];
    let until = -Infinity;
    for (const index of indices) {
      const {start: from, end, actor, spot} = this.#doc.events[index];
      // While one goes far, what another does meanwhile does not call the camera away.
      if (from < until - MOMENT) continue;
      until = end;
      const {whole: all, near: own} = this.#extents[index];
      const fitting = [all, own].map((box) => grown(box, MARGIN)).find((box) => this.#scaleOf(box) >= this.#least);
      const [x, y] = this.#doc.spots[spot];
      found.push({start: from, box: fitting ?? grown(dot(x, y), MARGIN), follow: fitting ? -1 : actor});
    }
    return found;
  }

  /** As few shots as will do. @param {Shot[]} items @returns {Shot[]} */
  #joined(items) {
    /** @type {Shot[]} */
    const found = [];
    for (const item of items) {
      const last = found.at(-1);
      if (last && last.follow < 0 && item.follow < 0) {
        const both = around(last.box, item.box);
        if (holds(last.box, item.box) || this.#scaleOf(both) >= this.scale) {
          last.box = both;
          continue;
        }
      }
      if (last && last.follow >= 0 && last.follow === item.follow) continue;
      found.push({...item});
    }
    for (const shot of found) if (shot.follow < 0) shot.box = this.#roomy(shot.box);
    return found;
  }

  /**
   * With all the ground where people are wont to be, if there is room for it, else with the whole of the hall, if it is
   * touched: who stands by is seen too, and the camera rests.
   * @param {Box} box @returns {Box}
   */
  #roomy(box) {
    const all = around(box, this.#home);
    if (this.#scaleOf(all) >= NEAR) return all;
    for (const shape of this.#doc.building.shapes) {
      if (shape.form !== "hall") continue;
      const hall = grown(shape.box, 2);
      const both = around(box, hall);
      if (meets(box, hall) && this.#scaleOf(both) >= this.scale * 0.92) return both;
    }
    return box;
  }
}

/**
 * The ground where people are wont to be, within the walls and away from the targets: all but a small share of the time
 * that they spend there, at either side; null when there is none.
 * @param {StageDoc} doc @param {number} length  in seconds @param {Box | null} far @returns {Box | null}
 */
function homeOf(doc, length, far) {
  const {bounds} = doc.building;
  /** @type {[place: number, seconds: number][]} */
  const across = [];
  /** @type {[place: number, seconds: number][]} */
  const along = [];
  const since = doc.start.people.map(({spot}) => ({spot, time: 0}));
  const stay = (/** @type {{spot: number, time: number}} */ {spot, time}, /** @type {number} */ until) => {
    const [x, y] = doc.spots[spot];
    if (until <= time || !holds(bounds, dot(x, y)) || (far && holds(far, dot(x, y)))) return;
    across.push([x, until - time]);
    along.push([y, until - time]);
  };
  for (const {actor, spot, end} of doc.events) {
    const last = since[actor];
    if (!last || last.spot === spot) continue;
    stay(last, end);
    since[actor] = {spot, time: end};
  }
  for (const last of since) stay(last, length);
  if (across.length === 0) return null;
  const [west, east] = most(across);
  const [south, north] = most(along);
  return grown([west, south, east, north], MARGIN / 2);
}

/**
 * Between which two places nearly all the time is spent.
 * @param {[place: number, seconds: number][]} stays @returns {[number, number]}
 */
function most(stays) {
  stays.sort((one, other) => one[0] - other[0]);
  const few = FEW * stays.reduce((sum, [, seconds]) => sum + seconds, 0);
  const first = (/** @type {[place: number, seconds: number][]} */ from) => {
    let spent = 0;
    for (const [place, seconds] of from) {
      spent += seconds;
      if (spent > few) return place;
    }
    return 0;
  };
  return [first(stays), first([...stays].reverse())];
}

/**
 * For each act the ground of who does it, and with those to whom it is done and where it puts something.
 * @param {StageDoc} doc
 */
function extentsOf(doc) {
  const at = (/** @type {number} */ spot) => dot(doc.spots[spot][0], doc.spots[spot][1]);
  const places = doc.start.people.map(({spot}) => at(spot));
  return doc.events.map(({actor, spot, path = [], target = [], changes = [], hit}) => {
    const end = at(spot);
    let near = around(end, places[actor] ?? null);
    for (let step = 0; step < path.length; step += 2) near = around(near, dot(path[step], path[step + 1]));
    let whole = near;
    for (const person of target) whole = around(whole, places[person] ?? null);
    for (const change of changes) {
      if (typeof change === "string" || change[0] !== "t" || change[2] !== "spot") continue;
      if (hit === undefined) whole = around(whole, at(change[3]));
    }
    if (actor >= 0) places[actor] = end;
    return {near, whole};
  });
}
