/**
 * `<yanli-controls>`: the scrubber with its sections, the clock, and the buttons that play, step and choose the speed.
 *
 * In: a `player`, the sections as `segments` on its track, `ticks` where two performances differ, and `describe`, which
 * says a moment in words. Out: commands to the player.
 */

import {html} from "lit";
import {icon} from "yanli/icons.js";
import {clock, say} from "yanli/language.js";
import {SPEEDS} from "yanli/link.js";
import {Part} from "yanli/part.js";
import {clamp} from "yanli/space.js";

/** @typedef {import("yanli/player.js").Player} Player */
/** @typedef {{name: string, number: number, start: number, end: number}} Segment */

const MOST_TICKS = 400;
const FRACTIONS = new Map([[0.5, "½"]]);

class YanliControls extends Part {
  static properties = Part.given("player", "segments", "ticks", "describe");

  #onTime = () => this.#show();
  #onState = () => this.requestUpdate();
  #resizing = new ResizeObserver(() => this.#lay());
  #shown = "";

  constructor() {
    super();
    /** @type {Player | null} */
    this.player = null;
    /** @type {Segment[]} */
    this.segments = [];
    /** @type {number[]} */
    this.ticks = [];
    /** @type {(time: number) => string} */
    this.describe = () => "";
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#resizing.disconnect();
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (!changed.has("player")) return;
    const before = /** @type {Player | null | undefined} */ (changed.get("player"));
    before?.removeEventListener("time", this.#onTime);
    before?.removeEventListener("state", this.#onState);
    this.player?.addEventListener("time", this.#onTime);
    this.player?.addEventListener("state", this.#onState);
  }

  firstUpdated() {
    const strip = this.bit(".strip");
    if (strip) this.#resizing.observe(strip);
  }

  updated() {
    this.#lay();
    this.#shown = "";
    this.#show();
  }

  get #range() {
    return /** @type {HTMLInputElement | null} */ (this.bit("input[type=range]"));
  }

  render() {
    const {script, player} = this;
    const playing = player?.playing ?? false;
    const speed = player?.speed ?? 1;
    return html`<div class="strip" @pointermove=${this.#onPoint} @pointerleave=${this.#onPointEnd}>
        <div class="segments" aria-hidden="true">${this.segments.map((segment) => html`<span class="segment" data-section=${segment.number}><span>${segment.name}</span></span>`)}${this.ticks
          .slice(0, MOST_TICKS)
          .map(() => html`<i class="tick"></i>`)}<i class="played"></i></div>
        <input type="range" min="0" max=${player?.track.length ?? 0} step="any" aria-label=${say(script, "play.scrub")}
          @input=${this.#onScrub}>
        <output class="tip" aria-hidden="true" hidden></output>
      </div>
      <div class="buttons" role="group" aria-label=${say(script, "play.name")}>
        <span class="times"><time class="now"></time><span class="of"> / ${clock(player?.track.length ?? 0)}</span></span>
        ${this.#button("section", -1)}${this.#button("clause", -1)}${this.#button("act", -1)}
        <button class="play" title=${say(script, playing ? "play.pause" : "play.play")}
          @click=${() => player?.toggle()}>${icon(playing ? "pause" : "play")}</button>
        ${this.#button("act", 1)}${this.#button("clause", 1)}${this.#button("section", 1)}
        <label class="speed"><span class="unseen">${say(script, "play.speed")}</span>
          <select title=${say(script, "play.speed")} @change=${this.#onSpeed}>${SPEEDS.map((each) => html`<option value=${each} ?selected=${each === speed} .selected=${each === speed}>${FRACTIONS.get(each) ?? each}×</option>`)}</select></label>
      </div>`;
  }

  /**
   * @param {import("yanli/player.js").Step} kind @param {1 | -1} direction
   */
  #button(kind, direction) {
    const words = say(this.script, direction > 0 ? `next.${kind}` : `last.${kind}`);
    return html`<button class="step" data-step=${kind} data-direction=${direction} title=${words}
      @click=${() => this.player?.step(kind, direction)}>${icon(kind, direction < 0)}</button>`;
  }

  /** Put the sections where their times are; a name that has no room is left out. */
  #lay() {
    const strip = this.bit(".segments");
    if (!strip) return;
    const width = strip.clientWidth;
    const size = Number.parseFloat(getComputedStyle(strip).fontSize);
    this.bits(".segment").forEach((element, index) => {
      const {start, end, name} = this.segments[index];
      const share = (end - start) / this.#length;
      element.style.left = this.#place(start);
      element.style.width = `${100 * share}%`;
      const signs = [...name].reduce((sum, sign) => sum + (sign > "\u2e7f" ? 1 : 0.55), 0);
      element.classList.toggle("named", share * width > (signs + 0.6) * size);
    });
    this.bits(".tick").forEach((element, index) => {
      element.style.left = this.#place(this.ticks[index]);
    });
  }

  get #length() {
    return this.player?.track.length || 1;
  }

  /** Where a time is on the strip. @param {number} time */
  #place(time) {
    return `${(100 * time) / this.#length}%`;
  }

  /** Show the player's moment. */
  #show() {
    const {player} = this;
    const range = this.#range;
    if (!player || !range || !this.hasUpdated) return;
    const {time} = player;
    range.value = String(time);
    const played = this.bit(".played");
    if (played) played.style.width = this.#place(time);
    const said = clock(time);
    if (said === this.#shown) return;
    this.#shown = said;
    const now = this.bit(".now");
    if (now) now.textContent = said;
    range.setAttribute("aria-valuetext", `${said} ${this.describe(time)}`);
    const current = this.segments.findLastIndex((segment) => segment.start <= time + 1e-6);
    this.bits(".segment").forEach((element, index) => element.classList.toggle("current", index === current));
  }

  /** @param {Event} event */
  #onScrub(event) {
    this.player?.seek(Number(/** @type {HTMLInputElement} */ (event.target).value));
  }

  /** @param {Event} event */
  #onSpeed(event) {
    this.player?.setSpeed(Number(/** @type {HTMLSelectElement} */ (event.target).value));
  }

  /** @param {PointerEvent} event */
  #onPoint(event) {
    const tip = this.bit(".tip");
    if (!tip || event.pointerType === "touch") return;
    const {left, width} = /** @type {HTMLElement} */ (event.currentTarget).getBoundingClientRect();
    const share = clamp((event.clientX - left) / width, 0, 1);
    const time = share * (this.player?.track.length ?? 0);
    const segment = this.segments.findLast((each) => each.start <= time);
    tip.textContent = `${clock(time)} ${segment ? `${segment.number} ${segment.name}` : ""}`;
    tip.hidden = false;
    const half = tip.offsetWidth / 2;
    tip.style.left = `${clamp(share * width, half, width - half)}px`;
  }

  #onPointEnd() {
    const tip = this.bit(".tip");
    if (tip) tip.hidden = true;
  }
}
customElements.define("yanli-controls", YanliControls);
