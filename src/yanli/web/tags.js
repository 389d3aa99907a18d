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
 * @property {string} look
 */

const FAMILY = '"Yanli Serif", "Noto Serif CJK TC", "Source Han Serif TC", "Songti TC", serif';
const KEEP = 3000;

/** How broad texts are, in pixels; each is measured once. */
class Measures {
  constructor() {
    /** @type {Map<string, number>} */
    this.known = new Map();
    this.canvas = document.createElement("canvas").getContext("2d");
    // Until the page's own type is there other type is measured.
    document.fonts?.addEventListener("loadingdone", () => this.known.clear());
  }

  /** @param {string} words @param {number} size @param {boolean} bold */
  of(words, size, bold) {
    const key = `${words} ${size} ${bold}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    if (this.known.size > KEEP) this.known.clear();
    if (this.canvas) this.canvas.font = `${bold ? 600 : 400} ${size}px ${FAMILY}`;
    const broad = (this.canvas?.measureText(words).width ?? words.length * size) + 0.5;
    this.known.set(key, broad);
    return broad;
  }
}

/** @type {Measures | null} */
let measures = null;

/** How broad a text is. @param {string} words @param {number} size @param {boolean} bold */
export function measure(words, size, bold) {
  measures ??= new Measures();
  return measures.of(words, size, bold);
}

export class Tags {
  /** @param {HTMLElement} root @param {SVGGElement} lines */
  constructor(root, lines) {
    this.names = document.createElement("div");
    this.names.className = "names";
    this.names.setAttribute("aria-hidden", "true");
    root.append(this.names);
    this.lines = lines;
    /** @type {Map<string, Tag>} */
    this.tags = new Map();
  }

  /** @param {Label[]} labels */
  update(labels) {
    const left = new Set(this.tags.keys());
    for (const label of labels) {
      left.delete(label.key);
      const tag = this.tags.get(label.key) ?? this.make(label);
      tag.label = label;
      tag.place = "";
      const look = `name ${label.kind}${label.act ? " act" : ""}${label.upright ? " up" : ""}`;
      if (tag.look !== look) {
        tag.look = look;
        tag.el.className = look;
      }
      if (tag.text.data !== label.words) tag.text.data = label.words;
      if (tag.deed.textContent !== label.tag) tag.deed.textContent = label.tag;
      set(tag.el, "data-of", label.of);
      tag.line = this.path(tag.line, label.leader !== null, "leader");
      tag.bracket = this.path(tag.bracket, label.bracket.length > 0, "bracket");
    }
    for (const key of left) {
      const tag = this.tags.get(key);
      tag?.el.remove();
      tag?.line?.remove();
      tag?.bracket?.remove();
      this.tags.delete(key);
    }
  }

  /** @param {Label} label @returns {Tag} */
  make(label) {
    const el = document.createElement("div");
    const text = document.createTextNode("");
    const deed = document.createElement("span");
    deed.className = "deed";
    el.append(text, deed);
    this.names.append(el);
    /** @type {Tag} */
    const tag = {el, text, deed, label, line: null, bracket: null, place: "", look: ""};
    this.tags.set(label.key, tag);
    return tag;
  }

  /** @param {SVGPathElement | null} there @param {boolean} wanted @param {string} kind */
  path(there, wanted, kind) {
    if (wanted) return there ?? element("path", {class: kind}, this.lines);
    there?.remove();
    return null;
  }

  /**
   * Let names go with their figures.
   * @param {(key: string) => {x: number, y: number} | null} anchor
   */
  move(anchor) {
    for (const tag of this.tags.values()) {
      const {label} = tag;
      const at = anchor(label.anchor);
      const dx = at ? at.x - label.x : 0;
      const dy = at ? at.y - label.y : 0;
      const place = at ? `translate(${(label.box[0] + dx).toFixed(1)}px, ${(label.box[1] + dy).toFixed(1)}px)` : "gone";
      if (place === tag.place) continue;
      const hidden = place === "gone";
      if (hidden !== (tag.place === "gone")) tag.el.hidden = hidden;
      tag.place = place;
      if (!hidden) tag.el.style.transform = place;
      const shift = `translate(${num(dx)} ${num(dy)})`;
      if (tag.line && label.leader) {
        const [x, y, u, v] = label.leader;
        set(tag.line, "d", hidden ? "" : `M${num(x)} ${num(y)} L${num(u)} ${num(v)}`);
        set(tag.line, "transform", shift);
      }
      if (tag.bracket) {
        set(tag.bracket, "d", hidden ? "" : `M${label.bracket.map(([x, y]) => `${num(x)} ${num(y)}`).join("L")}`);
        set(tag.bracket, "transform", shift);
      }
    }
  }
}
