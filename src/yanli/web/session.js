/**
 * What is being watched: one performance, or two side by side, with the clock; and how they are exchanged for others.
 *
 * In: a supply of performances, a `Link`. Out: timelines, a comparison, a player; a `change` event whenever one of them,
 * or a fault, or a message is another. What is shown stays until what was asked for is there.
 */

import {Comparison} from "yanli/compare.js";
import {SPEEDS, choosingOf, queryOf} from "yanli/link.js";
import {followName, followed, nearestName, sameMoment} from "yanli/moments.js";
import {Pairing} from "yanli/pairing.js";
import {Player} from "yanli/player.js";
import {Refusal} from "yanli/supply.js";
import {Timeline} from "yanli/timeline.js";

/** @typedef {import("yanli/types.js").Link} Link */
/** @typedef {import("yanli/types.js").Choosing} Choosing */
/** @typedef {import("yanli/supply.js").Supply} Supply */
/** @typedef {import("yanli/supply.js").Fault} Fault */
/** @typedef {import("yanli/language.js").Key} Key */
/** @typedef {{key: Key, values: (string | number)[]}} Message */

const EMPTY = {length: 0, stepAct: () => 0, stepClause: () => 0, stepSection: () => 0};
const MOST_MESSAGES = 12;
const MOST_FAULTS = 3;
/** Faults that say that nobody answers, whatever is asked. */
const LOST = new Set(["no-server", "bad-answer"]);

export class Session extends EventTarget {
  #keys = {one: "", other: ""};
  /** @type {AbortController | null} */
  #asking = null;

  /** @param {Supply} supply @param {Link} link */
  constructor(supply, link) {
    super();
    this.supply = supply;
    this.link = link;
    this.player = new Player(EMPTY);
    this.player.speed = link.speed;
    /** @type {import("yanli/supply.js").Rite[]} */
    this.rites = [];
    /** @type {Timeline | null} */
    this.one = null;
    /** @type {Timeline | null} */
    this.other = null;
    /** @type {Comparison | null} */
    this.comparison = null;
    /** @type {Pairing | null} */
    this.pairing = null;
    /** @type {Fault[]} */
    this.faults = [];
    /** @type {Fault[]} */
    this.otherFaults = [];
    /** @type {Message[]} */
    this.messages = [];
    this.busy = false;
    /** The rite that is meant when none is named. */
    this.first = "";
    /** Nothing could be shown at all. */
    this.failed = false;
  }

  changed() {
    this.dispatchEvent(new Event("change"));
  }

  /** The moment, on the clock of each. @returns {[number, number]} */
  times() {
    const {time} = this.player;
    return this.pairing ? this.pairing.both(time) : [time, time];
  }

  /** @param {number} time on the clock of the one */
  seek(time) {
    this.player.seek(this.pairing ? this.pairing.joint(time, 1) : time);
  }

  /** @param {number} time on the clock of the other */
  seekOther(time) {
    if (this.pairing) this.player.seek(this.pairing.joint(time, 2));
  }

  /** @param {Key} key @param {(string | number)[]} values */
  tell(key, ...values) {
    const message = {key, values};
    this.messages = [
      ...this.messages.filter((each) => JSON.stringify(each) !== JSON.stringify(message)),
      message,
    ].slice(-MOST_MESSAGES);
    this.changed();
  }

  /** Tell why what was asked for is not shown. @param {Fault[]} faults */
  tellFaults(faults) {
    for (const {code, cause, nearest} of faults.slice(0, MOST_FAULTS)) {
      if (code === "not-held") this.tell("url.held", cause || "—");
      else if (LOST.has(code)) this.tell("app.lost", cause);
      else this.tell("url.refused", cause, nearest?.join("、") || "—");
    }
  }

  /** @param {Message} message */
  dismiss(message) {
    this.messages = this.messages.filter((each) => each !== message);
    this.changed();
  }

  /** Forget the faults of a wish that was given up. */
  forgive() {
    this.faults = [];
    this.otherFaults = [];
    this.changed();
  }

  /** Fetch what the link asks for; where that cannot be had, tell why and show the rite as it is by default. */
  async begin() {
    this.supply.rites().then(
      (rites) => {
        this.rites = rites;
        this.changed();
      },
      () => {},
    );
    const opening = this.supply.opening();
    if (!queryOf("", this.link) && !this.link.against) this.link = {...this.link, ...opening};
    const {against} = this.link;
    const asked = this.link;
    this.failed = false;
    const shown = await this.load(choosingOf(asked), null);
    if (shown === null) return;
    if (!shown) {
      this.tellFaults(this.faults);
      const lost = this.faults.some((fault) => LOST.has(fault.code));
      const unknown = this.faults.some((fault) => fault.code === "unknown-rite");
      this.faults = [];
      this.link = {...asked, ...opening, against: null, rite: unknown ? "" : asked.rite};
      if (lost || (await this.load(choosingOf(opening), null)) === false) {
        this.failed = true;
        this.changed();
        return;
      }
      this.faults = [];
    } else if (against && (await this.load(choosingOf(asked), against)) === false) {
      this.tellFaults(this.otherFaults);
      this.otherFaults = [];
      this.link = {...this.link, against: null};
    }
    this.changed();
  }

  /**
   * Show a performance, alone or beside another. The moment is kept: the words in force, and their playing.
   * @param {Choosing} choosing @param {Choosing | null} against
   * @returns {Promise<boolean | null>} whether it is shown; null when something else was asked for meanwhile
   */
  async load(choosing, against) {
    const {rite} = this.link;
    this.#asking?.abort();
    const asking = new AbortController();
    this.#asking = asking;
    this.busy = true;
    this.forgive();
    const keys = {one: queryOf(rite, choosing), other: against ? queryOf(rite, against) : ""};
    let second = false;
    try {
      const doc =
        keys.one === this.#keys.one && this.one ? this.one.doc : await this.supply.stage(rite, choosing, asking.signal);
      second = true;
      const [otherDoc, difference] = against
        ? await Promise.all([
            keys.other === this.#keys.other && this.other
              ? this.other.doc
              : this.supply.stage(rite, against, asking.signal),
            this.supply.difference(rite, choosing, against, asking.signal),
          ])
        : [null, null];
      if (asking.signal.aborted) return null;
      const one = doc === this.one?.doc ? this.one : new Timeline(doc);
      const other = !otherDoc ? null : otherDoc === this.other?.doc ? this.other : new Timeline(otherDoc);
      this.#show(one, other, difference, {...this.link, ...choosing, against}, keys);
      return true;
    } catch (fault) {
      if (asking.signal.aborted) return null;
      const faults = fault instanceof Refusal ? fault.faults : [{code: "fault", cause: String(fault)}];
      if (second) this.otherFaults = faults;
      else this.faults = faults;
      if (!(fault instanceof Refusal)) console.error(fault);
      return false;
    } finally {
      if (this.#asking === asking) {
        this.#asking = null;
        this.busy = false;
        this.changed();
      }
    }
  }

  /**
   * @param {Timeline} one @param {Timeline | null} other @param {import("yanli/supply.js").Difference | null} difference
   * @param {Link} link @param {{one: string, other: string}} keys
   */
  #show(one, other, difference, link, keys) {
    // Of another rite nothing is kept.
    const before = this.one?.doc.rite.slug === one.doc.rite.slug ? this.one : null;
    const now = this.times()[0];
    this.one = one;
    this.other = other;
    this.#keys = keys;
    this.faults = [];
    this.otherFaults = [];
    this.comparison = other && difference ? new Comparison(difference, one, other) : null;
    this.pairing = other ? new Pairing(one, other) : null;
    this.first ||= link.rite ? "" : one.doc.rite.slug;
    this.link = link;
    const time = before ? (before === one ? now : sameMoment(before, now, one)) : this.#timeOf(link, one);
    this.player.load(this.pairing ?? one, this.pairing ? this.pairing.joint(time, 1) : time);
    if (!before) this.#checkLink();
    else if (link.follow && !followed(one, link.follow)) {
      this.tell("url.gone", link.follow);
      this.link = {...link, follow: null};
    }
  }

  /** @param {Link} link @param {Timeline} timeline */
  #timeOf(link, timeline) {
    if (link.time <= timeline.length) return link.time;
    this.tell("url.bad", "t", link.time, Math.floor(timeline.length));
    return timeline.length;
  }

  /** Leave out of the link what the performance does not have, and say so. */
  #checkLink() {
    const {one} = this;
    if (!one) return;
    for (const key of /** @type {const} */ (["follow", "eye"])) {
      const name = this.link[key];
      const found = followed(one, name);
      if (!name || (found && (key === "follow" || found.startsWith("p")))) continue;
      this.tell("url.bad", key, name, nearestName(one, name, key === "eye") || "—");
      this.link = {...this.link, [key]: null};
    }
  }

  /**
   * Take another link, as when somebody goes back to it.
   * @param {Link} link
   */
  async visit(link) {
    const rite = link.rite || this.first;
    const here = this.link.rite || this.first;
    if (rite !== here) {
      this.link = link;
      await this.begin();
      return;
    }
    if (this.player.speed !== link.speed && SPEEDS.includes(link.speed)) this.player.setSpeed(link.speed);
    const keep = this.link;
    if (!queryOf("", link)) link = {...link, ...choosingOf(this.supply.opening())};
    this.link = {...link, ...choosingOf(keep), against: keep.against};
    if (queryOf(rite, link) !== queryOf(rite, keep) || JSON.stringify(link.against) !== JSON.stringify(keep.against)) {
      const shown = await this.load(choosingOf(link), link.against);
      if (shown === null) return;
      if (!shown) {
        this.tellFaults([...this.faults, ...this.otherFaults]);
      }
    }
    if (!this.one) return;
    this.#checkLink();
    this.seek(this.#timeOf(link, this.one));
    this.changed();
  }

  /** @param {string | null} follow p or t and an index, or null */
  follow(follow) {
    this.link = {...this.link, follow: follow && this.one ? followName(this.one, follow) : null};
    this.changed();
  }

  /** @param {Partial<Link>} change of what is looked at, not of what is played */
  look(change) {
    this.link = {...this.link, ...change};
    this.changed();
  }
}
