/** The bars that show how long 尺 and metres are. Comes in: a scale, the length of a 尺. Goes out: a small drawing. */

import {element, num, set} from "yanli/draw.js";
import {planSay} from "yanli/plan-words.js";

const STEPS = [0.5, 1, 2, 5, 10, 20, 50, 100, 200];
const LONGEST = 92;

/**
 * @param {Element} svg @param {number} scale  pixels for one 尺 @param {number} metres  length of one 尺
 * @param {import("yanli/language.js").Script} script
 */
export function drawBars(svg, scale, metres, script) {
  svg.replaceChildren();
  set(svg, {width: 140, height: 38});
  const units = /** @type {const} */ ([
    ["chi", scale, 14],
    ["metre", scale / metres, 32],
  ]);
  for (const [unit, long, y] of units) {
    const step = STEPS.findLast((one) => one * long <= LONGEST) ?? STEPS[0];
    element("path", {d: `M1 ${y - 5}V${y}H${num(step * long + 1)}V${y - 5}`}, svg);
    const text = element("text", {x: step * long + 6, y: y + 1}, svg);
    text.textContent = `${step} ${planSay(script, unit)}`;
  }
}
