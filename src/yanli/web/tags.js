/**
 * Names as elements: text of constant size above the ground, its leaders and brackets.
 *
 * Comes in: labels with their places, and where their figures are at each frame. Goes out: elements that go with their
 * figures. Type is measured on a canvas, never on the page.
 */

import {element, num, set} from "yanli/draw.js";

/** @typedef {import("yanli/labels.js").Label} Label */

/**
 * @typedef {object} Tag
 * @property {HTMLDivElement} el
 * @property {Text} text
 * @property {HTMLSpanElement} deed
 * @property {Label} label
 * @property {SVGPathElement | null} line
 * @property {SVGPathElement | null} bracket
 * @property {string} place
 */

const FAMILY = '"Yanli Serif", "Noto Serif CJK TC", "Source Han Serif TC", "Songti TC", serif';
const KEEP = 3000;

/** How broad texts are, in pixels; each is measured once. @type {Map<string, number>} */
const known = new Map();
/** @type {CanvasRenderingContext2D | null} */
let canvas = null;

/** How broad a text is, in pixels. @param {string} words @param {number} size @param {boolean} bold */
export function measure(words, size, bold) {
  if (!canvas) {
    canvas = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));
    // Until the page's own type is there other type is measured.
    document.fonts.addEventListener("loadingdone", () => known.clear());
  }
  const key = `${words} ${size} ${bold}`;
  let broad = known.get(key);
  if (broad === undefined) {
    if (known.size > KEEP) known.clear();
    canvas.font = `${bold ? 600 : 400} ${size}px ${FAMILY}`;
    broad = canvas.measureText(words).width + 0.5;
    known.set(key, broad);
  }
  return broad;
}

export class Tags {
  #names;
  #lines;
  /** @type {Map<string, Tag>} */
  #tags = new Map();

  /** @param {HTMLElement} root @param {SVGGElement} lines */
  constructor(root, lines) {
    this.#names = document.createElement("div");
    set(this.#names, {class: "names", "aria-hidden": "true"});
    root.append(this.#names);
    this.#lines = lines;
  }

  /** @param {Label[]} labels */
  update(labels) {
    const left = new Set(this.#tags.keys());
    for (const label of labels) {
      left.delete(label.key);
      const tag = this.#tags.get(label.key) ?? this.#make(label);
      tag.label = label;
      tag.place = "";
      const look = `name ${label.kind}${label.act ? " act" : ""}${label.upright ? " up" : ""}`;
      set(tag.el, {class: look, "data-of": label.of});
      if (tag.text.data !== label.words) tag.text.data = label.words;
      if (tag.deed.textContent !== label.tag) tag.deed.textContent = label.tag;
      tag.line = this.#path(tag.line, label.leader !== null, "leader");
      tag.bracket = this.#path(tag.bracket, label.bracket.length > 0, "bracket");
    }
    for (const key of left) {
      const tag = this.#tags.get(key);
      for (const el of [tag?.el, tag?.line, tag?.bracket]) el?.remove();
      this.#tags.delete(key);
    }
  }

  /** @param {Label} label @returns {Tag} */
  #make(label) {
    const el = document.createElement("div");
    const text = document.createTextNode("");
    const deed = document.createElement("span");
    deed.className = "deed";
    el.append(text, deed);
    this.#names.append(el);
    /** @type {Tag} */
    const tag = {el, text, deed, label, line: null, bracket: null, place: ""};
    this.#tags.set(label.key, tag);
    return tag;
  }

  /** @param {SVGPathElement | null} there @param {boolean} wanted @param {string} kind */
  #path(there, wanted, kind) {
    if (wanted) return there ?? element("path", {class: kind}, this.#lines);
    there?.remove();
    return null;
  }

  /**
   * Let names go with their figures.
   * @param {(key: string) => {x: number, y: number} | null} anchor
   */
  move(anchor) {
    for (const tag of this.#tags.values()) {
      const {label, el} = tag;
      const at = anchor(label.anchor);
      const dx = at ? at.x - label.x : 0;
      const dy = at ? at.y - label.y : 0;
      const place = at ? `translate(${(label.box[0] + dx).toFixed(1)}px, ${(label.box[1] + dy).toFixed(1)}px)` : "gone";
      if (place === tag.place) continue;
      tag.place = place;
      el.hidden = !at;
      if (at) el.style.transform = place;
      const transform = `translate(${num(dx)} ${num(dy)})`;
      const draw = (/** @type {Element | null} */ line, /** @type {number[][]} */ points) =>
        line && set(line, {d: at && `M${points.map(([x, y]) => `${num(x)} ${num(y)}`).join("L")}`, transform});
      const {leader} = label;
      draw(tag.line, leader ? [leader.slice(0, 2), leader.slice(2)] : []);
      draw(tag.bracket, label.bracket);
    }
  }
}
