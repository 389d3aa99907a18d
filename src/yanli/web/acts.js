/**
 * Acts as rows: number, time, origin, who, what, where, how he stands, what is said, and on what ground.
 *
 * In: a timeline, indexes of events, a script. Out: templates. Buttons carry what they ask for in `data-go` (a time in
 * seconds) and `data-follow` (p or t and an index); the page listens for these in one place.
 */

import {html, nothing} from "lit";
import {upper} from "yanli/timeline.js";
import {canonOf, clock, fullName, langOf, mannerOf, nameOf, numberOf, say, wordOf, zhOf} from "yanli/language.js";

/** @typedef {import("yanli/timeline.js").Timeline} Timeline */
/** @typedef {import("yanli/types.js").StageDoc} StageDoc */
/** @typedef {import("yanli/types.js").EventRow} EventRow */
/** @typedef {import("yanli/types.js").Play} Play */
/** @typedef {import("yanli/language.js").Script} Script */
/** @typedef {{play: Play | null, nth: number, via: number[], events: number[]}} Group  acts of one playing and passage */

/** @typedef {Map<number, string> | null} Signs  by event: how it differs from another performance */

/** So many rows are shown at once; more are asked for. */
export const ROWS = 60;

/**
 * A word of the performance, marked as Chinese where English has none.
 * @param {StageDoc} doc @param {number} index @param {Script} script
 */
export function worded(doc, index, script) {
  if (index < 0) return nothing;
  const text = wordOf(doc, index, script);
  return script === "en" && doc.forms.en[index] === null ? html`<span lang="zh-Hant">${text}</span>` : html`${text}`;
}

/**
 * The sign of an origin: a shape, a word and a colour.
 * @param {StageDoc} doc @param {"text" | "editor" | "inferred"} origin @param {Script} script
 */
function originSign(doc, origin, script) {
  return html`<span class="origin ${origin}">${wordOf(doc, doc.origins[origin], script)}</span>`;
}

/**
 * Who acts, by the office in force.
 * @param {StageDoc} doc @param {EventRow} row @param {Script} script
 */
function actorOf(doc, row, script) {
  const name = nameOf(doc, row.actor, script);
  if (!row.roles?.length) return name;
  const roles = row.roles.map((role) => wordOf(doc, role, script));
  return script === "en" ? (roles.at(-1) ?? name) : `${name}（${roles.join("、")}）`;
}

/**
 * One act. A sign may stand before it (－ 異, where two performances are compared), by its index in `signs`.
 * @param {Timeline} timeline @param {number} index @param {Script} script @param {Signs} signs
 */
function actRow(timeline, index, script, signs) {
  const {doc} = timeline;
  const row = doc.events[index];
  const info = doc.infos[row.info];
  const spot = doc.spots[row.spot];
  const zh = (/** @type {number} */ word) => doc.words[word];
  const manner = mannerOf(doc, row.facing, row.posture, script);
  const step = row.step == null ? "" : ` ${say(script, "act.step", numberOf(row.step, script))}`;
  return html`<li class="act" data-n=${index + 1} data-start=${row.start} data-end=${row.end}
      data-actor=${fullName(doc, row.actor)} data-verb=${zh(info.verb)} data-act=${zh(row.act)}
      data-origin=${info.origin} data-clause=${doc.clauses[row.clause].id} data-place=${zh(spot[2])}
      data-facing=${row.facing} data-posture=${zh(row.posture)}
      ><button class="go" data-go=${row.start} title=${say(script, "act.go")}
        ><span class="n">${index + 1}</span> <time>${clock(row.start)}</time></button
      >${originSign(doc, info.origin, script)}<span class="body">${signs?.has(index) ? html`<b class="sign">${signs.get(index)}</b> ` : nothing}<button
        class="who" data-follow="p${row.actor}">${actorOf(doc, row, script)}</button>
        <span class="what">${worded(doc, row.act, script)}</span>
        <span class="where">${worded(doc, spot[2], script)}${script === "en" ? ", " : "　"}${manner}${step}</span>${remarks(doc, row, script)}</span></li>`;
}

/**
 * What else is to be said of an act: words spoken, music, warrant or reason, reading.
 * @param {StageDoc} doc @param {EventRow} row @param {Script} script
 */
function remarks(doc, row, script) {
  const {music, warrant, reason, reading} = doc.infos[row.info] ?? {};
  const speech = row.speech ?? -1;
  const grounds = /** @type {const} */ ([
    ["act.music", music],
    ["act.warrant", warrant],
    ["act.reason", reason],
    ["act.reading", reading],
  ]);
  const told = grounds.filter(([, word]) => (word ?? -1) >= 0);
  if (speech < 0 && !told.length) return nothing;
  const english = script === "en" ? doc.forms.en[speech] : null;
  return html`<span class="remark">${speech < 0 ? nothing : html`<q class="speech" lang=${langOf(script, true)}>${zhOf(doc, speech, script)}</q>${english ? html` <q>${english}</q>` : nothing} `}${told.map(
    ([key, word]) =>
      html`<span class="ground"><b>${say(script, key)}</b> ${key === "act.reading" ? html`<button class="link" data-crux=${doc.words[word ?? -1]?.split("=")[0]}>${worded(doc, word ?? -1, script)}</button>` : worded(doc, word ?? -1, script)}</span> `,
  )}</span>`;
}

/** What is asked of a timeline again and again, kept: the playings of each clause, and its acts in groups. */
class Kept {
  /** @param {StageDoc} doc */
  constructor(doc) {
    /** @type {Map<number, Play[]>} */
    this.plays = new Map();
    for (const play of doc.plays) {
      if (play.via.length) continue;
      const same = this.plays.get(play.clause);
      if (same) same.push(play);
      else this.plays.set(play.clause, [play]);
    }
    /** @type {Map<number, Group[]>} */
    this.groups = new Map();
  }
}
/** @type {WeakMap<Timeline, Kept>} */
const known = new WeakMap();

/** @param {Timeline} timeline */
function keptOf(timeline) {
  const before = known.get(timeline);
  if (before) return before;
  const fresh = new Kept(timeline.doc);
  known.set(timeline, fresh);
  return fresh;
}

/**
 * The acts of a clause, by playing and by the passages that are played again in it.
 * @param {Timeline} timeline @param {number} clause
 * @returns {Group[]}
 */
function groupsOf(timeline, clause) {
  const kept = keptOf(timeline).groups;
  const before = kept.get(clause);
  if (before) return before;
  const {doc} = timeline;
  const plays = playsOf(timeline, clause);
  /** @type {Group[]} */
  const groups = [];
  for (const index of timeline.clauseEvents(clause)) {
    const row = doc.events[index];
    const nth = nthAt(plays, row.start);
    const via = row.via ?? [];
    const last = groups.at(-1);
    if (last && last.nth === nth && String(last.via) === String(via)) last.events.push(index);
    else groups.push({play: plays[nth - 1] ?? null, nth, via, events: [index]});
  }
  kept.set(clause, groups);
  return groups;
}

/**
 * The playings of a clause in the running text.
 * @param {Timeline} timeline @param {number} clause
 * @returns {Play[]}
 */
export function playsOf(timeline, clause) {
  return keptOf(timeline).plays.get(clause) ?? [];
}

/**
 * Which of some playings (from 1) was the last to begin by a time; the first when none had.
 * @param {Play[]} plays @param {number} time
 */
export function nthAt(plays, time) {
  const after = plays.findIndex((play) => play.start > time + 1e-6);
  return Math.max(1, after < 0 ? plays.length : after);
}

/**
 * What is shown of many acts: ROWS of them about the one in force, and as many more as were asked for.
 * @param {number[]} events @param {number} now the index of the event in force @param {number} extra
 */
function windowOf(events, now, extra) {
  const limit = ROWS + extra;
  const found = events.findIndex((index) => index >= now);
  const at = found < 0 ? events.length - 1 : found;
  const first = Math.max(0, Math.min(at - Math.floor(limit / 3), events.length - limit));
  const shown = events.slice(first, first + limit);
  return {first, shown, rest: events.length - first - shown.length};
}

/**
 * @param {import("yanli/language.js").Key} key @param {number} count @param {Script} script
 */
function more(key, count, script) {
  return count > 0 ? html`<button class="more" data-more>${say(script, key, count)}</button>` : nothing;
}

/**
 * Acts one after another, as a script of one person or the story of one thing.
 * @param {Timeline} timeline @param {number[]} events @param {number} now @param {Script} script
 * @param {{extra?: number, signs?: Signs}} [options]
 */
export function scriptOf(timeline, events, now, script, {extra = 0, signs = null} = {}) {
  const {first, shown, rest} = windowOf(events, now, extra);
  return html`${more("acts.earlier", first, script)}<ol class="acts">${shown.map((index) => actRow(timeline, index, script, signs))}</ol>${more(
    "acts.later",
    rest,
    script,
  )}`;
}

/**
 * All acts of a clause, with headings for its playings and for the passages that are played again in it.
 * @param {Timeline} timeline @param {number} clause @param {number} now @param {Script} script
 * @param {{extra?: number, signs?: Signs}} [options]
 */
export function actsOf(timeline, clause, now, script, {extra = 0, signs = null} = {}) {
  const {doc} = timeline;
  const several = playsOf(timeline, clause).length > 1;
  const groups = groupsOf(timeline, clause);
  const {first, shown, rest} = windowOf(
    groups.flatMap((group) => group.events),
    now,
    extra,
  );
  const kept = new Set(shown);
  let nth = 0;
  const parts = groups.map((group) => {
    const events = group.events.filter((index) => kept.has(index));
    if (!events.length) return nothing;
    const head =
      several && group.play && group.nth !== nth
        ? html`<p class="nth"><button data-go=${group.play.start}>${say(script, "acts.nth", numberOf(group.nth, script), clock(group.play.start))}</button></p>`
        : nothing;
    nth = group.nth;
    const passages = group.via.map((other) => html`<q lang=${langOf(script, true)}>${canonOf(doc, other, script)}</q>`);
    return html`${head}${
      passages.length ? html`<p class="via">${say(script, "acts.via")} ${passages}</p>` : nothing
    }<ol class="acts">${events.map((index) => actRow(timeline, index, script, signs))}</ol>`;
  });
  return html`${more("acts.earlier", first, script)}${parts}${more("acts.later", rest, script)}`;
}

/**
 * The acts in force at a time: those under way, else the last that began.
 * @param {Timeline} timeline @param {number} time
 * @returns {number[]}
 */
export function inForce(timeline, time) {
  const running = timeline.running(time);
  if (running.length) return running;
  const last = lastBegun(timeline, time);
  return last < 0 ? [] : [last];
}

/**
 * The last event that began by a time, or -1.
 * @param {Timeline} timeline @param {number} time
 */
export function lastBegun(timeline, time) {
  return upper(timeline.starts, time + 1e-6) - 1;
}

/** Mark what is in force. @param {Element | null} what @param {boolean} now */
export function lit(what, now) {
  if (now) what?.setAttribute("aria-current", "true");
  else what?.removeAttribute("aria-current");
}
