/**
 * Things that lie about, gathered by kind and place, with what lies in or on them.
 *
 * Comes in: a performance and a moment. Goes out: stacks, in 尺: what is to be drawn once for many things. What has not
 * yet been brought out of store is left away, as is what nobody sees into.
 */

import {wordOf} from "yanli/language.js";
import {short} from "yanli/rows.js";

/** @typedef {import("yanli/types.js").StageDoc} StageDoc */
/** @typedef {import("yanli/types.js").Moment} Moment */

/**
 * @typedef {object} Stack
 * @property {string} key  kind and first thing
 * @property {string} kind
 * @property {string} form  the kind whose look it has
 * @property {string} where
 * @property {number[]} things
 * @property {number[]} content
 * @property {number} x
 * @property {number} y
 * @property {boolean} fixed  it is set up, and not merely laid by
 * @property {boolean} laid  sticks laid for a side, whose place tells whose they are
 */

const MAT = "席";
/** What is counted in or on another thing. */
const COUNTED = ["矢", "算"];
/** What lies no farther apart than this lies on one spot, in 尺. */
const SAME = 0.1;

/** What kind a thing is of. @param {StageDoc} doc @param {number} thing */
export function kindOf(doc, thing) {
  return doc.words[doc.things[thing].kind];
}

/** The kind whose look a thing has. @param {StageDoc} doc @param {number} thing @returns {string} */
export function formOf(doc, thing) {
  const kind = kindOf(doc, thing);
  return doc.kinds[kind]?.form ?? kind;
}

/**
 * By how many quarters clockwise the mark of what is set up is turned, so that it faces as it does, or as its place.
 * @param {import("yanli/types.js").Form | undefined} form @param {number | null | undefined} way  in degrees
 */
export function quarters(form, way) {
  if (!form?.stands || way === null || way === undefined) return 0;
  return (Math.round((way - (form.front ?? 180)) / 90) + 4) % 4;
}

export class Stacks {
  /** @param {StageDoc} doc */
  constructor(doc) {
    this.doc = doc;
    this.hidden = new Set(doc.building.hidden);
    /** @type {Set<string>} */
    this.names = new Set(doc.things.map((item) => item.id));
    /** The places that mean: in it, or on it. @type {Set<string>} */
    this.held = new Set(Object.values(doc.kinds).flatMap((form) => form.holds ?? []));
    this.gate = doc.building.bounds[1];
  }

  /** @param {Moment} moment @returns {Stack[]} */
  at(moment) {
    const {doc} = this;
    /** @type {Map<string, Stack>} */
    const gathered = new Map();
    moment.things.forEach((state, thing) => {
      if (state.holder >= 0 || state.where < 0) return;
      const where = doc.words[state.where];
      const [x, y, , area] = doc.spots[state.spot];
      const zone = doc.words[area];
      if (y < this.gate || this.names.has(where) || this.hidden.has(zone)) return;
      const {store, of} = doc.things[thing];
      if (store?.includes(state.where)) return;
      const kind = kindOf(doc, thing);
      const form = formOf(doc, thing);
      const key = `${kind} ${where} ${form === MAT ? of : -1} ${x.toFixed(1)} ${y.toFixed(1)}`;
      const there = gathered.get(key);
      if (there) {
        there.things.push(thing);
        return;
      }
      const mould = doc.kinds[kind];
      const fixed = mould?.stands === true && (where === kind || where !== zone);
      const laid = mould?.laid?.includes(state.where) === true;
      gathered.set(key, {key: `${kind} ${thing}`, kind, form, where, things: [thing], content: [], x, y, fixed, laid});
    });
    return this.filled([...gathered.values()]);
  }

  /** What lies in or on a thing that is set up goes into its stack; with one that is in store, it is not shown. @param {Stack[]} stacks */
  filled(stacks) {
    /** @type {Map<string, Stack>} */
    const holders = new Map();
    for (const stack of stacks) {
      if (!stack.fixed) continue;
      for (const name of this.doc.kinds[stack.kind]?.holds ?? []) holders.set(name, stack);
    }
    const found = [];
    for (const stack of stacks) {
      const holder = holders.get(stack.where);
      const upon = this.doc.kinds[stack.kind]?.upon ?? [];
      const near = (/** @type {Stack} */ {where, x, y}) =>
        where === stack.where || (Math.abs(x - stack.x) < SAME && Math.abs(y - stack.y) < SAME);
      if (holder && holder !== stack && stack.kind !== holder.kind) holder.content.push(...stack.things);
      else if (!holder && this.held.has(stack.where) && stack.kind !== stack.where) continue;
      else if (stacks.some((other) => upon.includes(other.kind) && near(other))) continue;
      else found.push(stack);
    }
    return found;
  }

  /**
   * How a stack is called: its kind, how many, what is in it; "" where the mark is the word.
   * @param {Stack} stack @param {import("yanli/language.js").Script} script @param {boolean} drawn  it has a mark of its own
   */
  words(stack, script, drawn) {
    const {doc} = this;
    const english = script === "en";
    const number = stack.things.length;
    const kind = this.thing(stack.kind, script);
    const many = (/** @type {number} */ count) => (count > 1 ? "s" : "");
    const mould = doc.kinds[stack.kind];
    if (mould?.laid) {
      const side = wordOf(doc, doc.words.indexOf(stack.where), script);
      return english ? `${number} ${kind}${many(number)}` : `${stack.laid ? side : kind} ${number}`;
    }
    if ([...stack.kind].length === 1 && !drawn && !english) return "";
    let words =
      mould?.called === undefined || mould.called < 0 ? kind : short(wordOf(doc, mould.called, script), script);
    if (number > 1) words = english ? `${number} ${words}s` : `${words}${number}`;
    for (const one of COUNTED) {
      const count = stack.content.filter((thing) => kindOf(doc, thing) === one).length;
      if (count > 0) words += english ? `, ${count} ${this.thing(one, script)}${many(count)}` : ` ${one}${count}`;
    }
    return words;
  }

  /** @param {string} kind @param {import("yanli/language.js").Script} script */
  thing(kind, script) {
    if (script === "en") return this.doc.kinds[kind]?.en ?? kind;
    return wordOf(this.doc, this.doc.words.indexOf(kind), script);
  }
}
