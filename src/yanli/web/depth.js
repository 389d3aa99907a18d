/**
 * `<yanli-depth>`: the rite in depth, in three dimensions: one walks about in it, or looks with somebody's eyes.
 *
 * Takes a `Timeline`, `settings` (script, theme, reduced motion), whom to `follow` (a person's full name, a thing's id),
 * `marks` (person → why), `eye` (the full name of the person with whose eyes one looks) and, by `show`, a time. Gives
 * `pick` ({person} or {thing}) and `eye` ({eye: name or null}). It draws only when something has changed. Without WebGL
 * it says so, and where the rite can be seen all the same.
 */
import {LitElement, html, nothing} from "lit";
import * as THREE from "three";
import {Eye} from "yanli/depth-eye.js";
import {card, palette, stuff} from "yanli/depth-form.js";
import {Hall} from "yanli/depth-hall.js";
import {Names} from "yanli/depth-names.js";
import {People} from "yanli/depth-people.js";
import {Things} from "yanli/depth-things.js";
import {STYLE, words} from "yanli/depth-words.js";
import {langOf, nameOf, wordOf} from "yanli/language.js";
import {flights, poses} from "yanli/pose.js";

/** @typedef {import("yanli/timeline.js").Timeline} Timeline */
/** @typedef {import("yanli/depth-eye.js").View} View */
/** @typedef {import("yanli/depth-eye.js").Mode} Mode */
/** @typedef {import("yanli/language.js").Script} Script */
/**
 * @typedef {object} Stage  all that is there while a performance is shown
 * @property {Timeline} timeline @property {Hall} hall @property {People} people @property {Things} things @property {Eye} looking
 */

const VIEWS = /** @type {View[]} */ (["act", "front", "above", "archers", "target", "gate"]);
/** Buttons to walk with where there are no keys. */
const PAD = [
  ["left", "ArrowLeft", "◀"],
  ["ahead", "KeyW", "▲"],
  ["back", "KeyS", "▼"],
  ["right", "ArrowRight", "▶"],
];
/** What draws without a graphics card, so that every point counts. */
const UNAIDED = /swiftshader|llvmpipe|software|basic render/i;
/** Slower than this, in milliseconds a frame, it is drawn with fewer points while it moves. */
const SLOW = 34;
/** Who acts farther away than this (尺) from the first is left out of what the camera goes with. */
const NEAR = 40;
/** Hands come to their new place little by little where the time has gone on by less than this (seconds). */
const SOON = 3;
/** So many acts are told in the words for what is seen. */
const TOLD = 6;

export class YanliDepth extends LitElement {
  static styles = STYLE;
  static properties = {
    timeline: {attribute: false},
    settings: {attribute: false},
    follow: {attribute: false},
    marks: {attribute: false},
    eye: {attribute: false},
    lacking: {state: true},
    mode: {state: true},
    view: {state: true},
    roof: {state: true},
    all: {state: true},
  };

  constructor() {
    super();
    /** @type {Timeline | null} */
    this.timeline = null;
    /** @type {{script?: Script, theme?: string, reduced?: boolean}} */
    this.settings = {};
    /** @type {string | null} */
    this.follow = null;
    /** @type {Map<number, string> | null} */
    this.marks = null;
    /** @type {string | null} */
    this.eye = null;
    this.lacking = false;
    /** @type {Mode} */
    this.mode = "orbit";
    /** @type {View} */
    this.view = "act";
    /** whether the roof is shown, and the names of those too who do nothing */
    this.roof = true;
    this.all = false;
    this.time = 0;
    this.shown = -1;
    /** something has changed since it was drawn; the camera must be set up anew */
    this.dirty = true;
    this.fresh = true;
    this.frame = 0;
    this.last = 0;
    /** points for one of the window's, milliseconds a frame, and whether this frame was asked for to have more points */
    this.sharp = 1;
    this.slow = 16;
    this.finer = false;
    /** @type {number | undefined} */
    this.later = undefined;
    /** @type {number[]} milliseconds that the last frames took, for who measures */
    this.took = [];
    /** @type {Set<number>} */
    this.acting = new Set();
    /** @type {import("yanli/types.js").Pose[]} */
    this.poses = [];
    this.told = "";
    this.draw = this.draw.bind(this);
    this.paint = this.paint.bind(this);
    this.watch = new ResizeObserver(() => this.measure());
    this.night = matchMedia("(prefers-color-scheme: dark)");
    this.rest = matchMedia("(prefers-reduced-motion: reduce)");
  }

  connectedCallback() {
    super.connectedCallback();
    this.night.addEventListener("change", this.paint);
    if (this.hasUpdated) this.begin();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.night.removeEventListener("change", this.paint);
    this.end();
  }

  /** @param {number} time seconds */
  show(time) {
    this.time = time;
    this.change();
  }

  /** Draw at the next frame, for something has changed. */
  change() {
    this.dirty = true;
    this.queue();
  }

  render() {
    const {script, mode, view, roof, all} = this;
    /** @param {string} key @param {boolean} on @param {() => void} click */
    const button = (key, on, click) =>
      html`<button type="button" aria-pressed=${on} @click=${click}>${words(script, key)}</button>`;
    /** @param {string[]} _ */
    const step = ([key, code, sign]) => html`<button
      type="button" aria-label=${words(script, key)} @pointerdown=${() => this.press(code, true)}
      @pointerup=${() => this.press(code, false)} @pointerleave=${() => this.press(code, false)}>${sign}</button>`;
    return html`
      <canvas tabindex="0" role="application" aria-describedby="keys" ?hidden=${this.lacking}
        @keydown=${this.keyed} @keyup=${(/** @type {KeyboardEvent} */ {code}) => this.press(code, false)}
        @pointerdown=${this.down} @pointerup=${this.up}></canvas>
      <div class="names" aria-hidden="true"></div>
      <p class="keys" id="keys">${words(script, "keys")}</p>
      ${
        this.lacking
          ? html`<p class="lacking" role="status">${words("hant", "lacking")}<br />${words("en", "lacking")}</p>`
          : html`<div class="tools" role="toolbar" aria-label=${words(script, "tools")}>
        ${VIEWS.map((one) => (one === "target" && !this.target() ? nothing : button(one, mode === "orbit" && view === one, () => this.look(one))))}
        ${button("walk", mode === "walk", () => this.walk())}
        ${this.person(this.eye ?? this.follow) < 0 ? nothing : button("eyes", mode === "eyes", () => this.enter())}
        ${button("roof", roof, () => (this.roof = !roof))}
        ${button("names", all, () => (this.all = !all))}
        ${mode === "walk" ? html`<span class="pad">${PAD.map(step)}</span>` : nothing}
      </div>`
      }`;
  }

  get script() {
    return this.settings.script ?? "hant";
  }

  firstUpdated() {
    this.begin();
  }

  /** @param {Map<string, unknown>} changed */
  updated(changed) {
    if (changed.has("timeline") && this.timeline !== this.stage?.timeline) this.build();
    else if (changed.has("settings")) this.paint();
    if (changed.has("eye") && this.stage)
      this.become(this.eye ? "eyes" : this.mode === "eyes" ? "orbit" : this.mode, true);
    this.change();
  }

  // ── set up and taken down ─────────────────────────────────────────────────────────────────────────────────────────

  begin() {
    const canvas = this.renderRoot.querySelector("canvas");
    const layer = /** @type {HTMLElement | null} */ (this.renderRoot.querySelector(".names"));
    if (!canvas || !layer || this.renderer) return;
    const drawer = card();
    this.lacking = drawer === null;
    if (drawer === null) return;
    this.coarse = UNAIDED.test(drawer);
    this.renderer = new THREE.WebGLRenderer({canvas, antialias: !this.coarse});
    this.scene = new THREE.Scene();
    this.cloth = stuff();
    this.signs = new Names(layer);
    this.watch.observe(this);
    this.build();
  }

  /** Set up the performance that is to be shown. */
  build() {
    const {timeline, renderer, scene, cloth} = this;
    if (!timeline || !renderer || !scene || !cloth) return;
    this.clear();
    const {doc} = timeline;
    const hall = new Hall(doc.building, cloth);
    const people = new People(doc, cloth);
    const things = new Things(doc, cloth);
    const looking = new Eye(renderer.domElement, doc.building, () => this.queue());
    this.stage = {timeline, hall, people, things, looking};
    scene.add(hall.group, people.group, things.group);
    this.paint();
    this.measure();
    this.fresh = true;
    this.mode = "orbit";
    if (this.eye) this.become("eyes", true);
    this.requestUpdate();
  }

  /** Leave the performance that was shown. */
  clear() {
    if (this.stage)
      for (const part of ["looking", "hall", "people", "things"]) this.stage[/** @type {"hall"} */ (part)].dispose();
    this.stage = undefined;
    this.signs?.clear();
  }

  end() {
    cancelAnimationFrame(this.frame);
    clearTimeout(this.later);
    this.frame = 0;
    this.watch.disconnect();
    this.clear();
    this.cloth?.dispose();
    this.renderer?.dispose();
    this.renderer = undefined;
  }

  /** Take the colours of the page. */
  paint() {
    const {stage, scene, cloth} = this;
    if (!stage || !scene || !cloth) return;
    this.colours = palette(this);
    const {paper, ink, night} = this.colours;
    scene.background = paper.clone().lerp(new THREE.Color(night ? 0x10161f : 0xdfe6e4), 0.3);
    scene.fog = new THREE.Fog(scene.background, 380, 1500);
    cloth.uniforms.sky.value.set(night ? 0x9ca6ba : 0xffffff).multiplyScalar(0.64);
    cloth.uniforms.earth.value.copy(night ? ink : paper).multiplyScalar(night ? 0.15 : 0.46);
    cloth.uniforms.sun.value.set(night ? 0xdfe4ff : 0xfff4e0).multiplyScalar(0.44);
    stage.hall.paint(this.colours);
    stage.people.paint(this.colours);
    this.change();
  }

  measure() {
    const {clientWidth: width, clientHeight: height, renderer, stage} = this;
    if (!renderer || !stage || !width || !height) return;
    renderer.setPixelRatio(Math.min(devicePixelRatio, 2) * this.sharp);
    renderer.setSize(width, height, false);
    stage.looking.size(width, height);
    this.queue();
  }

  // ── every frame ───────────────────────────────────────────────────────────────────────────────────────────────────

  queue() {
    if (!this.frame && this.stage) this.frame = requestAnimationFrame(this.draw);
  }

  /** @param {number} now milliseconds */
  draw(now) {
    this.frame = 0;
    const {renderer, scene, stage} = this;
    if (!renderer || !scene || !stage) return;
    const {people, looking, hall} = stage;
    const seconds = Math.min(0.1, Math.max(0.001, (now - this.last) / 1000));
    if (!this.finer) this.pace(now - this.last);
    this.finer = false;
    this.last = now;
    looking.calm = this.settings.reduced ?? this.rest.matches;
    if (this.dirty || !people.settled) this.place(seconds);
    if (this.fresh) looking.go(this.view, this.target(), true);
    this.fresh = false;
    const moves = looking.step(seconds);
    const body = this.mode === "eyes" ? people.bodies[this.person(this.eye)] : null;
    if (body) looking.see(body);
    hall.outer.visible = this.mode !== "orbit";
    hall.roof.visible = this.roof;
    renderer.render(scene, looking.camera);
    this.name();
    this.took.push(performance.now() - now);
    if (this.took.length > 600) this.took.shift();
    if (moves || !people.settled) this.queue();
  }

  /**
   * Fewer points while it moves and the machine is slow, more of them when it stands.
   * @param {number} took milliseconds since the last frame
   */
  pace(took) {
    clearTimeout(this.later);
    const runs = took < 400;
    if (runs) this.slow = this.slow * 0.85 + took * 0.15;
    if (this.sharp > 1) this.sharpen(1);
    else if (runs && this.slow > SLOW && this.sharp > 0.6) this.sharpen(Math.max(0.6, this.sharp - 0.2));
    const best = this.coarse ? 1.75 : 1;
    if (this.sharp < best) this.later = setTimeout(() => this.sharpen(best, true), 400);
  }

  /** @param {number} sharp @param {boolean} [finer] */
  sharpen(sharp, finer = false) {
    this.sharp = sharp;
    this.slow = SLOW * 0.8;
    this.measure();
    this.finer = finer;
  }

  /** Put everybody and everything where they are at the time. @param {number} seconds since the last frame */
  place(seconds) {
    const {timeline, stage, colours, marks, time} = this;
    if (!timeline || !stage || !colours) return;
    const {people, things, looking} = stage;
    const soon = this.shown >= 0 && Math.abs(time - this.shown) < SOON && !looking.calm;
    this.shown = time;
    this.dirty = false;
    const moment = timeline.at(time);
    const running = timeline.running(time);
    this.poses = poses(timeline, time);
    this.acting = new Set(running.map((event) => timeline.doc.events[event].actor));
    const followed = this.person(this.follow);
    people.hidden = this.mode === "eyes" ? this.person(this.eye) : -1;
    /** @param {number} person */
    const ring = (person) => (person === followed ? colours.accent : marks?.has(person) ? colours.focus : null);
    people.update(moment, this.poses, things.forms, ring, soon ? 1 - Math.exp(-11 * seconds) : 1);
    things.update(moment, people.bodies, flights(timeline, time));
    looking.goal = this.goal(stage);
    this.tell(running);
  }

  /** With what the camera goes: what is followed, or the middle of those who act. @param {Stage} stage */
  goal({things, looking}) {
    const {poses: all, follow, timeline} = this;
    const thing = timeline?.doc.things.findIndex(({id}) => id === follow) ?? -1;
    if (thing >= 0) return things.where[thing].clone();
    const pose = all[this.person(follow)];
    const acting = pose ? [pose] : [...this.acting].map((person) => all[person]);
    const busy = acting.filter(({gesture, walking}) => gesture || walking);
    const [first] = busy.length ? busy : acting;
    if (!first) return looking.goal;
    const near = acting.filter(({x, y}) => Math.hypot(x - first.x, y - first.y) < NEAR);
    const sum = new THREE.Vector3();
    for (const {x, y, z} of near) sum.add(V.set(x, z + 4, -y));
    return sum.divideScalar(near.length);
  }

  /** Say in words what is seen. @param {number[]} running */
  tell(running) {
    const {timeline, script, mode} = this;
    const key = `${running} ${mode} ${this.view} ${this.eye} ${script}`;
    if (!timeline || key === this.told) return;
    this.told = key;
    const {doc} = timeline;
    const eyes = mode === "eyes" && words(script, "by", nameOf(doc, this.person(this.eye), script));
    const acts = running.slice(0, TOLD).map((event) => {
      const {actor, act} = doc.events[event];
      return `${nameOf(doc, actor, script)} ${wordOf(doc, act, script)}`;
    });
    const [comma, stop] = script === "en" ? [", ", ". "] : ["，", "。"];
    const seen = words(script, "seen") + comma + (eyes || words(script, mode === "walk" ? "walk" : this.view));
    const label = [seen, acts.join(comma) || words(script, "quiet"), words(script, "full")].join(stop);
    this.renderer?.domElement.setAttribute("aria-label", label);
  }

  /** Names over those who act, or over all. */
  name() {
    const {timeline, stage, acting, marks, script, clientWidth: width, clientHeight: height} = this;
    if (!timeline || !stage) return;
    const {people, looking} = stage;
    const followed = this.person(this.follow);
    const lang = langOf(script);
    /** @type {import("yanli/depth-names.js").Name[]} */
    const names = [];
    people.bodies.forEach(({top}, person) => {
      const ranks = [true, acting.has(person), marks?.has(person), person === followed];
      const rank = ranks.lastIndexOf(true);
      const far = V.copy(top).applyMatrix4(looking.camera.matrixWorldInverse).z;
      if (person === people.hidden || (!rank && !this.all) || far > -1) return;
      const {x, y} = V.applyMatrix4(looking.camera.projectionMatrix);
      if (Math.abs(x) > 1.02 || Math.abs(y) > 1.05) return;
      const text = [nameOf(timeline.doc, person, script), marks?.get(person)].filter(Boolean).join(" ");
      const kind = ["idle", "acting", "marked", "followed"][rank];
      names.push({
        person,
        text,
        x: ((x + 1) * width) / 2,
        y: ((1 - y) * height) / 2,
        weight: rank * 1e4 + far,
        kind,
        lang,
      });
    });
    this.signs?.show(names, width, height);
  }

  // ── what the reader does ──────────────────────────────────────────────────────────────────────────────────────────

  /** The index of somebody by his full name, or -1. @param {string | null} name */
  person(name) {
    const doc = this.timeline?.doc;
    return name && doc ? doc.people.findIndex((person) => doc.words[person.name] === name) : -1;
  }

  /** Where the 侯 is, if there is one. */
  target() {
    const targets = [...(this.stage?.things.targets.values() ?? [])];
    const goal = this.stage?.looking.goal;
    if (goal) targets.sort((one, other) => one.far([goal.x, -goal.z]) - other.far([goal.x, -goal.z]));
    return targets[0]?.at ?? null;
  }

  /** @param {View} view */
  look(view) {
    this.view = view;
    this.become("orbit");
    this.stage?.looking.go(view, this.target());
    this.change();
  }

  walk() {
    this.become(this.mode === "walk" ? "orbit" : "walk");
    this.renderer?.domElement.focus({preventScroll: true});
  }

  /** Look with the eyes of whom one follows, or no more. */
  enter() {
    if (this.mode === "eyes") return this.become("orbit");
    if (!this.eye && this.person(this.follow) >= 0) this.eye = this.follow;
    return this.become("eyes");
  }

  /** @param {Mode} mode @param {boolean} [asked] by the page, which need not be told */
  become(mode, asked = false) {
    const {looking} = this.stage ?? {};
    if (!looking || mode === this.mode || (mode === "eyes" && this.person(this.eye) < 0)) return;
    const before = this.mode;
    this.mode = mode;
    looking.become(mode);
    if (mode === "orbit") looking.go(this.view, this.target());
    if (before === "eyes") this.eye = null;
    if (!asked && (before === "eyes" || mode === "eyes")) this.say("eye", {eye: this.eye});
    this.change();
  }

  /** @param {string} name @param {object} detail */
  say(name, detail) {
    this.dispatchEvent(new CustomEvent(name, {detail, bubbles: true, composed: true}));
  }

  /** A key that moves goes down or up; whether it means something. @param {string} code @param {boolean} down */
  press(code, down) {
    const meant = this.stage?.looking.key(code, down);
    if (meant) this.queue();
    return meant;
  }

  /** @param {KeyboardEvent} event */
  keyed(event) {
    const {key, code} = event;
    const {looking} = this.stage ?? {};
    if (!looking || event.ctrlKey || event.metaKey || event.altKey) return;
    const view = VIEWS[Number(key) - 1];
    /** @type {Record<string, () => void>} */
    const others = {
      "+": () => looking.zoom(0.85),
      "=": () => looking.zoom(0.85),
      "-": () => looking.zoom(1.18),
      f: () => this.walk(),
      e: () => this.enter(),
      r: () => (this.roof = !this.roof),
      n: () => (this.all = !this.all),
      Escape: () => this.become("orbit"),
    };
    const other = key === "Escape" && this.mode === "orbit" ? undefined : (others[key] ?? others[key.toLowerCase()]);
    if (this.press(code, true)) event.preventDefault();
    else if (view) this.look(view);
    else if (other) other();
    else return;
    event.stopPropagation();
    this.queue();
  }

  /** @param {PointerEvent} event */
  down({clientX, clientY}) {
    this.pressedAt = [clientX, clientY];
  }

  /** A click picks the person or the thing under it. @param {PointerEvent} event */
  up({clientX, clientY}) {
    const [x, y] = this.pressedAt ?? [Infinity, 0];
    const {stage} = this;
    if (!stage || Math.hypot(clientX - x, clientY - y) > 5) return;
    const {people, things, looking} = stage;
    const {left, top, width, height} = this.getBoundingClientRect();
    const ray = new THREE.Raycaster();
    // A finger is broad: what is near is meant too.
    for (const [dx, dy] of [
      [0, 0],
      [0, -9],
      [9, 0],
      [0, 9],
      [-9, 0],
    ]) {
      const [u, v] = [(clientX + dx - left) / width, (clientY + dy - top) / height];
      ray.setFromCamera(new THREE.Vector2(2 * u - 1, 1 - 2 * v), looking.camera);
      for (const {object, instanceId = 0} of ray.intersectObjects([people.group, things.group])) {
        const owner = object.userData.owners?.[instanceId];
        if (owner === undefined) continue;
        return this.say("pick", people.group.children.includes(object) ? {person: owner} : {thing: owner});
      }
    }
  }
}

const V = new THREE.Vector3();

if (!customElements.get("yanli-depth")) customElements.define("yanli-depth", YanliDepth);
