/**
 * The plan of hall and court, as an element: `<yanli-plan>`.
 *
 * Comes in: a `timeline`, the `settings` of the page (script, theme, reduced motion), whom to `follow` (`p` or `t` and an
 * index, a person's name or a thing's id), `marks` (people who differ, and why), and a `camera` ([x, y, scale], or null: it
 * goes where things happen); `show(time)` draws a moment, seconds from the beginning. Goes out: the events `pick`
 * ({person} or {thing}: indexes) and `camera` ([x, y, scale] or null).
 *
 * The drawing is done by hand, not by templates, so that a frame touches only what is new.
 */

import {LitElement, html, nothing} from "lit";
import {LEAST, MOST} from "yanli/camera.js";
import {set, tell} from "yanli/draw.js";
import {frameAt} from "yanli/frames.js";
import {choices, nearestTo, nextTo} from "yanli/choosing.js";
import {drawBars} from "yanli/scalebar.js";
import {Minimap} from "yanli/minimap.js";
import {Names} from "yanli/rows.js";
import {Pane} from "yanli/pane.js";
import {account, personSaid, planSay, quarter, stackSaid} from "yanli/plan-words.js";
import {planStyle} from "yanli/plan-style.js";
import {Shots} from "yanli/shots.js";
import {around, clamp, dot, grown, holds, meets} from "yanli/space.js";
import {Stacks} from "yanli/stacks.js";
import {steer} from "yanli/steering.js";
import {Trace} from "yanli/traces.js";
import {langOf} from "yanli/language.js";

const {abs, min, round} = Math;

/** @typedef {import("yanli/timeline.js").Timeline} Timeline */
/** @typedef {import("yanli/pane.js").Frame} Frame */
/** @typedef {import("yanli/types.js").Pose} Pose */
/** @typedef {import("yanli/language.js").Script} Script */
/** @typedef {import("yanli/camera.js").Aim} Aim */
/** @typedef {import("yanli/space.js").Rect} Rect */
/** @typedef {{script: Script, theme?: string, reduced?: boolean}} PlanSettings */
/**
 * @typedef {object} Scene  what is made for one performance
 * @property {Timeline} timeline
 * @property {import("yanli/types.js").StageDoc} doc
 * @property {Names} names
 * @property {Stacks} stacks
 * @property {Shots} shots
 * @property {Pane} pane
 * @property {Pane | null} inset  the small window at the target
 * @property {Minimap} mini
 * @property {Trace} trace
 * @property {[number, number, number][]} busy  when something happens at a target, and at which
 */

/** Names are placed anew no more often than this while things move, in milliseconds. */
const ANEW = 125;
/** So long after the last change all is at rest. */
const REST = 140;
/** So long before and after something happens at the target its window is open, in seconds of the rite. */
const BEFORE = 2;
const AFTER = 8;
/** Faster than this (seconds of the rite in one) the words of what is done are not written beside names. */
const FAST = 12;
const LEAP = 150;
const PHONE = 520;
/** Nobody looks farther away than this, in 尺, whatever a link says. */
const FARTHEST = 3000;
/** To hide one who acts is as bad as to hide so many others. */
const ACTS = 5;
/** All that can be chosen. */
const CHOSEN = ".actor, .thing";
/** @type {Record<string, string>} */
const ICONS = {
  nearer: "M10 4v12M4 10h12",
  farther: "M4 10h12",
  whole: "M3 8V3h5M12 3h5v5M17 12v5h-5M8 17H3v-5",
  auto: "M10 2v4M10 14v4M2 10h4M14 10h4M10 7a3 3 0 1 0 0 6 3 3 0 0 0 0-6",
};

const GIVEN = {attribute: false};

export class YanliPlan extends LitElement {
  static styles = planStyle;
  static properties = {timeline: GIVEN, settings: GIVEN, follow: GIVEN, marks: GIVEN, camera: GIVEN};

  time = 0;
  /** @type {Pane | null} */
  pane = null;
  /** Gives the plan that stands beside this one. @type {() => YanliPlan | null} */
  twin = () => null;
  /** @type {Scene | null} */
  #scene = null;
  #shown = Number.NaN;
  #rate = 0;
  #stamp = {show: 0, draw: 0, arrange: 0};
  #request = 0;
  #rested = false;
  #arranged = false;
  #first = true;
  #view = "";
  #size = [0, 0];
  /** @type {Frame | null} */
  #frame = null;
  #insetOpen = false;
  /** Which target the small window shows. */
  #ground = 0;
  /** @type {Rect[]}  what the controls cover */
  #corners = [];
  /** @type {Rect[]}  where the small window may be: the corner where the fewest people are hidden by it is taken */
  #windows = [];
  /** @type {Rect | undefined} */
  #window;
  /** @type {(() => void)[]} */
  #waiting = [];
  #observer = new ResizeObserver(() => this.measure());

  constructor() {
    super();
    /** @type {Timeline | null} */
    this.timeline = null;
    /** @type {PlanSettings} */
    this.settings = {script: "hant"};
    /** @type {string | null} */
    this.follow = null;
    /** @type {Map<number, string> | null} */
    this.marks = null;
    /** @type {[number, number, number] | null} */
    this.camera = null;
  }

  render() {
    const {script} = this.settings;
    const say = (/** @type {Parameters<typeof planSay>[1]} */ key) => planSay(script, key);
    const button = (/** @type {"nearer" | "farther" | "whole" | "auto"} */ name, /** @type {() => void} */ does) =>
      html`<button title=${say(name)} aria-pressed=${name === "auto" ? String(this.camera === null) : nothing} data-does=${name} @click=${does}>
        <svg viewBox="0 0 20 20" aria-hidden="true"><path d=${ICONS[name]} /></svg>
      </button>`;
    return html`
      <div class="main" tabindex="0" role="group" aria-label="${say("plan")}${script === "en" ? ". " : "。"}${say("move")}" lang=${langOf(script)}></div>
      <button class="inset" hidden aria-label=${say("target")} @click=${() => this.#look("inset")}></button>
      <button class="mini-box" aria-label=${say("whole")} @click=${this.#onMini}>
        <svg class="compass" viewBox="0 0 20 44" aria-hidden="true"><text x="10" y="12">${say("north")}</text><path d="M10 16l6 24-6-5-6 5z" /></svg>
      </button>
      <svg class="scale" aria-hidden="true"></svg>
      <div class="buttons">${button("nearer", () => this.#zoom(1.35))}${button("farther", () => this.#zoom(1 / 1.35))}${button("whole", () => this.#look("whole"))}${button("auto", () => this.#look("auto"))}</div>
      <div class="account" role="note" aria-label=${say("plan")} lang=${langOf(script)}></div>
    `;
  }

  /** @param {string} selector @returns {HTMLElement} */
  #bit(selector) {
    return /** @type {HTMLElement} */ (this.renderRoot.querySelector(selector));
  }

  firstUpdated() {
    const main = this.#bit(".main");
    steer(main, this.#helm());
    this.#observer.observe(this);
    main.addEventListener("focusin", (event) => this.#onFocus(event));
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    cancelAnimationFrame(this.#request);
    this.#request = 0;
    document.fonts.removeEventListener("loadingdone", this.#onType);
  }

  connectedCallback() {
    super.connectedCallback();
    document.fonts.addEventListener("loadingdone", this.#onType);
    if (this.pane) this.#wake();
  }

  #onType = () => {
    for (const pane of [this.pane, this.#scene?.inset]) pane?.labels.memory.clear();
    this.#changed();
  };

  /** @param {Map<string, unknown>} changes */
  updated(changes) {
    if (changes.has("timeline") && this.timeline) this.#build(this.timeline);
    this.#changed();
  }

  /** @param {Timeline} timeline */
  #build(timeline) {
    const {doc} = timeline;
    for (const old of this.renderRoot.querySelectorAll(".main > *, .inset > *, .mini")) old.remove();
    const shots = new Shots(timeline);
    const pane = new Pane(doc, this.#bit(".main"), {small: false, within: null, pick: true});
    const within = shots.far;
    this.#scene = {
      timeline,
      doc,
      names: new Names(doc),
      stacks: new Stacks(doc),
      shots,
      pane,
      inset: within && new Pane(doc, this.#bit(".inset"), {small: true, within, pick: false}),
      mini: new Minimap(doc, this.#bit(".mini-box")),
      trace: new Trace(pane.traces, timeline),
      busy: shots.busy(AFTER + BEFORE),
    };
    this.pane = pane;
    this.#frame = null;
    this.#size = [0, 0];
    this.measure();
  }

  /** Take the measure of the element; this is the only place where the page is asked for one. */
  measure() {
    const {clientWidth: width, clientHeight: height} = this;
    const scene = this.#scene;
    if (!scene || width < 10 || height < 10 || (width === this.#size[0] && height === this.#size[1])) return;
    const {pane, inset, shots, mini} = scene;
    this.#size = [width, height];
    const phone = min(width, height) < PHONE;
    // On broad screens the page's type is larger, and so is everything here that does not go by the ground.
    const big = clamp(Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16 || 1, 1, 2);
    this.style.setProperty("--big", String(big));
    pane.resize(width, height, big);
    const [across, high] = mini.resize(clamp(height * (phone ? 0.13 : 0.17), 56, 150 * big));
    const broad = across + 26 * big;
    const pad = phone ? 6 : 26;
    pane.camera.pad = {top: pad, left: pad, right: pad, bottom: (phone ? 46 : 40) * big};
    shots.fit(pane.camera.broad, pane.camera.high, big);
    this.#bit(".mini-box").classList.remove("aside");
    this.#corners = [
      [width - broad - 10, 6, width - 6, high + 12],
      [width - 174 * big - 10, height - 40 * big - 12, width, height],
      [0, height - 46 * big, 150 * big, height],
    ];
    if (inset && shots.far) {
      const shares = shots.grounds.map(([w, s, e, n]) => (e - w) / (n - s));
      const tall = clamp(height * (phone ? 0.36 : 0.33), 110, 290 * big);
      const wide = clamp(tall * Math.max(...shares), 70, min(width * 0.42, 240 * big));
      const {style} = this.#bit(".inset");
      style.width = `${wide}px`;
      style.height = `${tall}px`;
      inset.resize(wide - 3, tall - 3, big);
      inset.camera.jump(inset.camera.fit(shots.grounds[this.#ground]));
      this.#windows = [
        [10, height - 56 * big - tall, 10 + wide, height - 56 * big],
        [width - 10 - wide, height - 60 * big - tall, width - 10, height - 60 * big],
        [10, 10, 10 + wide, 10 + tall],
      ];
    }
    this.#window = undefined;
    this.#first = true;
    for (const plan of this.#both) plan.#changed();
  }

  // ── time ──

  /** Draw a moment. @param {number} time  in seconds */
  show(time) {
    const now = performance.now();
    const since = (now - this.#stamp.show) / 1000;
    const rate = abs(time - this.time) / since;
    // What is faster than the fastest play is a leap.
    if (since > 0.002) this.#rate = since < 0.3 && rate < LEAP ? rate : 0;
    this.time = time;
    this.#stamp.show = now;
    this.#rested = false;
    this.#draw(now);
    this.#wake();
  }

  /** Something other than the time is new. */
  #changed() {
    this.#shown = Number.NaN;
    this.#rested = false;
    this.#arranged = false;
    this.#wake();
  }

  /** Resolves when nothing moves and all names stand. @returns {Promise<void>} */
  rest() {
    return this.#rested ? Promise.resolve() : new Promise((resolve) => this.#waiting.push(resolve));
  }

  #wake() {
    if (this.#request || !this.isConnected) return;
    this.#request = requestAnimationFrame(() => {
      this.#request = 0;
      const now = performance.now();
      const busy = now - this.#stamp.draw > 4 ? this.#draw(now) : true;
      if (this.#size[0] > 0 && (busy || !this.#rested)) this.#wake();
    });
  }

  /**
   * Draw what is, and let what is on its way go on.
   * @param {number} now  in milliseconds @returns {boolean} whether something is still on its way
   */
  #draw(now) {
    const scene = this.#scene;
    if (!scene || this.#size[0] === 0) return false;
    const {pane, names, stacks, mini} = scene;
    const stamp = this.#stamp;
    const calm = this.settings.reduced === true || this.#first;
    const seconds = (now - stamp.draw) / 1000;
    stamp.draw = now;
    const frame = this.#frameNow(scene);
    this.#aim(scene, calm);
    const moving = pane.camera.step(seconds);
    const still = now - stamp.show > REST && !moving;
    const due = now - stamp.arrange > ANEW;
    if (this.#first || (still ? !this.#arranged : due)) {
      stamp.arrange = now;
      this.#arranged = still;
      this.#dodge(pane, frame);
      this.#open(scene, frame);
      for (const each of this.#panes(scene)) {
        // Who is seen now must be known before names are placed.
        each.draw(frame, calm);
        each.arrange(frame, names, stacks, still);
      }
      mini.show(frame);
      this.#told(scene, frame);
    }
    if (!still) this.#arranged = false;
    const busy = this.#panes(scene).map((each) => each.draw(frame, calm));
    if (pane.view !== this.#view) {
      this.#view = pane.view;
      mini.look(pane.camera);
      drawBars(this.#bit("svg.scale"), pane.camera.scale, scene.doc.building.metres, this.settings.script);
    }
    scene.trace.show(frame.person, frame.thing, frame.time, frame.at);
    this.#first = false;
    const goes = moving || busy.includes(true);
    if (still && !goes && this.#arranged && !this.#rested) this.#atRest(scene, frame);
    return goes || !this.#rested;
  }

  /** The windows that are open. @param {Scene} scene */
  #panes({pane, inset}) {
    return this.#insetOpen && inset ? [pane, inset] : [pane];
  }

  /** @param {Scene} scene @returns {Frame} */
  #frameNow({timeline, stacks}) {
    if (this.#frame && this.#shown === this.time) return this.#frame;
    this.#shown = this.time;
    const {follow, marks, settings} = this;
    const wanted = {script: settings.script, follow, marks, deeds: this.#rate < FAST};
    this.#frame = frameAt(timeline, stacks, this.time, this.#frame, wanted);
    return this.#frame;
  }

  // ── the camera ──

  /** This plan and the one beside it. @returns {YanliPlan[]} */
  get #both() {
    const twin = this.twin();
    return twin ? [this, twin] : [this];
  }

  /** Where the camera should be. @param {Scene} scene @param {boolean} calm */
  #aim({pane: {camera}}, calm) {
    let goal;
    if (this.camera) {
      const [x, y, scale] = this.camera;
      goal = {x: clamp(x, -FARTHEST, FARTHEST), y: clamp(y, -FARTHEST, FARTHEST), scale: clamp(scale, LEAST, MOST)};
    } else {
      // Two that are compared show the same ground at the same scale.
      const plans = this.#both.flatMap((plan) => {
        const [scene, frame] = [plan.#scene, plan.#frame];
        return scene && frame ? [{...wish(scene, frame), camera: scene.pane.camera}] : [];
      });
      const box = plans.map((each) => each.box).reduce((one, other) => around(one, other));
      const most = min(...plans.map((each) => each.most));
      goal = camera.fit(box, most);
      goal.scale = min(...plans.map((each) => each.camera.fit(box, most).scale));
    }
    if (calm) camera.jump(goal);
    else camera.goal = goal;
  }

  /** The camera was steered, or let go. @param {boolean} [tell]  tell the page */
  #steered(tell = true) {
    if (tell) this.dispatchEvent(new CustomEvent("camera", {detail: this.camera}));
    this.#changed();
  }

  /** Steer by hand. @param {import("yanli/camera.js").Aim} aim @param {boolean} [tell] */
  #steer({x, y, scale}, tell) {
    this.camera = [round(x * 100) / 100, round(y * 100) / 100, round(scale * 1000) / 1000];
    this.#steered(tell);
  }

  /** @param {number} times @param {number} [x] @param {number} [y] */
  #zoom(times, x, y) {
    if (this.pane) this.#steer(this.pane.camera.zoomed(times, x, y));
  }

  /** @param {"whole" | "auto" | "inset"} what */
  #look(what) {
    if (!this.#scene) return;
    const {pane, shots, doc} = this.#scene;
    if (what === "auto") {
      this.camera = null;
      this.#steered();
    } else if (what === "inset" && shots.far)
      this.#steer(pane.camera.fit(grown(shots.grounds[this.#ground], 4), shots.scale));
    else this.#steer(pane.camera.fit(grown(doc.building.bounds, 2)));
  }

  /** @param {MouseEvent} event */
  #onMini(event) {
    if (!this.#scene) return;
    const {mini, doc, pane} = this.#scene;
    if (event.detail === 0) return this.#look("whole");
    const {left, top, width, height} = mini.svg.getBoundingClientRect();
    const [west, south, east, north] = doc.building.bounds;
    const x = west + clamp((event.clientX - left) / width, 0, 1) * (east - west);
    const y = north - clamp((event.clientY - top) / height, 0, 1) * (north - south);
    this.#steer({x, y, scale: pane.camera.goal.scale});
  }

  /** The small picture goes to the other corner when it hides who acts, unless it would hide him there. @param {Pane} pane @param {Frame} frame */
  #dodge(pane, frame) {
    const [[left, top, right, bottom]] = this.#corners;
    const [width] = this.#size;
    const other = /** @type {Rect} */ ([width - right, top, width - left, bottom]);
    if (hides(pane, this.#corners[0], frame) < ACTS || hides(pane, other, frame) >= ACTS) return;
    this.#corners[0] = other;
    if (this.#window && meets(this.#window, other)) this.#window = undefined;
    this.#bit(".mini-box").classList.toggle("aside", left > other[0]);
  }

  /** Whether the small window at the target is wanted. @param {Scene} scene @param {Frame} frame */
  #open({pane, inset, shots, busy}, frame) {
    if (!inset || !shots.far) return;
    // Of several targets that at which something began last.
    const now = busy.findLast(([start, end]) => frame.time >= start - BEFORE && frame.time <= end + AFTER);
    const ground = now?.[2] ?? this.#ground;
    const other = ground !== this.#ground;
    if (other) {
      this.#ground = ground;
      inset.camera.jump(inset.camera.fit(shots.grounds[ground]));
    }
    const wanted = now !== undefined && !holds(grown(pane.camera.shown(), 2), grown(shots.grounds[ground], -8));
    // It goes elsewhere only when it would hide who acts.
    if (wanted && (!this.#insetOpen || !this.#window || hides(pane, this.#window, frame) >= ACTS))
      this.#window = this.#corner(pane, frame);
    pane.covers = [...this.#corners, ...(wanted && this.#window ? [this.#window] : [])];
    if (wanted === this.#insetOpen && !other) return;
    this.#insetOpen = wanted;
    this.#bit(".inset").hidden = !wanted;
    if (wanted) inset.draw(frame, true);
  }

  /** A corner for the small window. @param {Pane} pane @param {Frame} frame */
  #corner(pane, frame) {
    const windows = this.#windows.filter((box) => !meets(box, this.#corners[0]));
    const hidden = windows.map((box) => hides(pane, box, frame));
    const best = windows[hidden.indexOf(min(...hidden))];
    const {style} = this.#bit(".inset");
    style.left = `${best[0]}px`;
    style.top = `${best[1]}px`;
    return best;
  }

  // ── what is told of the drawing ──

  /** For those who read the page by program. @param {Scene} scene @param {Frame} frame */
  #told({pane, doc}, frame) {
    const ids = (/** @type {number[]} */ things) => things.map((thing) => doc.things[thing].id).join(" ");
    for (const [person, body] of pane.bodies) {
      if (!body.seen) continue;
      const {facing, x, y, event} = frame.poses[person];
      const {posture, spot, right, left, belt} = frame.moment.people[person];
      tell(body.figure.el, {
        facing: quarter(facing),
        posture: doc.words[posture],
        place: doc.words[doc.spots[spot][2]],
        x: x.toFixed(2),
        y: y.toFixed(2),
        hands: ids([...right, ...left]),
        belt: ids(belt),
        event: event >= 0 ? event + 1 : null,
      });
    }
  }

  /** Everything stands: say it to those who do not see it. @param {Scene} scene @param {Frame} frame */
  #atRest(scene, frame) {
    const {pane, doc, names} = scene;
    this.#rested = true;
    this.#told(scene, frame);
    let rover = null;
    for (const [person, body] of pane.bodies) {
      const {el} = body.figure;
      if (body.seen) set(el, {"aria-label": personSaid(doc, frame, names, person)});
      set(el, {"aria-pressed": String(person === frame.person)});
      if (body.seen && (person === frame.person || (!rover && frame.acting.has(person)))) rover = el;
    }
    for (const {el, seen, stack} of pane.lumps.values()) {
      if (seen) set(el, {"aria-label": stackSaid(doc, frame, stack)});
      set(el, {"aria-pressed": String([...stack.things, ...stack.content].includes(frame.thing))});
    }
    const one = this.#active?.closest(CHOSEN) ?? rover ?? pane.svg.querySelector(".actor:not([display])");
    for (const el of pane.svg.querySelectorAll(CHOSEN)) set(el, {tabindex: el === one ? 0 : -1});
    this.#bit(".account").replaceChildren(
      ...account(doc, frame, names).map((text) => {
        const line = document.createElement("p");
        line.textContent = text;
        return line;
      }),
    );
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  // ── choosing ──

  /** @returns {import("yanli/steering.js").Helm} */
  #helm() {
    return {
      drag: (dx, dy) => {
        const camera = this.pane?.camera;
        if (!camera) return;
        camera.drag(dx, dy);
        this.#steer(camera, false);
      },
      settle: () => this.#steered(),
      zoom: (times, x, y) => this.#zoom(times, x, y),
      choose: (x, y) => this.#pick(nearestTo(this.#figures(), x, y)),
      whole: () => this.#look("whole"),
      auto: () => this.#look("auto"),
      go: (u, v) => {
        const from = this.#focused();
        if (from) nextTo(this.#figures(), from, u, v)?.el.focus();
        return from !== undefined;
      },
      take: () => this.#pick(this.#focused()),
      leave: () => this.#bit(".main").focus(),
      onFigure: () => this.#focused() !== undefined,
    };
  }

  get #active() {
    return /** @type {ShadowRoot} */ (this.renderRoot).activeElement;
  }

  /** All that can be chosen. */
  #figures() {
    return this.pane ? choices(this.pane, this.#frame?.thing ?? -1) : [];
  }

  /** The figure that has the focus. */
  #focused() {
    return this.#figures().find(({el}) => el === this.#active);
  }

  /** @param {{person: number, thing: number} | null | undefined} one @returns {boolean}  whether there was one */
  #pick(one) {
    if (!one) return false;
    const detail = one.person >= 0 ? {person: one.person} : {thing: one.thing};
    return this.dispatchEvent(new CustomEvent("pick", {detail, bubbles: true, composed: true}));
  }

  /** The figure that has the focus is the one that the Tab key comes back to, and it is in the window. @param {FocusEvent} event */
  #onFocus(event) {
    const el = event.target instanceof Element ? event.target.closest(CHOSEN) : null;
    if (!el || !this.pane) return;
    for (const other of this.pane.svg.querySelectorAll(CHOSEN)) set(other, {tabindex: other === el ? 0 : -1});
    const one = this.#figures().find((each) => each.el === el);
    const {camera} = this.pane;
    if (!one || (one.x > 0 && one.y > 0 && one.x < camera.width && one.y < camera.height)) return;
    this.#steer({x: camera.groundX(one.x), y: camera.groundY(one.y), scale: camera.scale});
  }
}

/**
 * Somebody who acts, when a goal would show nobody who does; who acts at a target is left to the window there, if anybody
 * is to be seen here.
 * @param {Scene} scene @param {Frame} frame @param {Aim} goal
 */
function lost({pane: {camera}, shots, busy}, {acting, poses, time}, {x, y, scale}) {
  const [broad, high] = [camera.broad / scale / 2, camera.high / scale / 2];
  const seen = (/** @type {Pose} */ pose) => abs(pose.x - x) <= broad && abs(pose.y - y) <= high;
  const acts = [...acting].map((person) => poses[person]);
  if (acts.some(seen)) return null;
  // Who merely walks past a target does not open its window.
  const open = new Set(busy.filter(([start, end]) => time >= start && time <= end).map(([, , ground]) => ground));
  const here = acts.find((pose) => !open.has(shots.ground(dot(pose.x, pose.y))));
  return here ?? (poses.some(seen) ? null : (acts[0] ?? null));
}

/** Which ground is to be seen, at which scale at most. @param {Scene} scene @param {Frame} frame @returns {{box: Rect, most: number}} */
function wish(scene, frame) {
  const {shots, pane} = scene;
  const near = (/** @type {number} */ x, /** @type {number} */ y) => ({box: dot(x, y), most: shots.scale});
  const {box, follow} = shots.at(frame.time);
  const walker = frame.poses[follow];
  let found = walker ? near(walker.x, walker.y) : {box, most: shots.scale * 1.3};
  if (frame.at && !walker && !holds(box, grown(dot(...frame.at), 5))) found = near(...frame.at);
  const away = frame.at ? null : lost(scene, frame, pane.camera.fit(found.box, found.most));
  return away ? near(away.x, away.y) : found;
}

/** How much a box hides: people; who acts counts for many. @param {Pane} pane @param {Rect} box @param {Frame} frame */
function hides({camera}, [left, top, right, bottom], frame) {
  let hidden = 0;
  frame.poses.forEach(({x, y}, person) => {
    const [a, b] = [camera.left(x), camera.top(y)];
    if (a > left && a < right && b > top && b < bottom) hidden += frame.acting.has(person) ? ACTS : 1;
  });
  return hidden;
}

if (!customElements.get("yanli-plan")) customElements.define("yanli-plan", YanliPlan);
