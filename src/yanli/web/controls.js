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

/** @typedef {import("yanli/player.js").Player} Player */
/** @typedef {{name: string, number: number, start: number, end: number}} Segment */

const MOST_TICKS = 400;
const FRACTIONS = new Map([[0.5, "½"]]);

export class YanliControls extends Part {
  static properties = Part.given("player", "segments", "ticks", "describe");

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
    this.onTime = () => this.show();
    this.onState = () => this.requestUpdate();
    this.resizing = new ResizeObserver(() => this.lay());
    this.shown = "";
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.resizing.disconnect();
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (!changed.has("player")) return;
    const before = /** @type {Player | null | undefined} */ (changed.get("player"));
    before?.removeEventListener("time", this.onTime);
    before?.removeEventListener("state", this.onState);
    this.player?.addEventListener("time", this.onTime);
    this.player?.addEventListener("state", this.onState);
  }

  firstUpdated() {
    const strip = this.querySelector(".strip");
    if (strip) this.resizing.observe(strip);
  }

  updated() {
    this.lay();
    this.shown = "";
    this.show();
  }

  get range() {
    return /** @type {HTMLInputElement | null} */ (this.querySelector("input[type=range]"));
  }

  render() {
    const {script, player} = this;
    const playing = player?.playing ?? false;
    const speed = player?.speed ?? 1;
    return html`<div class="strip" @pointermove=${this.onPoint} @pointerleave=${this.onPointEnd}>
        <div class="segments" aria-hidden="true">${this.segments.map((segment) => html`<span class="segment" data-section=${segment.number}><span>${segment.name}</span></span>`)}${this.ticks
          .slice(0, MOST_TICKS)
          .map(() => html`<i class="tick"></i>`)}<i class="played"></i></div>
        <input type="range" min="0" max=${player?.track.length ?? 0} step="any" aria-label=${say(script, "play.scrub")}
          @input=${this.onScrub}>
        <output class="tip" aria-hidden="true" hidden></output>
      </div>
      <div class="buttons" role="group" aria-label=${say(script, "play.name")}>
        <span class="times"><time class="now"></time><span class="of"> / ${clock(player?.track.length ?? 0)}</span></span>
        ${this.button("section", -1)}${this.button("clause", -1)}${this.button("act", -1)}
        <button class="play" title=${say(script, playing ? "play.pause" : "play.play")}
          @click=${() => player?.toggle()}>${icon(playing ? "pause" : "play")}</button>
        ${this.button("act", 1)}${this.button("clause", 1)}${this.button("section", 1)}
        <label class="speed"><span class="visually-hidden">${say(script, "play.speed")}</span>
          <select title=${say(script, "play.speed")} @change=${this.onSpeed}>${SPEEDS.map((each) => html`<option value=${each} ?selected=${each === speed} .selected=${each === speed}>${FRACTIONS.get(each) ?? each}×</option>`)}</select></label>
      </div>`;
  }

  /**
   * @param {import("yanli/player.js").Step} kind @param {1 | -1} direction
   */
  button(kind, direction) {
    const words = say(this.script, direction > 0 ? `next.${kind}` : `last.${kind}`);
    return html`<button class="step" data-step=${kind} data-direction=${direction} title=${words}
      @click=${() => this.player?.step(kind, direction)}>${icon(kind, direction < 0)}</button>`;
  }

  /** Put the sections where their times are; a name that has no room is left out. */
  lay() {
    const length = this.player?.track.length || 1;
    const strip = this.querySelector(".segments");
    if (!(strip instanceof HTMLElement)) return;
    const width = strip.clientWidth;
    const size = Number.parseFloat(getComputedStyle(strip).fontSize);
    strip.querySelectorAll(".segment").forEach((element, index) => {
      const segment = this.segments[index];
      if (!(element instanceof HTMLElement) || !segment) return;
      const share = (segment.end - segment.start) / length;
      element.style.left = `${(100 * segment.start) / length}%`;
      element.style.width = `${100 * share}%`;
      const signs = [...segment.name].reduce((sum, sign) => sum + (sign > "\u2e7f" ? 1 : 0.55), 0);
      element.classList.toggle("named", share * width > (signs + 0.6) * size);
    });
    strip.querySelectorAll(".tick").forEach((element, index) => {
      if (element instanceof HTMLElement) element.style.left = `${(100 * (this.ticks[index] ?? 0)) / length}%`;
    });
  }

  /** Show the player's moment. */
  show() {
    const {player, range} = this;
    if (!player || !range || !this.hasUpdated) return;
    const {time} = player;
    const length = player.track.length || 1;
    range.value = String(time);
    const played = this.querySelector(".played");
    if (played instanceof HTMLElement) played.style.width = `${(100 * time) / length}%`;
    const said = clock(time);
    if (said === this.shown) return;
    this.shown = said;
    const now = this.querySelector("time.now");
    if (now) now.textContent = said;
    range.setAttribute("aria-valuetext", `${said} ${this.describe(time)}`);
    const current = this.segments.findLastIndex((segment) => segment.start <= time + 1e-6);
    this.querySelectorAll(".segment").forEach((element, index) =>
      element.classList.toggle("current", index === current),
    );
  }

  /** @param {Event} event */
  onScrub(event) {
    this.player?.seek(Number(/** @type {HTMLInputElement} */ (event.target).value));
  }

  /** @param {Event} event */
  onSpeed(event) {
    this.player?.setSpeed(Number(/** @type {HTMLSelectElement} */ (event.target).value));
  }

  /** @param {PointerEvent} event */
  onPoint(event) {
    const strip = /** @type {HTMLElement} */ (event.currentTarget);
    const tip = strip.querySelector(".tip");
    if (!(tip instanceof HTMLElement) || event.pointerType === "touch") return;
    const box = strip.getBoundingClientRect();
    const share = Math.min(Math.max((event.clientX - box.left) / box.width, 0), 1);
    const time = share * (this.player?.track.length ?? 0);
    const segment = this.segments.findLast((each) => each.start <= time);
    tip.textContent = `${clock(time)} ${segment ? `${segment.number} ${segment.name}` : ""}`;
    tip.hidden = false;
    const half = tip.offsetWidth / 2;
    tip.style.left = `${Math.min(Math.max(share * box.width, half), box.width - half)}px`;
  }

  onPointEnd() {
    const tip = this.querySelector(".tip");
    if (tip instanceof HTMLElement) tip.hidden = true;
  }
}
customElements.define("yanli-controls", YanliControls);
