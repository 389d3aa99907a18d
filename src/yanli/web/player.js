/**
 * The clock: a time that runs at a chosen speed along a track, and steps along it.
 *
 * In: a track (a timeline, or two of them side by side), commands. Out: `time` events, at every frame while it runs and
 * at every change of the time; `state` events when it starts, stops or changes its speed. Times are seconds.
 */

import {SPEEDS} from "yanli/link.js";
import {clamp} from "yanli/space.js";

/** @typedef {"act" | "clause" | "section"} Step */
/**
 * @typedef {object} Track  what can be played
 * @property {number} length
 * @property {(time: number, direction: 1 | -1) => number} stepAct
 * @property {(time: number, direction: 1 | -1) => number} stepClause
 * @property {(time: number, direction: 1 | -1) => number} stepSection
 */

/** A frame that came later than this (a sleeping tab) does not make the clock leap. */
const LONGEST_FRAME = 0.25;
const STEPS = /** @type {const} */ ({act: "stepAct", clause: "stepClause", section: "stepSection"});

export class Player extends EventTarget {
  #frame = 0;
  #last = 0;

  /** @param {Track} track */
  constructor(track) {
    super();
    /** @type {Track} */
    this.track = track;
    this.time = 0;
    this.speed = 1;
    this.playing = false;
  }

  /** @param {"state" | "time"} what */
  #changed(what) {
    this.dispatchEvent(new Event(what));
  }

  /**
   * Take another track, and stand at a time on it.
   * @param {Track} track @param {number} time
   */
  load(track, time) {
    this.track = track;
    this.seek(time);
  }

  play() {
    if (this.playing) return;
    if (this.time >= this.track.length) this.seek(0);
    this.playing = true;
    this.#last = 0;
    this.#frame = requestAnimationFrame(this.#tick);
    this.#changed("state");
  }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    cancelAnimationFrame(this.#frame);
    this.#changed("state");
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  /** @param {number} time what is before the beginning or after the end is taken as that */
  seek(time) {
    this.time = clamp(Number.isFinite(time) ? time : 0, 0, this.track.length);
    this.#changed("time");
  }

  /**
   * Go to the next or the last moment of a kind. Single acts are looked at standing still.
   * @param {Step} kind @param {1 | -1} direction
   */
  step(kind, direction) {
    if (kind === "act") this.pause();
    this.seek(this.track[STEPS[kind]](this.time, direction));
  }

  /** @param {number} speed one of SPEEDS */
  setSpeed(speed) {
    if (!SPEEDS.includes(speed) || speed === this.speed) return;
    this.speed = speed;
    this.#changed("state");
  }

  /** @param {1 | -1} direction the next speed, faster or slower */
  stepSpeed(direction) {
    this.setSpeed(SPEEDS[SPEEDS.indexOf(this.speed) + direction] ?? this.speed);
  }

  /** @param {number} now milliseconds */
  #tick = (now) => {
    if (!this.playing) return;
    const passed = this.#last ? Math.min((now - this.#last) / 1000, LONGEST_FRAME) : 0;
    this.#last = now;
    this.seek(this.time + passed * this.speed);
    if (this.time >= this.track.length) this.pause();
    else if (this.playing) this.#frame = requestAnimationFrame(this.#tick);
  };
}
