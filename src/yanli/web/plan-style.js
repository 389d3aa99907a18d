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
    --hair: color-mix(in srgb, var(--ink-2) 60%, var(--hall));
    /* People are told by tone and shape on any ground: dark, light, grey; the colour of their party is but a tinge. */
    --body: #1d1a16;
    --wood: color-mix(in srgb, #a8692a 75%, var(--ink));
    --host-fill: color-mix(in srgb, var(--host) 22%, #2a2622);
    --guest-fill: color-mix(in srgb, var(--guest) 10%, #fffdf8);
    --other-fill: color-mix(in srgb, var(--other) 25%, #c3baab);
  }
  .main, .main svg.map { position: absolute; inset: 0; }
  .main { touch-action: none; cursor: grab; }
  .main.dragging { cursor: grabbing; }
  .main:focus-visible { outline: 3px solid var(--focus); outline-offset: -3px; }
  svg { display: block; user-select: none; -webkit-user-select: none; }
  .ground *, .traces path, .air > circle, .mini *, .streak { vector-effect: non-scaling-stroke; }
  .court { fill: var(--court); stroke: none; }
  .hall { fill: var(--hall); stroke: var(--wall); stroke-width: 1px; }
  .room { fill: var(--room); stroke: none; }
  .flat { stroke-dasharray: 6 4; }
  .edge { stroke: var(--wall); stroke-width: 2.4px; fill: none; }
  .wall { fill: var(--wall); stroke: var(--wall); stroke-width: 1.5px; }
  .pillar { fill: var(--wall); }
  .stair { fill: var(--room); stroke: var(--wall); stroke-width: 1px; }
  .step { stroke: var(--wall); stroke-width: 1px; fill: none; }
  .beam-line { stroke: var(--hair); stroke-width: 1px; stroke-dasharray: 2 5; fill: none; }
  .sill { stroke: var(--wall); stroke-width: 1.2px; stroke-dasharray: 3 3; fill: none; }
  .mark { stroke: var(--accent); stroke-width: 1.5px; fill: none; opacity: .75; }
  .past { fill: none; stroke: var(--accent-2); stroke-width: 2px; opacity: .45; }
  .next { fill: none; stroke: var(--accent-2); stroke-width: 2px; stroke-dasharray: 1 6; stroke-linecap: round; }
  .streak { fill: none; stroke: var(--accent); stroke-width: 1.2px; opacity: .55; }
  .actor, .thing { cursor: pointer; outline: none; }
  .robe { stroke: var(--body); }
  .host .robe { fill: var(--host-fill); stroke: var(--ink); }
  .guest .robe { fill: var(--guest-fill); stroke-width: 1.3; }
  .other .robe { fill: var(--other-fill); }
  .head, .hand { fill: var(--skin); stroke: var(--body); }
  .hand { stroke-width: .8; }
  .cap, .nose { fill: var(--body); }
  .nose { stroke: var(--ink); stroke-width: .8; }
  .host .nose { stroke: #fffdf8; }
  .host .head { stroke: #d8cdbb; }
  .arm { stroke-width: 3; stroke-linecap: round; fill: none; }
  .arm-line { stroke: var(--body); stroke-width: 4.6; stroke-linecap: round; fill: none; }
  .bare { stroke: var(--skin); }
  .jacket { stroke: var(--accent); }
  .sleeve { stroke: var(--ink); stroke-width: 1.5; stroke-linecap: round; fill: none; }
  .bow { stroke: var(--wood); stroke-width: 1.6; fill: none; }
  .bow.strong { stroke-width: 2.4; stroke-linecap: round; }
  .string { stroke: var(--ink); stroke-width: .7; fill: none; }
  .arrow { stroke: var(--ink); stroke-width: .9; fill: none; }
  .arrow.strong, .arrow.flying { stroke-width: 1.3; }
  .switch { stroke: var(--wood); stroke-width: 2.6; stroke-linecap: round; fill: none; }
  .pole { stroke: var(--ink); stroke-width: 1.2; fill: none; }
  .flag { fill: var(--accent); stroke: var(--ink); stroke-width: .6; }
  .cup { fill: var(--paper); stroke: var(--ink); stroke-width: 1.2; }
  .wine { fill: var(--accent); }
  .load { fill: var(--paper); stroke: var(--ink); stroke-width: .8; }
  .tiny { text-anchor: middle; fill: var(--ink); }
  .mat { fill: var(--paper); stroke: var(--hair); stroke-width: 1; }
  .hem { fill: none; stroke: var(--hair); stroke-width: .7; }
  .way { fill: var(--hair); }
  .stand, .basket, .jar, .screen, .beast, .cloth, .dish { fill: var(--paper); stroke: var(--ink); }
  .screen { stroke-width: 2; }
  .basket { stroke-dasharray: 2.2 1.2; }
  .mouth, .post { fill: var(--ink); }
  .water { fill: #cfe0e4; stroke: var(--ink); stroke-width: .6; }
  .wave { fill: none; stroke: var(--accent-2); stroke-width: 1.1; }
  .wood { fill: var(--room); stroke: var(--ink); stroke-width: .8; }
  .thin { stroke: var(--ink); stroke-width: .8; fill: none; }
  .beam { stroke: var(--ink); stroke-width: 2.4; fill: none; }
  .drumskin { fill: var(--room); stroke: var(--ink); stroke-width: .6; }
  .stick { stroke: var(--ink); stroke-width: 1.1; fill: none; }
  .drum { fill: var(--accent); stroke: var(--ink); stroke-width: .6; }
  .rope { stroke: var(--ink-2); stroke-width: 1; fill: none; }
  .rope.loose { stroke-dasharray: 3 2; stroke-width: 1.4; }
  .acts { fill: var(--accent); fill-opacity: .13; stroke: var(--accent); stroke-width: 1.3; }
  .followed { fill: none; stroke: var(--accent-2); stroke-width: 2.2; }
  .differs { fill: none; stroke: var(--accent); stroke-width: 1.1; }
  .unequal { fill: var(--accent); font-weight: 700; text-anchor: middle; }
  .focus { fill: none; stroke: none; }
  .actor:focus-visible .focus, .thing:focus-visible .focus { stroke: var(--focus); stroke-width: 2.6; }
  @media (forced-colors: active) { .actor:focus .focus, .thing:focus .focus { stroke: Highlight; stroke-width: 3; } }
  .names { position: absolute; inset: 0; pointer-events: none; overflow: hidden; }
  .name {
    position: absolute; left: 0; top: 0; white-space: nowrap; line-height: 1.2; color: var(--ink);
    font-size: var(--person, 14px); will-change: auto;
  }
  .name[hidden] { display: none; }
  .name.act { font-weight: 600; }
  .name.thing { font-size: var(--thing, 12px); color: var(--ink-2); }
  .name.part { font-size: var(--part, 11.5px); color: var(--ink-2); }
  .name.up { writing-mode: vertical-rl; }
  .deed { color: var(--accent); font-size: .86em; font-weight: 600; }
  .deed:not(:empty) { margin-inline-start: .4em; }
  .leader { stroke: var(--ink-2); stroke-width: .8; fill: none; }
  .bracket { stroke: var(--ink-2); stroke-width: 1; fill: none; }
  .inset {
    position: absolute; border: 1.5px solid var(--wall); border-radius: 3px; background: var(--court);
    overflow: hidden; cursor: pointer; padding: 0; box-shadow: 0 0 0 4px var(--court); font: inherit; text-align: start;
  }
  .inset[hidden], .mini-box[hidden] { display: none; }
  .inset svg.map { position: absolute; inset: 0; }
  .mini-box { position: absolute; right: 8px; top: 8px; padding: 0; border: 0; background: none; cursor: pointer; display: flex; gap: 4px; align-items: flex-start; }
  .compass { width: calc(20px * var(--big, 1)); height: calc(44px * var(--big, 1)); }
  .compass text { font-size: 13px; text-anchor: middle; fill: var(--ink); }
  .compass path { fill: var(--ink); }
  .mini { background: var(--paper); }
  .mini .court { stroke: var(--wall); stroke-width: 1px; }
  .mini .hall { stroke: none; }
  .cloth-line { stroke: var(--accent); stroke-width: 2px; fill: none; }
  .dots { stroke: var(--ink-2); stroke-width: 2.4px; stroke-linecap: round; fill: none; }
  .dots.acting { stroke: var(--accent); stroke-width: 4px; }
  .shown { fill: var(--accent-2); fill-opacity: .12; stroke: var(--accent-2); stroke-width: 1.5px; }
  .scale { position: absolute; left: 8px; bottom: 6px; padding: 0 2px; pointer-events: none; background: color-mix(in srgb, var(--court) 75%, transparent); }
  .scale path { stroke: var(--ink); stroke-width: 1.4; fill: none; }
  .scale { zoom: var(--big, 1); } .scale text { font-size: 11px; fill: var(--ink); }
  .buttons { position: absolute; right: 8px; bottom: 8px; display: flex; gap: 4px; }
  .buttons button {
    width: calc(40px * var(--big, 1)); height: calc(40px * var(--big, 1)); padding: 0; border: 1px solid var(--line); border-radius: 4px;
    background: var(--paper); color: var(--ink); cursor: pointer; display: grid; place-items: center;
  }
  .buttons button:focus-visible, .inset:focus-visible, .mini-box:focus-visible { outline: 3px solid var(--focus); outline-offset: 1px; }
  .buttons button[aria-pressed="true"] { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
  .buttons svg { width: calc(20px * var(--big, 1)); height: calc(20px * var(--big, 1)); fill: none; stroke: currentColor; stroke-width: 1.7; stroke-linecap: round; stroke-linejoin: round; }
  .account { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  @media print { .buttons, .inset, .mini, .focus { display: none; } .acts { fill: none; } :host { break-inside: avoid; } }
`;
