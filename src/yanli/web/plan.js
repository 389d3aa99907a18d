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

import {LitElement, html} from "lit";
import {LEAST, MOST, clamp, grown, holds} from "yanli/camera.js";
import {set} from "yanli/draw.js";
import {frameAt} from "yanli/frames.js";
import {choices, nearestTo, nextTo} from "yanli/choosing.js";
import {drawBars} from "yanli/scalebar.js";
import {Minimap} from "yanli/minimap.js";
import {Names} from "yanli/rows.js";
import {Pane} from "yanli/pane.js";
import {account, personSaid, planSay, quarter, stackSaid} from "yanli/plan-words.js";
import {planStyle} from "yanli/plan-style.js";
import {Shots} from "yanli/shots.js";
import {Stacks} from "yanli/stacks.js";
import {steer} from "yanli/steering.js";
import {Trace} from "yanli/traces.js";
import {langOf} from "yanli/language.js";

/** @typedef {import("yanli/timeline.js").Timeline} Timeline */
/** @typedef {import("yanli/pane.js").Frame} Frame */
/** @typedef {import("yanli/language.js").Script} Script */
/** @typedef {{script: Script, theme?: string, reduced?: boolean}} PlanSettings */

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
/** @type {Record<string, string>} */
const ICONS = {
  nearer: "M10 4v12M4 10h12",
  farther: "M4 10h12",
  whole: "M3 8V3h5M12 3h5v5M17 12v5h-5M8 17H3v-5",
  auto: "M10 2v4M10 14v4M2 10h4M14 10h4M10 7a3 3 0 1 0 0 6 3 3 0 0 0 0-6",
};

export class YanliPlan extends LitElement {
  static styles = planStyle;
  static properties = {
    timeline: {attribute: false},
    settings: {attribute: false},
    follow: {attribute: false},
    marks: {attribute: false},
    camera: {attribute: false},
  };

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
    this.time = 0;
    this.shown = Number.NaN;
    this.rate = 0;
    this.stamp = {show: 0, draw: 0, arrange: 0};
    this.request = 0;
    this.rested = false;
    this.arranged = false;
    this.first = true;
    this.view = "";
    this.size = [0, 0];
    /** @type {Pane | null} */
    this.pane = null;
    /** @type {Pane | null} */
    this.inset = null;
    /** @type {Frame | null} */
    this.frame = null;
    this.insetOpen = false;
    /** @type {import("yanli/space.js").Rect | undefined} */
    this.window = undefined;
    /** @type {[number, number][]} */
    this.busy = [];
    /** @type {(() => void)[]} */
    this.waiting = [];
    this.observer = new ResizeObserver(() => this.measure());
  }

  render() {
    const {script} = this.settings;
    const button = (/** @type {"nearer" | "farther" | "whole" | "auto"} */ name, /** @type {() => void} */ does) => {
      const words = planSay(script, name);
      const pressed = name === "auto" ? String(this.camera === null) : undefined;
      return html`<button type="button" title=${words} aria-label=${words} aria-pressed=${pressed ?? "undefined"} data-does=${name} @click=${does}>
        <svg viewBox="0 0 20 20" aria-hidden="true" focusable="false"><path d=${ICONS[name]} /></svg>
      </button>`;
    };
    return html`
      <div class="main" tabindex="0" role="group" aria-label="${planSay(script, "plan")}。${planSay(script, "move")}" lang=${langOf(script)}></div>
      <button type="button" class="inset" hidden aria-label=${planSay(script, "target")} @click=${() => this.look("inset")}></button>
      <button type="button" class="mini-box" aria-label=${planSay(script, "whole")} @click=${this.onMini}>
        <svg class="compass" viewBox="0 0 20 44" aria-hidden="true"><text x="10" y="12">${planSay(script, "north")}</text><path d="M10 16l6 24-6-5-6 5z" /></svg>
      </button>
      <svg class="scale" aria-hidden="true" focusable="false"></svg>
      <div class="buttons">${button("nearer", () => this.zoom(1.35))}${button("farther", () => this.zoom(1 / 1.35))}${button("whole", () => this.look("whole"))}${button("auto", () => this.look("auto"))}</div>
      <div class="account" role="note" aria-label=${planSay(script, "plan")} lang=${langOf(script)}></div>
    `;
  }

  /** @param {string} selector @returns {HTMLElement} */
  bit(selector) {
    return /** @type {HTMLElement} */ (this.renderRoot.querySelector(selector));
  }

  firstUpdated() {
    steer(this.bit(".main"), this.helm());
    this.observer.observe(this);
    this.bit(".main").addEventListener("focusin", (event) => this.onFocus(event));
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    cancelAnimationFrame(this.request);
    this.request = 0;
    document.fonts?.removeEventListener("loadingdone", this.onType);
  }

  connectedCallback() {
    super.connectedCallback();
    document.fonts?.addEventListener("loadingdone", this.onType);
    if (this.pane) this.wake();
  }

  onType = () => {
    this.pane?.labels.forget();
    this.inset?.labels.forget();
    this.changed();
  };

  /** @param {Map<string, unknown>} changes */
  updated(changes) {
    if (changes.has("timeline") && this.timeline) this.build(this.timeline);
    if (changes.has("settings") || changes.has("timeline")) {
      for (const button of this.renderRoot.querySelectorAll('button[aria-pressed="undefined"]'))
        button.removeAttribute("aria-pressed");
    }
    this.shown = Number.NaN;
    this.changed();
  }

  /** @param {Timeline} timeline */
  build(timeline) {
    const {doc} = timeline;
    for (const old of this.renderRoot.querySelectorAll(".main > *, .inset > *, .mini")) old.remove();
    this.names = new Names(doc);
    this.stacks = new Stacks(doc);
    this.shots = new Shots(timeline);
    this.busy = this.shots.busy(AFTER + BEFORE);
    this.pane = new Pane(doc, this.bit(".main"), {small: false, within: null, pick: true});
    const ground = this.shots.far;
    this.inset = ground ? new Pane(doc, this.bit(".inset"), {small: true, within: ground, pick: false}) : null;
    this.mini = new Minimap(doc, this.bit(".mini-box"));
    this.trace = new Trace(this.pane.traces, timeline);
    this.frame = null;
    this.first = true;
    this.size = [0, 0];
    this.measure();
  }

  /** Take the measure of the element; this is the only place where the page is asked for one. */
  measure() {
    const {pane, inset, shots} = this;
    const width = this.clientWidth;
    const height = this.clientHeight;
    if (!pane || !shots || width < 10 || height < 10 || (width === this.size[0] && height === this.size[1])) return;
    this.size = [width, height];
    const phone = Math.min(width, height) < PHONE;
    // On broad screens the page's type is larger, and so is everything here that does not go by the ground.
    const big = clamp(Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16 || 1, 1, 2);
    this.style.setProperty("--big", String(big));
    pane.resize(width, height, big);
    const high = clamp(height * (phone ? 0.13 : 0.17), 56, 150 * big);
    const broad = (this.mini?.resize(high) ?? 0) + 26 * big;
    const pad = phone ? 6 : 26;
    pane.camera.pad = {top: pad, left: pad, right: pad, bottom: (phone ? 46 : 40) * big};
    shots.fit(pane.camera.broad, pane.camera.high, big);
    /** @type {import("yanli/space.js").Rect[]} */
    this.corners = [
      [width - broad - 10, 6, width - 6, high + 12],
      [width - 174 * big - 10, height - 40 * big - 12, width, height],
      [0, height - 46 * big, 150 * big, height],
    ];
    if (inset && shots.far) {
      const [w, s, e, n] = shots.far;
      const tall = clamp(height * (phone ? 0.36 : 0.33), 110, 290 * big);
      const wide = clamp((tall * (e - w)) / (n - s), 70, Math.min(width * 0.42, 240 * big));
      const box = this.bit(".inset");
      box.style.width = `${wide}px`;
      box.style.height = `${tall}px`;
      inset.resize(wide - 3, tall - 3, big);
      inset.camera.jump(inset.camera.fit(shots.far));
      /** Where the small window may be: the corner where the fewest people are hidden by it is taken. */
      this.windows = /** @type {import("yanli/space.js").Rect[]} */ ([
        [10, height - 56 * big - tall, 10 + wide, height - 56 * big],
        [width - 10 - wide, height - 60 * big - tall, width - 10, height - 60 * big],
        [10, 10, 10 + wide, 10 + tall],
      ]);
    }
    this.first = true;
    this.changed();
  }

  // ── time ──

  /** Draw a moment. @param {number} time  in seconds */
  show(time) {
    const now = performance.now();
    const since = (now - this.stamp.show) / 1000;
    const rate = Math.abs(time - this.time) / since;
    // What is faster than the fastest play is a leap.
    if (since > 0.002) this.rate = since < 0.3 && rate < LEAP ? rate : 0;
    this.time = time;
    this.stamp.show = now;
    this.rested = false;
    this.draw(now);
    this.wake();
  }

  /** Something other than the time is new. */
  changed() {
    this.shown = Number.NaN;
    this.rested = false;
    this.arranged = false;
    this.wake();
  }

  /** Resolves when nothing moves and all names stand. @returns {Promise<void>} */
  rest() {
    return this.rested ? Promise.resolve() : new Promise((resolve) => this.waiting.push(resolve));
  }

  wake() {
    if (this.request || !this.isConnected) return;
    this.request = requestAnimationFrame(() => {
      this.request = 0;
      const now = performance.now();
      const busy = now - this.stamp.draw > 4 ? this.draw(now) : true;
      if (this.size[0] > 0 && (busy || !this.rested)) this.wake();
    });
  }

  /**
   * Draw what is, and let what is on its way go on.
   * @param {number} now  in milliseconds @returns {boolean} whether something is still on its way
   */
  draw(now) {
    const {pane, timeline, names, stacks} = this;
    if (!pane || !timeline || !names || !stacks || this.size[0] === 0) return false;
    const calm = this.settings.reduced === true || this.first;
    const seconds = (now - this.stamp.draw) / 1000;
    this.stamp.draw = now;
    const frame = this.frameNow(timeline, stacks);
    this.aim(frame, calm);
    const moving = pane.camera.step(seconds);
    const still = now - this.stamp.show > REST && !moving;
    const due = now - this.stamp.arrange > ANEW;
    if (this.first || (still ? !this.arranged : due)) {
      this.stamp.arrange = now;
      this.arranged = still;
      this.open(frame);
      // Who is seen now must be known before names are placed.
      pane.draw(frame, calm);
      pane.arrange(frame, names, stacks, still);
      if (this.insetOpen && this.inset) {
        this.inset.draw(frame, calm);
        this.inset.arrange(frame, names, stacks, still);
      }
      this.mini?.show(frame);
      this.told(frame);
    }
    if (!still) this.arranged = false;
    const eased = pane.draw(frame, calm);
    const inset = this.insetOpen && this.inset ? this.inset.draw(frame, calm) : false;
    if (pane.view !== this.view) {
      this.view = pane.view;
      this.mini?.look(pane.camera);
      drawBars(this.bit("svg.scale"), pane.camera.scale, timeline.doc.building.metres, this.settings.script);
    }
    this.trace?.show(frame.person, frame.thing, frame.time, frame.at);
    this.first = false;
    const busy = moving || eased || inset;
    if (still && !busy && this.arranged && !this.rested) this.atRest(frame);
    return busy || !this.rested;
  }

  /** @param {Timeline} timeline @param {Stacks} stacks @returns {Frame} */
  frameNow(timeline, stacks) {
    if (this.frame && this.shown === this.time) return this.frame;
    this.shown = this.time;
    const {follow, marks, rate} = this;
    const wanted = {script: this.settings.script, follow, marks, deeds: rate < FAST};
    this.frame = frameAt(timeline, stacks, this.time, this.frame, wanted);
    return this.frame;
  }

  // ── the camera ──

  /** Where the camera should be. @param {Frame} frame @param {boolean} calm */
  aim(frame, calm) {
    const {pane, shots} = this;
    if (!pane || !shots) return;
    const {camera} = pane;
    let goal;
    if (this.camera) {
      const [x, y, scale] = this.camera;
      goal = {x: clamp(x, -FARTHEST, FARTHEST), y: clamp(y, -FARTHEST, FARTHEST), scale: clamp(scale, LEAST, MOST)};
    } else {
      const shot = shots.at(frame.time);
      const most = shots.scale * 1.3;
      const walker = shot.follow >= 0 ? frame.poses[shot.follow] : null;
      goal = walker ? {x: walker.x, y: walker.y, scale: shots.scale} : camera.fit(shot.box, most);
      if (frame.at && !walker) {
        const [x, y] = frame.at;
        if (!holds(shot.box, grown([x, y, x, y], 5))) goal = {x, y, scale: shots.scale};
      }
      const lost = frame.at ? null : this.lost(frame, goal);
      if (lost) goal = {x: lost.x, y: lost.y, scale: shots.scale};
    }
    if (calm) camera.jump(goal);
    else camera.glide(goal);
  }

  /**
   * Somebody who acts, when a goal would show nobody who does; who acts at the target is left to the window there.
   * @param {Frame} frame @param {import("yanli/camera.js").Aim} goal
   */
  lost({acting, poses}, {x, y, scale}) {
    const {pane, shots} = this;
    if (!pane || !shots) return null;
    const [broad, high] = [pane.camera.broad / scale / 2, pane.camera.high / scale / 2];
    let away = null;
    for (const person of acting) {
      const pose = poses[person];
      if (Math.abs(pose.x - x) <= broad && Math.abs(pose.y - y) <= high) return null;
      if (!shots.far || !holds(shots.far, [pose.x, pose.y, pose.x, pose.y])) away ??= pose;
    }
    return away;
  }

  /** Steer by hand. @param {import("yanli/camera.js").Aim} aim @param {boolean} [tell] */
  steer({x, y, scale}, tell = true) {
    this.camera = [Math.round(x * 100) / 100, Math.round(y * 100) / 100, Math.round(scale * 1000) / 1000];
    if (tell) this.dispatchEvent(new CustomEvent("camera", {detail: this.camera}));
    this.changed();
  }

  /** @param {number} times @param {number} [x] @param {number} [y] */
  zoom(times, x, y) {
    if (this.pane) this.steer(this.pane.camera.zoomed(times, x, y));
  }

  /** @param {"whole" | "auto" | "inset"} what */
  look(what) {
    const {pane, shots, timeline} = this;
    if (!pane || !shots || !timeline) return;
    if (what === "auto") {
      this.camera = null;
      this.dispatchEvent(new CustomEvent("camera", {detail: null}));
      this.changed();
    } else if (what === "inset" && shots.far) this.steer(pane.camera.fit(grown(shots.far, 4), shots.scale));
    else this.steer(pane.camera.fit(grown(timeline.doc.building.bounds, 2)));
  }

  /** @param {MouseEvent} event */
  onMini(event) {
    const {pane, timeline} = this;
    const svg = this.mini?.svg;
    if (!pane || !timeline || !svg) return;
    if (event.detail === 0) {
      this.look("whole");
      return;
    }
    const box = svg.getBoundingClientRect();
    const [west, south, east, north] = timeline.doc.building.bounds;
    const x = west + (clamp(event.clientX - box.left, 0, box.width) / box.width) * (east - west);
    const y = north - (clamp(event.clientY - box.top, 0, box.height) / box.height) * (north - south);
    this.steer({x, y, scale: pane.camera.goal.scale});
  }

  /** Whether the small window at the target is wanted. @param {Frame} frame */
  open(frame) {
    const {pane, inset, shots} = this;
    if (!pane || !inset || !shots?.far) return;
    const now = this.busy.some(([start, end]) => frame.time >= start - BEFORE && frame.time <= end + AFTER);
    const wanted = now && !holds(grown(pane.camera.shown(), 2), grown(shots.far, -8));
    // It goes elsewhere only when it would hide who acts.
    if (wanted && (!this.insetOpen || !this.window || this.hides(this.window, frame) >= ACTS))
      this.window = this.corner(frame);
    pane.covers = [...(this.corners ?? []), ...(wanted && this.window ? [this.window] : [])];
    if (wanted === this.insetOpen) return;
    this.insetOpen = wanted;
    this.bit(".inset").hidden = !wanted;
    if (wanted) inset.draw(frame, true);
  }

  /** How much a box hides: people; who acts counts for many. @param {import("yanli/space.js").Rect} box @param {Frame} frame */
  hides([left, top, right, bottom], frame) {
    const camera = this.pane?.camera;
    let hidden = 0;
    frame.poses.forEach(({x, y}, person) => {
      const [a, b] = [camera?.left(x) ?? 0, camera?.top(y) ?? 0];
      if (a > left && a < right && b > top && b < bottom) hidden += frame.acting.has(person) ? ACTS : 1;
    });
    return hidden;
  }

  /** A corner for the small window. @param {Frame} frame */
  corner(frame) {
    const [best] = (this.windows ?? [])
      .map((box) => ({box, hidden: this.hides(box, frame)}))
      .sort((one, other) => one.hidden - other.hidden);
    if (!best) return undefined;
    const {style} = this.bit(".inset");
    style.left = `${best.box[0]}px`;
    style.top = `${best.box[1]}px`;
    return best.box;
  }

  // ── what is told of the drawing ──

  /** For those who read the page by program. @param {Frame} frame */
  told(frame) {
    const {pane, timeline} = this;
    if (!pane || !timeline) return;
    const {doc} = timeline;
    for (const [person, body] of pane.bodies) {
      if (!body.seen) continue;
      const pose = frame.poses[person];
      const state = frame.moment.people[person];
      const {el} = body.figure;
      set(el, "data-facing", quarter(pose.facing));
      set(el, "data-posture", doc.words[state.posture]);
      set(el, "data-place", doc.words[doc.spots[state.spot][2]]);
      set(el, "data-x", pose.x.toFixed(2));
      set(el, "data-y", pose.y.toFixed(2));
      set(el, "data-hands", [...state.right, ...state.left].map((thing) => doc.things[thing].id).join(" "));
      set(el, "data-belt", state.belt.map((thing) => doc.things[thing].id).join(" "));
      set(el, "data-event", pose.event >= 0 ? pose.event + 1 : null);
    }
  }

  /** Everything stands: say it to those who do not see it. @param {Frame} frame */
  atRest(frame) {
    const {pane, timeline, names} = this;
    if (!pane || !timeline || !names) return;
    this.rested = true;
    this.told(frame);
    const {doc} = timeline;
    let rover = null;
    for (const [person, body] of pane.bodies) {
      const {el} = body.figure;
      if (body.seen) set(el, "aria-label", personSaid(doc, frame, names, person));
      set(el, "aria-pressed", person === frame.person ? "true" : "false");
      if (body.seen && (person === frame.person || (!rover && frame.acting.has(person)))) rover = el;
    }
    for (const lump of pane.lumps.values()) {
      if (lump.seen) set(lump.el, "aria-label", stackSaid(doc, frame, lump.stack));
      const whole = [...lump.stack.things, ...lump.stack.content];
      const followed = whole.includes(frame.thing);
      set(lump.el, "aria-pressed", followed ? "true" : "false");
    }
    const active = /** @type {ShadowRoot} */ (this.renderRoot).activeElement;
    const one = active?.closest(".actor, .thing") ?? rover ?? pane.svg.querySelector(".actor:not([display])");
    for (const el of pane.svg.querySelectorAll('[role="button"]')) set(el, "tabindex", el === one ? "0" : "-1");
    const told = this.bit(".account");
    told.replaceChildren(
      ...account(doc, frame, names).map((text) => {
        const line = document.createElement("p");
        line.textContent = text;
        return line;
      }),
    );
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  // ── choosing ──

  /** @returns {import("yanli/steering.js").Helm} */
  helm() {
    return {
      drag: (dx, dy) => {
        const camera = this.pane?.camera;
        if (!camera) return;
        camera.drag(dx, dy);
        this.steer(camera, false);
      },
      settle: () => this.dispatchEvent(new CustomEvent("camera", {detail: this.camera})),
      zoom: (times, x, y) => this.zoom(times, x, y),
      choose: (x, y) => {
        const one = nearestTo(this.figures(), x, y);
        if (one) this.pick(one);
      },
      whole: () => this.look("whole"),
      auto: () => this.look("auto"),
      go: (x, y) => this.go(x, y),
      take: () => this.take(),
      leave: () => this.bit(".main").focus(),
      onFigure: () => this.figures().some(({el}) => el === this.active()),
    };
  }

  active() {
    return /** @type {ShadowRoot} */ (this.renderRoot).activeElement;
  }

  /** All that can be chosen. */
  figures() {
    return this.pane ? choices(this.pane, this.frame?.thing ?? -1) : [];
  }

  /** @param {{person: number, thing: number}} one */
  pick({person, thing}) {
    const detail = person >= 0 ? {person} : {thing};
    this.dispatchEvent(new CustomEvent("pick", {detail, bubbles: true, composed: true}));
  }

  take() {
    const one = this.figures().find(({el}) => el === this.active());
    if (one) this.pick(one);
    return one !== undefined;
  }

  /** Let the next figure that way have the focus. @param {number} u @param {number} v */
  go(u, v) {
    const all = this.figures();
    const from = all.find(({el}) => el === this.active());
    if (from) nextTo(all, from, u, v)?.el.focus();
    return from !== undefined;
  }

  /** The figure that has the focus is the one that the Tab key comes back to, and it is in the window. @param {FocusEvent} event */
  onFocus(event) {
    const el = event.target instanceof Element ? event.target.closest(".actor, .thing") : null;
    if (!el || !this.pane) return;
    for (const other of this.pane.svg.querySelectorAll('[role="button"][tabindex="0"]')) set(other, "tabindex", "-1");
    set(el, "tabindex", "0");
    const one = this.figures().find((each) => each.el === el);
    const {camera} = this.pane;
    if (!one || (one.x > 0 && one.y > 0 && one.x < camera.width && one.y < camera.height)) return;
    this.steer({x: camera.groundX(one.x), y: camera.groundY(one.y), scale: camera.scale});
  }
}

if (!customElements.get("yanli-plan")) customElements.define("yanli-plan", YanliPlan);
