/**
 * Things that lie about, gathered by kind and place, with what lies in or on them.
 *
 * Comes in: a performance and a moment. Goes out: stacks, in 尺: what is to be drawn once for many things. What has not
 * yet been brought out of store is left away, as is what nobody sees into.
 */

import {wordOf} from "yanli/language.js";

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
const TARGET = "侯";
/** Forms that stand where they are set up though no measure is told of them. */
const STANDING = new Set(["中", MAT, TARGET]);
/** Things that are counted where they lie, side by side. */
const STICK = "算";
const SIDES = new Set(["右獲", "左獲"]);

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

  /** @param {number} thing @returns {string} */
  kind(thing) {
    return this.doc.words[this.doc.things[thing]?.kind ?? -1] ?? "";
  }

  /** @param {string} kind @returns {string} */
  form(kind) {
    return this.doc.kinds[kind]?.form ?? kind;
  }

  /** @param {Moment} moment @returns {Stack[]} */
  at(moment) {
    const {doc} = this;
    /** @type {Map<string, Stack>} */
    const gathered = new Map();
    moment.things.forEach((state, thing) => {
      if (state.holder >= 0 || state.where < 0) return;
      const where = doc.words[state.where] ?? "";
      const spot = doc.spots[state.spot];
      if (!spot || spot[1] < this.gate || this.names.has(where) || this.hidden.has(doc.words[spot[3]] ?? "")) return;
      if (doc.things[thing]?.store?.includes(state.where)) return;
      const kind = this.kind(thing);
      const form = this.form(kind);
      const sized = doc.kinds[kind]?.size != null;
      const owner = form === MAT ? doc.things[thing]?.of : -1;
      const key = `${kind} ${where} ${owner} ${spot[0].toFixed(1)} ${spot[1].toFixed(1)}`;
      const there = gathered.get(key);
      if (there) {
        there.things.push(thing);
        return;
      }
      const zone = doc.words[spot[3]] ?? "";
      const fixed = (sized || STANDING.has(form)) && (where === kind || where !== zone);
      const laid = kind === STICK && SIDES.has(where);
      gathered.set(key, {
        key: `${kind} ${thing}`,
        kind,
        form,
        where,
        things: [thing],
        content: [],
        x: spot[0],
        y: spot[1],
        fixed,
        laid,
      });
    });
    return this.filled([...gathered.values()]);
  }

  /** What lies in or on a thing that is set up goes into its stack; with one that is in store, it is not shown. @param {Stack[]} stacks */
  filled(stacks) {
    /** @type {Map<string, Stack>} */
    const holders = new Map();
    for (const stack of stacks) {
      if (!stack.fixed || stack.form === MAT) continue;
      for (const name of this.doc.kinds[stack.kind]?.holds ?? []) holders.set(name, stack);
      holders.set(stack.kind, stack);
    }
    /** @param {string} form */
    const places = (form) => new Set(stacks.filter((stack) => stack.kind === form).map((stack) => stack.where));
    const found = [];
    for (const stack of stacks) {
      const holder = holders.get(stack.where);
      const upon = this.doc.kinds[stack.kind]?.upon;
      if (holder && holder !== stack && stack.kind !== holder.kind) holder.content.push(...stack.things);
      else if (!holder && this.held.has(stack.where) && stack.kind !== stack.where) continue;
      else if (upon && places(upon).has(stack.where)) continue;
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
    if (stack.kind === STICK) {
      const side = wordOf(doc, doc.words.indexOf(stack.where), script);
      return english
        ? `${number} ${kind}${number > 1 ? "s" : ""}`
        : `${SIDES.has(stack.where) ? side : kind} ${number}`;
    }
    if ([...stack.kind].length === 1 && !drawn && !english) return "";
    let words = stack.form === "斯禁" ? this.thing("壺", script) : kind;
    if (stack.form === "斯禁" && !english) words = "尊";
    if (number > 1) words = english ? `${number} ${words}s` : `${words}${number}`;
    for (const one of ["矢", STICK]) {
      const count = stack.content.filter((thing) => this.kind(thing) === one).length;
      if (count > 0)
        words += english ? `, ${count} ${this.thing(one, script)}${count > 1 ? "s" : ""}` : ` ${one}${count}`;
    }
    return words;
  }

  /** @param {string} kind @param {import("yanli/language.js").Script} script */
  thing(kind, script) {
    if (script === "en") return this.doc.kinds[kind]?.en ?? kind;
    return wordOf(this.doc, this.doc.words.indexOf(kind), script);
  }
}
