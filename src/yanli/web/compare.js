/**
 * What differs between the performance and another: as data for the text and the plans, and as the panel that lists it.
 *
 * `Comparison` in: a difference as the server tells it, and both timelines. Out: clauses and acts that differ, and at any
 * moment the people who are otherwise. `<yanli-differences>` lists them; without a comparison it lists the disputes.
 */

import {html, nothing} from "lit";
import {lit} from "yanli/acts.js";
import {icon} from "yanli/icons.js";
import {canonOf, clock, fullName, langOf, listOf, say, textOf, wordOf, zhOf} from "yanli/language.js";
import {clauseAt} from "yanli/moments.js";
import {Part} from "yanli/part.js";

const {round} = Math;

/** @typedef {import("yanli/timeline.js").Timeline} Timeline */
/** @typedef {import("yanli/types.js").PersonState} PersonState */
/** @typedef {import("yanli/supply.js").Difference} Difference */
/** @typedef {import("yanli/supply.js").Act} Act */
/** @typedef {import("yanli/language.js").Script} Script */
/** @typedef {import("yanli/language.js").Key} Key */

const SIGNS = {one: "－", other: "＋", both: "異"};
/** People who stand farther apart than this (尺) stand elsewhere. */
const APART = 0.5;
/** So many lines of one clause are shown; there may be hundreds when numbers differ. */
const MOST = 60;
const MOST_ROWS = 5;

export class Comparison {
  #people;

  /**
   * @param {Difference} difference @param {Timeline} one @param {Timeline} other
   */
  constructor(difference, one, other) {
    this.difference = difference;
    this.one = one;
    this.other = other;
    const ids = new Map(one.doc.clauses.map((clause, index) => [clause.id, index]));
    /** @type {Map<number, Act[]>} the acts that differ, by clause */
    this.clauses = new Map();
    for (const {clause, differences} of difference.clauses) {
      const index = ids.get(clause);
      if (index !== undefined) this.clauses.set(index, differences);
    }
    /** @type {Map<number, string>} the sign of each act of the one that differs */
    this.signs = signsOf(one, this.clauses);
    const theirs = new Map(other.doc.people.map((person, index) => [other.doc.words[person.name], index]));
    /** @type {[number, number][]} people whom both have */
    this.#people = one.doc.people.flatMap((person, index) => {
      const match = theirs.get(one.doc.words[person.name]);
      return match === undefined ? [] : [/** @type {[number, number]} */ ([index, match])];
    });
  }

  /**
   * Who is otherwise at a moment of each, and how; by the index in the one and in the other.
   * @param {number} time @param {number} otherTime @param {Script} script
   * @returns {[Map<number, string>, Map<number, string>]}
   */
  marks(time, otherTime, script) {
    const {one, other} = this;
    const ours = one.at(time).people;
    const theirs = other.at(otherTime).people;
    const word = (/** @type {Timeline} */ {doc}, /** @type {number[]} */ list) =>
      list.map((each) => doc.words[each]).join();
    const kind = (/** @type {Timeline} */ {doc}, /** @type {PersonState} */ {left, right, belt}) =>
      [left, right, belt].map((hand) => hand.map((each) => doc.words[doc.things[each].kind]).join()).join("|");
    /** @type {[Map<number, string>, Map<number, string>]} */
    const found = [new Map(), new Map()];
    for (const [mine, match] of this.#people) {
      const [a, b] = [ours[mine], theirs[match]];
      const [here, there] = [one.doc.spots[a.spot], other.doc.spots[b.spot]];
      /** @type {[Key, boolean][]} */
      const differs = [
        ["mark.place", Math.hypot(here[0] - there[0], here[1] - there[1]) > APART],
        ["mark.facing", Math.abs(((a.facing - b.facing + 540) % 360) - 180) > 1],
        ["mark.posture", word(one, [a.posture]) !== word(other, [b.posture])],
        ["mark.hands", kind(one, a) !== kind(other, b)],
        ["mark.dress", word(one, a.dress) !== word(other, b.dress)],
      ];
      const why = differs.filter(([, is]) => is).map(([key]) => say(script, key));
      if (!why.length) continue;
      found[0].set(mine, listOf(why, script));
      found[1].set(match, listOf(why, script));
    }
    return found;
  }

  /**
   * What differs in a clause, to be read.
   * @param {number} clause @param {Script} script
   */
  rows(clause, script) {
    const acts = this.clauses.get(clause);
    if (!acts) return nothing;
    return html`<ul class="diffs" aria-label=${say(script, "diff.here")}>${acts.slice(0, MOST).map((act) => this.#row(act, script))}${
      acts.length > MOST ? html`<li class="rest">${say(script, "diff.rest", acts.length - MOST)}</li>` : nothing
    }</ul>`;
  }

  /** @param {Act} act @param {Script} script */
  #row(act, script) {
    const doc = act.side === "other" ? this.other.doc : this.one.doc;
    const said = (/** @type {string} */ text, /** @type {Script} */ to) =>
      textOf([this.one.doc, this.other.doc], text, to);
    const names = gathered(act.actors).map(([name, numbers]) =>
      numbers ? `${said(name, script).replace(/ ?\d+$/, "")} ${numbers}` : said(name, script),
    );
    const origin = wordOf(doc, doc.origins[act.origin], script);
    return html`<li class="diff ${act.side}" data-side=${act.side} data-actors=${act.actors.join(" ")}><b class="sign" title=${say(script, `sign.${act.side}.long`)}>${script === "en" && act.side === "both" ? "≠" : SIGNS[act.side]}</b>
      <span class="origin ${act.origin}">${origin}</span> <span class="doers">${listOf(names, script)}</span>
      <span class="what">${act.act.split("　").map((part) => html`${said(part, script)}　`)}${act.times > 1 ? `×${act.times}` : ""}</span>${act.changes.map(
        (change) =>
          html` <span class="change"><i>${say(script, /** @type {Key} */ (`field.${change.field}`))}</i> <del>${said(change.one, script)}</del> → <ins>${said(change.other, script)}</ins></span>`,
      )}</li>`;
  }
}

/**
 * Names with numbers, gathered: 眾賓.1 … 眾賓.5 are 眾賓 1–5; one that stands alone is left as it is.
 * @param {string[]} names
 * @returns {[name: string, numbers: string][]}
 */
function gathered(names) {
  /** @type {Map<string, string[]>} */
  const groups = new Map();
  for (const name of names) {
    const base = name.replace(/\.\d+$/, "");
    groups.set(base, [...(groups.get(base) ?? []), name]);
  }
  return [...groups].flatMap(([base, members]) => {
    if (members.length < 3) return members.map((name) => /** @type {[string, string]} */ ([name, ""]));
    const numbers = members.map((name) => Number(name.slice(base.length + 1))).sort((a, b) => a - b);
    const runs = numbers.reduce((/** @type {[number, number][]} */ found, number) => {
      const last = found.at(-1);
      if (last && number === last[1] + 1) last[1] = number;
      else found.push([number, number]);
      return found;
    }, []);
    return [[base, runs.map(([a, b]) => (a === b ? `${a}` : `${a}–${b}`)).join("、")]];
  });
}

/**
 * The signs of acts, found again by who does what, where and how.
 * @param {Timeline} timeline @param {Map<number, Act[]>} clauses
 */
function signsOf(timeline, clauses) {
  const {doc} = timeline;
  /** @type {Map<number, string>} */
  const signs = new Map();
  for (const [clause, acts] of clauses) {
    for (const index of timeline.clauseEvents(clause)) {
      const row = doc.events[index];
      const spot = doc.spots[row.spot];
      const name = fullName(doc, row.actor);
      const said = doc.words[row.act];
      const found = acts.find(
        (act) =>
          act.actors.includes(name) &&
          (act.side === "both"
            ? act.act === said
            : act.side === "one" && act.act.startsWith(`${said}　${doc.words[spot[2]]}　`)),
      );
      if (found) signs.set(index, SIGNS[found.side]);
    }
  }
  return signs;
}

/**
 * Some rows under a heading; more than a few are folded.
 * @param {string} title @param {string[][]} rows name, the one, the other
 */
function folded(title, rows) {
  if (!rows.length) return nothing;
  return html`<details ?open=${rows.length <= MOST_ROWS}><summary>${title} <small>${rows.length}</small></summary><table><tbody>${rows.map(
    ([name, one, other]) =>
      html`<tr lang="zh-Hant"><th scope="row">${name}</th><td>${one}</td><td>→ ${other}</td></tr>`,
  )}</tbody></table></details>`;
}

class YanliDifferences extends Part {
  static properties = Part.given("timeline", "comparison", "names", "shut");

  constructor() {
    super();
    /** @type {Timeline | null} */
    this.timeline = null;
    /** @type {Comparison | null} */
    this.comparison = null;
    /** @type {[string, string]} what the two are called */
    this.names = ["", ""];
    /** The clause in force. */
    this.current = -1;
    /** No reading can be chosen, as in a single file. */
    this.shut = false;
  }

  /** @param {number} time */
  show(time) {
    if (this.timeline) this.current = clauseAt(this.timeline, time);
    this.mark();
  }

  updated() {
    this.mark();
  }

  /** Mark the clause in force, where it differs. */
  mark() {
    lit(this.bit("[data-differs][aria-current]"), false);
    lit(this.bit(`[data-differs="${this.current}"]`), true);
  }

  render() {
    if (!this.timeline) return nothing;
    return html`<div class="differences" tabindex="0" role="region" aria-label=${say(this.script, "tab.differences")}>${this.comparison ? this.#compared(this.comparison) : this.#cruxes()}</div>`;
  }

  /** @param {Comparison} comparison */
  #compared({difference, clauses}) {
    const {script} = this;
    const {doc} = /** @type {Timeline} */ (this.timeline);
    const number = (/** @type {number} */ value) => round(value).toLocaleString("en");
    const rows = Object.entries(difference.totals).filter(([, [one, other]]) => round(one) !== round(other));
    return html`<div class="sides"><span><b>－</b> ${this.names[0]}</span><span><b>＋</b> ${this.names[1]}</span></div>
      <div class="tools"><button data-difference="-1">${icon("clause", true)}${say(script, "diff.last")}</button>
        <button data-difference="1">${say(script, "diff.next")}${icon("clause")}</button>
        <button class="plain" data-command="uncompare">${icon("close")}${say(script, "diff.leave")}</button></div>
      ${folded(
        say(script, "diff.cruxes"),
        difference.cruxes.map((crux) => [crux.crux, crux.one.join("、") || "—", crux.other.join("、") || "—"]),
      )}
      ${folded(
        say(script, "diff.totals"),
        rows.map(([name, [one, other]]) => [name, number(one), number(other)]),
      )}
      <details><summary>${say(script, "diff.disputes", doc.choices.cruxes.length)}</summary>${this.disputes()}</details>
      <h3>${say(script, "diff.clauses", clauses.size)}</h3>
      ${clauses.size ? nothing : html`<p>${say(script, "diff.none")}</p>`}
      <ol class="clauses">${[...clauses.keys()].map(
        (index) => html`<li data-differs=${index}>
        <button class="words" lang=${langOf(script, true)} data-differs-go=${index}><small>${doc.clauses[index]?.id}</small> ${canonOf(doc, index, script)}</button>
        ${this.comparison?.rows(index, script)}</li>`,
      )}</ol>`;
  }

  /** The disputes of this rite, each with what else could be followed. */
  #cruxes() {
    const {script} = this;
    const {doc} = /** @type {Timeline} */ (this.timeline);
    return html`<p class="hint">${say(script, "diff.hint")}</p>
      <div class="tools"><button data-command="compare">${icon("compare")}${say(script, "pick.against")}</button></div>
      <h3>${say(script, "diff.disputes", doc.choices.cruxes.length)}</h3>
      ${this.disputes()}`;
  }

  disputes() {
    const {script} = this;
    const {doc} = /** @type {Timeline} */ (this.timeline);
    return html`<ol class="cruxes">${doc.choices.cruxes.map((crux) => {
      const chosen = doc.settings.chosen[crux.name] ?? [];
      return html`<li tabindex="-1" data-dispute=${crux.name}><b lang="zh-Hant">${crux.name}</b> ${crux.question >= 0 ? html`<span lang=${langOf(script, true)}>${zhOf(doc, crux.question, script)}</span>` : nothing}
          <div class="readings">${crux.readings.map(({names}) => {
            const own = names.some((name) => chosen.includes(name));
            return html`<span class="reading ${own ? "own" : ""}"><span lang=${langOf(script, true)}>${names.join("、")}</span>${
              own
                ? html` <small>${say(script, "diff.followed")}</small>`
                : this.shut
                  ? nothing
                  : html` <button data-rival=${`${crux.name}=${names[0]}`}>${say(script, "diff.against")}</button>`
            }</span>`;
          })}${crux.clauses.length ? html`<span class="at">${crux.clauses.slice(0, 3).map((index) => this.#place(index))}</span>` : nothing}</div></li>`;
    })}</ol>`;
  }

  /** @param {number} index a clause */
  #place(index) {
    const {script} = this;
    const {doc} = /** @type {Timeline} */ (this.timeline);
    const play = doc.plays.find((each) => each.clause === index);
    const words = canonOf(doc, index, script);
    return play
      ? html`<button class="link" lang=${langOf(script, true)} title=${clock(play.start)} data-go=${play.start}>「${words}」</button>`
      : html`<span lang=${langOf(script, true)}>「${words}」</span>`;
  }
}
customElements.define("yanli-differences", YanliDifferences);
