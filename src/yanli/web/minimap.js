/**
 * The whole court in small: what part of it is shown, and where everybody is.
 *
 * Comes in: the building, a camera, and who is where. Goes out: a small drawing to scale, north at the top.
 */

import {element, num, set} from "yanli/draw.js";

/** @typedef {import("yanli/types.js").StageDoc} StageDoc */
/** @typedef {import("yanli/camera.js").Camera} Camera */
/** @typedef {import("yanli/pane.js").Frame} Frame */

export class Minimap {
  /** @param {StageDoc} doc @param {HTMLElement} root */
  constructor(doc, root) {
    this.doc = doc;
    const [west, south, east, north] = doc.building.bounds;
    this.broad = east - west;
    this.deep = north - south;
    this.svg = element("svg", {class: "mini", "aria-hidden": "true", focusable: "false"}, root);
    set(this.svg, "viewBox", `${west} ${-north} ${this.broad} ${this.deep}`);
    element("rect", {x: west, y: -north, width: this.broad, height: this.deep, class: "court"}, this.svg);
    for (const {form, box} of doc.building.shapes) {
      if (form !== "hall") continue;
      const [w, s, e, n] = box;
      element("rect", {x: w, y: -n, width: e - w, height: n - s, class: "hall"}, this.svg);
    }
    this.targets = element("path", {class: "cloth-line"}, this.svg);
    this.dots = element("path", {class: "dots"}, this.svg);
    this.acting = element("path", {class: "dots acting"}, this.svg);
    this.shown = element("rect", {class: "shown"}, this.svg);
  }

  /** @param {number} high  in pixels @returns {number}  how broad it is then */
  resize(high) {
    const broad = (high * this.broad) / this.deep;
    set(this.svg, "width", num(broad));
    set(this.svg, "height", num(high));
    return broad;
  }

  /** What the camera sees. @param {Camera} camera */
  look(camera) {
    const [west, south, east, north] = camera.shown();
    const [w, s, e, n] = this.doc.building.bounds;
    const left = Math.max(west, w);
    const top = Math.min(north, n);
    set(this.shown, "x", num(left));
    set(this.shown, "y", num(-top));
    set(this.shown, "width", num(Math.max(2, Math.min(east, e) - left)));
    set(this.shown, "height", num(Math.max(2, top - Math.max(south, s))));
  }

  /** Where everybody is. @param {Frame} frame */
  show(frame) {
    let dots = "";
    let acting = "";
    frame.poses.forEach(({x, y}, person) => {
      if (frame.acting.has(person)) acting += `M${num(x)} ${num(-y)}h0`;
      else dots += `M${num(x)} ${num(-y)}h0`;
    });
    set(this.dots, "d", dots);
    set(this.acting, "d", acting);
    let targets = "";
    for (const {form, kind, x, y} of frame.stacks) {
      if (form !== "侯") continue;
      const half = (this.doc.kinds[kind]?.size?.[0] ?? 40) / 2;
      targets += `M${num(x - half)} ${num(-y)}h${num(2 * half)}`;
    }
    set(this.targets, "d", targets);
  }
}
