/**
 * The camera over the plan: which ground is shown, and how large.
 *
 * Comes in: the size of the window, a goal, drags and zooms. Goes out: the middle and the scale of the moment, and the
 * ways between 尺 on the ground and pixels in the window. It never asks the page for a measure.
 */

import {clamp} from "yanli/space.js";

const {abs, max, min} = Math;

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
  width = 0;
  height = 0;
  /** @type {Pad} */
  pad = {top: 0, right: 0, bottom: 0, left: 0};
  x = 0;
  y = 0;
  scale = 9;
  /** @type {Aim} */
  goal = {x: 0, y: 0, scale: 9};

  /** The middle of the part of the window that nothing covers, in pixels. */
  get #x() {
    return (this.pad.left + this.width - this.pad.right) / 2;
  }

  get #y() {
    return (this.pad.top + this.height - this.pad.bottom) / 2;
  }

  /** The breadth of the part of the window that nothing covers. */
  get broad() {
    return max(40, this.width - this.pad.left - this.pad.right);
  }

  get high() {
    return max(40, this.height - this.pad.top - this.pad.bottom);
  }

  /** @param {number} x  in 尺 @returns {number} in pixels from the left */
  left(x) {
    return this.#x + (x - this.x) * this.scale;
  }

  /** @param {number} y  in 尺 @returns {number} in pixels from the top */
  top(y) {
    return this.#y - (y - this.y) * this.scale;
  }

  /** @param {number} px @returns {number} 尺 */
  groundX(px) {
    return this.x + (px - this.#x) / this.scale;
  }

  /** @param {number} py @returns {number} 尺 */
  groundY(py) {
    return this.y - (py - this.#y) / this.scale;
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
    const scale = min(this.broad / max(east - west, 0.01), this.high / max(north - south, 0.01), most);
    return {x: (west + east) / 2, y: (south + north) / 2, scale: clamp(scale, LEAST, MOST)};
  }

  /** @param {Aim} goal  where to be at once */
  jump(goal) {
    this.goal = goal;
    Object.assign(this, goal);
  }

  /**
   * Go on towards the goal.
   * @param {number} seconds  since the last step
   * @returns {boolean} whether anything moved
   */
  step(seconds) {
    const {x, y, scale} = this.goal;
    if (this.x === x && this.y === y && this.scale === scale) return false;
    const far = max(abs(x - this.x), abs(y - this.y)) * this.scale;
    if (far < THERE && abs(scale / this.scale - 1) < SAME) this.jump(this.goal);
    else {
      const share = 1 - Math.exp(-min(seconds, 0.1) / LAG);
      this.x += (x - this.x) * share;
      this.y += (y - this.y) * share;
      this.scale *= (scale / this.scale) ** share;
    }
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
  zoomed(times, px = this.#x, py = this.#y) {
    const {goal} = this;
    const scale = clamp(goal.scale * times, LEAST, MOST);
    const more = 1 / goal.scale - 1 / scale;
    return {x: goal.x + (px - this.#x) * more, y: goal.y - (py - this.#y) * more, scale};
  }
}
