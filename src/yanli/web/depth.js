/**
 * `<yanli-depth>`: the rite in depth, in three dimensions: one walks about in it, or looks with somebody's eyes.
 *
 * Takes a `Timeline`, `settings` (script, theme, reduced motion), whom to `follow`, `marks` (person → why), `eye` (the
 * full name of the person with whose eyes one looks) and, by `show`, a time. Gives `pick` ({person?} or {thing?}) and
 * `eye` ({eye: name or null}). It draws only when something has changed. Without WebGL it says so, and where the rite
 * can be seen all the same.
 */
import {LitElement, css, html, nothing} from "lit";
import * as THREE from "three";
import {Eye} from "yanli/depth-eye.js";
import {palette} from "yanli/depth-form.js";
import {Hall} from "yanli/depth-hall.js";
import {Names} from "yanli/depth-names.js";
import {People} from "yanli/depth-people.js";
import {Things} from "yanli/depth-things.js";
import {langOf, nameOf, wordOf} from "yanli/language.js";
import {flights, poses} from "yanli/pose.js";

/** @typedef {import('yanli/timeline.js').Timeline} Timeline */
/** @typedef {import('yanli/types.js').Moment} Moment */
/** @typedef {import('yanli/types.js').Pose} Pose */
/** @typedef {import('yanli/depth-eye.js').View} View */
/** @typedef {import('yanli/language.js').Script} Script */
/** @typedef {{script?: Script, theme?: string, reducedMotion?: boolean, still?: boolean}} Settings */

const WORDS = /** @type {Record<string, [string, string, string]>} */ ({
  act: ["隨事", "随事", "Action"],
  front: ["堂前", "堂前", "Hall"],
  above: ["俯視", "俯视", "Above"],
  archers: ["射者後", "射者后", "Archers"],
  target: ["侯旁", "侯旁", "Target"],
  gate: ["門內", "门内", "Gate"],
  walk: ["步行", "步行", "Walk"],
  eyes: ["其目", "其目", "His eyes"],
  roof: ["屋", "屋", "Roof"],
  names: ["眾名", "众名", "All names"],
  tools: ["所自觀", "所自观", "Where to look from"],
  seen: ["堂庭之景", "堂庭之景", "Hall and court in depth"],
  by: ["以{0}之目", "以{0}之目", "with the eyes of {0}"],
  quiet: ["無人行事", "无人行事", "nobody acts"],
  full: ["詳見平面之文", "详见平面之文", "the plan has the full account"],
  keys: [
    "鍵：WASD 與方向鍵行、轉；+ − 近、遠；1–6 易所自觀；F 步行；E 以其目觀；R 屋；N 眾名；Esc 止。",
    "键：WASD 与方向键行、转；+ − 近、远；1–6 易所自观；F 步行；E 以其目观；R 屋；N 众名；Esc 止。",
    "Keys: WASD and arrows move and turn; + and − nearer and farther; 1–6 where to look from; F walk; E his eyes; R roof; N all names; Esc ends.",
  ],
  none: [
    "此瀏覽器無 WebGL，不能作深景；平面圖仍可觀。",
    "此浏览器无 WebGL，不能作深景；平面图仍可观。",
    "This browser has no WebGL, so there is no view in depth. The plan shows the same.",
  ],
  ahead: ["前", "前", "Ahead"],
  back: ["後", "后", "Back"],
  left: ["左", "左", "Left"],
  right: ["右", "右", "Right"],
});
const VIEWS = /** @type {View[]} */ (["act", "front", "above", "archers", "target", "gate"]);
const PAD = /** @type {[string, string, string][]} */ ([
  ["left", "ArrowLeft", "◀"],
  ["ahead", "KeyW", "▲"],
  ["back", "KeyS", "▼"],
  ["right", "ArrowRight", "▶"],
]);
/** Slower than this, in milliseconds a frame, it is drawn with fewer points while it moves. */
const SLOW = 34;

export class YanliDepth extends LitElement {
  static properties = {
    timeline: {attribute: false},
    settings: {attribute: false},
    follow: {attribute: false},
    marks: {attribute: false},
    eye: {attribute: false},
    lacking: {state: true},
    mode: {state: true},
    view: {state: true},
    roofed: {state: true},
    named: {state: true},
  };

  static styles = css`
    :host { display: block; position: relative; overflow: hidden; min-height: 200px; background: var(--paper, #f6f0e2); color: var(--ink, #2b2723); }
    canvas { position: absolute; inset: 0; width: 100%; height: 100%; display: block; touch-action: none; outline: none; cursor: grab; }
    canvas:active { cursor: grabbing; }
    canvas:focus-visible { box-shadow: inset 0 0 0 3px var(--focus, #1d6fb8); }
    .names { position: absolute; inset: 0; overflow: hidden; pointer-events: none; font: 15px/1.25 "Yanli Serif", serif; }
    .names span { position: absolute; left: 0; top: 0; padding: 0 5px; white-space: nowrap; border-radius: 2px;
      background: color-mix(in srgb, var(--paper, #f6f0e2) 86%, transparent); border-bottom: 2px solid var(--line, #cfc3ac); }
    .names .idle { font-size: 13px; } .names .acting { border-color: var(--accent-2, #3f6f6b); }
    .names .followed, .names .marked { border-color: var(--accent, #b3392b); } .names .followed { font-weight: 700; }
    .names [hidden] { display: block; visibility: hidden; }
    .tools { position: absolute; left: 8px; right: 8px; bottom: 8px; display: flex; flex-wrap: wrap; gap: 4px; pointer-events: none; }
    button { pointer-events: auto; min-height: 40px; min-width: 40px; padding: 0 9px; font: 14px/1 system-ui, sans-serif; color: inherit; cursor: pointer;
      background: color-mix(in srgb, var(--paper, #f6f0e2) 90%, transparent); border: 1px solid var(--line, #cfc3ac); border-radius: 4px; }
    button[aria-pressed="true"] { border-color: var(--accent, #b3392b); box-shadow: inset 0 -3px 0 var(--accent, #b3392b); }
    button:focus-visible { outline: 3px solid var(--focus, #1d6fb8); outline-offset: 1px; }
    .pad { display: flex; gap: 4px; margin-left: auto; }
    .pad button { touch-action: none; user-select: none; }
    .keys { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
    .lacking { position: absolute; inset: 0; display: grid; place-content: center; padding: 2em; text-align: center; }
  `;

  constructor() {
    super();
    /** @type {Timeline | null} */
    this.timeline = null;
    /** @type {Settings} */
    this.settings = {};
    /** @type {string | null} a person's full name or a thing's id */
    this.follow = null;
    /** @type {Map<number, string> | null} */
    this.marks = null;
    /** @type {string | null} */
    this.eye = null;
    this.lacking = false;
    /** @type {import('yanli/depth-eye.js').Mode} */
    this.mode = "orbit";
    /** @type {View} */
    this.view = "act";
    this.roofed = true;
    this.named = false;
    this.time = 0;
    this.dirty = true;
    this.frame = 0;
    this.last = 0;
    this.shownAt = -1;
    this.sharp = 1;
    /** milliseconds that frames took, for whoever measures */
    this.took = /** @type {number[]} */ ([]);
    this.draw = this.draw.bind(this);
    this.night = matchMedia("(prefers-color-scheme: dark)");
    this.rest = matchMedia("(prefers-reduced-motion: reduce)");
    this.recolour = () => this.paint();
  }

  connectedCallback() {
    super.connectedCallback();
    this.night.addEventListener("change", this.recolour);
    if (this.hasUpdated && !this.renderer) this.begin();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.night.removeEventListener("change", this.recolour);
    this.end();
  }

  /** @param {number} time seconds */
  show(time) {
    this.time = time;
    this.dirty = true;
    this.queue();
  }

  render() {
    const say = (/** @type {string} */ key) => this.say(key);
    /** @param {string} key @param {boolean} on @param {() => void} click */
    const button = (key, on, click) =>
      html`<button type="button" aria-pressed=${on} @click=${click}>${say(key)}</button>`;
    return html`
      <canvas tabindex="0" role="application" aria-describedby="keys" @keydown=${this.pressed} @keyup=${this.released} @pointerdown=${this.down} @pointerup=${this.up}></canvas>
      <div class="names" aria-hidden="true"></div>
      <p class="keys" id="keys">${say("keys")}</p>
      ${
        this.lacking
          ? html`<p class="lacking" role="status">${WORDS.none[0]}<br />${WORDS.none[2]}</p>`
          : html`
      <div class="tools" role="toolbar" aria-label=${say("tools")}>
        ${VIEWS.map((view) => (view === "target" && !this.target() ? nothing : button(view, this.mode === "orbit" && this.view === view, () => this.look(view))))}
        ${button("walk", this.mode === "walk", () => this.stroll())}
        ${this.follow || this.eye ? button("eyes", this.mode === "eyes", () => this.enter()) : nothing}
        ${button("roof", this.roofed, () => (this.roofed = !this.roofed))}
        ${button("names", this.named, () => (this.named = !this.named))}
        ${
          this.mode === "walk"
            ? html`<span class="pad">${PAD.map(
                ([key, code, sign]) => html`<button type="button" aria-label=${say(key)}
          @pointerdown=${() => this.hold(code, true)} @pointerup=${() => this.hold(code, false)} @pointerleave=${() => this.hold(code, false)}>${sign}</button>`,
              )}</span>`
            : nothing
        }
      </div>`
      }`;
  }

  /** @param {string} key @param {string} [value] */
  say(key, value = "") {
    return WORDS[key][{hant: 0, hans: 1, en: 2}[this.script]].replace("{0}", value);
  }

  /** @returns {Script} */
  get script() {
    return this.settings.script ?? "hant";
  }

  get calm() {
    return this.settings.reducedMotion ?? this.settings.still ?? this.rest.matches;
  }

  firstUpdated() {
    this.begin();
  }

  /** @param {Map<string, unknown>} changed */
  updated(changed) {
    if (changed.has("timeline") && changed.get("timeline") !== undefined) this.build();
    if (changed.has("settings")) this.paint();
    if (this.looking) {
      this.looking.calm = this.calm;
      if (
        changed.has("eye") &&
        (this.eye ? this.mode !== "eyes" || changed.get("eye") !== this.eye : this.mode === "eyes")
      )
        this.become(this.eye ? "eyes" : "orbit");
    }
    if (this.hall) this.hall.roof.visible = this.roofed;
    this.dirty = true;
    this.queue();
  }

  // ── the stage, set up and taken down ──────────────────────────────────────────────────────────────────────────────

  begin() {
    const canvas = /** @type {HTMLCanvasElement} */ (this.renderRoot.querySelector("canvas"));
    try {
      this.renderer = new THREE.WebGLRenderer({canvas, antialias: true, powerPreference: "high-performance"});
    } catch {
      this.lacking = true;
      canvas.hidden = true;
      return;
    }
    canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    canvas.addEventListener("webglcontextrestored", () => this.queue());
    this.scene = new THREE.Scene();
    this.sky = new THREE.HemisphereLight();
    this.sun = new THREE.DirectionalLight();
    this.sun.position.set(-0.6, 1, 0.75);
    this.scene.add(this.sky, this.sun);
    this.stuff = new THREE.MeshLambertMaterial({vertexColors: true});
    this.signs = new Names(/** @type {HTMLElement} */ (this.renderRoot.querySelector(".names")));
    this.watch = new ResizeObserver(() => this.measure());
    this.watch.observe(this);
    this.build();
  }

  /** Set up the performance that is shown now. */
  build() {
    if (!this.renderer || !this.scene || !this.stuff || !this.timeline) return;
    this.clear();
    const {doc} = this.timeline;
    this.hall = new Hall(doc.building);
    this.people = new People(doc, this.stuff);
    this.things = new Things(doc, this.stuff);
    this.scene.add(this.hall.group, this.people.group, this.things.group);
    this.looking = new Eye(this.renderer.domElement, doc.building);
    this.looking.addEventListener("change", () => this.queue());
    this.paint();
    this.measure();
    this.fresh = true;
    if (this.eye) this.become("eyes");
  }

  clear() {
    this.looking?.dispose();
    this.people?.dispose();
    this.things?.dispose();
    this.hall?.dispose();
    this.signs?.clear();
    this.looking = this.people = this.things = this.hall = undefined;
  }

  end() {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    clearTimeout(this.later);
    this.watch?.disconnect();
    this.clear();
    this.stuff?.dispose();
    this.renderer?.dispose();
    this.renderer = undefined;
  }

  paint() {
    const {hall, people, scene, sky, sun} = this;
    if (!hall || !people || !scene || !sky || !sun) return;
    this.colours = palette(this);
    const {paper, ink, night} = this.colours;
    scene.background = paper.clone().lerp(new THREE.Color(night ? 0x10161f : 0xdfe6e4), night ? 0.25 : 0.3);
    scene.fog = new THREE.Fog(scene.background, 380, 1500);
    sky.color.set(night ? 0xaab4cc : 0xffffff);
    sky.groundColor.copy(night ? ink : paper).multiplyScalar(night ? 0.25 : 0.72);
    sky.intensity = night ? 1.9 : 2.15;
    sun.color.set(night ? 0xdfe4ff : 0xfff4e0);
    sun.intensity = night ? 1.5 : 1.55;
    hall.paint(this.colours);
    hall.roof.visible = this.roofed;
    people.paint(this.colours);
    this.dirty = true;
    this.queue();
  }

  measure() {
    const {clientWidth: width, clientHeight: height, renderer, looking} = this;
    if (!renderer || !looking || !width || !height) return;
    renderer.setPixelRatio(Math.min(devicePixelRatio, 2) * this.sharp);
    renderer.setSize(width, height, false);
    looking.size(width, height);
    this.queue();
  }

  // ── every frame ───────────────────────────────────────────────────────────────────────────────────────────────────

  queue() {
    if (!this.frame && this.renderer) this.frame = requestAnimationFrame(this.draw);
  }

  /** @param {number} now milliseconds */
  draw(now) {
    this.frame = 0;
    const {renderer, scene, timeline, people, things, looking, hall} = this;
    if (!renderer || !scene || !timeline || !people || !things || !looking || !hall) return;
    const seconds = Math.min(0.1, Math.max(0.001, (now - this.last) / 1000));
    this.pace(now - this.last);
    this.last = now;
    if (this.dirty || !people.settled) this.place(seconds);
    if (this.fresh && this.state) {
      this.fresh = false;
      looking.follow(this.goal());
      looking.go(this.view, this.target(), true);
    }
    let moving = looking.step(seconds);
    const body = this.mode === "eyes" && this.eye ? people.bodies[this.index(this.eye)] : null;
    if (body) looking.see(body);
    hall.outer.visible = this.mode !== "orbit";
    moving ||= !people.settled;
    renderer.render(scene, looking.camera);
    this.name();
    this.took.push(performance.now() - now);
    if (this.took.length > 600) this.took.shift();
    if (moving) this.queue();
  }

  /** Fewer points while it moves and the machine is slow; all of them when it stands. @param {number} took milliseconds since the last frame */
  pace(took) {
    clearTimeout(this.later);
    if (took > 500) return;
    this.slow = (this.slow ?? 16) * 0.85 + took * 0.15;
    if (this.slow > SLOW && this.sharp > 0.5) this.sharpen(Math.max(0.5, this.sharp - 0.25));
    if (this.sharp < 1) this.later = setTimeout(() => this.sharpen(1), 350);
  }

  /** @param {number} sharp */
  sharpen(sharp) {
    this.sharp = sharp;
    this.slow = SLOW * 0.8;
    this.measure();
  }

  /** Everybody and everything at the time. @param {number} seconds since the last frame */
  place(seconds) {
    const {timeline, people, things, looking} = this;
    if (!timeline || !people || !things || !looking) return;
    const near = Math.abs(this.time - this.shownAt) < 3 && this.shownAt >= 0 && !this.calm;
    this.shownAt = this.time;
    this.dirty = false;
    this.state = timeline.at(this.time);
    this.poses = poses(timeline, this.time);
    const running = timeline.running(this.time);
    this.acting = new Set(running.map((event) => timeline.doc.events[event].actor));
    const followed = this.follow ? this.index(this.follow) : -1;
    people.hidden = this.mode === "eyes" && this.eye ? this.index(this.eye) : -1;
    const {accent, focus} = this.colours ?? {};
    const ring = (/** @type {number} */ person) =>
      (person === followed ? accent : this.marks?.has(person) ? focus : null) ?? null;
    people.update(this.state, this.poses, (thing) => things.forms[thing], ring, near ? 1 - Math.exp(-11 * seconds) : 1);
    things.update(this.state, people.bodies, flights(timeline, this.time));
    looking.follow(this.goal());
    const key = `${running.join()} ${this.view} ${this.mode} ${this.script}`;
    if (key !== this.told) this.tell(key, running);
  }

  /** With what the camera goes: what is followed, or the middle of those who act. */
  goal() {
    const {poses: all, acting, things} = this;
    if (!all || !acting) return null;
    const followed = this.follow ? this.index(this.follow) : -1;
    const pose = all[followed];
    if (pose) return new THREE.Vector3(pose.x, pose.z + 4, -pose.y);
    const thing = this.follow ? (this.timeline?.doc.things.findIndex(({id}) => id === this.follow) ?? -1) : -1;
    if (thing >= 0 && things) return things.where[thing].clone();
    const busy = [...acting].map((person) => all[person]).filter(({gesture, walking}) => gesture || walking);
    const those = busy.length ? busy : [...acting].map((person) => all[person]);
    if (!those.length) return looking_at(this.looking);
    // Many who act far from one another have no middle: the first is looked at, with those who are near him.
    const near = those.filter(({x, y}) => Math.hypot(x - those[0].x, y - those[0].y) < 40);
    const sum = near.reduce((all, {x, y, z}) => all.add(new THREE.Vector3(x, z + 4, -y)), new THREE.Vector3());
    return sum.divideScalar(near.length);
  }

  /** Say in words what is seen. @param {string} key @param {number[]} running */
  tell(key, running) {
    const {timeline, script} = this;
    if (!timeline) return;
    this.told = key;
    const {doc} = timeline;
    const from =
      this.mode === "eyes"
        ? this.say("by", this.nameOf(this.eye))
        : this.say(this.mode === "walk" ? "walk" : this.view);
    const acts = running
      .slice(0, 6)
      .map((event) => `${nameOf(doc, doc.events[event].actor, script)} ${wordOf(doc, doc.events[event].act, script)}`);
    const [comma, stop] = script === "en" ? [", ", ". "] : ["，", "。"];
    this.renderer?.domElement.setAttribute(
      "aria-label",
      [`${this.say("seen")}${comma}${from}`, acts.join(comma) || this.say("quiet"), this.say("full")].join(stop),
    );
  }

  /** Names over those who act, or over all. */
  name() {
    const {timeline, people, looking, signs, acting, marks, script} = this;
    if (!timeline || !people || !looking || !signs || !acting) return;
    const {clientWidth: width, clientHeight: height} = this;
    const {doc} = timeline;
    const followed = this.follow ? this.index(this.follow) : -1;
    looking.camera.updateMatrixWorld();
    const lang = langOf(script);
    /** @type {import('yanli/depth-names.js').Name[]} */
    const names = [];
    people.bodies.forEach(({top}, person) => {
      if (person === people.hidden) return;
      const kind =
        person === followed ? "followed" : marks?.has(person) ? "marked" : acting.has(person) ? "acting" : "idle";
      if (kind === "idle" && !this.named) return;
      const at = V.copy(top).applyMatrix4(looking.camera.matrixWorldInverse);
      const far = -at.z;
      if (far < 1) return;
      at.applyMatrix4(looking.camera.projectionMatrix);
      if (Math.abs(at.x) > 1.02 || Math.abs(at.y) > 1.05) return;
      const weight = {followed: 1e6, marked: 1e5, acting: 1e4, idle: 0}[kind] - far;
      const why = marks?.get(person);
      names.push({
        person,
        text: nameOf(doc, person, script) + (why ? ` ${why}` : ""),
        x: ((at.x + 1) * width) / 2,
        y: ((1 - at.y) * height) / 2,
        weight,
        kind,
        lang,
      });
    });
    signs.show(names, width, height);
  }

  // ── what the reader does ──────────────────────────────────────────────────────────────────────────────────────────

  /** The index of somebody by his full name, or -1. @param {string} name */
  index(name) {
    const doc = this.timeline?.doc;
    return doc ? doc.people.findIndex((person) => doc.words[person.name] === name) : -1;
  }

  /** @param {string | null} name */
  nameOf(name) {
    return name && this.timeline ? nameOf(this.timeline.doc, this.index(name), this.script) : "";
  }

  /** The spot of the target. @returns {[number, number] | null} */
  target() {
    const first = this.things?.targets.values().next().value;
    return first ? first.at : null;
  }

  /** @param {View} view */
  look(view) {
    this.become("orbit");
    this.view = view;
    this.looking?.go(view, this.target());
    this.queue();
  }

  stroll() {
    this.become(this.mode === "walk" ? "orbit" : "walk");
    this.renderer?.domElement.focus({preventScroll: true});
  }

  /** Look with the eyes of whom one follows. */
  enter() {
    if (this.mode === "eyes") return this.become("orbit");
    this.eye ??= this.follow && this.index(this.follow) >= 0 ? this.follow : null;
    if (this.eye) this.become("eyes");
  }

  /** @param {import('yanli/depth-eye.js').Mode} mode */
  become(mode) {
    const {looking} = this;
    if (!looking || mode === looking.mode) return;
    if (mode === "eyes" && this.index(this.eye ?? "") < 0) return;
    const before = looking.mode;
    looking.become(mode);
    this.mode = mode;
    if (before === "eyes") this.eye = null;
    if (mode === "orbit") looking.go(this.view, this.target());
    if (before === "eyes" || mode === "eyes")
      this.dispatchEvent(
        new CustomEvent("eye", {detail: {eye: mode === "eyes" ? this.eye : null}, bubbles: true, composed: true}),
      );
    this.dirty = true;
    this.queue();
  }

  /** @param {string} code @param {boolean} down */
  hold(code, down) {
    this.looking?.key(code, down);
    this.queue();
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.looking) return;
    const view = VIEWS[Number(event.key) - 1];
    let meant = true;
    if (this.looking.key(event.code, true)) this.queue();
    else if (view) this.look(view);
    else if (event.key === "+" || event.key === "=") this.looking.zoom(0.85);
    else if (event.key === "-") this.looking.zoom(1 / 0.85);
    else if (event.code === "KeyF") this.stroll();
    else if (event.code === "KeyE") this.enter();
    else if (event.code === "KeyR") this.roofed = !this.roofed;
    else if (event.code === "KeyN") this.named = !this.named;
    else if (event.key === "Escape" && this.mode !== "orbit") this.become("orbit");
    else meant = false;
    if (!meant) return;
    event.preventDefault();
    event.stopPropagation();
    this.queue();
  }

  /** @param {KeyboardEvent} event */
  released(event) {
    this.looking?.key(event.code, false);
  }

  /** @param {PointerEvent} event */
  down({clientX, clientY}) {
    this.pressedAt = [clientX, clientY];
  }

  /** A click picks the person or the thing under it. @param {PointerEvent} event */
  up({clientX, clientY}) {
    const [x, y] = this.pressedAt ?? [-99, -99];
    const {looking, people, things} = this;
    if (!looking || !people || !things || Math.hypot(clientX - x, clientY - y) > 5) return;
    const {left, top, width, height} = this.getBoundingClientRect();
    const ray = new THREE.Raycaster();
    const found = (/** @type {number} */ dx, /** @type {number} */ dy) => {
      ray.setFromCamera(
        new THREE.Vector2(((clientX + dx - left) / width) * 2 - 1, 1 - ((clientY + dy - top) / height) * 2),
        looking.camera,
      );
      for (const {object, instanceId} of ray.intersectObjects([people.group, things.group])) {
        const owner = object.userData.stock?.owners[instanceId ?? 0] ?? object.userData.thing;
        if (owner !== undefined) return people.group.children.includes(object) ? {person: owner} : {thing: owner};
      }
      return null;
    };
    // A finger is broad: what is near is meant too.
    for (const [dx, dy] of [
      [0, 0],
      [0, -9],
      [9, 0],
      [0, 9],
      [-9, 0],
    ]) {
      const detail = found(dx, dy);
      if (!detail) continue;
      this.dispatchEvent(new CustomEvent("pick", {detail, bubbles: true, composed: true}));
      break;
    }
  }
}

/** @param {Eye | undefined} looking */
const looking_at = (looking) => (looking ? looking.orbit.target.clone() : null);
const V = new THREE.Vector3();

if (!customElements.get("yanli-depth")) customElements.define("yanli-depth", YanliDepth);
