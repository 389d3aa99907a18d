/**
 * `<yanli-people>`: all people and things to choose from, and of the one that is followed: how he is now, and his script.
 *
 * In: `timeline`, `script`, `follow` (p or t and an index, or null). Out: buttons with `data-go` and `data-follow`.
 * `show(time)` may be called at every frame: it writes only when another act is in force.
 */

import {html, nothing} from "lit";
import {inForce, lastBegun, lit, scriptOf, worded} from "yanli/acts.js";
import {icon} from "yanli/icons.js";
import {langOf, listOf, mannerOf, nameOf, numberOf, say, thingOf, wordOf} from "yanli/language.js";
import {Part} from "yanli/part.js";

/** @typedef {import("yanli/timeline.js").Timeline} Timeline */
/** @typedef {import("yanli/types.js").Moment} Moment */

const PARTIES = /** @type {const} */ (["host", "guest", "other"]);
/** So many buttons of one kind are shown before more are asked for. */
const MOST = 120;

class YanliPeople extends Part {
  static properties = Part.given("timeline", "follow", "view", "eye", "signs", "extra", "unfolded", "now");

  #time = 0;

  constructor() {
    super();
    /** @type {Timeline | null} */
    this.timeline = null;
    /** @type {string | null} */
    this.follow = null;
    /** @type {"plan" | "depth"} */
    this.view = "plan";
    /** @type {string | null} */
    this.eye = null;
    /** @type {import("yanli/acts.js").Signs} */
    this.signs = null;
    this.extra = 0;
    /** @type {Set<string>} */
    this.unfolded = new Set(PARTIES);
    /** The acts in force, as text: what is shown changes with them. */
    this.now = "";
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has("follow") || changed.has("timeline")) this.extra = 0;
  }

  /** @param {Map<string, unknown>} changed */
  updated(changed) {
    this.#light(changed.has("follow") || changed.has("timeline"));
  }

  /** @param {number} time */
  show(time) {
    this.#time = time;
    // In a panel that is not seen nothing is written.
    if (this.timeline && this.follow && !this.closest("[hidden]")) {
      this.now = `${lastBegun(this.timeline, time)} ${inForce(this.timeline, time).join(" ")}`;
    }
  }

  /** @param {boolean} fresh */
  #light(fresh) {
    const {timeline} = this;
    if (!timeline || !this.follow) return;
    const acts = new Set(inForce(timeline, this.#time).map((index) => String(index + 1)));
    /** @type {HTMLElement | null} */
    let last = null;
    for (const row of this.bits(".act")) {
      const {n = "", start = ""} = row.dataset;
      lit(row, acts.has(n));
      row.classList.remove("last");
      if (Number(start) <= this.#time + 1e-6) last = row;
    }
    last?.classList.add("last");
    const list = this.bit(".story");
    if (!last || !list) return;
    const moved = this.#lastRow !== last.dataset.n;
    this.#lastRow = last.dataset.n;
    if (fresh || moved) list.scrollTop = last.offsetTop - list.clientHeight / 3;
  }

  /** @type {string | undefined} */
  #lastRow;

  render() {
    const {timeline, follow} = this;
    if (!timeline) return nothing;
    if (!follow) return this.#lists();
    const index = Number(follow.slice(1));
    return follow.startsWith("p") ? this.#person(index) : this.#thing(index);
  }

  // ── to choose from ──────────────────────────────────────────────────────────────────────────────────────────────

  #lists() {
    const {script} = this;
    const {doc} = /** @type {Timeline} */ (this.timeline);
    /** @type {Map<number, number[]>} */
    const kinds = new Map();
    doc.things.forEach((item, index) => {
      const same = kinds.get(item.kind);
      if (same) same.push(index);
      else kinds.set(item.kind, [index]);
    });
    const parties = PARTIES.map((party) => ({
      party,
      members: doc.people.flatMap((person, index) => (person.party === party ? [index] : [])),
    }));
    return html`<div class="lists" tabindex="0" role="region" aria-label=${say(script, "who.name")}>
      <p class="hint">${say(script, "who.hint")}</p>
      ${parties.filter(({members}) => members.length).map(({party, members}) => this.#group(party, say(script, `party.${party}`), members, "p"))}
      <h3>${say(script, "who.things")}</h3>
      ${[...kinds].map(([kind, members]) => this.#group(`k${kind}`, html`${worded(doc, kind, script)}`, members, "t"))}
    </div>`;
  }

  /**
   * @param {string} key @param {unknown} title @param {number[]} members @param {"p" | "t"} sort
   */
  #group(key, title, members, sort) {
    const {script} = this;
    const {doc} = /** @type {Timeline} */ (this.timeline);
    const open = this.unfolded.has(key);
    const name = (/** @type {number} */ index) =>
      sort === "p" ? nameOf(doc, index, script) : thingOf(doc, index, script);
    const most = this.unfolded.has(`${key}+`) ? Infinity : MOST;
    return html`<details ?open=${open} @toggle=${(/** @type {Event} */ event) => this.#unfold(key, /** @type {HTMLDetailsElement} */ (event.target).open)}>
      <summary>${title} <small>${members.length}</small></summary>
      ${
        open
          ? html`<ul class="names">${members.slice(0, most).map((index) => html`<li><button class=${sort === "p" ? `person ${doc.people[index]?.party}` : "thing"} data-follow="${sort}${index}">${name(index)}</button></li>`)}${
              members.length > most
                ? html`<li><button class="more" @click=${() => this.#unfold(`${key}+`, true)}>${say(script, "diff.rest", members.length - most)}</button></li>`
                : nothing
            }</ul>`
          : nothing
      }
    </details>`;
  }

  /** @param {string} key @param {boolean} open */
  #unfold(key, open) {
    if (this.unfolded.has(key) === open) return;
    const unfolded = new Set(this.unfolded);
    if (open) unfolded.add(key);
    else unfolded.delete(key);
    this.unfolded = unfolded;
  }

  // ── one who is followed ─────────────────────────────────────────────────────────────────────────────────────────

  /** @param {number} index */
  #person(index) {
    const {script} = this;
    const timeline = /** @type {Timeline} */ (this.timeline);
    const {doc} = timeline;
    const who = doc.people[index];
    const state = timeline.at(this.#time).people[index];
    if (!who || !state) return nothing;
    const words = (/** @type {number[]} */ list) =>
      list.map((word, at) => html`${at ? (script === "en" ? ", " : "、") : ""}${worded(doc, word, script)}`);
    const things = (/** @type {number[]} */ list) =>
      list.length
        ? html`<span class="things">${list.map((thing) => this.#link("t", thing, thingOf(doc, thing, script)))}</span>`
        : say(script, "who.nothing");
    const rows = [
      [say(script, "who.party"), say(script, `party.${who.party}`)],
      state.roles.length ? [say(script, "who.office"), words(state.roles)] : null,
      [
        say(script, "who.place"),
        html`${worded(doc, doc.spots[state.spot][2], script)} ${state.step == null ? nothing : say(script, "act.step", numberOf(state.step, script))} ${mannerOf(doc, state.facing, state.posture, script)}`,
      ],
      [say(script, "who.right"), things(state.right)],
      [say(script, "who.left"), things(state.left)],
      state.belt.length ? [say(script, "who.belt"), things(state.belt)] : null,
      state.dress.length ? [say(script, "who.dress"), words(state.dress)] : null,
    ];
    const eye =
      this.view === "depth"
        ? html`<button class="plain" data-eye=${index} aria-pressed=${this.eye === doc.words[who.name]}>${say(script, "who.eye")}</button>`
        : nothing;
    return this.#card(
      html`${nameOf(doc, index, script)}${script === "en" ? html` <span class="zh" lang="zh-Hant">${doc.words[who.label]}</span>` : this.#sound(who.label)}`,
      rows,
      eye,
      timeline.eventsOf(index),
    );
  }

  /** @param {number} index */
  #thing(index) {
    const {script} = this;
    const timeline = /** @type {Timeline} */ (this.timeline);
    const {doc} = timeline;
    const item = doc.things[index];
    const state = timeline.at(this.#time).things[index];
    if (!item || !state) return nothing;
    const states = Object.entries(state.states).map(([part, word]) => `${part === "狀" ? "" : part}${word}`);
    const marks = [
      state.filled ? say(script, "what.filled") : "",
      state.layers > 1 ? say(script, "what.layers", state.layers) : "",
      state.lay >= 0 ? wordOf(doc, state.lay, script) : "",
      ...states,
    ].filter(Boolean);
    const rows = [
      [
        say(script, "what.where"),
        state.holder >= 0
          ? this.#link("p", state.holder, nameOf(doc, state.holder, script))
          : worded(doc, state.where, script),
      ],
      item.of >= 0 ? [say(script, "what.of"), this.#link("p", item.of, nameOf(doc, item.of, script))] : null,
      marks.length ? [say(script, "what.state"), listOf(marks, script)] : null,
    ];
    return this.#card(
      html`${thingOf(doc, index, script)}${script === "en" ? html` <span class="zh" lang="zh-Hant">${doc.words[item.kind]}</span>` : this.#sound(item.kind)}`,
      rows,
      nothing,
      timeline.eventsWithThing(index),
    );
  }

  /** @param {number} word */
  #sound(word) {
    const {doc} = /** @type {Timeline} */ (this.timeline);
    const sound = doc.forms.pinyin[word];
    return sound ? html` <small lang="zh-Latn">${sound}</small>` : nothing;
  }

  /** @param {"p" | "t"} sort @param {number} index @param {string} name */
  #link(sort, index, name) {
    return html`<button class="link" data-follow="${sort}${index}">${name}</button>`;
  }

  /**
   * @param {unknown} title @param {(unknown[] | null)[]} rows @param {unknown} extra @param {number[]} events
   */
  #card(title, rows, extra, events) {
    const {script} = this;
    const timeline = /** @type {Timeline} */ (this.timeline);
    const now = lastBegun(timeline, this.#time);
    return html`<div class="card"><h3 tabindex="-1">${title}</h3>
      <div class="card-tools">${extra}<button class="plain" data-follow="">${icon("close")}${say(script, "who.leave")}</button></div>
      <dl>${rows.map((row) => (row ? html`<div><dt>${row[0]}</dt><dd>${row[1]}</dd></div>` : nothing))}</dl></div>
      <h4 class="script-head">${say(script, "who.script", events.length)}</h4>
      <div class="story" tabindex="0" role="region" lang=${langOf(script)} aria-label=${say(script, "who.script", events.length)} @click=${this.#onMore}>${scriptOf(
        timeline,
        events,
        now,
        script,
        {extra: this.extra, signs: this.signs},
      )}</div>`;
  }

  /** @param {Event} event */
  #onMore(event) {
    if (/** @type {HTMLElement} */ (event.target).closest("[data-more]")) this.extra += 500;
  }
}
customElements.define("yanli-people", YanliPeople);
