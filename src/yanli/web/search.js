/**
 * `<yanli-search>`: finds words of the canon, acts, people and places, in whatever script they are typed.
 *
 * In: `timeline`, `script`, the `query`. Out: `search` events (what is typed), `go` events (a time) and `follow` events
 * (a person), as the result that was chosen asks.
 */

import {LitElement, html, nothing} from "lit";
import {worded} from "yanli/acts.js";
import {icon} from "yanli/icons.js";
import {clock, langOf, nameOf, say, wordOf} from "yanli/language.js";

/** @typedef {import("yanli/timeline.js").Timeline} Timeline */
/** @typedef {{kind: "person", person: number} | {kind: "words", clause: number, event: number, time: number | null, words: string}} Result */

const MOST = 60;
const MOST_PEOPLE = 8;
const WAIT = 120;

export class YanliSearch extends LitElement {
  static properties = {
    timeline: {attribute: false},
    script: {},
    query: {},
    results: {state: true},
    active: {state: true},
    open: {state: true},
  };

  constructor() {
    super();
    /** @type {Timeline | null} */
    this.timeline = null;
    /** @type {import("yanli/language.js").Script} */
    this.script = "hant";
    this.query = "";
    /** @type {Result[]} */
    this.results = [];
    this.active = 0;
    this.open = false;
    this.total = 0;
    this.waiting = 0;
  }

  createRenderRoot() {
    return this;
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has("timeline") || (changed.has("query") && !this.waiting)) this.find();
  }

  get input() {
    return /** @type {HTMLInputElement | null} */ (this.querySelector("input"));
  }

  focus() {
    this.input?.focus();
    this.input?.select();
  }

  render() {
    const {script, results, open} = this;
    const shown = open && this.query.trim() !== "";
    return html`<search class="search ${shown ? "open" : ""}" @focusout=${this.onLeave}>
      <label><span class="visually-hidden">${say(script, "search.name")}</span>${icon("search")}
        <input type="search" role="combobox" autocomplete="off" spellcheck="false" enterkeyhint="search" aria-autocomplete="list"
          aria-expanded=${shown ? "true" : "false"} aria-controls="search-results"
          aria-activedescendant=${shown && results.length ? `result-${this.active}` : nothing}
          placeholder=${say(script, "search.hint")} .value=${this.query}
          @input=${this.onInput} @keydown=${this.onKey} @focus=${() => {
            this.open = true;
          }}></label>
      <div class="results" ?hidden=${!shown}>
        <p class="count" role="status">${this.total ? say(script, this.total > results.length ? "search.many" : "search.count", this.total, results.length) : say(script, "search.none")}</p>
        <ul id="search-results" role="listbox" aria-label=${say(script, "search.results")}>${results.map((result, index) => this.row(result, index))}</ul>
      </div>
    </search>`;
  }

  /** @param {Result} result @param {number} index */
  row(result, index) {
    const {script} = this;
    const doc = /** @type {Timeline} */ (this.timeline).doc;
    const option = (
      /** @type {unknown} */ inner,
    ) => html`<li role="option" id="result-${index}" aria-selected=${index === this.active ? "true" : "false"}
      @pointerdown=${(/** @type {Event} */ event) => event.preventDefault()} @click=${() => this.choose(index)}>${inner}</li>`;
    if (result.kind === "person") {
      const person = doc.people[result.person];
      return option(
        html`<b>${nameOf(doc, result.person, script)}</b> <small>${say(script, "search.person")} ${person && script === "en" ? html`<span lang="zh-Hant">${doc.words[person.name]}</span>` : nothing}</small>`,
      );
    }
    const clause = doc.clauses[result.clause];
    const section = doc.sections[clause?.section ?? -1];
    const row = doc.events[result.event];
    return option(html`<span class="context" lang=${langOf(script, true)}>${this.marked(wordOf(doc, clause?.text ?? -1, script === "en" ? "hant" : script))}</span>
      ${row ? html`<span class="deed">${nameOf(doc, row.actor, script)} ${worded(doc, row.act, script)} · ${worded(doc, doc.spots[row.spot]?.[2] ?? -1, script)}</span>` : nothing}
      <small>${section?.number} ${section ? (script === "en" ? section.en : wordOf(doc, section.name, script)) : ""} ${
        result.time === null ? say(script, "search.unplayed") : clock(result.time)
      }</small>`);
  }

  /**
   * A text with what was looked for marked, where it stands in it as typed.
   * @param {string} text
   */
  marked(text) {
    const sought = this.query.trim();
    const at = text.indexOf(sought);
    if (at < 0 || !sought) return text;
    return html`${text.slice(0, at)}<mark>${sought}</mark>${text.slice(at + sought.length)}`;
  }

  /** Look for what is typed. */
  find() {
    const {timeline} = this;
    const sought = this.query.trim();
    this.active = 0;
    if (!timeline || !sought) {
      this.results = [];
      this.total = 0;
      return;
    }
    const {doc} = timeline;
    const low = sought.toLowerCase();
    const people = doc.people.flatMap((person, index) => {
      const names = [person.name, person.label, ...person.groups].map((word) => [
        doc.words[word],
        doc.forms.hans[word],
        doc.forms.pinyin[word],
      ]);
      const known = [person.en, ...names.flat()].some((name) => name?.toLowerCase().includes(low));
      return known ? [/** @type {Result} */ ({kind: "person", person: index})] : [];
    });
    const words = timeline.search(sought);
    this.total = people.length + words.length;
    this.results = [
      ...people.slice(0, MOST_PEOPLE),
      ...words.slice(0, MOST).map((found) => /** @type {Result} */ ({kind: "words", ...found})),
    ];
  }

  /** @param {Event} event */
  onInput(event) {
    this.query = /** @type {HTMLInputElement} */ (event.target).value;
    this.open = true;
    clearTimeout(this.waiting);
    this.waiting = window.setTimeout(() => {
      this.waiting = 0;
      this.find();
      this.dispatchEvent(new CustomEvent("search", {detail: this.query, bubbles: true}));
    }, WAIT);
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.isComposing) return;
    const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
    if (step !== undefined && this.results.length) {
      this.active = (this.active + step + this.results.length) % this.results.length;
      this.open = true;
      this.updateComplete.then(() => this.querySelector(`#result-${this.active}`)?.scrollIntoView({block: "nearest"}));
    } else if (event.key === "Enter") {
      clearTimeout(this.waiting);
      if (this.waiting) this.find();
      this.waiting = 0;
      this.choose(this.active);
    } else if (event.key === "Escape" && this.open && this.query) {
      this.open = false;
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {FocusEvent} event */
  onLeave(event) {
    if (!(event.relatedTarget instanceof Node && this.contains(event.relatedTarget))) this.open = false;
  }

  /** @param {number} index */
  choose(index) {
    const result = this.results[index];
    if (!result) return;
    this.open = false;
    const event =
      result.kind === "person"
        ? new CustomEvent("follow", {detail: `p${result.person}`, bubbles: true})
        : new CustomEvent("found", {detail: {clause: result.clause, time: result.time}, bubbles: true});
    this.dispatchEvent(event);
  }
}
customElements.define("yanli-search", YanliSearch);
