/**
 * A person as seen from above: which way, how, and with what.
 *
 * Comes in: a pose, and what he has and wears. Goes out: SVG in the figure's own measure (nine units are one 尺; it faces
 * up), changed only where something is new. The host's people are dark with square shoulders, guests light and round, all
 * others grey and pointed; who kneels shows his lap, who bows leans over it, a bared arm is bare.
 */

import {disc, element, letters, num, path, placed, rect, set} from "yanli/draw.js";
import {formOf, kindOf} from "yanli/stacks.js";

const {cos, max, min, sin} = Math;

/** @typedef {import("yanli/types.js").StageDoc} StageDoc */
/** @typedef {import("yanli/types.js").PersonState} PersonState */
/** @typedef {import("yanli/types.js").ThingState} ThingState */
/** @typedef {{left: number, right: number, front: number, back: number}} Reach */

/**
 * @typedef {object} Outfit  what is seen of a person beside his pose
 * @property {boolean} bow
 * @property {boolean} slack  the bow is unstrung
 * @property {number} arrows  in the hand
 * @property {number} belted
 * @property {"" | "hand" | "belt"} rod
 * @property {boolean} flag
 * @property {number} cups
 * @property {boolean} full
 * @property {string} load  the first character of what else he carries
 * @property {number} loads
 * @property {boolean} bared
 * @property {boolean} jacket
 */

/** Of more arrows than these the number is written. */
const MOST = 4;
const BARED = ["袒", "肉袒"];
const JACKETS = ["朱襦", "纁襦"];
/** How low a bow with joined hands is in a pose. */
const SALUTE = 0.3;
/** How far hands go forward in a gesture, in units; back is to the mouth. @type {Record<string, number>} */
const REACH = {offer: -5, raise: -4, wash: -3, drink: 8};
const STANDING = 10;
const KNEELING = 13;

/** @type {Record<string, string>} */
const SHOULDERS = {
  host: rect("robe", 18, 10, -4.8, -9, 1.6),
  guest: '<ellipse rx="9" ry="5.4" class="robe"/>',
  other: path("robe", "M-9 0 L-5 -5 H5 L9 0 L5 5.2 H-5Z"),
};
const HEM = path("robe", "M-6.8 -3 L-4.4 -6.6 H4.4 L6.8 -3Z");
const LAP = rect("robe", 5.9, 13, -13, -6.2, 2.8) + rect("robe", 5.9, 13, -13, 0.3, 2.8);
const HEAD =
  path("nose", "M-2.6 -4 L0 -9.6 L2.6 -4Z") +
  disc("head", 4.3, -0.8) +
  path("cap", "M-4.3 -0.6 A4.3 4.3 0 0 0 4.3 -0.6Z");
const SLEEVES =
  path("robe", "M-8.6 -0.5 Q-8 -9 0 -12.5 Q8 -9 8.6 -0.5 L5 -2 Q4.5 -6.5 0 -8.6 Q-4.5 -6.5 -5 -2Z") +
  disc("hand", 1.9, -11.6);

/**
 * What is seen of somebody, from his state.
 * @param {StageDoc} doc @param {PersonState} state @param {ThingState[]} things
 * @param {Set<number>} flying  arrows that have left his hand
 * @returns {Outfit}
 */
export function outfitOf(doc, state, things, flying) {
  /** @type {Outfit} */
  const seen = {
    bow: false,
    slack: false,
    arrows: 0,
    belted: 0,
    rod: "",
    flag: false,
    cups: 0,
    full: false,
    load: "",
    loads: 0,
    bared: false,
    jacket: false,
  };
  for (const hand of [state.left, state.right]) {
    for (const thing of hand) if (!flying.has(thing)) hold(doc, seen, thing, things[thing]);
  }
  for (const thing of state.belt) {
    const form = formOf(doc, thing);
    if (form === "矢") seen.belted++;
    else if (form === "扑" && !seen.rod) seen.rod = "belt";
  }
  for (const word of state.dress) {
    const text = doc.words[word];
    if (BARED.includes(text)) seen.bared = true;
    if (JACKETS.includes(text)) seen.jacket = true;
  }
  return seen;
}

/** @param {StageDoc} doc @param {Outfit} seen @param {number} thing @param {ThingState} state */
function hold(doc, seen, thing, state) {
  const form = formOf(doc, thing);
  if (form === "弓") {
    seen.bow = true;
    seen.slack = state.states["狀"] === "弛";
  } else if (form === "矢") seen.arrows++;
  else if (form === "扑") seen.rod = "hand";
  else if (form === "旌") seen.flag = true;
  else if (form === "爵") {
    seen.cups++;
    seen.full ||= state.filled;
  } else {
    seen.load ||= [...kindOf(doc, thing)][0];
    seen.loads++;
  }
}

/**
 * How far a figure reaches to its own sides, in its own measure.
 * @param {Outfit} seen @param {number} kneel @param {number} [bow] @param {number} [draw]
 * @returns {Reach}
 */
export function reachOf(seen, kneel, bow = 0, draw = 0) {
  const kneels = kneel > 0.5;
  const reach = {left: 9.5, right: 9.5, front: kneels ? KNEELING : STANDING, back: 6};
  /** @param {number} left @param {number} right @param {number} front @param {number} [back] */
  const least = (left, right, front, back = 0) => {
    reach.left = max(reach.left, left);
    reach.right = max(reach.right, right);
    reach.front = max(reach.front, front);
    reach.back = max(reach.back, back);
  };
  if (seen.bow) least(14, 0, 12.5, 10.5);
  if (seen.arrows > 0) least(0, 11 + 1.6 * min(seen.arrows, MOST) + (seen.arrows > MOST ? 12 : 0), 13);
  if (seen.belted > 0 || seen.rod === "belt") least(0, 10, 0, 11);
  if (seen.rod === "hand") least(0, 13, 15);
  if (seen.flag) least(0, 18, 16);
  if (seen.cups > 0) reach.front += 7;
  if (seen.load) reach.front += 11;
  if (bow > 0.05) least(0, 0, 10 + bow * (kneels ? 17 : 10));
  if (draw > 0.05) least(14, 14, 24);
  return reach;
}

export class Figure {
  /**
   * @param {"host" | "guest" | "other"} party
   * @param {string} name  his full name
   * @param {boolean} pick  he can be chosen
   */
  constructor(party, name, pick) {
    this.party = party;
    this.el = element("g", {class: `actor ${party}`});
    if (pick) set(this.el, {role: "button", tabindex: -1, "data-name": name});
    this.under = element("g", {}, this.el);
    this.turn = element("g", {}, this.el);
    this.legs = element("g", {}, this.turn);
    this.back = element("path", {class: "robe"}, this.turn);
    this.body = element("g", {}, this.turn);
    this.head = element("g", {}, this.turn);
    this.over = element("g", {}, this.el);
    this.head.innerHTML = HEAD;
    this.outfit = "";
    /** @type {Outfit | null} */
    this.seen = null;
    this.kneeling = -1;
    this.leaning = -1;
    this.drawing = -1;
    this.reaching = 0;
    this.place = "";
    this.facing = Number.NaN;
    this.hidden = false;
    this.signs = "";
  }

  /**
   * Where he is and how large.
   * @param {number} x  尺 @param {number} y  尺 @param {number} size  尺 for one unit
   */
  stand(x, y, size) {
    const place = placed(x, y, size);
    if (place === this.place) return;
    this.place = place;
    set(this.el, {transform: place});
  }

  /** @param {boolean} hidden */
  hide(hidden) {
    if (hidden === this.hidden) return;
    this.hidden = hidden;
    set(this.el, {display: hidden ? "none" : null});
  }

  /** @param {Outfit} seen */
  wear(seen) {
    const key = JSON.stringify(seen);
    if (key === this.outfit) return;
    this.outfit = key;
    this.seen = seen;
    this.drawing = -1;
    this.leaning = -1;
  }

  /**
   * How he stands, kneels, bows, draws, reaches.
   * @param {import("yanli/types.js").Pose} pose
   */
  pose({facing, kneel, bow, draw, gesture, share}) {
    const {seen} = this;
    if (!seen) return;
    if (facing !== this.facing) {
      this.facing = facing;
      set(this.turn, {transform: `rotate(${num(facing)})`});
      if (seen.load || seen.arrows > MOST) this.write(seen, kneel);
    }
    const k = round(kneel);
    // Who stands bows but slightly; seen from above it must be seen nonetheless.
    const b = round(k > 0.5 ? bow : min(1, bow / SALUTE));
    const d = round(draw);
    const r = Math.round((REACH[gesture] ?? 0) * sin(Math.PI * share) * 4) / 4;
    if (k === this.kneeling && b === this.leaning && d === this.drawing && r === this.reaching) return;
    this.reaching = r;
    const turned = k !== this.kneeling;
    if (turned) {
      this.legs.innerHTML = k > 0.02 ? `<g transform="scale(1 ${num(0.45 + 0.55 * k)})">${LAP}</g>` : HEM;
    }
    const lean = b * (k > 0.5 ? 11 : 6);
    if (b !== this.leaning || turned) {
      const half = num(-lean / 2);
      this.back.setAttribute(
        "d",
        b > 0 ? `M-7.5 4 Q-8.5 ${half} -8 ${num(-lean)} H8 Q8.5 ${half} 7.5 4 Q0 6.5 -7.5 4Z` : "",
      );
      set(this.head, {transform: `translate(0 ${num(-lean - b * (k > 0.5 ? 5 : 3.5))})`});
    }
    this.kneeling = k;
    this.leaning = b;
    this.drawing = d;
    set(this.body, {transform: `translate(0 ${num(-lean)})`});
    this.body.innerHTML = this.trunk(seen, k, b, d);
    this.write(seen, k);
  }

  /** @param {Outfit} seen @param {number} k @param {number} b @param {number} d */
  trunk(seen, k, b, d) {
    const front = k > 0.5 ? KNEELING : STANDING;
    let found = belt(seen);
    const free = !(seen.bow || seen.load || seen.cups > 0 || seen.flag || seen.rod === "hand");
    if (b > 0.02 && free) found += `<g transform="scale(1 ${num(0.5 + 0.5 * b)})">${SLEEVES}</g>`;
    found += SHOULDERS[this.party] ?? "";
    if (seen.bared) found += arm(seen, d);
    return found + (d > 0.02 && seen.bow ? drawn(seen, d) : hands(seen, front - max(this.reaching, -front)));
  }

  /** Characters that stay upright though the figure turns. @param {Outfit} seen @param {number} kneel */
  write(seen, kneel) {
    const front = (kneel > 0.5 ? KNEELING : STANDING) + (seen.cups > 0 ? 7 : 0);
    let found = "";
    if (seen.load) found += this.sign(0, -front - 5 + this.reaching, seen.load, 8);
    if (seen.arrows > MOST) found += this.sign(17 + 1.7 * MOST, -2, String(seen.arrows), 9);
    if (found === this.signs) return;
    this.signs = found;
    this.over.innerHTML = found;
  }

  /** @param {number} x @param {number} y @param {string} text @param {number} size */
  sign(x, y, text, size) {
    const turn = (this.facing * Math.PI) / 180;
    const a = x * cos(turn) - y * sin(turn);
    const b = x * sin(turn) + y * cos(turn);
    return letters(text, size, a, b + size * 0.36);
  }

  /**
   * Rings round the figure: who acts, who is followed, what differs.
   * @param {boolean} acts @param {boolean} followed @param {boolean} marked
   */
  ring(acts, followed, marked) {
    const key = `${acts} ${followed} ${marked}`;
    if (this.under.dataset.rings === key) return;
    this.under.dataset.rings = key;
    let found = "";
    if (acts) found += disc("acts", 14);
    if (followed) found += disc("followed", 17);
    if (marked) found += disc("differs", 14.5) + disc("differs", 18);
    found += disc("focus", 20);
    if (marked) found += letters("≠", 15, 19, -11, "unequal");
    this.under.innerHTML = found;
    this.el.classList.toggle("acting", acts);
  }
}

/** @param {number} share */
function round(share) {
  return Math.round(share * 50) / 50;
}

/** @param {Outfit} seen */
function belt(seen) {
  let found = "";
  for (let at = 0; at < min(seen.belted, MOST); at++) {
    found += path("arrow", `M${num(3 + 1.8 * at)} 3 L${num(4.6 + 1.8 * at)} 10.4`);
  }
  if (seen.rod === "belt") found += path("switch", "M-8.5 9.6 L8.5 6.4");
  return found;
}

/** The bared arm; `d`: it holds the bow out. @param {Outfit} seen @param {number} d */
function arm(seen, d) {
  const way = d > 0.02 ? "M-7.2 0 L-1 -13" : "M-7.2 1 L-8 -8.5";
  return path("arm-line", way) + path(`arm ${seen.jacket ? "jacket" : "bare"}`, way);
}

/** A bow that is being drawn, before him. @param {Outfit} seen @param {number} d */
function drawn(seen, d) {
  const pulled = -9.5 + 7 * d;
  let found = path("bow strong", "M-12.5 -9.5 Q0 -19.5 12.5 -9.5");
  found += path("string", `M-12.5 -9.5 L2 ${num(pulled)} L12.5 -9.5`);
  if (!seen.bared) found += path("sleeve", "M-7 0 L-1 -13.5");
  found += path("sleeve", `M7.4 0.5 L2.4 ${num(pulled + 0.8)}`);
  if (seen.arrows > 0) found += path("arrow strong", `M2 ${num(pulled)} L0.6 -23 m-1.6 2.6 l1.6 -3 l1.4 3`);
  return found;
}

/** @param {Outfit} seen @param {number} front */
function hands(seen, front) {
  let found = "";
  if (seen.bow) {
    found += path("bow", seen.slack ? "M-11.5 -12 Q-9 -1 -11.5 10" : "M-9.4 -12 Q-16.5 -1 -9.4 10 M-9.4 -12 V10");
  }
  for (let at = 0; at < min(seen.arrows, MOST); at++) {
    found += path("arrow", `M${num(10 + 1.7 * at)} 5 V-12.4 m-1 2.4 l1 -2.6 l1 2.6`);
  }
  if (seen.rod === "hand") found += path("switch", "M9 6 L12 -14.5");
  if (seen.flag) found += path("pole", "M9 7 L10.5 -15.5") + path("flag", "M10.4 -15 L17.4 -12.4 L10.1 -8Z");
  if (seen.cups > 0 || seen.load) found += path("sleeve", `M-7 -1.5 L-2.4 ${1 - front} M7 -1.5 L2.4 ${1 - front}`);
  if (seen.cups > 0) {
    found += disc("cup", 3, -front - 3.2);
    if (seen.full) found += disc("wine", 1.7, -front - 3.2);
  }
  if (seen.load) {
    const y = -front - 8 - (seen.cups > 0 ? 7 : 0);
    if (seen.loads > 1) found += rect("load", 10, 10, y - 3.4, -3.6);
    found += rect("load", 10, 10, y - 2);
  }
  return found;
}
