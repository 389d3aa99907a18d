/**
 * Names beside figures and things, none over another.
 *
 * Comes in: rows of what wants a name, in order of weight, and the space that is taken. Goes out: labels, each with its
 * box in the window, its leader or its bracket. Rows are named alike; where their names find no room they get one name
 * with a range. Where a name stood a moment ago it stays, if it can. What can no longer occur: a label on a figure, a
 * thing, a wall or another label.
 */

import {Space, around, beads, dot, grown, holds, meets, nearest} from "yanli/space.js";

const {abs, max} = Math;

/** @typedef {import("yanli/space.js").Rect} Rect */

/**
 * @typedef {object} Wish  something that wants a name
 * @property {string} key
 * @property {string} of  what the label is of, for those who read the page by program
 * @property {string} words
 * @property {string} tag  a word after the name, as what he does
 * @property {Rect} box  of the figure
 * @property {number} x  the point with which the label moves
 * @property {number} y
 */
/**
 * @typedef {object} Row
 * @property {string} key
 * @property {Wish[]} members
 * @property {string} together  the one name that all may be given, "" when they cannot
 * @property {string} tag  the word after that name
 * @property {"person" | "thing" | "part"} kind
 * @property {boolean} act  who acts now is always named
 * @property {number} reach  how far away the name may stand, with a leader, in pixels; 0: only beside
 */
/**
 * @typedef {object} Label
 * @property {string} key
 * @property {string} of
 * @property {string} words
 * @property {string} tag
 * @property {"person" | "thing" | "part"} kind
 * @property {boolean} act
 * @property {Rect} box
 * @property {boolean} upright  one character under the other
 * @property {string} anchor  the key of the member with which it moves
 * @property {number} x  where that member was
 * @property {number} y
 * @property {string} way  on which side of its figure it stands, "" when it is led or ranged
 * @property {Rect} own  the box of that figure then
 * @property {Rect | null} leader  from where to where it goes
 * @property {number[][]} bracket  the points of a bracket, or none
 */
/** @typedef {(words: string, size: number, bold: boolean) => number} Measure */
/** @typedef {{labels: Label[], sizes: number[], wait: number}} Memory */

/** Height of a line, in its size. */
export const LINE = 1.2;
/** Between a figure and its name, in pixels. */
const NEAR = 1.5;
/** Type of this size asks for the distances that stand here, larger type for larger ones. */
const USUAL = 14;
const FARTHER = 9;
const RINGS = [12, 20, 32, 46, 64, 86, 112, 145, 185, 240, 320];
const TURNS = 20;
/** Of a longer row only the range is written. */
const LONGEST = 16;
/** So many of a row may be named apart from it, where something stands in the way. */
const APART = 2;
/** In so short a row each may have his name on a side of his own. */
const FEW = 3;
const AIR = 0.6;
/** A name that found no room waits so many turns before it is tried again, lest it flicker. */
const PATIENCE = 3;
/** Figures that change no more than this, in pixels, keep their names where they are. */
const SAME = 3;
/** From here on characters can stand under one another; letters and figures cannot. */
const DASH = 0x2013;

/** @type {Record<string, [number, number]>} */
const ALONG = {
  Eu: [0.5, 0],
  Wu: [0.5, 0],
  Ed: [0.5, 1],
  Wd: [0.5, 1],
  Nl: [1, 0.5],
  Sl: [1, 0.5],
  Nr: [0, 0.5],
  Sr: [0, 0.5],
};
const ALONE = words("E W N S Eu Wu Ed Wd NE SE NW SW Nr Nl Sr Sl vE vW vN vS vEd vWd vEu vWu E1 W1 N1 S1 E2 W2 N2 S2");
const ACROSS = words("N S vN vS vE vW vEd vWd vEu vWu E W NE SE NW SW N1 S1 vN1 vS1 N2 S2 vN2 vS2");
const DOWN = words("E W Eu Wu Ed Wd NE SE NW SW N S E1 W1 E2 W2");

/** @param {string} text */
function words(text) {
  return text.split(" ");
}

export class Labels {
  /** @type {Map<string, Memory>} */
  memory = new Map();
  /** @type {Map<string, Label>}  where names stood a moment ago */
  #before = new Map();
  #area = dot(0, 0);
  #space = new Space();
  /** @type {Label[]} */
  #placed = [];
  #size = 14;
  #big = 1;
  /** @type {Measure} */
  #measure;

  /** @param {Measure} measure  how broad a text is, in pixels */
  constructor(measure) {
    this.#measure = measure;
  }

  /**
   * Place all names.
   * @param {Row[]} rows  those that weigh most first
   * @param {Space} space  what is taken; it takes the labels too
   * @param {Rect} area  where names may stand
   * @param {{person: number, thing: number, part: number}} sizes  of the type, in pixels
   * @param {boolean} rest  nothing moves: look for the best places, not for those of a moment ago
   * @returns {Label[]}
   */
  place(rows, space, area, sizes, rest) {
    this.#area = area;
    this.#space = space;
    this.#placed = [];
    const before = this.memory;
    this.memory = new Map();
    this.#before = new Map([...before.values()].flatMap(({labels}) => labels.map((label) => [label.key, label])));
    if (!rest) this.#reserve(rows);
    for (const row of rows) {
      this.#size = sizes[row.kind];
      this.#big = max(1, sizes.person / USUAL);
      const known = before.get(row.key);
      const had = this.#placed.length;
      const hidden = !rest && !row.act && known !== undefined && known.labels.length === 0 && known.wait > 0;
      if (!hidden && !(known && this.#again(row, known, rest)) && !this.#kept(row, rest)) this.#solve(row);
      const labels = this.#placed.slice(had);
      const wait = hidden && !labels.length ? known.wait - 1 : PATIENCE;
      this.memory.set(row.key, {labels, sizes: extent(row), wait});
    }
    return this.#placed;
  }

  /** Where names stood a moment ago, others come only if they must. @param {Row[]} rows */
  #reserve(rows) {
    for (const wish of rows.flatMap(({members}) => members)) {
      const label = this.#before.get(wish.key);
      if (label) this.#space.take(moved(label.box, label, wish), true);
    }
  }

  /** @param {Row} row */
  #solve(row) {
    const {members, kind, together} = row;
    const [wish] = members;
    const {length} = members;
    if (kind === "part") this.#anywhere(row);
    else if (length === 1)
      // Without the word after the name, where there was no room with it.
      this.#named(row, wish, true) || (wish.tag && this.#named(row, {...wish, tag: ""}, true));
    else if (length <= LONGEST && this.#alike(row)) return;
    else if (length <= FEW && this.#each(row)) return;
    else if (!together || !this.#ranged(row)) for (const one of members) this.#named(row, one);
  }

  /** Beside its figure, or with a line that leads to it. @param {Row} row @param {Wish} wish @param {boolean} [led] */
  #named(row, wish, led = row.act) {
    return this.#beside(row, wish) || (led && this.#led(row, wish));
  }

  /** At the first of the places that are free; a part of the building has many. @param {Row} row */
  #anywhere(row) {
    for (const wish of row.members) {
      const broad = this.#breadth(row, wish.words, "");
      const high = this.#size * LINE;
      const box = /** @type {Rect} */ ([wish.x - broad / 2, wish.y - high / 2, wish.x + broad / 2, wish.y + high / 2]);
      if (this.#fits(box, true)) return this.#put(this.#label(row, wish, box, false));
    }
  }

  // ── ways of placing ──

  /** The same name with a bracket or a leader, or on the same ground, as a moment ago. @param {Row} row @param {Memory} known @param {boolean} rest */
  #again(row, known, rest) {
    const [label] = known.labels;
    const {members, kind} = row;
    if (known.labels.length !== 1 || label.way || (rest && kind !== "part")) return false;
    if (extent(row).some((size, at) => abs(size - known.sizes[at]) > SAME)) return false;
    const anchor = members.find((wish) => wish.key === label.anchor);
    if (!anchor) return false;
    const many = members.length > 1 && kind !== "part";
    const words = many ? row.together : anchor.words;
    const tag = many ? row.tag : anchor.tag;
    if (label.words !== words || label.act !== row.act || (label.tag !== tag && label.tag !== "")) return false;
    const {x, y} = anchor;
    const box = moved(label.box, label, anchor);
    if (!this.#fits(box, false)) return false;
    const leader = label.leader && moved(label.leader, label, anchor);
    if (leader && label.bracket.length === 0 && !this.#space.clear(...leader, boxesOf(row))) return false;
    const bracket = label.bracket.map(([u, v]) => [u + x - label.x, v + y - label.y]);
    this.#put({...label, box, leader, bracket, x, y});
    return true;
  }

  /**
   * Names on the same sides of their figures as a moment ago; of a row a few may have to be placed anew.
   * @param {Row} row @param {boolean} rest
   */
  #kept(row, rest) {
    if (row.kind === "part") return false;
    /** @type {Label[]} */
    const found = [];
    const lost = [];
    for (const wish of row.members) {
      const label = this.#before.get(wish.key);
      const far = label && /\d/.test(label.way);
      const place = label?.way && !(rest && far) ? this.#stays(row, wish, label, found) : null;
      if (place) found.push(place);
      else lost.push(wish);
    }
    if (found.length === 0 || lost.length > row.members.length / 3) return false;
    this.#put(...found);
    for (const wish of lost) this.#named(row, wish);
    return true;
  }

  /** @param {Row} row @param {Wish} wish @param {Label} label @param {Label[]} others */
  #stays(row, wish, label, others) {
    const own = moved(label.own, label, wish);
    const alike = label.words === wish.words && label.act === row.act && label.tag === wish.tag;
    if (!alike || wish.box.some((side, at) => abs(side - own[at]) >= SAME))
      return this.#at(row, wish, label.way, false, others);
    const there = moved(label.box, label, wish);
    if (!this.#fits(there, false) || meetsOne(others, there)) return null;
    return {...this.#label(row, wish, there, label.upright, label.way), own};
  }

  /** All members on the same side, in each of the ways in turn; a few may be named apart. @param {Row} row */
  #alike(row) {
    const order = isWide(hull(boxesOf(row))) ? ACROSS : DOWN;
    const most = Math.min(APART, Math.floor((row.members.length - 1) / 3));
    for (let lost = 0; lost <= most; lost++) {
      for (const strict of [true, false]) {
        for (const way of order) {
          const found = this.#fitting(row, way, strict, lost);
          if (!found) continue;
          this.#put(...found);
          const named = new Set(found.map((label) => label.key));
          for (const wish of row.members) named.has(wish.key) || this.#named(row, wish);
          return true;
        }
      }
    }
    return false;
  }

  /** Those of a row who find room on one side, or null when more than `lost` do not. @param {Row} row @param {string} way @param {boolean} strict @param {number} lost */
  #fitting(row, way, strict, lost) {
    /** @type {Label[]} */
    const found = [];
    let left = lost;
    for (const wish of row.members) {
      const place = this.#at(row, wish, way, strict, found);
      if (place) found.push(place);
      else if (left === 0) return null;
      else left--;
    }
    return found;
  }

  /** Every member beside himself, each where he finds room; all or none. @param {Row} row */
  #each(row) {
    /** @type {Label[]} */
    const found = [];
    for (const wish of row.members) {
      const place = this.#first(row, wish, false, found);
      if (!place) return false;
      found.push(place);
    }
    this.#put(...found);
    return true;
  }

  /** @param {Row} row @param {Wish} wish */
  #beside(row, wish) {
    const place =
      this.#first(row, wish, true, []) ?? (row.kind === "person" ? this.#first(row, wish, false, []) : null);
    if (place) this.#put(place);
    return place !== null;
  }

  /** On the first side where there is room. @param {Row} row @param {Wish} wish @param {boolean} strict @param {Label[]} others */
  #first(row, wish, strict, others) {
    for (const way of ALONE) {
      const place = this.#at(row, wish, way, strict, others);
      if (place) return place;
    }
    return null;
  }

  /**
   * The label of one member on one side, if there is room for it.
   * @param {Row} row @param {Wish} wish @param {string} way @param {boolean} strict @param {Label[]} others
   * @returns {Label | null}
   */
  #at(row, wish, way, strict, others) {
    const place = this.#side(row, wish, way);
    if (!place || !this.#fits(place.box, strict) || meetsOne(others, place.box)) return null;
    if (/\d/.test(way) && !this.#sees(wish.box, place.box)) return null;
    return this.#label(row, wish, place.box, place.upright, way);
  }

  /**
   * One name for the row, beside a bracket along it.
   * @param {Row} row
   */
  #ranged(row) {
    const own = boxesOf(row);
    const whole = hull(own);
    const of = row.members.map((one) => one.of).join(" ");
    const named = {...row.members[0], words: row.together, tag: "", of};
    for (const tag of new Set([row.tag, ""])) {
      for (const strict of [true, false]) {
        for (const side of isWide(whole) ? ["S", "N"] : ["E", "W"]) {
          const {line, bracket, foot} = bracketOf(whole, side);
          if (!this.#fits(line, false)) continue;
          const wish = {...named, tag};
          const box = this.#along(row, wish, line, side, strict);
          const away = box
            ? null
            : this.#ring(row, {...wish, box: foot}, row.act ? RINGS[7] : row.reach, [foot], strict);
          const found = box ?? away?.box;
          if (!found) continue;
          const upright = box !== null && !isWide(box) && canStand(row.together);
          this.#put({...this.#label(row, wish, found, upright), bracket, leader: away?.leader ?? null});
          this.#space.take(line);
          return true;
        }
      }
    }
    return this.#led(row, {...named, box: whole}, own);
  }

  /** Beside a bracket, first at its middle, then further along it. @param {Row} row @param {Wish} wish @param {Rect} line @param {string} side @param {boolean} strict */
  #along(row, wish, line, side, strict) {
    for (const share of [0.5, 0.25, 0.75, 0, 1]) {
      const x = line[0] + share * (line[2] - line[0]);
      const y = line[1] + share * (line[3] - line[1]);
      const box = /** @type {Rect} */ (isFlat(side) ? [x, line[1], x, line[3]] : [line[0], y, line[2], y]);
      for (const way of [side, `v${side}`, `${side}1`, `${side}2`]) {
        const place = this.#side(row, {...wish, box}, way);
        if (place && this.#fits(place.box, strict)) return place.box;
      }
    }
    return null;
  }

  /** Away from the figure, with a line that leads to it. @param {Row} row @param {Wish} wish @param {Rect[]} [own] */
  #led(row, wish, own = [wish.box]) {
    const found = this.#ring(row, wish, row.act ? Infinity : row.reach, own, row.kind !== "person");
    if (found) this.#put({...this.#label(row, wish, found.box, false), leader: found.leader});
    return found !== null;
  }

  /**
   * The nearest place away from a box whose line crosses nothing; for who acts, whatever it crosses.
   * @param {Row} row @param {Wish} wish @param {number} reach @param {Rect[]} own @param {boolean} strict
   * @returns {{box: Rect, leader: Rect} | null}
   */
  #ring(row, wish, reach, own, strict) {
    const broad = this.#breadth(row, wish.words, wish.tag);
    const high = this.#size * LINE;
    const [left, top, right, bottom] = wish.box;
    const x = (left + right) / 2;
    const y = (top + bottom) / 2;
    const half = max(right - left, bottom - top) / 2;
    let any = null;
    for (const step of RINGS) {
      if (step > reach) break;
      const ring = step * this.#big;
      for (let turn = 0; turn < TURNS; turn++) {
        const angle = (2 * Math.PI * turn) / TURNS;
        const u = Math.cos(angle);
        const v = Math.sin(angle);
        const a = x + u * (half + ring) + ((u - 1) * broad) / 2;
        const b = y + v * (half + ring) + ((v - 1) * high) / 2;
        const box = /** @type {Rect} */ ([a, b, a + broad, b + high]);
        if (!this.#fits(box, strict)) continue;
        const leader = between(wish.box, box);
        if (this.#space.clear(...leader, own)) return {box, leader};
        any ??= {box, leader};
      }
    }
    return row.act ? any : null;
  }

  // ── measures ──

  /** @param {Row} row @param {string} text @param {string} tag */
  #breadth(row, text, tag) {
    const size = this.#size;
    const own = this.#measure(text, size, row.act);
    return tag ? own + size * 0.35 + this.#measure(tag, size * 0.86, true) : own;
  }

  /**
   * The box beside a box that a way names, or null where it cannot be written so. A way is a side (N, SE …); v: one
   * character under the other; then where along the side, or how much farther off.
   * @param {Row} row @param {Wish} wish @param {string} way
   * @returns {{box: Rect, upright: boolean} | null}
   */
  #side(row, {words: text, tag, box}, way) {
    const upright = way.startsWith("v");
    if (upright && (tag || text.length < 2 || !canStand(text))) return null;
    const size = this.#size;
    const broad = upright ? size * LINE : this.#breadth(row, text, tag);
    const high = upright ? size * [...text].length : size * LINE;
    let rest = upright ? way.slice(1) : way;
    let gap = NEAR;
    const last = Number(rest.at(-1));
    if (last > 0) {
      gap += FARTHER * last * this.#big;
      rest = rest.slice(0, -1);
    }
    const [left, top, right, bottom] = box;
    const [across, down] = ALONG[rest] ?? [0.5, 0.5];
    let x = left + (right - left - broad) * across;
    let y = top + (bottom - top - high) * down;
    if (rest.includes("E")) x = right + gap;
    else if (rest.includes("W")) x = left - gap - broad;
    if (rest.includes("N")) y = top - gap - high;
    else if (rest.includes("S")) y = bottom + gap;
    if (rest.length === 2 && rest === rest.toUpperCase()) {
      // A corner comes a little nearer.
      x += rest.includes("E") ? -4 : 4;
      y += rest.includes("N") ? 4 : -4;
    }
    return {box: [x, y, x + broad, y + high], upright};
  }

  /** @param {Rect} box @param {boolean} strict */
  #fits(box, strict) {
    return holds(this.#area, box) && this.#space.free(grown(box, AIR), strict);
  }

  /** Whether nothing stands between a figure and its name. @param {Rect} own @param {Rect} box */
  #sees(own, box) {
    return this.#space.clear(...between(own, box), [own]);
  }

  /** @param {Row} row @param {Wish} wish @param {Rect} box @param {boolean} upright @param {string} [way] @returns {Label} */
  #label({kind, act}, {key, of, words, tag, box: own, x, y}, box, upright, way = "") {
    return {key, of, words, tag, kind, act, box, upright, anchor: key, x, y, way, own, leader: null, bracket: []};
  }

  /** @param {Label[]} labels */
  #put(...labels) {
    for (const label of labels) {
      this.#space.take(grown(label.box, AIR));
      if (label.leader) for (const bead of beads(...label.leader)) this.#space.take(bead);
      this.#placed.push(label);
    }
  }
}

/** How large the figures of a row are, and how far apart. @param {Row} row */
function extent({members}) {
  const [first] = members;
  if (!first) return [];
  const last = members[members.length - 1];
  const {box} = first;
  return [box[2] - box[0], box[3] - box[1], last.x - first.x, last.y - first.y, members.length * 10];
}

/** @param {Row} row */
function boxesOf({members}) {
  return members.map(({box}) => box);
}

/** The box around boxes. @param {Rect[]} boxes */
function hull(boxes) {
  return boxes.reduce((one, other) => around(one, other));
}

/** @param {Rect} box */
function isWide(box) {
  return box[2] - box[0] >= box[3] - box[1];
}

/** Whether a side is above or below. @param {string} side */
function isFlat(side) {
  return side === "N" || side === "S";
}

/** Whether a box comes too near one of some labels. @param {Label[]} labels @param {Rect} box */
function meetsOne(labels, box) {
  return labels.some((other) => meets(other.box, grown(box, AIR)));
}

/** The way from one box to another. @param {Rect} one @param {Rect} other @returns {Rect} */
function between(one, other) {
  const end = nearest(other, (one[0] + one[2]) / 2, (one[1] + one[3]) / 2);
  return [...nearest(one, (other[0] + other[2]) / 2, (other[1] + other[3]) / 2), ...end];
}

/** @typedef {{x: number, y: number}} Spot */
/** What went from one spot to another. @param {Rect} box @param {Spot} from @param {Spot} to @returns {Rect} */
function moved(box, from, to) {
  const x = to.x - from.x;
  const y = to.y - from.y;
  return [box[0] + x, box[1] + y, box[2] + x, box[3] + y];
}

/** @param {string} text */
function canStand(text) {
  return [...text].every((char) => (char.codePointAt(0) ?? 0) >= DASH);
}

/**
 * A bracket on one side of a box: the box of its line, its points, and where a leader begins.
 * @param {Rect} box @param {string} side
 * @returns {{line: Rect, bracket: number[][], foot: Rect}}
 */
function bracketOf([left, top, right, bottom], side) {
  const [low, high, from, to] = isFlat(side) ? [top, bottom, left, right] : [left, right, top, bottom];
  const before = side === "N" || side === "W";
  const out = before ? low - 3.5 : high + 3.5;
  const back = before ? out + 2.5 : out - 2.5;
  const [a, b] = [from + 2, to - 2];
  const line = /** @type {Rect} */ ([a, out - 0.8, b, out + 0.8]);
  const points = [back, out, out, back].map((across, at) => [at < 2 ? a : b, across]);
  const foot = dot((from + to) / 2, out);
  if (isFlat(side)) return {line, bracket: points, foot};
  const [x, y, u, v] = line;
  return {line: [y, x, v, u], bracket: points.map(([along, across]) => [across, along]), foot: dot(foot[1], foot[0])};
}
