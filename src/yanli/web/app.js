/**
 * `<yanli-app>`: the page. It lays the parts out, hands each what it needs, and hears what they ask for.
 *
 * In: a supply of performances (`start`). Out: nothing but the page; its state is in the address. All parts stand in the
 * document itself, so that one style and one printout serve them; buttons say what they want in `data-` attributes.
 */

import {html, nothing} from "lit";
import "yanli/compare.js";
import "yanli/controls.js";
import "yanli/people.js";
import "yanli/plan.js";
import "yanli/search.js";
import "yanli/text.js";
import {playsOf} from "yanli/acts.js";
import {toldOf} from "yanli/chooser.js";
import {helpDialog, lookDialog} from "yanli/dialogs.js";
import {TABS, headerOf, panelOf, stageOf} from "yanli/layout.js";
import {icon} from "yanli/icons.js";
import {commandOf} from "yanli/keys.js";
import {langOf, say, sayBoth, wordOf} from "yanli/language.js";
import {choosingOf, defaultLink, nothingSet, readLink} from "yanli/link.js";
import {
  actsSaid,
  clauseAt,
  followName,
  followed,
  momentSaid,
  sectionAt,
  sectionName,
  segmentsOf,
} from "yanli/moments.js";
import {Address} from "yanli/address.js";
import {run} from "yanli/commands.js";
import {Session} from "yanli/session.js";
import {Part} from "yanli/part.js";

/** @typedef {import("yanli/types.js").Link} Link */
/** @typedef {import("yanli/types.js").Choosing} Choosing */
/** @typedef {import("yanli/keys.js").Command} Command */
/** @typedef {import("yanli/language.js").Key} Key */
/** @typedef {import("yanli/timeline.js").Timeline} Timeline */
/** @typedef {"text" | "people" | "differences"} Tab */
/** @typedef {Part & {show?: (time: number) => void, marks: Map<number, string>}} Shown  what shows a moment */

/** Milliseconds between what is said, and what is marked, while the rite plays. */
const SAID = 6000;
const MARKED = 300;
/** @type {[Map<number, string>, Map<number, string>]} */
const UNMARKED = [new Map(), new Map()];

export class YanliApp extends Part {
  static properties = Part.given("session", "large", "choosing", "depth");

  /** @type {Map<string, {of: unknown[], value: unknown}>} */
  #keep = new Map();
  #clause = -1;
  /** What was last said of who acts. */
  #acts = "";
  #section = -1;
  /** Who was marked last. */
  #marked = "";
  /** @type {Promise<void> | null} */
  #settling = null;
  /** @type {(() => void) | null} */
  #afterPrint = null;
  /** @type {Address | null} */
  #address = null;
  #night = matchMedia("(prefers-color-scheme: dark)");

  constructor() {
    super();
    /** @type {Session | null} */
    this.session = null;
    /** The panel is large, on a small screen. */
    this.large = false;
    /** @type {"one" | "other"} which performance the chooser is about */
    this.choosing = "one";
    /** @type {"no" | "coming" | "here" | "lacking"} the view in depth */
    this.depth = "no";
    /** @type {Choosing | null} what was asked for and is not shown, or not yet */
    this.draft = null;
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
    this.wait = {said: 0, marked: 0};
  }

  /**
   * Begin with a supply of performances and the address as it is.
   * @param {import("yanli/supply.js").Supply} supply
   */
  async start(supply) {
    const base = defaultLink(location.hash.length > 1 ? "zh-Hant" : navigator.language);
    const {link, problems} = readLink(location.hash, base);
    const session = new Session(supply, link);
    this.session = session;
    for (const {key, value, nearest} of problems) session.tell("url.bad", key, value, nearest || "—");
    session.addEventListener("change", this.#onChange);
    session.player.addEventListener("time", this.#onTime);
    session.player.addEventListener("state", () => this.#onState());
    this.#address = new Address(session, () => {
      if (this.link.view === "depth") this.#deepen();
    });
    addEventListener("keydown", (event) => this.#onKey(event));
    addEventListener("beforeprint", () => this.#onPrint());
    addEventListener("afterprint", () => {
      this.#afterPrint?.();
      this.#afterPrint = null;
    });
    for (const wish of [this.still, this.#night]) wish.addEventListener("change", this.#onChange);
    this.#onChange();
    await session.begin();
    if (session.link.view === "depth") await this.#deepen();
  }

  get #text() {
    return /** @type {import("yanli/text.js").YanliText | null} */ (this.bit("yanli-text"));
  }

  get chooser() {
    return /** @type {import("yanli/chooser.js").YanliChooser | null} */ (this.bit("yanli-chooser"));
  }

  get link() {
    return /** @type {Session} */ (this.session).link;
  }

  // ── what is shown ───────────────────────────────────────────────────────────────────────────────────────────────

  #onChange = () => {
    this.script = this.link.script;
    document.documentElement.lang = langOf(this.script);
    document.documentElement.dataset.theme = this.#theme;
    this.requestUpdate();
  };

  /** Light or dark, as the reader or his system has it. */
  get #theme() {
    const {theme} = this.link;
    return theme === "auto" ? (this.#night.matches ? "dark" : "light") : theme;
  }

  updated() {
    const {session} = this;
    if (!session) return;
    if (session.one || session.failed) document.getElementById("loading")?.remove();
    if (session.one) {
      const {doc} = session.one;
      document.title = `${this.script === "en" ? doc.rite.en || wordOf(doc, doc.rite.name, "en") : wordOf(doc, doc.rite.name, this.script)} · ${say(this.script, "app.name")}`;
    }
    this.#section = -1;
    this.wait.marked = 0;
    this.#marked = "";
    this.#onTime();
  }

  render() {
    const {session, script} = this;
    if (!session) return nothing;
    const {one} = session;
    const busy = session.busy
      ? html`<div class="progress" role="progressbar" aria-label=${say(script, "pick.busy")}></div>`
      : nothing;
    const messages = session.messages.length
      ? html`<div class="messages" role="alert">${session.messages.map(
          (message) => html`<p>${say(script, message.key, ...message.values)}
      <button class="plain" aria-label=${say(script, "app.close")} @click=${() => session.dismiss(message)}>${icon("close")}</button></p>`,
        )}</div>`
      : nothing;
    if (!one) {
      return html`${
        session.failed
          ? html`<main class="failed"><h1>${say(script, "app.name")}</h1>${messages}<p>${sayBoth("app.failed")}</p>
        <button @click=${() => location.reload()}>${say(script, "app.again")}</button></main>`
          : nothing
      }`;
    }
    return html`<button class="skip" @click=${() => this.run("text")}>${say(script, "app.skip")}</button>
      ${headerOf(this, one, busy)}${messages}<p class="colophon"></p>
      <main class=${this.large ? "large" : ""} @click=${this.onClick} @go=${(/** @type {CustomEvent} */ event) => this.go(event.detail)} @mousedown=${this.#onPress}>
        ${stageOf(this, one)}${panelOf(this, one)}
      </main>
      <footer><yanli-controls .player=${session.player} .script=${script} .segments=${this.#segments(one)} .ticks=${this.#ticks()} .describe=${this.#describe}></yanli-controls></footer>
      <div class="unseen" id="live" role="status" aria-live="polite"></div>
      <yanli-chooser .doc=${(this.choosing === "other" ? (session.other ?? one) : one).doc} .script=${script} .choosing=${this.#chosen()} .against=${this.choosing === "other"}
        .faults=${this.choosing === "other" ? session.otherFaults : session.faults} .busy=${session.busy} .offline=${session.supply.offline}
        .held=${this.#kept("held", [session.supply], () => session.supply.held().map((each) => each.choosing))} @choose=${(/** @type {CustomEvent} */ event) => this.#choose(event.detail)} @shut=${this.#onShut}></yanli-chooser>
      ${lookDialog(script, this.link, (change) => this.look(change))}${helpDialog(script)}`;
  }

  /**
   * What is made of some values, made anew only when one of them is another: parts are drawn again only for what is new.
   * @template T
   * @param {string} name @param {unknown[]} of @param {() => T} make
   * @returns {T}
   */
  #kept(name, of, make) {
    const before = this.#keep.get(name);
    if (before && of.every((each, index) => each === before.of[index])) return /** @type {T} */ (before.value);
    const value = make();
    this.#keep.set(name, {of, value});
    return value;
  }

  settings() {
    const {script} = this;
    const theme = this.#theme;
    const reduced = this.still.matches;
    return this.#kept("settings", [script, theme, reduced], () => ({script, theme, reduced}));
  }

  /** What the two are called. @returns {[string, string]} */
  names() {
    const {script} = this;
    const {set, school, readings, against} = this.link;
    const name = (/** @type {Choosing} */ choosing) => toldOf(choosing) || say(script, "pick.default");
    return this.#kept("names", [set, school, readings, against, script], () => [
      name(this.link),
      against ? name(against) : "",
    ]);
  }

  /** What was chosen of the performance that the chooser is about. @returns {Choosing} */
  #chosen() {
    const {set, school, readings, against} = this.link;
    if (this.draft) return this.draft;
    return this.#kept("chosen", [set, school, readings, against, this.choosing], () =>
      this.choosing === "other" ? (against ?? nothingSet()) : choosingOf(this.link),
    );
  }

  /** @param {Timeline} one */
  #segments(one) {
    const {pairing, player} = /** @type {Session} */ (this.session);
    const {script} = this;
    return this.#kept("segments", [one, pairing, script], () => segmentsOf(one, pairing, player.track.length, script));
  }

  /** Where the two differ, on the track. */
  #ticks() {
    const {comparison, pairing, one} = /** @type {Session} */ (this.session);
    return this.#kept("ticks", [comparison], () =>
      [...(comparison?.clauses.keys() ?? [])].flatMap((clause) => {
        const play = one && playsOf(one, clause)[0];
        return play && pairing ? [pairing.joint(play.start, 1)] : [];
      }),
    );
  }

  /** @param {number} time on the track */
  #describe = (time) => {
    const {one, pairing} = /** @type {Session} */ (this.session);
    return one ? sectionName(one, sectionAt(one, pairing ? pairing.both(time)[0] : time), this.script) : "";
  };

  // ── at every frame ──────────────────────────────────────────────────────────────────────────────────────────────

  #onTime = () => {
    const {session} = this;
    const one = session?.one;
    if (!session || !one || !this.hasUpdated) return;
    const [time, otherTime] = session.times();
    const {tab} = this.link;
    const parts = /** @type {Shown[]} */ (
      this.bits(`yanli-plan, yanli-depth, yanli-text${tab === "text" ? "" : `, yanli-${tab}`}`)
    );
    for (const part of parts) {
      // One that has just got another performance shows a moment of it when it has taken it in.
      if (part.isUpdatePending) this.#settle(parts);
      else part.show?.(part.dataset.side === "other" ? otherTime : time);
    }
    this.#mark(time, otherTime);
    const section = sectionAt(one, time);
    if (section !== this.#section) {
      this.#section = section;
      const select = /** @type {HTMLSelectElement | null} */ (this.bit(".section select"));
      if (select) select.value = String(section);
    }
    this.#announce(one, time);
    this.#address?.write();
  };

  /** Show the moment again when all parts have taken in what is new. @param {Iterable<Shown>} parts */
  #settle(parts) {
    this.#settling ??= Promise.all([...parts].map((part) => part.updateComplete)).then(() => {
      this.#settling = null;
      this.#onTime();
    });
  }

  /** Mark who is otherwise. @param {number} time @param {number} otherTime */
  #mark(time, otherTime) {
    const {comparison, player} = /** @type {Session} */ (this.session);
    const now = performance.now();
    if (player.playing && now - this.wait.marked < MARKED) return;
    this.wait.marked = now;
    const marks = comparison?.marks(time, otherTime, this.script) ?? UNMARKED;
    const said = JSON.stringify(marks.map((each) => [...each]));
    if (said === this.#marked) return;
    this.#marked = said;
    const parts = /** @type {Shown[]} */ (this.bits("yanli-plan, yanli-depth"));
    for (const part of parts) part.marks = marks[part.dataset.side === "other" ? 1 : 0];
  }

  /** Say the moment to those who do not see it: at every step, and now and then while it plays. @param {Timeline} one @param {number} time */
  #announce(one, time) {
    const clause = clauseAt(one, time);
    const turned = clause !== this.#clause;
    const {playing} = /** @type {Session} */ (this.session).player;
    const now = performance.now();
    if (playing && (!turned || now - this.wait.said < SAID)) return;
    const acts = actsSaid(one, time, this.script);
    if (!turned && acts === this.#acts) return;
    this.#clause = clause;
    this.#acts = acts;
    this.wait.said = now;
    const live = this.bit("#live");
    if (live) live.textContent = turned ? `${momentSaid(one, time, this.script)}　${acts}` : acts;
  }

  #onState() {
    this.wait.said = 0;
    this.session?.look({speed: this.session.player.speed});
    this.#address?.put(false);
  }

  // ── what is asked for ───────────────────────────────────────────────────────────────────────────────────────────

  /** @param {number} time on the clock of the one */
  go(time) {
    if (this.#text) this.#text.away = false;
    this.session?.seek(time);
    this.#address?.put(true);
  }

  /** @param {Partial<Link>} change */
  look(change) {
    this.session?.look(change);
    this.#address?.write();
  }

  /** @param {string | null} follow */
  follow(follow) {
    this.session?.follow(follow || null);
    if (follow) this.look({tab: "people"});
    this.#address?.put(true);
  }

  /** @param {Choosing} choosing */
  async #choose(choosing) {
    const session = /** @type {Session} */ (this.session);
    const {link} = session;
    this.#address?.put(false);
    this.draft = choosing;
    const done =
      this.choosing === "other"
        ? await session.load(choosingOf(link), choosing)
        : await session.load(choosing, link.against);
    if (!done || this.draft !== choosing) return;
    this.draft = null;
    this.#address?.put(true);
    this.requestUpdate();
  }

  /** @param {Choosing | null} against */
  async compare(against) {
    const session = /** @type {Session} */ (this.session);
    if (await session.load(choosingOf(session.link), against)) {
      this.look(against ? {tab: "differences"} : {});
      this.#address?.put(true);
    } else if (session.otherFaults.length) {
      session.tellFaults(session.otherFaults);
    }
  }

  /** Go to the next clause that differs, or the one before. @param {number} way */
  #stepDifference(way) {
    const {comparison, one} = /** @type {Session} */ (this.session);
    if (!comparison || !one) return;
    const all = [...comparison.clauses.keys()];
    const now = clauseAt(one, this.session?.times()[0] ?? 0);
    const next = way > 0 ? all.find((clause) => clause > now) : all.findLast((clause) => clause < now);
    if (next !== undefined) this.#goDifference(next);
  }

  /** @param {number} clause one that differs */
  #goDifference(clause) {
    const {one, other, player} = /** @type {Session} */ (this.session);
    const play = one && playsOf(one, clause)[0];
    const match = other && playsOf(other, clause)[0];
    player.pause();
    if (play) this.go(play.start);
    else if (match) this.session?.seekOther(match.start);
    this.updateComplete.then(() => this.bit(`[data-differs="${clause}"]`)?.scrollIntoView({block: "nearest"}));
  }

  /** Whether there is a view in depth: a single file holds none. */
  get deepens() {
    return !this.session?.supply.offline;
  }

  async #deepen() {
    if (this.depth === "here" || this.depth === "coming") return;
    this.depth = "coming";
    try {
      import.meta.resolve("yanli/depth.js");
      await import("yanli/depth.js");
      this.depth = "here";
    } catch (fault) {
      this.depth = "lacking";
      if (!this.session?.supply.offline) console.error(fault);
    }
  }

  /** @param {import("yanli/commands.js").Asked} command */
  run(command) {
    run(this, command);
  }

  /** @param {"help" | "look"} name */
  show(name) {
    const dialog = /** @type {HTMLDialogElement | null} */ (this.bit(`#${name}`));
    if (dialog?.open === false) dialog.showModal();
  }

  /** @param {"plan" | "depth"} view */
  turn(view) {
    this.look({view});
    if (view === "depth") this.#deepen();
  }

  /** @param {Tab} tab @param {boolean} focus */
  async open(tab, focus) {
    this.look({tab});
    await this.updateComplete;
    this.#onTime();
    if (!focus) return;
    if (tab === "text") this.#text?.focus();
    else this.focusOn(`#panel-${tab} [tabindex="0"]`);
  }

  /** @param {string} selector */
  focusOn(selector) {
    this.bit(selector)?.focus();
  }

  async copy() {
    this.#address?.put(false);
    const url = this.#address?.whole() ?? location.href;
    try {
      await navigator.clipboard.writeText(url);
      this.session?.tell("url.copied");
    } catch {
      this.session?.tell("url.here", url);
    }
  }

  // ── events ──────────────────────────────────────────────────────────────────────────────────────────────────────

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (document.querySelector("dialog:modal")) return;
    const command = commandOf(event);
    if (!command) return;
    event.preventDefault();
    this.run(command);
  }

  /** A button that leads to a moment does not keep the keyboard, when it was pressed with a pointer. @param {MouseEvent} event */
  #onPress(event) {
    if (/** @type {Element} */ (event.target).closest("[data-go], [data-follow]")) event.preventDefault();
  }

  /** @param {MouseEvent} event */
  onClick(event) {
    const target = /** @type {HTMLElement | null} */ (
      /** @type {Element} */ (event.target).closest(
        "[data-go], [data-follow], [data-tab], [data-command], [data-view], [data-eye], [data-difference], [data-differs-go], [data-crux], [data-rival], .act",
      )
    );
    if (!target) return;
    const {go, follow, tab, command, view, eye, difference, differsGo, crux, rival, start} = target.dataset;
    if (go !== undefined) this.go(Number(go));
    else if (follow !== undefined) this.follow(follow);
    else if (tab) this.open(/** @type {Tab} */ (tab), false);
    else if (command) this.run(/** @type {Command} */ (command));
    else if (view) this.turn(/** @type {"plan" | "depth"} */ (view));
    else if (eye && this.session?.one) this.#seeWith(`p${eye}`, this.session.one);
    else if (difference) this.#stepDifference(Number(difference));
    else if (differsGo) this.#goDifference(Number(differsGo));
    else if (crux) this.#dispute(crux);
    else if (rival) this.#rival(rival);
    else if (start && !String(getSelection())) this.go(Number(start));
  }

  /** Show a dispute. @param {string} crux */
  async #dispute(crux) {
    await this.open("differences", false);
    const found = this.bit(`[data-dispute="${crux}"]`);
    found?.closest("details")?.setAttribute("open", "");
    found?.scrollIntoView({block: "center"});
    this.focusOn(`[data-dispute="${crux}"]`);
  }

  /** Compare with a reading that is not followed. @param {string} rival as 戒服=敖繼公 */
  #rival(rival) {
    const [crux = "", reading = ""] = rival.split("=");
    const choosing = choosingOf(this.link);
    this.choosing = "other";
    this.compare({...choosing, readings: {...choosing.readings, [crux]: reading}});
  }

  /** @param {string} follow @param {Timeline} timeline */
  #seeWith(follow, timeline) {
    const name = followName(timeline, follow);
    this.look({eye: this.link.eye === name ? null : name});
  }

  /** @param {CustomEvent<{person?: number, thing?: number} | null>} event @param {Timeline} timeline */
  onPick({detail}, timeline) {
    const sort =
      detail?.person !== undefined ? `p${detail.person}` : detail?.thing !== undefined ? `t${detail.thing}` : null;
    const one = this.session?.one;
    if (!one || timeline === one || !sort) return this.follow(sort);
    return this.follow(followed(one, followName(timeline, sort)));
  }

  /** @param {CustomEvent<[number, number, number] | null>} event */
  onCamera({detail}) {
    this.look({camera: detail});
  }

  /** @param {CustomEvent<{eye: string | null}>} event */
  onEye({detail}) {
    this.look({eye: detail.eye});
  }

  /** @param {Event} event */
  onSection(event) {
    const section = this.session?.one?.doc.sections[Number(/** @type {HTMLSelectElement} */ (event.target).value)];
    if (section && section.start !== null) this.go(section.start);
  }

  /** @param {Event} event */
  onRite(event) {
    const select = /** @type {HTMLSelectElement} */ (event.target);
    const rite = select.value;
    // Until it is there, the rite that is shown is named.
    select.value = this.session?.one?.doc.rite.slug ?? rite;
    this.session?.visit({
      ...this.link,
      ...nothingSet(),
      against: null,
      rite,
      time: 0,
      follow: null,
      eye: null,
      camera: null,
      search: "",
    });
  }

  /** @param {CustomEvent<{clause: number, time: number | null}>} event */
  onFound({detail: {clause, time}}) {
    if (time !== null) this.go(time);
    this.open("text", true).then(() => {
      const text = this.#text;
      if (time === null && text && !text.opened.has(clause)) text.toggle(clause);
      const words = text?.wordsOf(clause);
      if (words && time === null) text?.bring(words, true);
    });
  }

  /** @param {CustomEvent<string>} event */
  async onFollow({detail}) {
    this.follow(detail);
    await this.updateComplete;
    this.focusOn("yanli-people h3");
  }

  /** The chooser was closed: the keyboard goes back to the button that opened it. */
  #onShut() {
    this.draft = null;
    this.session?.forgive();
    this.focusOn(`[data-command=${this.choosing === "one" ? "choose" : "compare"}]`);
  }

  /** @param {KeyboardEvent} event */
  onTabKey(event) {
    const way = {ArrowRight: 1, ArrowLeft: -1}[event.key];
    if (!way) return;
    event.preventDefault();
    const next = TABS[(TABS.indexOf(this.link.tab) + way + TABS.length) % TABS.length] ?? "text";
    this.open(next, false).then(() => this.focusOn(`#tab-${next}`));
  }

  /** Paper gets the section in force with all its acts, and the plan of the moment, drawn for its size. */
  #onPrint() {
    this.#afterPrint?.();
    const fold = this.#text?.openSection();
    const colophon = this.bit(".colophon");
    this.#address?.put(false);
    if (colophon)
      colophon.textContent = [document.title, ...this.names(), decodeURI(this.#address?.whole() ?? "")]
        .filter(Boolean)
        .join("\n");
    const fit = (/** @type {boolean} */ paper) => {
      const root = document.documentElement;
      root.classList.toggle("printing", paper);
      root.dataset.theme = paper ? "light" : this.#theme;
      const plans = /** @type {import("yanli/plan.js").YanliPlan[]} */ (this.bits("yanli-plan"));
      for (const plan of plans) plan.measure();
      this.#onTime();
    };
    fit(true);
    this.#afterPrint = () => {
      fold?.();
      fit(false);
    };
  }
}
customElements.define("yanli-app", YanliApp);
