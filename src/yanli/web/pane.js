/**
 * A window on the ground: building, things, people and names, drawn through a camera.
 *
 * Comes in: what is true at a moment (a `Frame`). Goes out: SVG for the ground and all that is on it, and names above it in
 * type of constant size. At every frame only what is new is touched; where names stand and who gives way to whom is worked
 * out more seldom. It never asks the page for a measure.
 */

import {element, num, set} from "yanli/draw.js";
import {Camera, holds} from "yanli/camera.js";
import {Figure, outfitOf, reachOf} from "yanli/figures.js";
import {Labels} from "yanli/labels.js";
import {blockGround, drawGround} from "yanli/ground.js";
import {arranged} from "yanli/naming.js";
import {Space, edges, turned, wider} from "yanli/space.js";
import {spread} from "yanli/spread.js";
import {Tags, measure} from "yanli/tags.js";
import {FLYING, UNIT, isTrue, markOf} from "yanli/things.js";

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
/** A thing whose place is taken is looked a place for so near, in pixels. */
const ASIDE = 130;

export class Pane {
  /**
   * @param {StageDoc} doc @param {HTMLElement} root
   * @param {{small: boolean, within: Box | null, pick: boolean}} kind  `within`: only what is there is drawn; `pick`:
   *   figures can be chosen
   */
  constructor(doc, root, {small, within, pick}) {
    this.doc = doc;
    this.root = root;
    this.small = small;
    this.within = within;
    this.pickable = pick;
    this.camera = new Camera();
    this.svg = element("svg", {class: "map", "aria-hidden": pick ? "false" : "true", focusable: "false"}, root);
    if (pick) this.svg.setAttribute("role", "group");
    this.world = element("g", {}, this.svg);
    this.ground = element("g", {class: "ground"}, this.world);
    this.traces = element("g", {class: "traces"}, this.world);
    this.things = element("g", {class: "things"}, this.world);
    this.people = element("g", {class: "people"}, this.world);
    this.air = element("g", {class: "air"}, this.world);
    this.halo = element("circle", {class: "followed", display: "none"}, this.air);
    this.lines = element("g", {class: "lines"}, this.svg);
    this.tags = new Tags(root, this.lines);
    this.labels = new Labels(measure);
    /** @type {Map<number, Body>} */
    this.bodies = new Map(doc.people.map((person, index) => [index, this.body(person)]));
    /** @type {Map<string, Lump>} */
    this.lumps = new Map();
    /** @type {{el: SVGGElement, way: SVGPathElement}[]} */
    this.arrows = [];
    /** @type {Rect[]}  what lies over the window, in pixels */
    this.covers = [];
    this.view = "";
    /** @type {Frame | null} */
    this.last = null;
    this.least = 0.8;
    this.most = MOST;
    this.sizes = {person: 14, thing: 12, part: 11.5};
    drawGround(doc, this.ground);
  }

  /** @param {number} width @param {number} height  in pixels @param {number} big  how much larger the page's type is than usual */
  resize(width, height, big) {
    this.camera.width = width;
    this.camera.height = height;
    const narrow = Math.min(width, height) < 480;
    const [person, thing, part] = this.small ? [12, 11, 10.5] : narrow ? [12.5, 11, 11] : [14, 12, 11.5];
    this.sizes = {person: person * big, thing: thing * big, part: part * big};
    this.least = (this.small ? 0.72 : narrow ? 0.8 : 0.95) * big;
    this.most = MOST * big;
    set(this.svg, "viewBox", `0 0 ${num(width)} ${num(height)}`);
    set(this.svg, "width", num(width));
    set(this.svg, "height", num(height));
    this.root.style.setProperty("--person", `${this.sizes.person}px`);
    this.root.style.setProperty("--thing", `${this.sizes.thing}px`);
    this.root.style.setProperty("--part", `${this.sizes.part}px`);
    this.view = "";
  }

  /** Pixels for one unit of a figure. */
  get figureSize() {
    // So far away that the whole court is seen, many stand close together.
    const least = this.least * Math.min(1, Math.max(0.6, this.camera.scale / FAR));
    return Math.min(this.most, Math.max(least, (this.camera.scale / UNIT) * LARGER));
  }

  /** Pixels for one unit of a small thing. */
  get markSize() {
    const least = this.least * 0.85 * Math.min(1, Math.max(0.5, this.camera.scale / FAR));
    return Math.min(this.most, Math.max(least, this.camera.scale / UNIT));
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
    if (moved) {
      this.view = view;
      this.world.setAttribute("transform", view);
    }
    const people = this.drawPeople(frame, calm);
    const things = this.drawThings(frame, moved, calm);
    this.drawFlights(frame.flights);
    this.drawHalo(frame);
    this.tags.move((key) => this.anchor(key));
    this.last = frame;
    return people || things;
  }

  /** Where a name's anchor is now, in pixels; null when it is not seen. @param {string} key @returns {{x: number, y: number} | null} */
  anchor(key) {
    if (key.startsWith("p")) {
      const body = this.bodies.get(Number(key.slice(1)));
      return body?.seen ? body : null;
    }
    if (key.startsWith("t")) {
      const lump = this.lumps.get(key.slice(1));
      return lump?.seen ? lump : null;
    }
    const [x = 0, y = 0] = key.slice(1).split(" ").map(Number);
    return {x: this.camera.left(x), y: this.camera.top(y)};
  }

  /** Whether a point is in the window and not under its controls. @param {number} x @param {number} y */
  open(x, y) {
    const {width, height} = this.camera;
    if (x < -EDGE || y < -EDGE || x > width + EDGE || y > height + EDGE) return false;
    return !this.covers.some((box) => x > box[0] && x < box[2] && y > box[1] && y < box[3]);
  }

  // ── people ──

  /** @param {Frame} frame @param {boolean} calm */
  drawPeople(frame, calm) {
    const {camera, within} = this;
    let busy = false;
    const lastThings = this.last?.moment.things;
    const flying = new Set(frame.flights.map(({thing}) => thing));
    const shooting = flying.size > 0 || (this.last?.flights.length ?? 0) > 0;
    frame.poses.forEach((pose, person) => {
      const x = camera.left(pose.x);
      const y = camera.top(pose.y);
      const followed = person === frame.person;
      const there = !within || holds(within, [pose.x, pose.y, pose.x, pose.y]);
      const seen = there && (followed || this.open(x, y));
      const body = /** @type {Body} */ (this.bodies.get(person));
      if (!seen && !body.figure.el.matches(":focus")) {
        this.unseen(body);
        return;
      }
      const fresh = !body.seen;
      body.seen = true;
      body.figure.hide(false);
      const state = frame.moment.people[person];
      const holding = state.left.length + state.right.length + state.belt.length > 0;
      if (state !== body.state || (holding && (shooting || lastThings !== frame.moment.things)) || fresh) {
        body.state = state;
        body.figure.wear(outfitOf(this.doc, state, frame.moment.things, flying));
      }
      const {goal} = body;
      if (calm || fresh) {
        body.dx = goal.dx;
        body.dy = goal.dy;
        body.size = goal.size || this.figureSize;
      } else {
        const size = goal.size || this.figureSize;
        if (Math.abs(body.dx - goal.dx) + Math.abs(body.dy - goal.dy) + Math.abs(body.size - size) * 10 > 0.3) {
          body.dx += (goal.dx - body.dx) * EASE;
          body.dy += (goal.dy - body.dy) * EASE;
          body.size += (size - body.size) * EASE;
          busy = true;
        }
      }
      body.x = x + body.dx;
      body.y = y + body.dy;
      const {scale} = camera;
      body.figure.pose(pose);
      body.figure.stand(pose.x + body.dx / scale, pose.y - body.dy / scale, body.size / scale);
      body.figure.ring(frame.acting.has(person), followed, frame.marks.has(person));
    });
    return busy;
  }

  /** @param {import("yanli/types.js").Person} person @returns {Body} */
  body({party, name}) {
    const figure = new Figure(party, this.doc.words[name], this.pickable);
    figure.hide(true);
    this.people.append(figure.el);
    const goal = {dx: 0, dy: 0, size: 0};
    return {figure, state: null, seen: false, x: 0, y: 0, dx: 0, dy: 0, size: 1, goal};
  }

  /** @param {Body} body */
  unseen(body) {
    body.seen = false;
    body.figure.hide(true);
  }

  // ── things ──

  /** @param {Frame} frame @param {boolean} moved @param {boolean} calm */
  drawThings(frame, moved, calm) {
    if (frame.stacks !== this.last?.stacks) this.restack(frame);
    const {camera, within} = this;
    let busy = false;
    for (const lump of this.lumps.values()) {
      const {stack, goal} = lump;
      const x = camera.left(stack.x);
      const y = camera.top(stack.y);
      const half = isTrue(stack.form) ? (lump.mark.broad * camera.scale) / UNIT / 2 : 0;
      const there = !within || holds(within, [stack.x, stack.y, stack.x, stack.y]);
      const seen =
        there &&
        (half > 0 ? x > -half && x < camera.width + half && y > -EDGE && y < camera.height + EDGE : this.open(x, y));
      if (seen !== lump.seen) {
        lump.seen = seen;
        if (seen) lump.el.removeAttribute("display");
        else lump.el.setAttribute("display", "none");
        if (seen) {
          lump.dx = goal.dx;
          lump.dy = goal.dy;
        }
      }
      if (!seen) continue;
      if (calm) {
        lump.dx = goal.dx;
        lump.dy = goal.dy;
      } else if (Math.abs(lump.dx - goal.dx) + Math.abs(lump.dy - goal.dy) > 0.3) {
        lump.dx += (goal.dx - lump.dx) * EASE;
        lump.dy += (goal.dy - lump.dy) * EASE;
        busy = true;
      } else if (!moved && lump.place) continue;
      lump.x = x + lump.dx;
      lump.y = y + lump.dy;
      const size = isTrue(stack.form) ? 1 / UNIT : this.markSize / camera.scale;
      const place = `translate(${(stack.x + lump.dx / camera.scale).toFixed(3)} ${(-stack.y + lump.dy / camera.scale).toFixed(3)}) scale(${size.toFixed(4)})`;
      if (place === lump.place) continue;
      lump.place = place;
      lump.el.setAttribute("transform", place);
    }
    return busy;
  }

  /** @param {Frame} frame */
  restack(frame) {
    const {doc, within} = this;
    const mats = frame.stacks.filter((stack) => stack.form === "席");
    const look = {doc, moment: frame.moment, mats, large: this.small ? LARGE : 1};
    const left = new Set(this.lumps.keys());
    for (const stack of frame.stacks) {
      if (within && !holds(within, [stack.x, stack.y, stack.x, stack.y])) continue;
      left.delete(stack.key);
      const mark = markOf(stack, look);
      const ids = stack.things.map((thing) => doc.things[thing].id).join(" ");
      const content = stack.content.map((thing) => doc.things[thing].id).join(" ");
      const key = `${mark.shapes} ${ids} ${content}`;
      let lump = this.lumps.get(stack.key);
      if (!lump) {
        const el = element("g", {class: `thing ${stack.form}`, display: "none"});
        if (this.pickable) {
          set(el, "role", "button");
          set(el, "tabindex", "-1");
        }
        this.things[stack.form === "席" ? "prepend" : "append"](el);
        lump = {stack, mark, el, look: "", place: "", seen: false, x: 0, y: 0, dx: 0, dy: 0, goal: {dx: 0, dy: 0}};
        this.lumps.set(stack.key, lump);
      }
      if (lump.stack.x !== stack.x || lump.stack.y !== stack.y) lump.place = "";
      lump.stack = stack;
      lump.mark = mark;
      if (lump.look !== key) {
        lump.look = key;
        const r = Math.max(mark.broad, mark.deep) / 2 + 3;
        lump.el.innerHTML = `${mark.shapes}<rect x="${num(-mark.broad / 2 - 3)}" y="${num(-mark.deep / 2 - 3)}" width="${num(mark.broad + 6)}" height="${num(mark.deep + 6)}" rx="${num(Math.min(r, 4))}" class="focus"/>`;
        if (this.pickable) {
          set(lump.el, "data-ids", ids);
          set(lump.el, "data-content", content);
          set(lump.el, "data-kind", stack.kind);
          set(lump.el, "data-place", stack.where);
          set(lump.el, "data-count", stack.things.length);
        }
      }
    }
    for (const key of left) {
      this.lumps.get(key)?.el.remove();
      this.lumps.delete(key);
    }
  }

  // ── arrows in the air ──

  /** @param {Flight[]} flights */
  drawFlights(flights) {
    flights.forEach(({from, to, share, thing}, at) => {
      let arrow = this.arrows[at];
      if (!arrow) {
        const way = element("path", {class: "streak"}, this.air);
        const el = element("g", {}, this.air);
        el.innerHTML = FLYING;
        arrow = {el, way};
        this.arrows.push(arrow);
      }
      const x = from[0] + (to[0] - from[0]) * share;
      const y = from[1] + (to[1] - from[1]) * share;
      const turn = (Math.atan2(to[0] - from[0], to[1] - from[1]) * 180) / Math.PI;
      const size = Math.max(1 / UNIT, (this.least * 1.1) / this.camera.scale);
      arrow.el.setAttribute(
        "transform",
        `translate(${num(x)} ${num(-y)}) rotate(${num(turn)}) scale(${size.toFixed(4)})`,
      );
      arrow.way.setAttribute("d", `M${num(from[0])} ${num(-from[1])} L${num(x)} ${num(-y)}`);
      if (this.pickable) set(arrow.el, "data-ids", this.doc.things[thing].id);
    });
    while (this.arrows.length > flights.length) {
      const gone = this.arrows.pop();
      gone?.el.remove();
      gone?.way.remove();
    }
  }

  /** A ring round the thing that is followed, wherever it is. @param {Frame} frame */
  drawHalo({thing, at, moment, poses}) {
    if (thing < 0 || !at) {
      set(this.halo, "display", "none");
      return;
    }
    const {holder} = moment.things[thing];
    const body = this.bodies.get(holder);
    let [x, y] = at;
    if (holder >= 0 && body?.seen && x === poses[holder].x && y === poses[holder].y) {
      x += body.dx / this.camera.scale;
      y -= body.dy / this.camera.scale;
    }
    for (const lump of this.lumps.values()) {
      if (!lump.seen || ![...lump.stack.things, ...lump.stack.content].includes(thing)) continue;
      x = lump.stack.x + lump.dx / this.camera.scale;
      y = lump.stack.y - lump.dy / this.camera.scale;
    }
    set(this.halo, "display", null);
    set(this.halo, "cx", num(x));
    set(this.halo, "cy", num(-y));
    set(this.halo, "r", num((HALO * this.figureSize) / this.camera.scale));
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
      if (!body.seen || (!rest && frame.poses[person].walking)) {
        body.goal = {dx: 0, dy: 0, size: 0};
        continue;
      }
      const {x, y, facing} = frame.poses[person];
      standing.push({person, x: camera.left(x), y: camera.top(y), facing});
    }
    standing.sort((one, other) => one.person - other.person);
    for (const [person, goal] of spread(standing, this.figureSize)) {
      const body = this.bodies.get(person);
      if (body) body.goal = goal;
    }
    this.settleThings(space, frame, rest);
    const {boxes, marks} = this.boxes(frame, rest);
    for (const box of boxes.values()) space.take(box);
    arranged(this, frame, names, stacks, space, boxes, marks, rest);
  }

  /** The boxes of all figures and things as they will stand. @param {Frame} frame @param {boolean} rest */
  boxes(frame, rest) {
    /** @type {Map<number, Rect>} */
    const boxes = new Map();
    for (const [person, body] of this.bodies) {
      if (!body.seen || !body.figure.seen) continue;
      const at = rest ? body.goal : body;
      boxes.set(
        person,
        this.figureBox(frame.poses[person], body.figure.seen, at, body.goal.size || this.figureSize, frame, person),
      );
    }
    /** @type {Map<string, Rect>} */
    const marks = new Map();
    for (const [key, lump] of this.lumps) if (lump.seen) marks.set(key, this.markBox(lump, lump.goal));
    return {boxes, marks};
  }

  /** @param {Pose} pose @param {import("yanli/figures.js").Outfit} seen @param {{dx: number, dy: number}} at @param {number} size @param {Frame} frame @param {number} person @returns {Rect} */
  figureBox(pose, seen, at, size, frame, person) {
    const reach = reachOf(seen, pose.kneel, pose.bow, pose.draw);
    const x = this.camera.left(pose.x) + at.dx;
    const y = this.camera.top(pose.y) + at.dy;
    const box = turned(pose.facing, reach, x, y, size);
    const follows = person === frame.person || (frame.thing >= 0 && frame.moment.things[frame.thing].holder === person);
    const ring = frame.marks.has(person) ? 19 : follows ? HALO + 1 : frame.acting.has(person) ? 14.6 : 0;
    if (!ring) return box;
    const r = ring * size;
    return [Math.min(box[0], x - r), Math.min(box[1], y - r), Math.max(box[2], x + r), Math.max(box[3], y + r)];
  }

  /** @param {Lump} lump @param {{dx: number, dy: number}} at @returns {Rect} */
  markBox(lump, at) {
    const size = isTrue(lump.stack.form) ? this.camera.scale / UNIT : this.markSize;
    const x = this.camera.left(lump.stack.x) + at.dx;
    const y = this.camera.top(lump.stack.y) + at.dy;
    const w = (lump.mark.broad * size) / 2;
    const h = (lump.mark.deep * size) / 2;
    return [x - w, y - h, x + w, y + h];
  }

  /**
   * What is set up stays; what merely lies there makes room.
   * @param {Space} space @param {Frame} frame @param {boolean} rest
   */
  settleThings(space, frame, rest) {
    const loose = [];
    for (const lump of this.lumps.values()) {
      if (!lump.seen) continue;
      const {stack} = lump;
      if (stack.fixed && !stack.laid) lump.goal = {dx: 0, dy: 0};
      if (stack.form === "席") {
        for (const edge of edges(this.markBox(lump, lump.goal), 0.8)) space.take(edge, true);
      } else if (stack.laid) {
        lump.goal = this.besideHolder(lump);
        space.take(this.markBox(lump, lump.goal));
      } else if (stack.fixed) space.take(this.markBox(lump, {dx: 0, dy: 0}));
      else loose.push(lump);
    }
    const people = new Space();
    for (const [person, body] of this.bodies) {
      if (!body.seen || !body.figure.seen || (!rest && frame.poses[person].walking)) continue;
      const {goal} = body;
      people.take(
        this.figureBox(frame.poses[person], body.figure.seen, goal, goal.size || this.figureSize, frame, person),
      );
    }
    const free = (/** @type {Rect} */ box) => space.free(box) && people.free(box);
    loose.sort((one, other) => one.stack.things[0] - other.stack.things[0]);
    for (const lump of loose) {
      const plain = this.markBox(lump, {dx: 0, dy: 0});
      const kept = this.markBox(lump, lump.goal);
      if (free(plain)) lump.goal = {dx: 0, dy: 0};
      else if (!free(kept)) {
        const both = new Space();
        both.hard = joined(space.hard, people.hard);
        both.walls = space.walls;
        const off = both.settle(plain, (ASIDE * this.most) / MOST);
        lump.goal = off ? {dx: off[0], dy: off[1]} : {dx: 0, dy: 0};
      }
      space.take(wider(this.markBox(lump, lump.goal), 0.5));
    }
  }

  /** Sticks that are laid for a side begin beside what held them. @param {Lump} lump */
  besideHolder(lump) {
    for (const other of this.lumps.values()) {
      if (other.stack.form !== "中" || !other.seen || Math.abs(other.stack.x - lump.stack.x) > 4) continue;
      const way = lump.stack.y < other.stack.y ? 1 : -1;
      const need = (other.mark.deep / 2 + lump.mark.deep / 2 + 1) * this.markSize;
      const have = Math.abs(other.stack.y - lump.stack.y) * this.camera.scale;
      return {dx: 0, dy: way * Math.max(0, need - have)};
    }
    return {dx: 0, dy: 0};
  }
}

/** @param {Map<number, Rect[]>} one @param {Map<number, Rect[]>} other */
function joined(one, other) {
  const both = new Map(one);
  for (const [cell, boxes] of other) both.set(cell, [...(both.get(cell) ?? []), ...boxes]);
  return both;
}
