/**
 * What the works of a store say of a clause: old notes, how words are read, the subcommentary, those who came later, the
 * oldest first, translations, variants; each with who says it and where it stands.
 *
 * In: notes as `yanli.render.staging_notes` writes them, a clause, a script, what the reader wants to see. Out: templates.
 */

import {html, nothing} from "lit";
import {canonOf, langOf, listOf, say} from "yanli/language.js";

/** @typedef {import("yanli/types.js").NotesDoc} NotesDoc */
/** @typedef {import("yanli/types.js").Note} Note */
/** @typedef {import("yanli/types.js").NotePlace} NotePlace */
/** @typedef {import("yanli/types.js").StageDoc} StageDoc */
/** @typedef {import("yanli/language.js").Script} Script */

/** The layers in the order of `note.layers`; then what is none of these, variants, and what refers to the clause. */
const LAYERS = ["注", "音", "疏", "論案", "譯"];
const VARIANTS = LAYERS.length + 1;
const REFERENCES = VARIANTS + 1;
/** So many of one layer are shown; the rest is folded. */
const FEW = 3;
/** So many characters say which clause, and how the words of a copy differ. */
const BRIEF = 9;
const LONG = 30;
/** What is less sure than this is marked. */
const UNSURE = 0.6;

export class Notes {
  /** @param {NotesDoc} data @param {StageDoc} doc the performance beside which they are shown */
  constructor(data, doc) {
    this.data = data;
    this.doc = doc;
    this.clauses = new Map(data.clauses.map((each) => [each.clause, each]));
  }

  /**
   * What may be chosen: layers and works, each a value and its name.
   * @param {Script} script @returns {string[][]}
   */
  choices(script) {
    const {notes, works} = this.data;
    const held = new Set(notes.map(layerOf)).add(VARIANTS).add(REFERENCES);
    return [
      ["", say(script, "note.all")],
      ...layers(script)
        .map((name, index) => [`l${index}`, name])
        .filter((_, index) => held.has(index)),
      ...works.map(({title, name}, index) => [`w${index}`, `《${title}》${name}`]),
    ];
  }

  /**
   * What is said of a clause.
   * @param {number} clause @param {Script} script @param {string} chosen one of the choices
   * @param {boolean} paper nothing is folded, and what is about several clauses is told at the first of them only
   */
  under(clause, script, chosen, paper) {
    const {data, doc} = this;
    const {id} = doc.clauses[clause];
    const {notes = [], after = [], at = id, variants = [], references = []} = this.clauses.get(id) ?? {};
    const told = layers(script).map((name, index) => {
      const whole = !chosen || chosen === `l${index}`;
      const rowsOf = (/** @type {number[]} */ numbers, /** @type {string} */ under) =>
        numbers
          .map((number) => data.notes[number])
          .filter(
            (note) =>
              layerOf(note) === index &&
              (whole || note.places.some(({work}) => chosen === `w${work}`)) &&
              !(paper && note.first !== id),
          )
          .map((note) => this.#note(note, under, script));
      const rows =
        index < VARIANTS
          ? rowsOf(notes, id)
          : !whole
            ? []
            : index === VARIANTS
              ? variants.map((number) => this.#variant(number, script))
              : references.map((number) => this.#note(data.notes[number], id, script));
      const behind = index ? [] : rowsOf(after, at);
      const few = paper ? rows.length : FEW;
      const rest = rows.splice(few);
      return rows.length + behind.length
        ? html`<h4>${name}</h4>${rows}${
            rest.length
              ? html`<details><summary>${say(script, "diff.rest", rest.length)}</summary>${rest}</details>`
              : nothing
          }${behind.length ? html`<p class="why">${say(script, "note.after", this.#words(at))}</p>${behind}` : nothing}`
        : "";
    });
    return html`<div class="notes">${paper || told.some((each) => each) ? told : say(script, "note.none")}</div>`;
  }

  /** @param {Note} note @param {string} id of the clause under which it is told @param {Script} script */
  #note({layer, speaker = -1, text, first, last, confidence = 1, places}, id, script) {
    const who = this.data.speakers[speaker];
    const about =
      first === last && last === id
        ? ""
        : ` ${say(script, "note.on", [...new Set([first, last])].map((each) => this.#words(each)).join("」–「"))}`;
    const doubt = confidence < UNSURE ? ` ${say(script, "note.doubt")}` : "";
    const [place, ...others] = places.map((each) => this.#place(each, script));
    return html`<p class="note" lang="zh-Hant"><b>${who?.name ?? layer}</b>${who?.era ? html`<small>〔${who.era}〕</small>` : nothing}　${text}<small
      lang=${langOf(script)}>${about}${doubt}</small></p>${
        others.length
          ? html`<details class="places"><summary>${place} · ${say(script, "diff.rest", others.length)}</summary>${others.map((other) => html`<p>${other}</p>`)}</details>`
          : html`<p class="places">${place}</p>`
      }`;
  }

  /** A work, the place in it, who quotes it there, how it differs. @param {NotePlace} place @param {Script} script */
  #place({work, page, line, quoted_by: by = [], changes = [], emended = []}, script) {
    const {title, name} = this.data.works[work];
    return html`<span title=${name}><span lang="zh-Hant">《${title}》</span>${page ? say(script, "note.page", page) : say(script, "note.line", line)}${
      by.length ? ` ${say(script, "note.by", listOf(by, script))}` : nothing
    }${changes.map(({words, reading}) => changed(words, reading, script))}${emended.map(
      ({found, words, reviewer}) => html` 校 ${reviewer}${changed(found, words, script)}`,
    )}</span>`;
  }

  /** @param {number} number @param {Script} script */
  #variant(number, script) {
    const {kind, words, reading, witnesses, note = ""} = this.data.variants[number];
    return html`<p class="note" lang="zh-Hant"><b>${kind}</b>${changed(words, reading, script)} <small>${witnesses.join("、")} ${note}</small></p>`;
  }

  /** The first words of a clause. @param {string} id */
  #words(id) {
    const {doc} = this;
    const words = canonOf(
      doc,
      doc.clauses.findIndex((each) => each.id === id),
      "hant",
    );
    return brief(words, BRIEF);
  }
}

/** @param {Script} script */
function layers(script) {
  return say(script, "note.layers").split(/、|, /);
}

/** @param {Note} note */
function layerOf({layer}) {
  const found = LAYERS.findIndex((each) => each.includes(layer));
  return found < 0 ? LAYERS.length : found;
}

/** @param {string} words @param {string} reading @param {Script} script */
function changed(words, reading, script) {
  const [one, other] = [words, reading].map((each) => brief(each, LONG) || say(script, "who.nothing"));
  return html` <span class="change"><del>${one}</del> → <ins>${other}</ins></span>`;
}

/** @param {string} text @param {number} most */
function brief(text, most) {
  const signs = [...text];
  return signs.length > most ? `${signs.slice(0, most).join("")}…` : text;
}
