/**
 * A window on the ground: building, things, people and names, drawn through a camera.
 *
 * Comes in: what is true at a moment (a `Frame`). Goes out: SVG for the ground and all that is on it, and names above it in
 * type of constant size. At every frame only what is new is touched; where names stand and who gives way to whom is worked
 * out more seldom. It never asks the page for a measure.
 */

import {element, num, placed, rect, set, spot, tell} from "yanli/draw.js";
import {Camera} from "yanli/camera.js";
import {Figure, outfitOf, reachOf} from "yanli/figures.js";
import {Labels} from "yanli/labels.js";
import {blockGround, drawGround} from "yanli/ground.js";
import {arranged} from "yanli/naming.js";
import {Space, around, clamp, dot, edges, grown, holds, turned} from "yanli/space.js";
import {wordOf} from "yanli/language.js";
import {spread} from "yanli/spread.js";
import {Tags, measure} from "yanli/tags.js";
import {FLYING, UNIT, isTrue, markOf} from "yanli/things.js";

const {abs, max, min} = Math;

/** @typedef {import("yanli/types.js").StageDoc} StageDoc */
/** @typedef {import("yanli/types.js").Moment} Moment */
/** @typedef {import("yanli/types.js").Pose} Pose */
/** @typedef {import("yanli/types.js").Flight} Flight */
/** @typedef {import("yanli/types.js").PersonState} PersonState */
/** @typedef {import("yanli/types.js").ThingState} ThingState */
/** @typedef {import("yanli/stacks.js").Stack} Stack */
/** @typedef {import("yanli/space.js").Rect} Rect */
/** @typedef {import("yanli/camera.js").Box} Box */
/** @typedef {import("yanli/things.js").Mark} Mark */

/**
 * @typedef {object} Frame  what is true at a moment
 * @property {number} time
 * @property {Moment} moment
 * @property {Pose[]} poses
 * @property {Flight[]} flights
 * @property {Stack[]} stacks
 * @property {Set<number>} acting  who acts, and to whom it is done
 * @property {Map<number, string>} tags  what those who act do, in a word
 * @property {Set<number>} touched  things that are acted on
 * @property {number} person  who is followed, or -1
 * @property {number} thing  what is followed, or -1
 * @property {[number, number] | null} at  where that is which is followed, in 尺
 * @property {Map<number, string>} marks  people who are to be marked, and why
 * @property {import("yanli/language.js").Script} script
 */
/**
 * @typedef {object} Body  a person in this window
 * @property {Figure} figure
 * @property {PersonState | null} state
 * @property {boolean} seen
 * @property {number} x  in pixels
 * @property {number} y
 * @property {number} dx  how far he is moved, in pixels
 * @property {number} dy
 * @property {number} size  pixels for one unit
 * @property {{dx: number, dy: number, size: number}} goal
 */
/**
 * @typedef {object} Lump  a stack in this window
 * @property {Stack} stack
 * @property {Mark} mark
 * @property {SVGGElement} el
 * @property {string} look
 * @property {string} place
 * @property {boolean} seen
 * @property {number} x
 * @property {number} y
 * @property {number} dx
 * @property {number} dy
 * @property {number} size  1
 * @property {{dx: number, dy: number}} goal
 */

/** Figures are drawn a little larger than people are, so that they can be told. */
const LARGER = 1.15;
/** In a small window what is in the target is so much larger than the target. */
const LARGE = 2.6;
const EASE = 0.16;
/** The ring round what is followed, in units. */
const HALO = 17;
/** With fewer pixels for one 尺 figures become smaller than they are drawn at least. */
const FAR = 4.5;
/** A figure is drawn no larger than so many pixels for one unit. */
const MOST = 2.4;
const EDGE = 26;
/** How an arrow falls is told in the last part of its way. */
const LATE = 0.6;
/** A thing whose place is taken is looked a place for so near, in pixels. */
const ASIDE = 130;
/** The goal of what stays where it is and as large as others are. */
const STAYS = {dx: 0, dy: 0, size: 0};

export class Pane {
  camera = new Camera();
  labels = new Labels(measure);
  /** @type {Map<string, Lump>} */
  lumps = new Map();
  /** @type {Rect[]}  what lies over the window, in pixels */
  covers = [];
  view = "";
  sizes = {person: 14, thing: 12, part: 11.5};
  #root;
  #within;
  #pick;
  #world;
  #things;
  #people;
  #air;
  #halo;
  /** @type {{el: SVGGElement, way: SVGPathElement, fell: SVGTextElement}[]} */
  #arrows = [];
  /** @type {Frame | null} */
  #last = null;
  #least = 0.8;
  #most = MOST;

  /**
   * @param {StageDoc} doc @param {HTMLElement} root
   * @param {{small: boolean, within: Box | null, pick: boolean}} kind  `within`: only what is there is drawn; `pick`:
   *   figures can be chosen
   */
  constructor(doc, root, {small, within, pick}) {
    this.doc = doc;
    this.small = small;
    this.#root = root;
    this.#within = within;
    this.#pick = pick;
    const kind = {class: "map", "aria-hidden": String(!pick), role: pick ? "group" : null};
    this.svg = element("svg", kind, root);
    this.#world = element("g", {}, this.svg);
    const layer = (/** @type {string} */ name, parent = this.#world) => element("g", {class: name}, parent);
    drawGround(doc, layer("ground"));
    this.traces = layer("traces");
    this.#things = layer("things");
    this.#people = layer("people");
    this.#air = layer("air");
    this.#halo = element("circle", {class: "followed", display: "none"}, this.#air);
    this.tags = new Tags(root, layer("lines", this.svg));
    /** @type {Map<number, Body>} */
    this.bodies = new Map(doc.people.map((person, index) => [index, this.#body(person)]));
  }

  /** @param {number} width @param {number} height  in pixels @param {number} big  how much larger the page's type is than usual */
  resize(width, height, big) {
    this.camera.width = width;
    this.camera.height = height;
    const narrow = min(width, height) < 480;
    const [person, thing, part] = this.small ? [12, 11, 10.5] : narrow ? [12.5, 11, 11] : [14, 12, 11.5];
    this.sizes = {person: person * big, thing: thing * big, part: part * big};
    this.#least = (this.small ? 0.72 : narrow ? 0.8 : 0.95) * big;
    this.#most = MOST * big;
    set(this.svg, {viewBox: `0 0 ${num(width)} ${num(height)}`, width, height});
    for (const [kind, size] of Object.entries(this.sizes)) this.#root.style.setProperty(`--${kind}`, `${size}px`);
    this.view = "";
  }

  /** Pixels for one unit of a figure. */
  get #figureSize() {
    // So far away that the whole court is seen, many stand close together.
    return this.#unit(1, 0.6, LARGER);
  }

  /** Pixels for one unit of a small thing. */
  get #markSize() {
    return this.#unit(0.85, 0.5, 1);
  }

  /** @param {number} share  of the least size of a figure @param {number} far  of that, from far away @param {number} larger */
  #unit(share, far, larger) {
    const {scale} = this.camera;
    return clamp((scale / UNIT) * larger, this.#least * share * clamp(scale / FAR, far, 1), this.#most);
  }

  /**
   * Draw a moment.
   * @param {Frame} frame @param {boolean} calm  nothing is eased: be at once where it should be
   * @returns {boolean} whether something is still on its way
   */
  draw(frame, calm) {
    const {camera} = this;
    const view = `translate(${num(camera.left(0))} ${num(camera.top(0))}) scale(${camera.scale.toFixed(4)})`;
    const moved = view !== this.view;
    this.view = view;
    set(this.#world, {transform: view});
    const people = this.#drawPeople(frame, calm);
    const things = this.#drawThings(frame, moved, calm);
    this.#drawFlights(frame.flights, frame.script);
    this.#drawHalo(frame);
    this.tags.move((key) => this.anchor(key));
    this.#last = frame;
    return people || things;
  }

  /** Where a name's anchor is now, in pixels; null when it is not seen. @param {string} key @returns {{x: number, y: number} | null} */
  anchor(key) {
    const rest = key.slice(1);
    if (key.startsWith("g")) {
      const [x, y] = rest.split(" ").map(Number);
      return {x: this.camera.left(x), y: this.camera.top(y)};
    }
    const one = key.startsWith("p") ? this.bodies.get(Number(rest)) : this.lumps.get(rest);
    return one?.seen ? one : null;
  }

  /** Whether a point is in the window and not under its controls. @param {number} x @param {number} y */
  open(x, y) {
    const {width, height} = this.camera;
    if (!holds([-EDGE, -EDGE, width + EDGE, height + EDGE], dot(x, y))) return false;
    return !this.covers.some((box) => x > box[0] && x < box[2] && y > box[1] && y < box[3]);
  }

  /** Whether a spot is on the ground that is drawn here. @param {{x: number, y: number}} spot  in 尺 */
  #here({x, y}) {
    return !this.#within || holds(this.#within, dot(x, y));
  }

  // ── people ──

  /** @param {Frame} frame @param {boolean} calm */
  #drawPeople(frame, calm) {
    const {camera} = this;
    const {scale} = camera;
    const last = this.#last;
    let busy = false;
    const flying = new Set(frame.flights.map(({thing}) => thing));
    const shooting = flying.size > 0 || last?.flights.length;
    frame.poses.forEach((pose, person) => {
      const x = camera.left(pose.x);
      const y = camera.top(pose.y);
      const followed = person === frame.person;
      const body = /** @type {Body} */ (this.bodies.get(person));
      const {figure, goal, seen} = body;
      body.seen = (this.#here(pose) && (followed || this.open(x, y))) || figure.el.matches(":focus");
      figure.hide(!body.seen);
      if (!body.seen) return;
      const state = frame.moment.people[person];
      const holding = state.left.length + state.right.length + state.belt.length > 0;
      if (!seen || state !== body.state || (holding && (shooting || last?.moment.things !== frame.moment.things))) {
        body.state = state;
        figure.wear(outfitOf(this.doc, state, frame.moment.things, flying));
      }
      if (ease(body, goal, goal.size || this.#figureSize, calm || !seen)) busy = true;
      body.x = x + body.dx;
      body.y = y + body.dy;
      figure.pose(pose);
      figure.stand(pose.x + body.dx / scale, pose.y - body.dy / scale, body.size / scale);
      figure.ring(frame.acting.has(person), followed, frame.marks.has(person));
    });
    return busy;
  }

  /** @param {import("yanli/types.js").Person} person @returns {Body} */
  #body({party, name}) {
    const figure = new Figure(party, this.doc.words[name], this.#pick);
    figure.hide(true);
    this.#people.append(figure.el);
    return {figure, state: null, seen: false, x: 0, y: 0, dx: 0, dy: 0, size: 1, goal: STAYS};
  }

  // ── things ──

  /** @param {Frame} frame @param {boolean} moved @param {boolean} calm */
  #drawThings(frame, moved, calm) {
    if (frame.stacks !== this.#last?.stacks) this.#restack(frame);
    const {camera} = this;
    const {scale, width, height} = camera;
    let busy = false;
    for (const lump of this.lumps.values()) {
      const {stack, el, goal, seen} = lump;
      const x = camera.left(stack.x);
      const y = camera.top(stack.y);
      const half = isTrue(stack.form) ? (lump.mark.broad * scale) / UNIT / 2 : 0;
      lump.seen =
        this.#here(stack) &&
        (half > 0 ? x > -half && x < width + half && y > -EDGE && y < height + EDGE : this.open(x, y));
      if (lump.seen !== seen) set(el, {display: seen ? "none" : null});
      if (!lump.seen) continue;
      if (ease(lump, goal, 1, calm || !seen)) busy = true;
      else if (!calm && !moved && lump.place) continue;
      lump.x = x + lump.dx;
      lump.y = y + lump.dy;
      const size = isTrue(stack.form) ? 1 / UNIT : this.#markSize / scale;
      lump.place = placed(stack.x + lump.dx / scale, stack.y - lump.dy / scale, size);
      set(el, {transform: lump.place});
    }
    return busy;
  }

  /** @param {Frame} frame */
  #restack({moment, stacks}) {
    const {doc} = this;
    const mats = stacks.filter((stack) => stack.form === "席");
    const look = {doc, moment, mats, large: this.small ? LARGE : 1};
    const left = new Set(this.lumps.keys());
    for (const stack of stacks) {
      if (!this.#here(stack)) continue;
      left.delete(stack.key);
      const mark = markOf(stack, look);
      const [ids, content] = [stack.things, stack.content].map((things) => things.map((thing) => doc.things[thing].id));
      const key = `${mark.shapes} ${ids} ${content}`;
      let lump = this.lumps.get(stack.key);
      if (!lump) {
        const el = element("g", {class: `thing ${stack.form}`, display: "none"});
        if (this.#pick) set(el, {role: "button", tabindex: -1});
        this.#things[stack.form === "席" ? "prepend" : "append"](el);
        lump = {stack, mark, el, look: "", place: "", seen: false, x: 0, y: 0, dx: 0, dy: 0, size: 1, goal: STAYS};
        this.lumps.set(stack.key, lump);
      }
      if (lump.stack.x !== stack.x || lump.stack.y !== stack.y) lump.place = "";
      lump.stack = stack;
      lump.mark = mark;
      if (lump.look === key) continue;
      lump.look = key;
      const [broad, deep] = [mark.broad + 6, mark.deep + 6];
      const round = min(max(broad, deep) / 2, 4);
      lump.el.innerHTML = mark.shapes + rect("focus", broad, deep, -deep / 2, -broad / 2, round);
      const {kind, where: place, things} = stack;
      if (this.#pick)
        tell(lump.el, {ids: ids.join(" "), content: content.join(" "), kind, place, count: things.length});
    }
    for (const key of left) {
      this.lumps.get(key)?.el.remove();
      this.lumps.delete(key);
    }
  }

  // ── arrows in the air ──

  /** @param {Flight[]} flights @param {import("yanli/language.js").Script} script */
  #drawFlights(flights, script) {
    const arrows = this.#arrows;
    flights.forEach(({from: [x, y], to: [u, v], share, thing, fell: how}, at) => {
      if (!arrows[at]) {
        const way = element("path", {class: "streak"}, this.#air);
        const el = element("g", {}, this.#air);
        el.innerHTML = FLYING;
        arrows.push({el, way, fell: element("text", {class: "tiny"}, this.#air)});
      }
      const {el, way, fell} = arrows[at];
      const a = x + (u - x) * share;
      const b = y + (v - y) * share;
      const turn = (Math.atan2(u - x, v - y) * 180) / Math.PI;
      const size = max(1 / UNIT, (this.#least * 1.1) / this.camera.scale);
      set(el, {transform: `${placed(a, b, size)} rotate(${num(turn)})`});
      set(way, {d: `M${spot(x, y)} L${spot(a, b)}`});
      // How it falls is said where it comes down.
      const words = share > LATE ? wordOf(this.doc, how, script) : "";
      if (fell.textContent !== words) fell.textContent = words;
      set(fell, {x: a + 12 / this.camera.scale, y: -b, "font-size": this.sizes.thing / this.camera.scale});
      if (this.#pick) tell(el, {ids: this.doc.things[thing].id});
    });
    for (const one of arrows.splice(flights.length)) for (const el of Object.values(one)) el.remove();
  }

  /** A ring round the thing that is followed, wherever it is. @param {Frame} frame */
  #drawHalo({thing, at, moment, poses}) {
    const {scale} = this.camera;
    if (thing < 0 || !at) return set(this.#halo, {display: "none"});
    const {holder} = moment.things[thing];
    const body = this.bodies.get(holder);
    let [x, y] = at;
    if (body?.seen && x === poses[holder].x && y === poses[holder].y) {
      x += body.dx / scale;
      y -= body.dy / scale;
    }
    for (const {seen, stack, dx, dy} of this.lumps.values()) {
      if (!seen || ![...stack.things, ...stack.content].includes(thing)) continue;
      x = stack.x + dx / scale;
      y = stack.y - dy / scale;
    }
    set(this.#halo, {display: null, cx: x, cy: -y, r: (HALO * this.#figureSize) / scale});
  }

  // ── who gives way, and where names stand ──

  /**
   * Work out where figures and things stand so that none is on another, and where names stand.
   * @param {Frame} frame @param {import("yanli/rows.js").Names} names @param {import("yanli/stacks.js").Stacks} stacks
   * @param {boolean} rest  nothing moves
   */
  arrange(frame, names, stacks, rest) {
    const {camera} = this;
    const space = new Space();
    for (const box of this.covers) space.take(box);
    blockGround(this.doc, camera, space);
    const standing = [];
    for (const [person, body] of this.bodies) {
      const {x, y, facing, walking} = frame.poses[person];
      if (body.seen && (rest || !walking)) standing.push({person, x: camera.left(x), y: camera.top(y), facing});
      else body.goal = STAYS;
    }
    for (const [person, goal] of spread(standing, this.#figureSize)) {
      /** @type {Body} */ (this.bodies.get(person)).goal = goal;
    }
    this.#settleThings(
      space,
      frame,
      standing.map(({person}) => person),
    );
    /** @type {Map<number, Rect>} */
    const boxes = new Map();
    for (const [person, body] of this.bodies) {
      if (body.seen) boxes.set(person, this.#figureBox(frame, person, body, rest ? body.goal : body));
    }
    for (const box of boxes.values()) space.take(box);
    const seen = [...this.lumps].filter(([, lump]) => lump.seen);
    const marks = new Map(seen.map(([key, lump]) => [key, this.#markBox(lump)]));
    arranged(this, frame, names, stacks, space, boxes, marks, rest);
  }

  /** @param {Frame} frame @param {number} person @param {Body} body @param {{dx: number, dy: number}} [at] @returns {Rect} */
  #figureBox(frame, person, {figure, goal}, at = goal) {
    const pose = frame.poses[person];
    const size = goal.size || this.#figureSize;
    const outfit = /** @type {import("yanli/figures.js").Outfit} */ (figure.seen);
    const reach = reachOf(outfit, pose.kneel, pose.bow, pose.draw);
    const x = this.camera.left(pose.x) + at.dx;
    const y = this.camera.top(pose.y) + at.dy;
    const box = turned(pose.facing, reach, x, y, size);
    const follows = person === frame.person || frame.moment.things[frame.thing]?.holder === person;
    const ring = frame.marks.has(person) ? 19 : follows ? HALO + 1 : frame.acting.has(person) ? 14.6 : 0;
    return ring ? around(box, grown(dot(x, y), ring * size)) : box;
  }

  /** @param {Lump} lump @param {{dx: number, dy: number}} [at] @returns {Rect} */
  #markBox({mark, stack, goal}, at = goal) {
    const size = isTrue(stack.form) ? this.camera.scale / UNIT : this.#markSize;
    const x = this.camera.left(stack.x) + at.dx;
    const y = this.camera.top(stack.y) + at.dy;
    const w = (mark.broad * size) / 2;
    const h = (mark.deep * size) / 2;
    return [x - w, y - h, x + w, y + h];
  }

  /**
   * What is set up stays; what merely lies there makes room.
   * @param {Space} space @param {Frame} frame @param {number[]} standing
   */
  #settleThings(space, frame, standing) {
    const loose = [];
    for (const lump of this.lumps.values()) {
      if (!lump.seen) continue;
      const {fixed, laid, form} = lump.stack;
      if (laid) lump.goal = this.#besideHolder(lump);
      else if (fixed) lump.goal = STAYS;
      if (form === "席") for (const edge of edges(this.#markBox(lump), 0.8)) space.take(edge, true);
      else if (laid || fixed) space.take(this.#markBox(lump));
      else loose.push(lump);
    }
    const people = new Space();
    for (const person of standing) {
      people.take(this.#figureBox(frame, person, /** @type {Body} */ (this.bodies.get(person))));
    }
    const free = (/** @type {Rect} */ box) => space.free(box) && people.free(box);
    loose.sort((one, other) => one.stack.things[0] - other.stack.things[0]);
    for (const lump of loose) {
      const plain = this.#markBox(lump, STAYS);
      if (free(plain)) lump.goal = STAYS;
      else if (!free(this.#markBox(lump))) {
        const [dx, dy] = new Space(space, people).settle(plain, (ASIDE * this.#most) / MOST) ?? [0, 0];
        lump.goal = {dx, dy};
      }
      space.take(grown(this.#markBox(lump), 0.5));
    }
  }

  /** Sticks that are laid for a side begin beside what held them. @param {Lump} lump */
  #besideHolder({stack: {x, y}, mark}) {
    for (const {stack, seen, mark: other} of this.lumps.values()) {
      if (stack.form !== "中" || !seen || abs(stack.x - x) > 4) continue;
      const way = y < stack.y ? 1 : -1;
      const need = (other.deep / 2 + mark.deep / 2 + 1) * this.#markSize;
      const have = abs(stack.y - y) * this.camera.scale;
      return {dx: 0, dy: way * max(0, need - have)};
    }
    return STAYS;
  }
}

/**
 * Let a figure or a thing come nearer to where it should be; gives back whether it is still on its way.
 * @param {{dx: number, dy: number, size: number}} one @param {{dx: number, dy: number}} goal @param {number} size
 * @param {boolean} now  it should be there at once
 */
function ease(one, {dx, dy}, size, now) {
  if (now) Object.assign(one, {dx, dy, size});
  else if (abs(one.dx - dx) + abs(one.dy - dy) + abs(one.size - size) * 10 > 0.3) {
    one.dx += (dx - one.dx) * EASE;
    one.dy += (dy - one.dy) * EASE;
    one.size += (size - one.size) * EASE;
    return true;
  }
  return false;
}
