/** How the plan looks, in the colours of the page. No values come in; a style sheet goes out. */
import {css} from "lit";
export const planStyle = css`
  :host {
    display: block;
    position: relative;
    overflow: hidden;
    min-height: 12rem;
    contain: strict;
    background: var(--paper);
    color: var(--ink);
    font-family: var(--serif);
    --big: 1;
    --hair: color-mix(in srgb, var(--ink-2) 60%, var(--hall));
    /* People are told by tone and shape on any ground: dark, light, grey; the colour of their party is but a tinge. */
    --body: #1d1a16;
    --wood: color-mix(in srgb, #a8692a 75%, var(--ink));
    --host-fill: color-mix(in srgb, var(--host) 22%, #2a2622);
    --guest-fill: color-mix(in srgb, var(--guest) 10%, #fffdf8);
    --other-fill: color-mix(in srgb, var(--other) 25%, #c3baab);
  }
  .main, .map, .names { position: absolute; inset: 0; }
  .main { touch-action: none; cursor: grab; }
  .main.dragging { cursor: grabbing; }
  svg { display: block; user-select: none; -webkit-user-select: none; }
  .actor, .thing, .inset, .mini-box, .buttons button { cursor: pointer; }

  /* ── what is drawn: lines in ink, unless it is said otherwise ── */

  .map, .mini, .scale, .buttons { fill: none; stroke: var(--ink); }
  .ground *, .traces path, .air > circle, .mini *, .streak { vector-effect: non-scaling-stroke; }
  .court { fill: var(--court); }
  .hall { fill: var(--hall); }
  .room, .stair, .wood, .drumskin { fill: var(--room); }
  .wall, .pillar { fill: var(--wall); }
  .cup, .load, .mat, .stand, .basket, .jar, .screen, .beast, .cloth, .dish { fill: var(--paper); }
  .head, .hand { fill: var(--skin); }
  .cap, .nose { fill: var(--body); }
  .flag, .wine, .drum, .unequal { fill: var(--accent); }
  .tiny, .mouth, .post, text { fill: var(--ink); }
  .way { fill: var(--hair); }
  .water { fill: #cfe0e4; }
  .acts { fill: color-mix(in srgb, var(--accent) 13%, transparent); }
  .shown { fill: color-mix(in srgb, var(--accent-2) 12%, transparent); }
  .host .robe { fill: var(--host-fill); stroke: var(--ink); }
  .guest .robe { fill: var(--guest-fill); stroke-width: 1.3; }
  .other .robe { fill: var(--other-fill); }

  .court, .room, .pillar, .cap, .wine, .way, .mouth, .post, .focus, .mini .hall, text { stroke: none; }
  .hall, .edge, .wall, .stair, .step, .sill, .mini .court { stroke: var(--wall); }
  .beam-line, .mat, .hem { stroke: var(--hair); }
  .mark, .streak, .jacket, .acts, .differs, .cloth-line, .acting.dots { stroke: var(--accent); }
  .past, .next, .wave, .followed, .shown { stroke: var(--accent-2); }
  .rope, .leader, .bracket, .dots { stroke: var(--ink-2); }
  .robe, .head, .hand, .arm-line { stroke: var(--body); }
  .bow, .switch, .tent { stroke: var(--wood); }
  .bare { stroke: var(--skin); }
  .host .nose { stroke: #fffdf8; }
  .host .head { stroke: #d8cdbb; }

  .flag, .water, .drumskin, .drum { stroke-width: .6; }
  .string, .hem { stroke-width: .7; }
  .hand, .nose, .load, .wood, .thin, .leader { stroke-width: .8; }
  .arrow { stroke-width: .9; }
  .wave, .stick, .differs { stroke-width: 1.1; }
  .sill, .streak, .pole, .cup { stroke-width: 1.2; }
  .acts, .arrow.strong, .flying { stroke-width: 1.3; }
  .loose, .scale { stroke-width: 1.4; }
  .wall, .mark, .sleeve, .shown { stroke-width: 1.5; }
  .bow { stroke-width: 1.6; }
  .screen, .past, .next, .cloth-line { stroke-width: 2; }
  .followed { stroke-width: 2.2; }
  .edge, .beam, .bow.strong, .dots { stroke-width: 2.4; }
  .switch { stroke-width: 2.6; }
  .arm { stroke-width: 3; }
  .acting.dots { stroke-width: 4; }
  .arm-line { stroke-width: 4.6; }

  .next, .arm, .arm-line, .sleeve, .strong.bow, .switch, .dots { stroke-linecap: round; }
  .flat { stroke-dasharray: 6 4; }
  .beam-line { stroke-dasharray: 2 5; }
  .sill { stroke-dasharray: 3 3; }
  .tent { stroke-dasharray: 9 3; }
  .next { stroke-dasharray: 1 6; }
  .basket { stroke-dasharray: 2.2 1.2; }
  .loose { stroke-dasharray: 3 2; }
  .mark { opacity: .75; }
  .past { opacity: .45; }
  .streak { opacity: .55; }
  text { text-anchor: middle; }
  .unequal { font-weight: 700; }

  /* ── the focus ── */

  :focus-visible { outline: 3px solid var(--focus); outline-offset: 1px; }
  .main { outline-offset: -3px; }
  .actor, .thing { outline: none; }
  :focus-visible > .focus, :focus-visible > * > .focus { stroke: var(--focus); stroke-width: 2.6; }
  @media (forced-colors: active) { .actor:focus .focus, .thing:focus .focus { stroke: Highlight; stroke-width: 3; } }

  /* ── names ── */

  .names { pointer-events: none; overflow: hidden; color: var(--ink); }
  .name {
    position: absolute; left: 0; top: 0; white-space: nowrap; line-height: 1.2; font-size: var(--person);
  }
  .name.act, .deed { font-weight: 600; }
  .name.thing { font-size: var(--thing); color: var(--ink-2); }
  .part { font-size: var(--part); color: var(--ink-2); }
  .up { writing-mode: vertical-rl; }
  .deed { color: var(--accent); font-size: .86em; }
  .deed:not(:empty) { margin-inline-start: .4em; }

  /* ── what lies over the plan ── */

  .inset, .mini-box, .scale, .buttons, .account { position: absolute; }
  .inset { border: 1.5px solid var(--wall); border-radius: 3px; background: var(--court); overflow: hidden; padding: 0; box-shadow: 0 0 0 4px var(--court); font: inherit; text-align: start; }
  .mini-box, .buttons { right: 8px; display: flex; gap: 4px; font-size: calc(10px * var(--big)); }
  .mini-box { top: 8px; padding: 0; border: 0; background: none; align-items: flex-start; font-family: inherit; }
  .mini-box.aside { right: auto; left: 8px; flex-direction: row-reverse; }
  .mini { background: var(--paper); }
  .compass { width: 2em; height: 4.4em; }
  .compass path { fill: var(--ink); }
  .compass text { font-size: 13px; }
  .scale { zoom: var(--big); left: 8px; bottom: 6px; padding: 0 2px; pointer-events: none; background: color-mix(in srgb, var(--court) 75%, transparent); font-size: 11px; }
  .scale text { text-anchor: start; }
  .buttons { bottom: 8px; }
  .buttons button {
    width: 4em; height: 4em; padding: 0; border: 1px solid var(--line); border-radius: 4px; font-size: inherit;
    background: var(--paper); color: var(--ink); display: grid; place-items: center;
  }
  .buttons button[aria-pressed="true"] { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
  .buttons svg { width: 2em; height: 2em; stroke-width: 1.7; stroke-linecap: round; stroke-linejoin: round; }
  .account { width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  @media print { .buttons, .inset, .mini, .focus { display: none; } .acts { fill: none; } :host { break-inside: avoid; } }
`;
