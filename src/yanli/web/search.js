/**
 * `<yanli-search>`: finds words of the canon, acts, people and places, in whatever script they are typed.
 *
 * In: `timeline`, `script`, the `query`. Out: `search` events (what is typed), `go` events (a time) and `follow` events
 * (a person), as the result that was chosen asks.
 */

import {html, nothing} from "lit";
import {worded} from "yanli/acts.js";
import {icon} from "yanli/icons.js";
import {canonOf, clock, langOf, nameOf, say, thingOf} from "yanli/language.js";
import {sectionName} from "yanli/moments.js";
import {Part} from "yanli/part.js";

/** @typedef {import("yanli/timeline.js").Timeline} Timeline */
/**
 * @typedef {object} Result  a section, someone or something to follow, or a place in the text
 * @property {number} section  an index, or -1
 * @property {string} follow  p or t and an index, or ""
 * @property {number} clause  @property {number} event  @property {number | null} time  @property {string} words
 */

const MOST = 60;
const MOST_NAMED = 8;
/** @type {Result} */
const NOWHERE = {section: -1, follow: "", clause: -1, event: -1, time: null, words: ""};
const WAIT = 120;

class YanliSearch extends Part {
  static properties = Part.given("timeline", "query", "results", "active", "open");

  #total = 0;
  #waiting = 0;

  constructor() {
    super();
    /** @type {Timeline | null} */
    this.timeline = null;
    this.query = "";
    /** @type {Result[]} */
    this.results = [];
    this.active = 0;
    this.open = false;
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has("timeline") || (changed.has("query") && !this.#waiting)) this.#find();
  }

  get #input() {
    return /** @type {HTMLInputElement | null} */ (this.bit("input"));
  }

  focus() {
    this.#input?.focus();
    this.#input?.select();
  }

  render() {
    const {script, results, open} = this;
    const shown = open && this.query.trim() !== "";
    return html`<search class="search ${shown ? "open" : ""}" @focusout=${this.#onLeave}>
      <label><span class="unseen">${say(script, "find.name")}</span>${icon("search")}
        <input type="search" role="combobox" autocomplete="off" spellcheck="false" enterkeyhint="search" aria-autocomplete="list"
          aria-expanded=${shown} aria-controls="search-results"
          aria-activedescendant=${shown && results.length ? `result-${this.active}` : nothing}
          placeholder=${say(script, "find.hint")} .value=${this.query}
          @input=${this.#onInput} @keydown=${this.#onKey} @focus=${() => {
            this.open = true;
          }}></label>
      <div class="results" tabindex="0" ?hidden=${!shown}>
        <p class="count" role="status">${this.#total ? say(script, this.#total > results.length ? "find.many" : "find.count", this.#total, results.length) : say(script, "find.none")}</p>
        <ul id="search-results" role="listbox" aria-label=${say(script, "find.results")}>${results.map((result, index) => this.#row(result, index))}</ul>
      </div>
    </search>`;
  }

  /** @param {Result} result @param {number} index */
  #row(result, index) {
    const {script} = this;
    const timeline = /** @type {Timeline} */ (this.timeline);
    const option = (
      /** @type {unknown} */ inner,
    ) => html`<li role="option" id="result-${index}" aria-selected=${index === this.active}
      @pointerdown=${(/** @type {Event} */ event) => event.preventDefault()} @click=${() => this.#choose(index)}>${inner}</li>`;
    const {doc} = timeline;
    if (result.follow) {
      const number = Number(result.follow.slice(1));
      const person = result.follow.startsWith("p");
      const name = person ? nameOf(doc, number, script) : thingOf(doc, number, script);
      return option(html`<b>${name}</b> <small>${say(script, person ? "find.person" : "find.thing")}</small>`);
    }
    const when = result.time === null ? say(script, "find.unplayed") : clock(result.time);
    if (result.section >= 0) {
      return option(
        html`<b>${sectionName(timeline, result.section, script)}</b> <small>${say(script, "app.section")} ${when}</small>`,
      );
    }
    const clause = doc.clauses[result.clause];
    const row = doc.events[result.event];
    const text = canonOf(doc, result.clause, script);
    return option(html`<span class="context" lang=${langOf(script, true)}>${marked(text, result.words)}</span>
      ${row ? html`<span class="deed">${nameOf(doc, row.actor, script)} ${worded(doc, row.act, script)} · ${worded(doc, doc.spots[row.spot][2], script)}</span>` : nothing}
      <small>${sectionName(timeline, clause?.section ?? -1, script)} ${when}</small>`);
  }

  /** Look for what is typed. */
  #find() {
    const {timeline} = this;
    const sought = this.query.trim();
    this.active = 0;
    this.results = [];
    this.#total = 0;
    if (!timeline || !sought) return;
    const {doc} = timeline;
    const meant = meeting(timeline, sought);
    const english = sought.toLowerCase();
    /** @type {Result[]} */
    const named = [];
    doc.people.forEach((person, index) => {
      const hit =
        person.en.toLowerCase().includes(english) ||
        [person.name, person.label, ...person.groups].some((word) => meant.has(word));
      if (hit) named.push({...NOWHERE, follow: `p${index}`});
    });
    doc.things.forEach((item, index) => {
      if (meant.has(item.kind) || item.id === sought) named.push({...NOWHERE, follow: `t${index}`});
    });
    const sections = doc.sections.flatMap(({name, en, first, start}, section) =>
      meant.has(name) || en.toLowerCase().includes(english) ? [{...NOWHERE, section, clause: first, time: start}] : [],
    );
    /** @type {Set<number>} */
    const seen = new Set();
    const words = timeline.search(sought).filter(({clause}) => !seen.has(clause) && seen.add(clause));
    const there = new Set(words.map(({event}) => event));
    const acts = [...doc.events.keys()].filter((index) => {
      const row = doc.events[index];
      return (
        !there.has(index) &&
        (meant.has(row.act) || meant.has(doc.infos[row.info].verb) || meant.has(doc.spots[row.spot][2]))
      );
    });
    this.#total = sections.length + named.length + words.length + acts.length;
    this.results = [
      ...sections,
      ...named.slice(0, MOST_NAMED),
      ...words.slice(0, MOST).map((found) => ({...NOWHERE, ...found})),
      ...acts.slice(0, MOST).map((event) => {
        const row = doc.events[event];
        return {...NOWHERE, event, clause: row.clause, time: row.start};
      }),
    ];
  }

  /** @param {Event} event */
  #onInput(event) {
    this.query = /** @type {HTMLInputElement} */ (event.target).value;
    this.open = true;
    clearTimeout(this.#waiting);
    this.#waiting = window.setTimeout(() => {
      this.#waiting = 0;
      this.#find();
      this.emit("search", this.query);
    }, WAIT);
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (event.isComposing) return;
    const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
    if (step !== undefined && this.results.length) {
      this.active = (this.active + step + this.results.length) % this.results.length;
      this.open = true;
      this.updateComplete.then(() => this.bit(`#result-${this.active}`)?.scrollIntoView({block: "nearest"}));
    } else if (event.key === "Enter") {
      clearTimeout(this.#waiting);
      if (this.#waiting) this.#find();
      this.#waiting = 0;
      this.#choose(this.active);
    } else if (event.key === "Escape" && this.open && this.query) {
      this.open = false;
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {FocusEvent} event */
  #onLeave(event) {
    if (!this.contains(/** @type {Node | null} */ (event.relatedTarget))) this.open = false;
  }

  /** @param {number} index */
  #choose(index) {
    const result = this.results[index];
    if (!result) return;
    this.open = false;
    const {follow, clause, time} = result;
    if (follow) this.emit("follow", follow);
    else this.emit("found", {clause, time});
  }
}

/**
 * The words of a performance that mean what is sought, in any script, with or without the tones of pinyin.
 * @param {Timeline} timeline @param {string} sought
 */
function meeting(timeline, sought) {
  const {words, forms} = timeline.doc;
  const folded = timeline.fold(sought).join("");
  const toned = /\p{M}/u.test(sought.normalize("NFD")) && /[a-z]/i.test(sought.normalize("NFD"));
  const plain = bare(sought, toned);
  /** @type {Set<number>} */
  const found = new Set();
  words.forEach((word, index) => {
    const chinese = folded !== "" && timeline.fold(word).join("").includes(folded);
    const other =
      plain !== "" &&
      [forms.en[index], forms.pinyin[index], forms.ko[index]].some((form) => form && bare(form, toned).includes(plain));
    if (chinese || other) found.add(index);
  });
  return found;
}

/** @param {string} text in small letters without blanks @param {boolean} toned with the tones of pinyin, if it has any */
function bare(text, toned) {
  const plain = text.toLowerCase().replaceAll(/\s/g, "").normalize("NFD");
  return toned ? plain : plain.replaceAll(/\p{M}/gu, "");
}

/**
 * A text with what was looked for marked in it.
 * @param {string} text @param {string} sought
 */
function marked(text, sought) {
  const at = sought ? text.indexOf(sought) : -1;
  return at < 0 ? text : html`${text.slice(0, at)}<mark>${sought}</mark>${text.slice(at + sought.length)}`;
}
customElements.define("yanli-search", YanliSearch);
