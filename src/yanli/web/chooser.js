/**
 * `<yanli-chooser>`: everything that can be chosen of a performance: numbers, officers, building, fates, school, readings.
 *
 * In: the performance that is shown (`doc`), what was chosen (`choosing`), faults of the last wish, whether one is under
 * way. Out: `choose` events with the whole choice at every change; what is shown stays until the new one is there.
 */

import {html, nothing} from "lit";
import {worded} from "yanli/acts.js";
import {icon} from "yanli/icons.js";
import {canonOf, langOf, say, textOf, wordOf, zhOf} from "yanli/language.js";
import {nothingSet} from "yanli/link.js";
import {Part} from "yanli/part.js";

/** @typedef {import("yanli/types.js").StageDoc} StageDoc */
/** @typedef {import("yanli/types.js").Choosing} Choosing */
/** @typedef {import("yanli/types.js").Choice} Choice */
/** @typedef {import("yanli/types.js").Crux} Crux */
/** @typedef {import("yanli/supply.js").Fault} Fault */
/** @typedef {"numbers" | "officers" | "building" | "fates"} Group */

const GROUPS = /** @type {Group[]} */ (["numbers", "officers", "building", "fates"]);
/** Keys whose type does not say in which group they belong. */
const PLACED = new Map(
  /** @type {[string, Group][]} */ ([
    ["所", "building"],
    ["勝", "fates"],
  ]),
);
/** So long is waited for the next sign that is typed. */
const WAIT = 450;

export class YanliChooser extends Part {
  static properties = Part.given("doc", "choosing", "faults", "busy", "against", "held", "offline", "shown");

  #waiting = 0;

  constructor() {
    super();
    /** @type {StageDoc | null} */
    this.doc = null;
    /** @type {Choosing} */
    this.choosing = nothingSet();
    /** @type {Fault[]} */
    this.faults = [];
    this.busy = false;
    /** What is chosen is the performance that stands against the first. */
    this.against = false;
    /** @type {Choosing[]} in a single file: what it holds */
    this.held = [];
    this.offline = false;
    this.shown = false;
  }

  get #dialog() {
    return /** @type {HTMLDialogElement | null} */ (this.bit("dialog"));
  }

  open() {
    this.shown = true;
    this.updateComplete.then(() => {
      if (!this.#dialog?.open) this.#dialog?.show();
      this.bit("h2")?.focus();
    });
  }

  close() {
    this.#dialog?.close();
    this.shown = false;
  }

  render() {
    const {script, doc} = this;
    const title = say(script, this.against ? "pick.against" : "pick.name");
    return html`<dialog class="drawer" aria-labelledby="chooser-title" @close=${() => {
      this.shown = false;
      this.dispatchEvent(new Event("shut"));
    }}>
      ${
        this.shown && doc
          ? html`<div class="top"><h2 id="chooser-title" tabindex="-1">${title}</h2>
        <span class="busy" role="status">${this.busy ? say(script, "pick.busy") : ""}</span>
        <button class="plain" title=${say(script, "app.close")} @click=${this.close}>${icon("close")}</button></div>
        <div class="body">${this.offline ? this.#alone() : this.#form(doc)}</div>`
          : html`<h2 id="chooser-title" hidden>${title}</h2>`
      }
    </dialog>`;
  }

  /** What can be done in a single file. */
  #alone() {
    const {script, doc, held} = this;
    const name = doc?.rite.slug ?? "";
    return html`<p>${say(script, held.length > 1 ? "pick.held.several" : "pick.held.one")}</p>
      ${held.length > 1 ? html`<ul class="held">${held.map((each) => html`<li><button aria-pressed=${this.#same(each)} @click=${() => this.#send(each)}>${this.#told(each)}</button></li>`)}</ul>` : nothing}
      ${held.length > 1 ? html`<p>${say(script, "pick.held.how")}</p>` : nothing}<pre><code>yanli stage ${name} --set 大夫=2 --school 敖繼公 -o my.html
yanli serve</code></pre>`;
  }

  /** @param {Choosing} choosing */
  #told(choosing) {
    return toldOf(choosing) || say(this.script, "pick.default");
  }

  /** @param {Choosing} choosing */
  #same(choosing) {
    return (
      JSON.stringify([choosing.set, choosing.school, choosing.readings]) ===
      JSON.stringify([this.choosing.set, this.choosing.school, this.choosing.readings])
    );
  }

  /** @param {StageDoc} doc */
  #form(doc) {
    const {script, choosing} = this;
    const {keys, cruxes, schools} = doc.choices;
    const apart = this.faults.filter(
      (fault) => !keys.some(({key}) => concerns(fault, key)) && !cruxes.some(({name}) => fault.cause.includes(name)),
    );
    const changed = Object.keys(choosing.readings).length;
    return html`${apart.length ? html`<div class="faults" role="alert">${apart.map((fault) => this.#fault(fault, null))}</div>` : nothing}
      <p class="tools"><button @click=${() => this.#send(nothingSet())} ?disabled=${!toldOf(choosing)}>${say(script, "pick.reset")}</button></p>
      ${GROUPS.map((group) => {
        const found = keys.filter((choice) => groupOf(choice) === group);
        return found.length
          ? html`<fieldset><legend>${say(script, `pick.${group}`)}</legend>${found.map((choice) => this.#field(doc, choice))}</fieldset>`
          : nothing;
      })}
      <fieldset><legend>${say(script, "pick.readings")}</legend>
        <div class="field ${choosing.school ? "changed" : ""}"><label for="choose-school">${say(script, "pick.school")}</label>
          <select id="choose-school" @change=${(/** @type {Event} */ event) => this.#send({...choosing, school: value(event) || null})}>
            <option value="" .selected=${!choosing.school}>${say(script, "pick.noschool")}</option>
            ${schools.map((school) => html`<option value=${school} .selected=${school === choosing.school}>${textOf([doc], school, script)}</option>`)}</select></div>
        <details><summary>${say(script, "pick.cruxes", cruxes.length)}${changed ? html` <small class="changed-count">${say(script, "pick.changed", changed)}</small>` : nothing}</summary>
          ${cruxes.map((crux, index) => this.#crux(doc, crux, index))}</details>
      </fieldset>`;
  }

  /** @param {StageDoc} doc @param {Choice} choice */
  #field(doc, choice) {
    const {script, choosing} = this;
    const {key} = choice;
    const given = choosing.set[key];
    const id = `choose-${key}`;
    const faults = this.faults.filter((fault) => concerns(fault, key));
    const inForce = doc.settings.values[key] ?? choice.default ?? measureOf(doc, key);
    const about = `${id}-about`;
    let input;
    if (choice.values.length) {
      const now = given ?? doc.settings.values[key] ?? choice.default ?? "";
      input = html`<select id=${id} aria-describedby=${about} @change=${(/** @type {Event} */ event) => this.#set(key, value(event))}>
        ${now === "" || choice.default === null ? html`<option value="" .selected=${given === undefined}>${say(script, "pick.follows")}</option>` : nothing}
        ${choice.values.map((each) => html`<option value=${each} .selected=${String(now) === each && (given !== undefined || choice.default !== null)}>${textOf([doc], each, script === "en" ? "en" : script)}</option>`)}</select>`;
    } else {
      const number = ["count", "number", "seed"].includes(choice.type);
      input = html`<input id=${id} type=${number ? "number" : "text"} inputmode=${number ? "numeric" : "text"} autocomplete="off"
        aria-describedby=${about} aria-invalid=${faults.length ? "true" : nothing} min=${choice.min ?? (number ? 0 : nothing)} max=${choice.max ?? nothing}
        placeholder=${String(inForce ?? "")} .value=${given ?? (number ? String(inForce ?? "") : "")}
        @input=${(/** @type {Event} */ event) => this.#later(() => this.#set(key, value(event)))}
        @change=${(/** @type {Event} */ event) => this.#set(key, value(event))}>`;
    }
    return html`<div class="field ${given === undefined ? "" : "changed"}" data-key=${key}>
      <label for=${id} lang=${langOf(script, true)}>${textOf([doc], key, script === "en" ? "hant" : script)}</label>
      <span class="entry">${input}${given === undefined ? nothing : html`<button class="plain undo" title=${say(script, "pick.undo", key)} @click=${() => this.#set(key, "")}>↺</button>`}</span>
      <p id=${about} class="about">${script === "en" ? choice.en : wordOf(doc, choice.zh, script)}${choice.source >= 0 ? html` <small class="source">${worded(doc, choice.source, script)}</small>` : nothing}${
        choice.min !== null || choice.max !== null
          ? html` <small>${say(script, "pick.bounds", choice.min ?? 0, choice.max ?? "…")}</small>`
          : nothing
      }</p>
      ${faults.length ? html`<div class="faults" role="alert">${faults.map((fault) => this.#fault(fault, choice))}</div>` : nothing}
    </div>`;
  }

  /** @param {StageDoc} doc @param {Crux} crux @param {number} index */
  #crux(doc, crux, index) {
    const {script, choosing} = this;
    const given = choosing.readings[crux.name];
    const chosen = doc.settings.chosen[crux.name] ?? [];
    const first = crux.readings[0]?.names ?? [];
    const faults = this.faults.filter((fault) => fault.cause.includes(crux.name));
    const differs = chosen.length > 0 && !first.some((name) => chosen.includes(name));
    const id = `crux-${index}`;
    return html`<div class="field crux ${given !== undefined || differs ? "changed" : ""}" data-crux=${crux.name}>
      <label for=${id} lang=${langOf(script, true)}>${textOf([doc], crux.name, script === "en" ? "hant" : script)}</label>
      <span class="entry"><select id=${id} @change=${(/** @type {Event} */ event) => this.#read(crux.name, value(event))}>
        <option value="" .selected=${given === undefined}>${say(script, "pick.asdefault", chosen.join("、") || first.join("、"))}</option>
        ${crux.readings.map(({names}) => html`<option value=${names[0]} .selected=${given !== undefined && names.includes(given)}>${names.join("、")}</option>`)}</select></span>
      <p class="about" lang=${langOf(script, true)}>${crux.question >= 0 ? zhOf(doc, crux.question, script) : nothing}
        ${crux.clauses.slice(0, 2).map((clause) => html` <q>${canonOf(doc, clause, script)}</q>`)}
        ${differs ? html` <small class="changed-count" lang=${langOf(script)}>${say(script, "pick.differs")}</small>` : nothing}</p>
      ${faults.length ? html`<div class="faults" role="alert">${faults.map((fault) => this.#fault(fault, null))}</div>` : nothing}
    </div>`;
  }

  /** @param {Fault} fault @param {Choice | null} choice where it was chosen */
  #fault(fault, choice) {
    const {script} = this;
    const wish = choice ? Number(this.choosing.set[choice.key]) : Number.NaN;
    // The fault tells the bounds: those of a count are not the rite's.
    const [, low, high] = /(\d+) to (\d+)/.exec(fault.cause) ?? [];
    const bound =
      Number.isFinite(wish) && high ? [String(Math.round(Math.min(Math.max(wish, Number(low)), Number(high))))] : [];
    const near = fault.nearest?.length ? fault.nearest : bound;
    return html`<p class="fault">${say(script, "pick.fault")} ${fault.cause}${
      near.length
        ? html`<span class="near"> ${say(script, "app.nearest")} ${near.map((each) =>
            choice
              ? html`<button @click=${() => this.#set(choice.key, each)}>${each}</button> `
              : html`<b>${each}</b> `,
          )}</span>`
        : nothing
    }</p>`;
  }

  /** @param {string} key @param {string} value "" takes it back */
  #set(key, value) {
    clearTimeout(this.#waiting);
    const set = {...this.choosing.set};
    const choice = this.doc?.choices.keys.find((each) => each.key === key);
    if (value.trim() === "" || (choice?.default !== null && String(choice?.default) === value.trim())) delete set[key];
    else set[key] = value.trim();
    if (set[key] !== this.choosing.set[key]) this.#send({...this.choosing, set});
  }

  /** @param {string} crux @param {string} reading "" takes it back */
  #read(crux, reading) {
    const readings = {...this.choosing.readings};
    if (reading) readings[crux] = reading;
    else delete readings[crux];
    this.#send({...this.choosing, readings});
  }

  /** @param {() => void} act */
  #later(act) {
    clearTimeout(this.#waiting);
    this.#waiting = window.setTimeout(act, WAIT);
  }

  /** @param {Choosing} choosing */
  #send(choosing) {
    this.choosing = {set: choosing.set, school: choosing.school, readings: choosing.readings};
    this.emit("choose", this.choosing);
  }
}

/** @param {Event} event @returns {string} */
function value(event) {
  return /** @type {HTMLInputElement | HTMLSelectElement} */ (event.target).value;
}

/** @param {Choice} choice @returns {Group} */
function groupOf({key, type}) {
  const placed = PLACED.get(key);
  if (placed) return placed;
  if (type === "count" || type === "number") return "numbers";
  if (type === "measure") return "building";
  return type === "seed" ? "fates" : "officers";
}

/**
 * A measure in force, as it may be written.
 * @param {StageDoc} doc @param {string} key
 */
function measureOf(doc, key) {
  const chi = doc.building.measures[key];
  return chi === undefined ? undefined : `${Math.round(chi * 1000) / 1000}尺`;
}

/** @param {Fault} fault @param {string} key */
function concerns(fault, key) {
  return fault.cause.startsWith(key) && !/^[\u3400-\u9fff]/.test(fault.cause.slice(key.length));
}

/**
 * What was chosen, in one line; "" when nothing was.
 * @param {Choosing} choosing
 */
export function toldOf(choosing) {
  return [
    choosing.school ?? "",
    ...Object.entries(choosing.readings).map(([crux, reading]) => `${crux}＝${reading}`),
    ...Object.entries(choosing.set).map(([key, each]) => `${key}＝${each}`),
  ]
    .filter(Boolean)
    .join(" ");
}
customElements.define("yanli-chooser", YanliChooser);
