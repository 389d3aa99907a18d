/**
 * `<yanli-text>`: the canonical text running beside the rite, each clause with its acts when it is in force or opened.
 *
 * In: `timeline`, `script`, `ruby`, `writing`, and what differs from another performance. Out: buttons with `data-go`
 * and `data-follow`, heard by the page. `show(time)` may be called at every frame: it touches only what changed.
 */

import {html, nothing, render} from "lit";
import {keyed} from "lit/directives/keyed.js";
import {actsOf, inForce, lastBegun, lit, playsOf, nthAt, worded} from "yanli/acts.js";
import {canonOf, clock, langOf, say, wordOf, zhOf} from "yanli/language.js";
import {clauseAt} from "yanli/moments.js";
import {Notes} from "yanli/notes.js";
import {Part} from "yanli/part.js";

const {abs} = Math;

/** @typedef {import("yanli/timeline.js").Timeline} Timeline */
/** @typedef {import("yanli/types.js").Clause} Clause */
/** @typedef {import("yanli/types.js").Section} Section */
/** @typedef {import("yanli/compare.js").Comparison} Comparison */

/** Where what is in force stands in the panel: so far from its beginning. */
const MARGIN = 0.18;
const LATEST = 0.8;
/** What follows sooner than this (milliseconds) is not scrolled to smoothly. */
const HURRY = 700;
/** For so many frames what was brought from afar is kept in its place. */
const LOOKS = 12;
/** What kinds of things the score says of words that ask for no act, as "text.kinds" names them. */
const KINDS = "動義例表度器位";
/** Pixels of a line, where a wheel counts lines. */
const LINE = 40;

export class YanliText extends Part {
  static properties = Part.given(
    "timeline",
    "ruby",
    "writing",
    "comparison",
    "reduced",
    "away",
    "ask",
    "noted",
    "notes",
    "shown",
  );

  #time = 0;
  #clause = -1;
  /** @type {Map<number, HTMLElement>} */
  #holders = new Map();
  /** @type {Map<number, number>} */
  #extra = new Map();
  /** @type {HTMLElement[]} */
  #lit = [];
  #litKey = "";
  /** When something was brought into sight last. */
  #brought = 0;
  /** @type {Timeline | null} the performance for which notes were asked for last */
  #asked = null;
  /** @type {Set<number>} clauses under which notes are shown, though not under all */
  #noted = new Set();

  constructor() {
    super();
    /** @type {Timeline | null} */
    this.timeline = null;
    /** @type {"none" | "pinyin" | "ko"} */
    this.ruby = "none";
    /** @type {"horizontal" | "vertical"} */
    this.writing = "horizontal";
    /** @type {Comparison | null} */
    this.comparison = null;
    this.reduced = false;
    /** The reader has scrolled to another place: what is in force is not brought before his eyes. */
    this.away = false;
    /** @type {Set<number>} */
    this.opened = new Set();
    /** @type {import("yanli/supply.js").Supply["notes"]} where there are notes: who gives them */
    this.ask = null;
    /** Notes are shown under every clause that is open. */
    this.noted = false;
    /** @type {Notes | string | null} the notes, or why they did not come */
    this.notes = null;
    /** Which of them are shown. */
    this.shown = "";
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has("timeline")) {
      this.#clause = -1;
      this.opened.clear();
      this.#holders.clear();
      this.#extra.clear();
      this.#lit = [];
      this.#noted.clear();
      this.notes = null;
    }
  }

  updated() {
    this.#litKey = "";
    for (const clause of this.#holders.keys()) this.#fill(clause);
    this.show(this.#time);
  }

  /** The part that scrolls. */
  get #scroller() {
    return this.bit(".canon");
  }

  render() {
    const {timeline, script} = this;
    if (!timeline) return nothing;
    return html`<div class="bar">${this.#findings(timeline)}${this.ask ? this.#choice() : nothing}</div><div class="canon ${this.writing}" role="region" aria-label=${say(script, "text.name")} tabindex="0"
        lang=${langOf(script, true)} @keydown=${this.#onKey} @click=${this.#onClick}
        @wheel=${this.writing === "vertical" ? this.#aside : this.#leave} @touchmove=${this.#leave} @pointerdown=${this.#onPointer}>
        ${keyed(
          timeline,
          timeline.doc.sections.map((section, index) => this.#section(section, index)),
        )}
      </div>
      ${this.away ? html`<button class="back" @click=${this.#comeBack}>${say(script, "text.back")}</button>` : nothing}`;
  }

  /** The switch for notes, and which are shown. */
  #choice() {
    const {script, notes, noted} = this;
    const name = say(script, "note.name");
    return html`${
      notes instanceof Notes
        ? html`<select aria-label=${name} @change=${(/** @type {{target: HTMLSelectElement}} */ {target}) => {
            this.shown = target.value;
          }}>${notes.choices(script).map(([value, words]) => html`<option value=${value} .selected=${value === this.shown}>${words}</option>`)}</select>`
        : nothing
    }<button aria-pressed=${noted} @click=${() => {
      this.#retry();
      this.emit("noted", noted ? "off" : "on");
    }}>${name}</button>`;
  }

  /** Who asks again may have better luck. */
  #retry() {
    if (!(this.notes instanceof Notes)) this.#asked = null;
  }

  /** What is said of a clause, or what brings it. @param {number} clause @param {boolean} paper */
  #said(clause, paper) {
    const {script, notes, noted} = this;
    const wanted = noted || this.#noted.has(clause);
    if (wanted) this.#fetch();
    return html`${noted ? nothing : html`<button class="more" data-notes aria-expanded=${wanted}>${say(script, "note.name")}</button>`}${
      !wanted
        ? nothing
        : notes instanceof Notes
          ? notes.under(clause, script, this.shown, paper)
          : html`<p class="why">${notes ? say(script, "app.lost", notes) : say(script, "note.coming")}</p>`
    }`;
  }

  /** Ask for the notes, when they are wanted first. */
  async #fetch() {
    const {timeline, ask} = this;
    if (!timeline || !ask || this.#asked === timeline) return;
    this.#asked = timeline;
    const {doc} = timeline;
    const found = await ask(doc.rite.slug).then(
      (data) => new Notes(data, doc),
      (/** @type {Error} */ fault) => fault.message,
    );
    if (timeline === this.timeline) this.notes = found;
  }

  /** What could not be played as the words have it. @param {Timeline} timeline */
  #findings(timeline) {
    const {script} = this;
    const {clauses, findings} = timeline.doc;
    if (!findings.length) return nothing;
    return html`<details class="findings"><summary>${say(script, "text.findings", findings.length)}</summary><ul>${findings.map(
      ({cause, clause, words}) => {
        const play = playsOf(
          timeline,
          clauses.findIndex(({id}) => id === clause),
        )[0];
        const told = html`<q lang="zh-Hant">${words ?? clause}</q>`;
        return html`<li>${play ? html`<button class="link" data-go=${play.start}>${told}</button>` : told} <span lang="en">${cause}</span></li>`;
      },
    )}</ul></details>`;
  }

  /** @param {Section} section @param {number} index */
  #section(section, index) {
    const {script} = this;
    const doc = /** @type {Timeline} */ (this.timeline).doc;
    const title = script === "en" ? section.en : wordOf(doc, section.name, script);
    const head = html`<span class="n">${section.number}</span> <span class="title" lang=${langOf(script)}>${title}</span>${
      script === "en" ? html` <span class="zh">${doc.words[section.name]}</span>` : nothing
    }`;
    const played = section.start !== null;
    return html`<section class="passage" data-section=${index} data-number=${section.number}>
      <h3>${
        played
          ? html`<button class="head" tabindex="-1" data-go=${section.start}>${head} <time>${clock(section.start ?? 0)}</time></button>
          <button class="all" tabindex="-1" aria-pressed="false" data-all=${index}>${say(script, "text.all")}</button>`
          : head
      }</h3>
      <div class="flow">${doc.clauses.slice(section.first, section.last + 1).map((clause, at) => this.#clauseWords(clause, section.first + at))}</div>
    </section>`;
  }

  /** @param {Clause} clause @param {number} index */
  #clauseWords(clause, index) {
    const {script, ruby} = this;
    const timeline = /** @type {Timeline} */ (this.timeline);
    const {doc} = timeline;
    const text = canonOf(doc, index, script);
    const sounds = ruby === "none" ? null : clause[ruby];
    const untaken = clause.untaken >= 0;
    const differs = this.comparison?.clauses.has(index) ?? false;
    const fresh = untaken && doc.clauses[index - 1]?.untaken !== clause.untaken;
    const mark = untaken
      ? fresh
        ? html`<small class="mark" lang=${langOf(script)}>${say(script, "text.untaken")} ${worded(doc, clause.untaken, script)}</small>`
        : nothing
      : clause.bound.length
        ? html`<small class="mark" lang=${langOf(script)}>${say(script, "text.bound")}</small>`
        : nothing;
    return html`<span class="clause ${untaken ? "untaken" : clause.bound.length ? "bound" : ""} ${differs ? "differs" : ""}"
      role="link" tabindex="-1" data-clause=${index} data-id=${clause.id}>${
        sounds ? [...text].map((sign, at) => html`<ruby>${sign}<rt>${sounds[at] ?? ""}</rt></ruby>`) : text
      }${differs ? html`<small class="mark differ" lang=${langOf(script)}>${say(script, "sign.both")}</small>` : nothing}</span>${mark}`;
  }

  /**
   * Show a moment: light the clause in force and its acts, and bring them into sight.
   * @param {number} time @param {boolean} [whatever] though nobody sees it
   */
  show(time, whatever = false) {
    this.#time = time;
    const {timeline} = this;
    // In a panel that is not seen nothing is written.
    if (!timeline || !this.hasUpdated || (this.closest("[hidden]") && !whatever)) return;
    const clause = clauseAt(timeline, time);
    const turned = clause !== this.#clause;
    if (turned) this.#turn(clause);
    if ((this.#light(time) || turned) && !this.away) this.#follow(turned);
  }

  /**
   * Another clause is in force.
   * @param {number} clause
   */
  #turn(clause) {
    this.#reach(false);
    if (!this.opened.has(this.#clause)) this.#close(this.#clause);
    this.#clause = clause;
    this.#litKey = "";
    this.#reach(true);
    this.open(clause);
  }

  /** The words in force, and the head of their section, are reached with the Tab key, or no longer. @param {boolean} now */
  #reach(now) {
    const words = this.wordsOf(this.#clause);
    lit(words, now);
    const heads = this.#passage(this.#clause)?.querySelectorAll("h3 button") ?? [];
    for (const each of [words, ...heads]) each?.setAttribute("tabindex", now ? "0" : "-1");
  }

  /**
   * Light the acts in force.
   * @param {number} time
   * @returns {boolean} whether they are others than before
   */
  #light(time) {
    const timeline = /** @type {Timeline} */ (this.timeline);
    const acts = inForce(timeline, time);
    const key = acts.join(" ");
    if (key === this.#litKey) return false;
    this.#litKey = key;
    for (const row of this.#lit) lit(row, false);
    this.#lit = this.#rows(acts);
    const own = acts.some((index) => timeline.doc.events[index]?.clause === this.#clause);
    if (own && !this.#lit.length && this.#holders.has(this.#clause)) {
      // The act in force lies beyond the rows that were made.
      this.#fill(this.#clause);
      this.#lit = this.#rows(acts);
    }
    for (const row of this.#lit) lit(row, true);
    return true;
  }

  /**
   * Bring what is in force into sight: the words and the act, or the act alone when both have no room.
   * @param {boolean} always even when it is seen
   */
  #follow(always) {
    const scroller = this.#scroller;
    const words = this.wordsOf(this.#clause);
    if (!scroller || !words) return;
    const act = this.#lit.find((row) => this.#holders.get(this.#clause)?.contains(row));
    const [start, end] = [words, act ?? words].map((each) => each.getBoundingClientRect());
    const box = scroller.getBoundingClientRect();
    const vertical = this.writing === "vertical";
    const both = vertical || (end && start && end.bottom - start.top < box.height * (1 - MARGIN));
    if (both) this.bring(words, always);
    if (act && !both) this.bring(act, always);
    const holder = this.#holders.get(this.#clause);
    if (vertical && act && holder) holder.scrollTop = act.offsetTop - holder.clientHeight / 3;
  }

  /** @param {number[]} acts */
  #rows(acts) {
    const wanted = acts.map((index) => `[data-n="${index + 1}"]`).join();
    if (!wanted) return [];
    return [...this.#holders.values()].flatMap((holder) => [
      .../** @type {NodeListOf<HTMLElement>} */ (holder.querySelectorAll(wanted)),
    ]);
  }

  /** @param {number} clause @returns {HTMLElement | null} */
  wordsOf(clause) {
    return this.bit(`.clause[data-clause="${clause}"]`);
  }

  /** @param {number} clause */
  #passage(clause) {
    return this.wordsOf(clause)?.closest("section") ?? null;
  }

  /** @param {number} clause */
  open(clause) {
    const words = this.wordsOf(clause);
    if (!words || this.#holders.has(clause)) return;
    const holder = document.createElement("div");
    holder.className = "under";
    holder.dataset.under = String(clause);
    holder.lang = langOf(this.script);
    words.after(holder);
    this.#holders.set(clause, holder);
    this.#fill(clause);
  }

  /** @param {number} clause */
  #close(clause) {
    this.#holders.get(clause)?.remove();
    this.#holders.delete(clause);
    this.#extra.delete(clause);
  }

  /**
   * Write what stands under a clause.
   * @param {number} clause @param {boolean} [whole] every act, however many
   */
  #fill(clause, whole = false) {
    const {timeline, script, comparison} = this;
    const holder = this.#holders.get(clause);
    const about = timeline?.doc.clauses[clause];
    if (!timeline || !holder || !about) return;
    const {doc} = timeline;
    holder.lang = langOf(script);
    const plays = playsOf(timeline, clause);
    const said = [
      about.untaken >= 0
        ? html`<p class="why">${say(script, "text.untaken")} ${worded(doc, about.untaken, script)}</p>`
        : nothing,
      about.bound.length
        ? html`<p class="why">${say(script, "text.bound.long")} ${about.bound.map((word) => {
            const [, kind = "", ...rest] = zhOf(doc, word, script).split(" ");
            const [, known = ""] = doc.words[word]?.split(" ") ?? [];
            const told = say(script, "text.kinds").split(/、|, /)[KINDS.indexOf(known)] ?? kind;
            return html`<span class="binding">${told} <span lang=${langOf(script, true)}>${rest.join(" ")}</span></span> `;
          })}</p>`
        : nothing,
      plays.length > 1
        ? html`<p class="why">${say(script, "acts.playings", nthAt(plays, this.#time), plays.length)}</p>`
        : nothing,
    ];
    const extra = whole ? doc.events.length : this.#extra.get(clause);
    const now = lastBegun(timeline, this.#time);
    render(
      html`<code class="id">${about.id}</code>${said}${actsOf(timeline, clause, now, script, {extra, signs: comparison?.signs ?? null})}${
        comparison?.rows(clause, script) ?? nothing
      }${this.ask ? this.#said(clause, whole) : nothing}`,
      holder,
    );
  }

  /**
   * Bring something into sight: near the beginning of the panel, or only when it is not seen.
   * @param {Element} what @param {boolean} always
   */
  bring(what, always) {
    const scroller = this.#scroller;
    if (!scroller) return;
    const move = (/** @type {ScrollBehavior} */ behavior) => {
      const box = scroller.getBoundingClientRect();
      const place = what.getBoundingClientRect();
      const vertical = this.writing === "vertical";
      const size = vertical ? box.width : box.height;
      const at = vertical ? box.right - place.right : place.top - box.top;
      if (!size || (!always && at > 0 && at < size * LATEST)) return 0;
      const by = at - size * (vertical ? MARGIN / 4 : MARGIN);
      if (abs(by) > 1) scroller.scrollBy(vertical ? {left: -by, behavior} : {top: by, behavior});
      return abs(by) / size;
    };
    const box = scroller.getBoundingClientRect();
    const place = what.getBoundingClientRect();
    const far = abs(place.top - box.top) > box.height * 1.5 || abs(place.right - box.right) > box.width * 1.5;
    const now = performance.now();
    const hurried = now - this.#brought < HURRY;
    this.#brought = now;
    move(this.reduced || far || hurried ? "instant" : "smooth");
    if (far) this.#settle(move, now);
  }

  /**
   * Passages out of sight are measured only when they come near: look again until all near by have been.
   * @param {(behavior: ScrollBehavior) => void} move @param {number} since when it was brought @param {number} [left] looks
   */
  #settle(move, since, left = LOOKS) {
    requestAnimationFrame(() => {
      if (!left || this.away || since !== this.#brought) return;
      move("instant");
      this.#settle(move, since, left - 1);
    });
  }

  #leave() {
    this.away = true;
  }

  /** Vertical text goes sideways, though the wheel turns up and down; where acts scroll under it, they do. */
  #aside = {
    passive: false,
    handleEvent: (/** @type {WheelEvent} */ event) => {
      const scroller = this.#scroller;
      const {deltaX, deltaY, deltaMode, ctrlKey, target} = event;
      const under = /** @type {Element} */ (target).closest(".under");
      if (!scroller || ctrlKey || (under && under.scrollHeight > under.clientHeight)) return;
      if (abs(deltaX) < abs(deltaY)) {
        event.preventDefault();
        scroller.scrollLeft -= deltaY * (deltaMode ? LINE : 1);
      }
      this.#leave();
    },
  };

  /** @param {PointerEvent} event */
  #onPointer(event) {
    // Only the bar at the side is the scroller's own.
    if (event.target === this.#scroller) this.#leave();
  }

  #comeBack() {
    this.away = false;
    this.#follow(true);
  }

  /** Go to what is in force, with the keyboard. */
  focus() {
    (this.wordsOf(this.#clause) ?? this.#scroller)?.focus({preventScroll: true});
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (["PageUp", "PageDown"].includes(event.key)) this.#leave();
    const clause = /** @type {HTMLElement | null} */ (target.closest(".clause"));
    if (!clause) return;
    if (event.key === "Enter") this.#go(Number(clause.dataset.clause));
    else if (event.key === "o") this.toggle(Number(clause.dataset.clause));
    else if (event.key === "ArrowDown" || event.key === "ArrowUp")
      this.#pass(clause, event.key === "ArrowDown" ? 1 : -1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {HTMLElement} clause @param {1 | -1} direction */
  #pass(clause, direction) {
    const next = this.wordsOf(Number(clause.dataset.clause) + direction);
    if (!next) return;
    this.#leave();
    next.focus({preventScroll: true});
    this.bring(next, false);
  }

  /** @param {MouseEvent} event */
  #onClick(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    const all = /** @type {HTMLElement | null} */ (target.closest("[data-all]"));
    if (all) return this.#toggleAll(all);
    const within = Number(/** @type {HTMLElement | null} */ (target.closest(".under"))?.dataset.under);
    if (target.closest("[data-more]")) {
      this.#extra.set(within, (this.#extra.get(within) ?? 0) + 500);
      this.#litKey = "";
      this.#fill(within);
      return this.#light(this.#time);
    }
    if (target.closest("[data-notes]")) {
      this.#retry();
      if (!this.#noted.delete(within)) this.#noted.add(within);
      return this.#fill(within);
    }
    const words = /** @type {HTMLElement | null} */ (target.closest(".clause"));
    // Who marks words to copy them does not want to go there.
    if (!words || String(getSelection())) return undefined;
    const clause = Number(words.dataset.clause);
    return event.shiftKey ? this.toggle(clause) : this.#go(clause);
  }

  /**
   * Go to where a clause is played: its next playing after now, else its first. One that is not played is opened.
   * @param {number} clause
   */
  #go(clause) {
    const timeline = /** @type {Timeline} */ (this.timeline);
    const plays = playsOf(timeline, clause);
    const next = plays.find((play) => play.start > this.#time + 1e-6 && clause === this.#clause) ?? plays[0];
    const silent = timeline.doc.clauses[clause]?.bound.length && !timeline.clauseEvents(clause).length;
    if (!next || silent) return this.toggle(clause);
    this.away = false;
    return this.emit("go", next.start);
  }

  /** @param {number} clause @param {boolean} [noted] with what is said of it */
  toggle(clause, noted = true) {
    if (this.opened.delete(clause)) {
      this.#noted.delete(clause);
      if (clause !== this.#clause) this.#close(clause);
    } else {
      this.opened.add(clause);
      if (noted) this.#noted.add(clause);
      this.open(clause);
      this.#fill(clause);
    }
    this.wordsOf(clause)?.classList.toggle("opened", this.opened.has(clause));
  }

  /** @param {HTMLElement} button */
  #toggleAll(button) {
    const wanted = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(wanted));
    const section = this.timeline?.doc.sections[Number(button.dataset.all)];
    for (let clause = section?.first ?? 0; section && clause <= section.last; clause += 1) {
      if (this.opened.has(clause) !== wanted) this.toggle(clause, false);
    }
  }

  /** Open every act of the section in force, for paper; gives what closes them again. */
  openSection() {
    this.show(this.#time, true);
    const section = this.timeline?.doc.sections[this.timeline.doc.clauses[this.#clause]?.section];
    /** @type {number[]} */
    const fresh = [];
    for (let clause = section?.first ?? 0; section && clause <= section.last; clause += 1) {
      if (!this.#holders.has(clause)) {
        fresh.push(clause);
        this.open(clause);
      }
      this.#fill(clause, true);
    }
    const passage = this.#passage(this.#clause);
    passage?.classList.add("printed");
    return () => {
      passage?.classList.remove("printed");
      fresh.forEach((clause) => this.#close(clause));
      this.#fill(this.#clause);
      this.#litKey = "";
      this.#light(this.#time);
    };
  }
}
customElements.define("yanli-text", YanliText);
