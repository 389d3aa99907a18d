/**
 * The two small dialogs: how the page looks and in what script it speaks; and the help, which lists every key.
 *
 * In: a script and the state of the page. Out: templates; changes go to the function that is given.
 */

import {html} from "lit";
import {icon} from "yanli/icons.js";
import {KEYS} from "yanli/keys.js";
import {say} from "yanli/language.js";
import {WORDS} from "yanli/link.js";

/** @typedef {import("yanli/types.js").Link} Link */
/** @typedef {import("yanli/language.js").Script} Script */
/** @typedef {import("yanli/language.js").Key} Key */

/** Scripts are named in themselves. */
const SCRIPTS = /** @type {const} */ ([
  ["hant", "繁體", "zh-Hant"],
  ["hans", "简体", "zh-Hans"],
  ["en", "English", "en"],
]);
const LOOKS = /** @type {const} */ (["ruby", "writing", "theme"]);

/** @param {Event} event */
function shut(event) {
  /** @type {Element} */ (event.currentTarget).closest("dialog")?.close();
}

/** @param {MouseEvent} event a click beside a dialog closes it */
function beside(event) {
  if (event.target instanceof HTMLDialogElement) event.target.close();
}

/** @param {Script} script @param {string} id @param {Key} title */
function head(script, id, title) {
  return html`<div class="top"><h2 id=${id}>${say(script, title)}</h2><button class="plain" title=${say(script, "app.close")} @click=${shut}>${icon("close")}</button></div>`;
}

/**
 * @param {Script} script @param {Link} link @param {(change: Partial<Link>) => void} change
 */
export function lookDialog(script, link, change) {
  const choice = (
    /** @type {string} */ name,
    /** @type {string} */ value,
    /** @type {unknown} */ words,
    lang = "",
  ) => html`<label class="choice"><input type="radio" name=${name} value=${value}
    .checked=${link[/** @type {keyof Link} */ (name)] === value} @change=${() => change({[name]: value})}><span lang=${lang || (script === "en" ? "en" : "zh")}>${words}</span></label>`;
  return html`<dialog id="look" class="small" aria-labelledby="look-title" @click=${beside}><div>${head(script, "look-title", "look.name")}
    <fieldset><legend>${say(script, "look.script")}</legend>${SCRIPTS.map(([value, words, lang]) => choice("script", value, words, lang))}</fieldset>
    ${LOOKS.map((name) => html`<fieldset><legend>${say(script, `look.${name}`)}</legend>${WORDS[name].map((value) => choice(name, value, say(script, /** @type {Key} */ (`look.${value}`))))}</fieldset>`)}
  </div></dialog>`;
}

/**
 * @param {Script} script
 */
export function helpDialog(script) {
  const signs = /** @type {const} */ (["text", "editor", "inferred"]);
  return html`<dialog id="help" aria-labelledby="help-title" @click=${beside}><div>${head(script, "help-title", "help.name")}
    <div class="body"><p>${say(script, "help.what")}</p>
    <h3>${say(script, "help.origins")}</h3>
    <dl class="signs">${signs.map((origin) => html`<div><dt><span class="origin ${origin}">${say(script, `from.${origin}`)}</span></dt><dd>${say(script, `from.${origin}.long`)}</dd></div>`)}</dl>
    <h3>${say(script, "help.drawn")}</h3><p>${say(script, "help.drawn.long")}</p>
    <h3>${say(script, "help.keys")}</h3>
    <dl class="keys">${KEYS.map(([, keys, key]) => html`<div><dt>${keys.map((each) => html`<kbd>${each}</kbd>`)}</dt><dd>${say(script, key)}</dd></div>`)}</dl>
    <h3>${say(script, "help.mouse")}</h3><p>${say(script, "help.mouse.long")}</p></div>
  </div></dialog>`;
}
