/**
 * People between two states: walking, turning, kneeling, bowing, drawing; and arrows in the air.
 *
 * Comes in: a `Timeline` and a time in seconds. Goes out: poses in 尺 and degrees. When no act of a person is under way
 * his pose is his state; at the very end of an act it comes to what the act leaves him in.
 */

import {clamp, dot, holds} from "yanli/space.js";
import {lower} from "yanli/timeline.js";

const {hypot, max, min} = Math;

/** @typedef {import("yanli/types.js").StageDoc} StageDoc */
/** @typedef {import("yanli/types.js").EventRow} EventRow */
/** @typedef {import("yanli/types.js").Info} Info */
/** @typedef {import("yanli/types.js").PersonState} PersonState */
/** @typedef {import("yanli/types.js").Moment} Moment */
/** @typedef {import("yanli/types.js").Pose} Pose */
/** @typedef {import("yanli/types.js").Flight} Flight */
/** @typedef {import("yanli/timeline.js").Timeline} Timeline */
/** @typedef {[number, number]} Point */

/** Seconds that a turn takes, and kneeling or rising where the act itself is longer. */
const TURN = 0.6;
const KNEEL = 2;
/** He who steps no farther than this (尺) goes sideways or backwards and does not turn for it. */
const SIDESTEP = 4;
/** Corners are rounded over so many 尺 before and after them. */
const CORNER = 1.2;
/** What share of a bow's time goes for getting down on the knees, and as much for getting up. */
const DOWN = 0.22;
/** How low a bow with joined hands is, where a bow to the ground is 1. */
const SALUTE = 0.3;
/** An arrow flies so many 尺 a second (some 45 metres), but never longer than this share of its act. */
const ARROW = 195;
const FLYING = 0.35;
/** Shares of the time before the arrow leaves: the bow is raised, then drawn, then held. */
const RAISED = 0.3;
const DRAWN = 0.75;
/** After it has left, the string is still for so many seconds. */
const LOOSED = 0.15;

/**
 * What an act changes of him who does it, and how it is spent.
 *
 * @typedef {object} Course
 * @property {number} walk  seconds of walking, at the beginning
 * @property {number} own  seconds after that
 * @property {Float64Array} way  how far each corner of the path is along it, in 尺
 * @property {number | null} facing  he comes to face so
 * @property {boolean | null} kneels
 */

/** @type {WeakMap<Timeline, Course[]>} */
const COURSES = new WeakMap();
/** @type {WeakMap<StageDoc, Level>} */
const LEVELS = new WeakMap();

/**
 * One person at a time.
 * @param {Timeline} timeline @param {number} person @param {number} time @returns {Pose}
 */
export function poseAt(timeline, person, time) {
  const acts = timeline.running(time).filter((index) => timeline.events[index].actor === person);
  return pose(timeline, timeline.at(time).people[person], acts, time);
}

/**
 * Everybody at a time, in the order of the people.
 * @param {Timeline} timeline @param {number} time @returns {Pose[]}
 */
export function poses(timeline, time) {
  /** @type {Map<number, number[]>} */
  const acts = new Map();
  for (const index of timeline.running(time)) {
    const {actor} = timeline.events[index];
    acts.set(actor, [...(acts.get(actor) ?? []), index]);
  }
  return timeline.at(time).people.map((state, person) => pose(timeline, state, acts.get(person) ?? [], time));
}

/**
 * The arrows in the air. An arrow is in its archer's hand until its act is over; while it flies it is drawn here only.
 * @param {Timeline} timeline @param {number} time @returns {Flight[]}
 */
export function flights(timeline, time) {
  const {doc} = timeline;
  /** @type {Flight[]} */
  const found = [];
  for (const index of timeline.running(time)) {
    const row = doc.events[index];
    if (doc.infos[row.info].gesture !== "shoot") continue;
    const from = pointOf(doc, timeline.at(time).people[row.actor].spot);
    for (const thing of row.things ?? []) {
      const spot = landing(row, thing);
      if (spot === null) continue;
      const to = pointOf(doc, spot);
      const begun = row.end - flying(row, from, to);
      if (time < begun) continue;
      found.push({
        thing,
        share: (time - begun) / (row.end - begun),
        from,
        to,
        hit: row.hit ?? false,
        fell: row.fell ?? -1,
      });
    }
  }
  return found;
}

/**
 * Where a thing is: with whom and in which hand, or on the ground; z above the court.
 * @param {Timeline} timeline @param {number} thing @param {number} time
 * @returns {{x: number, y: number, z: number, holder: number, hand: "left" | "right" | "belt" | ""}}
 */
export function carried(timeline, thing, time) {
  const {doc} = timeline;
  const moment = timeline.at(time);
  const state = moment.things[thing];
  if (state.holder < 0) {
    const [x, y] = pointOf(doc, state.spot);
    return {x, y, z: levelOf(doc).ofSpot(state.spot), holder: -1, hand: ""};
  }
  const {x, y, z} = poseAt(timeline, state.holder, time);
  const person = moment.people[state.holder];
  const hand = person.left.includes(thing) ? "left" : person.right.includes(thing) ? "right" : "belt";
  return {x, y, z, holder: state.holder, hand};
}

// ── one person ──────────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * @param {Timeline} timeline @param {PersonState} state @param {number[]} acts  his, under way @param {number} time @returns {Pose}
 */
function pose(timeline, state, acts, time) {
  const {doc} = timeline;
  const [x, y] = doc.spots[state.spot];
  /** @type {Pose} */
  const found = {
    x,
    y,
    z: levelOf(doc).of(state),
    facing: state.facing,
    kneel: state.posture === doc.standing ? 0 : 1,
    bow: 0,
    draw: 0,
    walking: false,
    event: acts.at(-1) ?? -1,
    gesture: "",
    share: 0,
  };
  for (const index of acts) act(timeline, index, time, state, found);
  return found;
}

/**
 * What one act that is under way makes of a pose.
 * @param {Timeline} timeline @param {number} index @param {number} time @param {PersonState} state
 * @param {Pose} found
 */
function act(timeline, index, time, state, found) {
  const {doc} = timeline;
  const row = doc.events[index];
  const info = doc.infos[row.info];
  const course = courseOf(timeline, index);
  const {walk, own, kneels} = course;
  const gone = time - row.start;
  if (row.path?.length) walked(doc, row, course, gone, state, found);
  const stays = (course.way.at(-1) ?? 0) <= SIDESTEP;
  const facing = course.facing ?? (stays ? null : state.facing);
  if (facing !== null) {
    // Who walks turns to his last facing when he has come there; who stands turns at once.
    const spent = min(TURN, (stays ? walk + own : own > 0 ? own : walk) / 2);
    const begun = stays ? 0 : own > 0 ? walk : walk - spent;
    found.facing = turned(found.facing, facing, smooth((gone - begun) / spent));
  }
  if (kneels !== null) {
    const spent = own > 0 ? min(KNEEL, own) : min(1, walk + own);
    const begun = !kneels ? 0 : own === 0 ? walk + own - spent : walk;
    const share = smooth((gone - begun) / spent);
    found.kneel = kneels ? max(found.kneel, share) : min(found.kneel, 1 - share);
  }
  if (info.gesture && own > 0 && gone >= walk) gesture(doc, row, info, (gone - walk) / own, found);
}

/**
 * @param {StageDoc} doc @param {EventRow} row @param {Course} course @param {number} gone @param {PersonState} state
 * @param {Pose} found
 */
function walked(doc, row, {walk, way}, gone, state, found) {
  const path = row.path ?? [];
  const whole = way.at(-1) ?? 0;
  const share = walk > 0 ? min(1, gone / walk) : 1;
  const far = whole * share;
  [found.x, found.y] = along(path, way, far);
  found.z = levelOf(doc).onWay(path, way, far, state, row);
  found.walking = share < 1;
  if (whole <= SIDESTEP) return;
  const [ax, ay] = along(path, way, max(0, far - CORNER));
  const [bx, by] = along(path, way, min(whole, far + CORNER));
  if (ax === bx && ay === by) return;
  const degrees = (Math.atan2(bx - ax, by - ay) * 180) / Math.PI;
  found.facing = turned(state.facing, degrees, smooth(gone / min(TURN, walk / 2)));
}

/**
 * @param {StageDoc} doc @param {EventRow} row @param {Info} info @param {number} share  of the act's own time
 * @param {Pose} found
 */
function gesture(doc, row, info, share, found) {
  found.gesture = /** @type {Pose["gesture"]} */ (info.gesture);
  found.share = share;
  if (info.gesture === "salute") found.bow = max(found.bow, SALUTE * waves(share, info.times));
  if (info.gesture === "bow") {
    found.kneel = max(found.kneel, smooth(share / DOWN) * smooth((1 - share) / DOWN));
    found.bow = max(found.bow, waves((share - DOWN) / (1 - 2 * DOWN), info.times));
  }
  if (info.gesture === "shoot") {
    const spot = landing(row, row.things?.[0] ?? -1);
    const lasts = row.end - row.start;
    const flight = spot === null ? 0 : flying(row, pointOf(doc, row.spot), pointOf(doc, spot));
    const loosed = 1 - flight / lasts;
    const after = ((share - loosed) * lasts) / LOOSED;
    found.draw = share < loosed ? smooth((share / loosed - RAISED) / (DRAWN - RAISED)) : max(0, 1 - after);
  }
}

/** @param {Timeline} timeline @param {number} index @returns {Course} */
function courseOf(timeline, index) {
  const known = COURSES.get(timeline) ?? [];
  COURSES.set(timeline, known);
  known[index] ??= coming(timeline, index);
  return known[index];
}

/** The course of an act, and with it of acts that take no time at its end. @param {Timeline} timeline @param {number} index */
function coming(timeline, index) {
  const {doc, starts} = timeline;
  const row = doc.events[index];
  const found = course(doc, row);
  for (let next = max(index + 1, lower(starts, row.end)); starts[next] === row.end; next += 1) {
    const then = doc.events[next];
    if (then.actor === row.actor && then.end === row.end) found.facing = course(doc, then).facing ?? found.facing;
  }
  return found;
}

/** @param {StageDoc} doc @param {EventRow} row @returns {Course} */
function course(doc, row) {
  const lasts = row.end - row.start;
  const path = row.path ?? [];
  const own = path.length ? min(lasts, doc.infos[row.info].seconds) : lasts;
  // A small step has no time of its own.
  const walk = path.length && own >= lasts ? lasts : lasts - own;
  const way = new Float64Array(path.length / 2);
  for (let at = 1; at < way.length; at += 1) {
    way[at] = way[at - 1] + hypot(path[2 * at] - path[2 * at - 2], path[2 * at + 1] - path[2 * at - 1]);
  }
  let facing = null;
  let kneels = null;
  for (const change of row.changes ?? []) {
    const name = typeof change === "string" ? change : change[0] === "p" && change[1] === row.actor ? change[2] : "";
    if (name === "facing") facing = typeof change === "string" ? row.facing : change[3];
    if (name === "posture") kneels = (typeof change === "string" ? row.posture : change[3]) !== doc.standing;
  }
  return {walk, own: lasts - walk, way, facing, kneels};
}

/** How long an arrow is in the air. @param {EventRow} row @param {Point} from @param {Point} to */
function flying(row, from, to) {
  return min(hypot(to[0] - from[0], to[1] - from[1]) / ARROW, (row.end - row.start) * FLYING);
}

/** The spot where an arrow comes to lie; null when its act moves it nowhere. @param {EventRow} row @param {number} thing @returns {number | null} */
function landing(row, thing) {
  for (const change of row.changes ?? []) {
    if (typeof change !== "string" && change[0] === "t" && change[1] === thing && change[2] === "spot")
      return change[3];
  }
  return null;
}

// ── lines and levels ────────────────────────────────────────────────────────────────────────────────────────────────

/** @param {StageDoc} doc @param {number} spot @returns {Point} */
function pointOf(doc, spot) {
  const [x, y] = doc.spots[spot];
  return [x, y];
}

/** The point so far along a path. @param {number[]} path @param {Float64Array} way @param {number} far @returns {Point} */
function along(path, way, far) {
  let at = 1;
  while (at < way.length - 1 && way[at] < far) at += 1;
  if (way.length < 2) return [path[0], path[1]];
  const long = way[at] - way[at - 1];
  const share = long > 0 ? clamp((far - way[at - 1]) / long, 0, 1) : 1;
  const [ax, ay, bx, by] = path.slice(2 * at - 2, 2 * at + 2);
  return [ax + (bx - ax) * share, ay + (by - ay) * share];
}

/** @param {StageDoc} doc @returns {Level} */
export function levelOf(doc) {
  const level = LEVELS.get(doc) ?? new Level(doc);
  LEVELS.set(doc, level);
  return level;
}

/** How high the ground is: court, stairs, hall. */
class Level {
  #doc;
  #height;
  #upper;
  #hall;
  /** @type {{west: number, east: number, foot: number, top: number, steps: number}[]} */
  #stairs;

  /** @param {StageDoc} doc */
  constructor(doc) {
    const {shapes, height, upper} = doc.building;
    this.#doc = doc;
    this.#height = height;
    this.#upper = new Set(upper);
    const hall = shapes.find((shape) => shape.form === "hall")?.box ?? dot(0, 0);
    this.#hall = hall;
    this.#stairs = shapes
      .filter((shape) => shape.form === "stair")
      .map(({box: [west, south, east, north], steps = 1}) => {
        const [foot, top] = south >= hall[3] ? [north, south] : [south, north];
        return {west, east, foot, top, steps};
      });
  }

  /** Under a person. @param {PersonState} state */
  of({step, spot}) {
    const steps = step === null ? 0 : this.#stairAt(pointOf(this.#doc, spot))?.steps;
    return step !== null && steps ? (this.#height * step) / steps : this.ofSpot(spot);
  }

  /** Of a place, by the zone in which it lies. @param {number} spot */
  ofSpot(spot) {
    const [x, y, , zone] = this.#doc.spots[spot];
    return this.#upper.has(this.#doc.words[zone]) ? this.#height : this.#onStair([x, y]);
  }

  /** @param {Point} point */
  #onStair(point) {
    const stair = this.#stairAt(point);
    return stair ? this.#height * rise(stair, point[1]) : 0;
  }

  /** The stair on which a point lies, or just before or above which. @param {Point} point */
  #stairAt([x, y]) {
    return this.#stairs.find(
      ({west, east, foot, top}) => x >= west && x <= east && y >= min(foot, top) - 1 && y <= max(foot, top) + 1,
    );
  }

  /** Of a point that may be anywhere. @param {Point} point */
  #at(point) {
    return holds(this.#hall, dot(...point)) ? this.#height : this.#onStair(point);
  }

  /**
   * Under one who walks. Where he is on no step before and after, the ground tells; else he goes from step to step.
   * @param {number[]} path @param {Float64Array} way @param {number} far @param {PersonState} state @param {EventRow} row
   */
  onWay(path, way, far, state, row) {
    const point = along(path, way, far);
    const step = row.step ?? null;
    if (state.step === null && step === null) return this.#at(point);
    const from = this.of(state);
    const to = this.of({...state, spot: row.spot, step});
    const [x, y] = path;
    const [u, v] = path.slice(-2);
    const stair = this.#stairAt([x, y]) ?? this.#stairAt([u, v]);
    if (!stair) return this.#at(point);
    // Only what lies on the stair goes up or down.
    const low = rise(stair, y);
    const high = rise(stair, v);
    const share = low === high ? 1 : (rise(stair, point[1]) - low) / (high - low);
    return from + (to - from) * clamp(share, 0, 1);
  }
}

/** How much of a stair lies below a point: 0 at its foot … 1 at its top. @param {{foot: number, top: number}} stair @param {number} y */
function rise({foot, top}, y) {
  return top === foot ? 1 : clamp((y - foot) / (top - foot), 0, 1);
}

/** From one way to another, the short way round. @param {number} from @param {number} to @param {number} share */
function turned(from, to, share) {
  const turn = ((((to - from) % 360) + 540) % 360) - 180;
  return (((from + turn * share) % 360) + 360) % 360;
}

/** A share that begins and ends gently; 1 where it is no number. @param {number} share */
function smooth(share) {
  if (!(share < 1)) return 1;
  if (share <= 0) return 0;
  return share * share * (3 - 2 * share);
}

/** So many times down and up again. @param {number} share @param {number} times */
function waves(share, times) {
  if (share <= 0 || share >= 1) return 0;
  const once = (share * times) % 1;
  return smooth(min(once, 1 - once) / 0.4);
}
