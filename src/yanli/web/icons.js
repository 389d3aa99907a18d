/**
 * Small pictures for buttons, drawn in lines of the text's colour. In: a name. Out: a template; the button has the words.
 */

import {svg, html} from "lit";

const PATHS = {
  play: "M7 4.5v15l12-7.5z",
  pause: "M7 5h3.5v14H7zM13.5 5H17v14h-3.5z",
  act: "M9 5l7 7-7 7",
  clause: "M6 5l7 7-7 7M12.5 5l7 7-7 7",
  section: "M6 5l8 7-8 7zM17.5 5v14",
  search: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5L21 21",
  choose: "M4 7h9M17 7h3M4 17h3M11 17h9M13 4.5v5M7 14.5v5",
  compare: "M4 5h6.5v14H4zM13.5 5H20v14h-6.5z",
  look: "M4 6.5h9M8.5 4v2.5M11.5 6.5c-1 4-3.5 6.5-7 8M6 9.5c1.5 2.5 3.5 4 6 5M12.5 20l4-10 4 10M14 16.5h5",
  link: "M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-5.7-5.7L12 7M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 5.7 5.7L12 17",
  help: "M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 17.5v.5",
  close: "M6 6l12 12M18 6L6 18",
  up: "M5 15l7-7 7 7",
  down: "M5 9l7 7 7-7",
};
const SOLID = new Set(["play", "pause"]);

/**
 * @param {keyof typeof PATHS} name @param {boolean} [back] mirrored
 */
export function icon(name, back = false) {
  const shape = svg`<path d=${PATHS[name]} />`;
  return html`<svg class="icon ${SOLID.has(name) ? "solid" : ""} ${back ? "mirrored" : ""}" viewBox="0 0 24 24" aria-hidden="true">${shape}</svg>`;
}
