/**
 * The camera over the plan: which ground is shown, and how large.
 *
 * Comes in: the size of the window, a goal, drags and zooms. Goes out: the middle and the scale of the moment, and the
 * ways between 尺 on the ground and pixels in the window. It never asks the page for a measure.
 */

/** @typedef {[west: number, south: number, east: number, north: number]} Box  in 尺 */
/** @typedef {{x: number, y: number, scale: number}} Aim  the middle in 尺, and pixels for one 尺 */
/** @typedef {{top: number, right: number, bottom: number, left: number}} Pad  in pixels */

/** How long the camera takes for about two thirds of its way, in seconds. */
const LAG = 0.28;
/** Nearer than this to its goal it is there: in pixels, and as a share of the scale. */
const THERE = 0.4;
const SAME = 0.0015;
export const LEAST = 0.8;
export const MOST = 60;

export class Camera {
  constructor() {
    this.width = 0;
    this.height = 0;
    /** @type {Pad} */
    this.pad = {top: 0, right: 0, bottom: 0, left: 0};
    this.x = 0;
    this.y = 0;
    this.scale = 9;
    /** @type {Aim} */
    this.goal = {x: 0, y: 0, scale: 9};
  }

  /** The middle of the part of the window that nothing covers, in pixels. */
  get middleX() {
    return (this.pad.left + this.width - this.pad.right) / 2;
  }

  get middleY() {
    return (this.pad.top + this.height - this.pad.bottom) / 2;
  }

  /** The breadth of the part of the window that nothing covers. */
  get broad() {
    return Math.max(40, this.width - this.pad.left - this.pad.right);
  }

  get high() {
    return Math.max(40, this.height - this.pad.top - this.pad.bottom);
  }

  /** @param {number} x  in 尺 @returns {number} in pixels from the left */
  left(x) {
    return this.middleX + (x - this.x) * this.scale;
  }

  /** @param {number} y  in 尺 @returns {number} in pixels from the top */
  top(y) {
    return this.middleY - (y - this.y) * this.scale;
  }

  /** @param {number} px @returns {number} 尺 */
  groundX(px) {
    return this.x + (px - this.middleX) / this.scale;
  }

  /** @param {number} py @returns {number} 尺 */
  groundY(py) {
    return this.y - (py - this.middleY) / this.scale;
  }

  /** The ground that the window shows, under its controls too. @returns {Box} */
  shown() {
    return [this.groundX(0), this.groundY(this.height), this.groundX(this.width), this.groundY(0)];
  }

  /**
   * The aim that shows the whole of a box.
   * @param {Box} box @param {number} [most]  the largest scale
   * @returns {Aim}
   */
  fit(box, most = MOST) {
    const [west, south, east, north] = box;
    const scale = Math.min(this.broad / Math.max(east - west, 0.01), this.high / Math.max(north - south, 0.01), most);
    return {x: (west + east) / 2, y: (south + north) / 2, scale: clamp(scale, LEAST, MOST)};
  }

  /** Whether the camera is where it should be. */
  get still() {
    const {x, y, scale} = this.goal;
    return (
      Math.abs(x - this.x) * this.scale < THERE &&
      Math.abs(y - this.y) * this.scale < THERE &&
      Math.abs(scale / this.scale - 1) < SAME
    );
  }

  /** @param {Aim} goal  where to go; `step` brings the camera there */
  glide(goal) {
    this.goal = goal;
  }

  /** @param {Aim} goal  where to be at once */
  jump(goal) {
    this.goal = goal;
    this.x = goal.x;
    this.y = goal.y;
    this.scale = goal.scale;
  }

  /**
   * Go on towards the goal.
   * @param {number} seconds  since the last step
   * @returns {boolean} whether anything moved
   */
  step(seconds) {
    const {x, y, scale} = this.goal;
    if (this.x === x && this.y === y && this.scale === scale) return false;
    if (this.still) {
      this.jump(this.goal);
      return true;
    }
    const share = 1 - Math.exp(-Math.min(seconds, 0.1) / LAG);
    this.x += (x - this.x) * share;
    this.y += (y - this.y) * share;
    this.scale *= (scale / this.scale) ** share;
    return true;
  }

  /** @param {number} dx @param {number} dy  how far the ground is dragged, in pixels */
  drag(dx, dy) {
    this.jump({x: this.x - dx / this.scale, y: this.y + dy / this.scale, scale: this.scale});
  }

  /**
   * What the aim is when the ground under one point of the window stays where it is.
   * @param {number} times  how much larger @param {number} px @param {number} py
   * @returns {Aim}
   */
  zoomed(times, px = this.middleX, py = this.middleY) {
    const scale = clamp(this.goal.scale * times, LEAST, MOST);
    const x = this.goal.x + (px - this.middleX) * (1 / this.goal.scale - 1 / scale);
    const y = this.goal.y - (py - this.middleY) * (1 / this.goal.scale - 1 / scale);
    return {x, y, scale};
  }
}

/** @param {number} value @param {number} least @param {number} most */
export function clamp(value, least, most) {
  return Math.min(most, Math.max(least, value));
}

/**
 * The box around two boxes; null stands for none.
 * @param {Box | null} one @param {Box | null} other @returns {Box | null}
 */
export function around(one, other) {
  if (!one || !other) return one ?? other;
  return [
    Math.min(one[0], other[0]),
    Math.min(one[1], other[1]),
    Math.max(one[2], other[2]),
    Math.max(one[3], other[3]),
  ];
}

/** @param {Box} box @param {number} by  so much more on every side @returns {Box} */
export function grown(box, by) {
  return [box[0] - by, box[1] - by, box[2] + by, box[3] + by];
}

/** Whether one box holds another. @param {Box} outer @param {Box} inner */
export function holds(outer, inner) {
  return outer[0] <= inner[0] && outer[1] <= inner[1] && outer[2] >= inner[2] && outer[3] >= inner[3];
}
