/**
 * The large parts of the page as templates: its head, the stage, the panel. In: the page and what it plays. Out: templates.
 */

import {html, nothing} from "lit";
import {icon} from "yanli/icons.js";
import {say, wordOf} from "yanli/language.js";
import {followed, sectionName} from "yanli/moments.js";

/** @typedef {import("yanli/app.js").YanliApp} YanliApp */
/** @typedef {import("yanli/app.js").Tab} Tab */
/** @typedef {import("yanli/session.js").Session} Session */
/** @typedef {import("yanli/keys.js").Command} Command */
/** @typedef {import("yanli/language.js").Key} Key */
/** @typedef {import("yanli/timeline.js").Timeline} Timeline */

export const TABS = /** @type {Tab[]} */ (["text", "people", "differences"]);

/** The head of the page. @param {YanliApp} app @param {Timeline} one @param {unknown} busy */
export function headerOf(app, one, busy) {
  const {session, script} = app;
  const {doc} = one;
  const {rites} = /** @type {Session} */ (session);
  const name = script === "en" ? doc.rite.en : wordOf(doc, doc.rite.name, script);
  const tool = (
    /** @type {Key} */ key,
    /** @type {Parameters<typeof icon>[0]} */ picture,
    /** @type {Command | "compare" | "link"} */ command,
    pressed = "",
  ) => html`<button class="tool" data-command=${command}
    aria-pressed=${pressed || nothing} title=${say(script, key)}>${icon(picture)}<span>${say(script, key)}</span></button>`;
  return html`<header @click=${app.onClick}>${busy}
    <div class="brand"><span class="seal" lang="zh-Hant" aria-hidden="true">演禮</span>
      <h1>${
        rites.length > 1
          ? html`<label><span class="unseen">${say(script, "app.rite")}</span><select @change=${app.onRite}>${rites.map((rite) => html`<option value=${rite.slug} .selected=${rite.slug === doc.rite.slug}>${script === "en" ? rite.en : rite.name}</option>`)}</select></label>`
          : html`${name}${script === "en" ? html` <span class="zh" lang="zh-Hant">${doc.words[doc.rite.name]}</span>` : nothing}`
      }</h1>${/** @type {Session} */ (session).supply.offline ? html`<small class="told" title=${app.names()[0]}>${app.names()[0]}</small>` : nothing}</div>
    <label class="section"><span class="unseen">${say(script, "app.section")}</span>
      <select @change=${app.onSection}>${doc.sections.map((section, index) => html`<option value=${index} ?disabled=${section.start === null}>${sectionName(one, index, script)}</option>`)}</select></label>
    <yanli-search .timeline=${one} .script=${script} .query=${app.link.search} @search=${(/** @type {CustomEvent} */ event) => app.look({search: event.detail})}
      @found=${app.onFound} @follow=${app.onFollow}></yanli-search>
    <nav class="tools" aria-label=${say(script, "app.tools")}>
      ${tool("pick.name", "choose", "choose")}${tool("vs.name", "compare", "compare", String(session?.comparison !== null))}
      ${app.link.view === "plan" && !app.deepens ? nothing : html`<span class="views" role="group" aria-label=${say(script, "view.name")}>${(/** @type {const} */ (["plan", "depth"])).map((view) => html`<button class="tool" data-view=${view} aria-pressed=${app.link.view === view} title=${say(script, `view.${view}.long`)}><span>${say(script, `view.${view}`)}</span></button>`)}</span>`}
      ${tool("look.name", "look", "look")}${tool("url.copy", "link", "link")}${tool("help.name", "help", "help")}
    </nav>
  </header>`;
}

/** The plan or the view in depth; two of them where two performances are compared. @param {YanliApp} app @param {Timeline} one */
export function stageOf(app, one) {
  const session = /** @type {Session} */ (app.session);
  const {script} = app;
  const {other} = session;
  const names = app.names();
  const deep = app.link.view === "depth";
  const view = (/** @type {Timeline} */ timeline, /** @type {"one" | "other"} */ side) =>
    deep && app.depth === "here"
      ? html`<yanli-depth data-side=${side} .timeline=${timeline} .settings=${app.settings()} .follow=${app.link.follow} .eye=${app.link.eye} @pick=${(/** @type {CustomEvent} */ event) => app.onPick(event, timeline)} @eye=${app.onEye}></yanli-depth>`
      : html`<yanli-plan data-side=${side} .timeline=${timeline} .settings=${app.settings()} .follow=${app.link.follow} .camera=${app.link.camera} .twin=${() => app.querySelector(`yanli-plan:not([data-side=${side}])`)} @pick=${(/** @type {CustomEvent} */ event) => app.onPick(event, timeline)} @camera=${app.onCamera}></yanli-plan>`;
  return html`<section class="stage ${other ? "two" : ""}" aria-label=${say(script, deep ? "view.depth.long" : "view.plan.long")}>
    ${deep && app.depth === "coming" ? html`<p class="notice" role="status">${say(script, "view.coming")}</p>` : nothing}
    ${deep && app.depth === "lacking" ? html`<p class="notice" role="status">${say(script, "view.lacking")}</p>` : nothing}
    <div class="side">${other ? html`<h2><b>－</b> ${names[0]}</h2>` : nothing}${view(one, "one")}</div>
    ${other ? html`<div class="side"><h2><b>＋</b> ${names[1]} <button class="plain" data-command="rechoose">${icon("choose")}${say(script, "vs.change")}</button></h2>${view(other, "other")}</div>` : nothing}
  </section>`;
}

/** The panel with its tabs. @param {YanliApp} app @param {Timeline} one */
export function panelOf(app, one) {
  const session = /** @type {Session} */ (app.session);
  const {script} = app;
  const {tab, ruby, writing, view, eye, notes} = app.link;
  const {comparison} = session;
  const panel = (/** @type {Tab} */ each, /** @type {unknown} */ inner) =>
    html`<div role="tabpanel" id="panel-${each}" aria-labelledby="tab-${each}" ?hidden=${tab !== each}><h2 class="unseen">${say(script, `tab.${each}`)}</h2>${inner}</div>`;
  return html`<aside class="panel" aria-label=${say(script, "app.panel")}>
    <div class="tabs"><div role="tablist" aria-label=${say(script, "app.panel")} @keydown=${app.onTabKey}>${TABS.map(
      (each) => html`<button role="tab" id="tab-${each}" data-tab=${each} aria-controls="panel-${each}"
      aria-selected=${tab === each} tabindex=${tab === each ? 0 : -1}>${say(script, `tab.${each}`)}${each === "differences" && comparison ? html` <small>${comparison.clauses.size}</small>` : nothing}</button>`,
    )}</div>
      <button class="plain enlarge" aria-expanded=${app.large} title=${say(script, "app.enlarge")} @click=${() => {
        app.large = !app.large;
      }}>${icon(app.large ? "down" : "up")}</button></div>
    ${panel("text", html`<yanli-text .timeline=${one} .script=${script} .ruby=${ruby} .writing=${writing} .comparison=${comparison} .reduced=${app.still.matches} .ask=${session.supply.notes} .noted=${notes === "on"} @noted=${(/** @type {CustomEvent} */ event) => app.look({notes: event.detail})}></yanli-text>`)}
    ${panel("people", html`<yanli-people .timeline=${one} .script=${script} .follow=${followed(one, app.link.follow)} .view=${view} .eye=${eye} .signs=${comparison?.signs ?? null}></yanli-people>`)}
    ${panel("differences", html`<yanli-differences .timeline=${one} .script=${script} .comparison=${comparison} .names=${app.names()} .shut=${session.supply.offline}></yanli-differences>`)}
  </aside>`;
}
