/**
 * The words and the look of `<yanli-depth>`. They stand here and not in interface.js, for only who asks for the view in
 * depth loads them. In: a script and a key. Out: words, in traditional and simplified Chinese and in English.
 */
import {css} from "lit";

const WORDS = {
  act: ["隨事", "随事", "Action"],
  front: ["堂前", "堂前", "Hall"],
  above: ["俯視", "俯视", "Above"],
  archers: ["射者後", "射者后", "Archers"],
  target: ["侯旁", "侯旁", "Target"],
  gate: ["門外", "门外", "Gate"],
  walk: ["步行", "步行", "Walk"],
  eyes: ["其目", "其目", "His eyes"],
  roof: ["屋", "屋", "Roof"],
  names: ["眾名", "众名", "All names"],
  tools: ["所自觀", "所自观", "Where to look from"],
  seen: ["堂庭之景", "堂庭之景", "Hall and court in depth"],
  by: ["以{0}之目", "以{0}之目", "with the eyes of {0}"],
  quiet: ["無人行事", "无人行事", "nobody acts"],
  full: ["平面之文詳之", "平面之文详之", "The account of the plan tells all"],
  keys: [
    "WASD、方向鍵：行、轉；＋、－：近、遠；1–6：所自觀；F：步行；E：以其目觀；R：屋；N：眾名；Esc：止。",
    "WASD、方向键：行、转；＋、－：近、远；1–6：所自观；F：步行；E：以其目观；R：屋；N：众名；Esc：止。",
    "WASD and arrows: move and turn; + and −: nearer and farther; 1 to 6: where to look from; F: walk; E: his eyes; R: roof; N: all names; Esc: end.",
  ],
  lacking: [
    "此瀏覽器無 WebGL，故無立體之觀；平面所示同。",
    "此浏览器无 WebGL，故无立体之观；平面所示同。",
    "This browser has no WebGL, so there is no view in depth; the plan shows the same.",
  ],
  left: ["左轉", "左转", "Turn left"],
  ahead: ["前", "前", "Ahead"],
  back: ["後", "后", "Back"],
  right: ["右轉", "右转", "Turn right"],
};

/**
 * @param {import("yanli/language.js").Script} script @param {string} key
 * @param {string} [value] fills the slot
 */
export const words = (script, key, value = "") =>
  WORDS[/** @type {keyof typeof WORDS} */ (key)][{hant: 0, hans: 1, en: 2}[script]].replace("{0}", value);

export const STYLE = css`
  :host {
    display: block;
    position: relative;
    overflow: hidden;
    container-type: size;
    min-height: 160px;
    background: var(--paper);
    color: var(--ink);
  }
  canvas {
    position: absolute;
    inset: 0;
    width: 100%;
    height: 100%;
    touch-action: none;
    outline: none;
    cursor: grab;
  }
  canvas:focus-visible {
    box-shadow: inset 0 0 0 3px var(--focus);
  }
  .names,
  .tools {
    position: absolute;
    inset: 0;
    overflow: hidden;
    pointer-events: none;
    font: 15px/1.25 "Yanli Serif", serif;
  }
  .names span {
    position: absolute;
    left: 0;
    top: 0;
    padding: 0 5px;
    white-space: nowrap;
    background: var(--paper);
    border-bottom: 2px solid var(--line);
  }
  .names .idle {
    font-size: 13px;
  }
  .names .acting {
    border-color: var(--accent-2);
  }
  .names .followed,
  .names .marked {
    border-color: var(--accent);
    font-weight: 700;
  }
  .names [hidden] {
    visibility: hidden;
  }
  .tools {
    inset: auto 8px 8px;
    display: flex;
    flex-wrap: wrap;
    gap: 4px;
  }
  button {
    pointer-events: auto;
    min-height: 40px;
    min-width: 40px;
    padding: 0 9px;
    font: 14px/1 sans-serif, "Yanli Serif";
    color: inherit;
    cursor: pointer;
    touch-action: manipulation;
    user-select: none;
    background: var(--paper);
    border: 1px solid var(--line);
    border-radius: 4px;
  }
  button[aria-pressed="true"] {
    border-color: var(--accent);
    box-shadow: inset 0 -3px var(--accent);
  }
  button:focus-visible {
    outline: 3px solid var(--focus);
  }
  .pad {
    margin-left: auto;
    white-space: nowrap;
  }
  @container (max-width: 540px) {
    .tools {
      inset: auto 0 0;
      padding: 6px;
      flex-wrap: nowrap;
      overflow-x: auto;
      pointer-events: auto;
    }
    button {
      flex: none;
    }
    .pad {
      position: sticky;
      right: 0;
      order: -1;
    }
  }
  .keys {
    position: absolute;
    clip-path: inset(50%);
  }
  .lacking {
    position: absolute;
    inset: 0;
    display: grid;
    place-content: center;
    padding: 2em;
    text-align: center;
  }
`;
