/**
 * The address of the page: it holds the state while the rite goes on, and brings it back when somebody goes back.
 *
 * In: a session. Out: the hash of the address, written as often as browsers let one; a visit when somebody else changed it.
 */

import {defaultLink, readLink, writeLink} from "yanli/link.js";

/** @typedef {import("yanli/session.js").Session} Session */

/** Milliseconds until the state is written, while the rite plays and while it stands. */
const PLAYING = 1000;
const STANDING = 200;

export class Address {
  /**
   * @param {Session} session
   * @param {() => void} visited is called when another state has come out of the address
   */
  constructor(session, visited) {
    this.session = session;
    this.visited = visited;
    this.written = location.hash.slice(1);
    this.waiting = 0;
    addEventListener("hashchange", () => this.read());
  }

  /** The hash of what is seen now. */
  hash() {
    const {session} = this;
    return writeLink({...session.link, time: session.times()[0]}, {...defaultLink(), rite: session.first});
  }

  /** The whole address, to be given to others. */
  whole() {
    return `${location.href.split("#")[0]}#${this.hash()}`;
  }

  /** Write soon. */
  write() {
    this.waiting ||= window.setTimeout(() => this.put(false), this.session.player.playing ? PLAYING : STANDING);
  }

  /** @param {boolean} step as a step to which one can go back */
  put(step) {
    clearTimeout(this.waiting);
    this.waiting = 0;
    if (!this.session.one) return;
    const hash = this.hash();
    if (hash === this.written) return;
    this.written = hash;
    try {
      history[step ? "pushState" : "replaceState"](null, "", `#${hash}`);
    } catch {
      // Some browsers forbid this where a page lies on a disk; the link can still be copied.
    }
  }

  /** Somebody went back, or wrote another address. */
  async read() {
    const hash = location.hash.slice(1);
    if (hash === this.written) return;
    this.written = hash;
    const {session} = this;
    const {link, problems} = readLink(hash, defaultLink());
    for (const {key, value, nearest} of problems) session.tell("url.bad", key, value, nearest || "—");
    await session.visit(link);
    this.visited();
  }
}
