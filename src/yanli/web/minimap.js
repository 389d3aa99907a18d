/**
 * The whole court in small: what part of it is shown, and where everybody is.
 *
 * Comes in: the building, a camera, and who is where. Goes out: a small drawing to scale, north at the top.
 */

import {area, element, num, set, spot} from "yanli/draw.js";

const {max, min} = Math;

/** @typedef {import("yanli/types.js").StageDoc} StageDoc */
/** @typedef {import("yanli/camera.js").Camera} Camera */
/** @typedef {import("yanli/pane.js").Frame} Frame */

export class Minimap {
  #doc;
  #broad;
  #deep;
  #targets;
  #dots;
  #acting;
  #shown;

  /** @param {StageDoc} doc @param {HTMLElement} root */
  constructor(doc, root) {
    this.#doc = doc;
    const [west, south, east, north] = doc.building.bounds;
    this.#broad = east - west;
    this.#deep = north - south;
    const view = `${west} ${-north} ${this.#broad} ${this.#deep}`;
    this.svg = element("svg", {class: "mini", "aria-hidden": "true", viewBox: view}, root);
    area(doc.building.bounds, "court", this.svg);
    for (const {form, box} of doc.building.shapes) if (form === "hall") area(box, form, this.svg);
    const path = (/** @type {string} */ kind) => element("path", {class: kind}, this.svg);
    this.#targets = path("cloth-line");
    this.#dots = path("dots");
    this.#acting = path("dots acting");
    this.#shown = element("rect", {class: "shown"}, this.svg);
  }

  /** @param {number} most  how high it may be, in pixels @returns {number[]}  how broad and high it is then */
  resize(most) {
    const size = [this.#broad, this.#deep].map((side) => side * min(most / this.#deep, (1.4 * most) / this.#broad));
    set(this.svg, {width: size[0], height: size[1]});
    return size;
  }

  /** What the camera sees. @param {Camera} camera */
  look(camera) {
    const [west, south, east, north] = camera.shown();
    const [w, s, e, n] = this.#doc.building.bounds;
    const left = max(west, w);
    const top = min(north, n);
    const width = max(2, min(east, e) - left);
    set(this.#shown, {x: left, y: -top, width, height: max(2, top - max(south, s))});
  }

  /** Where everybody is. @param {Frame} frame */
  show(frame) {
    let dots = "";
    let acting = "";
    frame.poses.forEach(({x, y}, person) => {
      const dot = `M${spot(x, y)}h0`;
      if (frame.acting.has(person)) acting += dot;
      else dots += dot;
    });
    set(this.#dots, {d: dots});
    set(this.#acting, {d: acting});
    let targets = "";
    for (const {form, kind, x, y} of frame.stacks) {
      if (form !== "侯") continue;
      const [broad] = this.#doc.kinds[kind].size ?? [0];
      targets += `M${spot(x - broad / 2, y)}h${num(broad)}`;
    }
    set(this.#targets, {d: targets});
  }
}
