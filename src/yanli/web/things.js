/**
 * Things as seen from above: what is set up to scale, what merely lies there as a mark that can be told.
 *
 * Comes in: stacks of things. Goes out: for each a size and its SVG round (0, 0), in a measure of nine units for one 尺.
 * A mat and a target are always to scale; the smaller things are drawn a little larger than they are when the camera is
 * far away, so that they can be told.
 */

import {disc, letters, num, path, rect, row} from "yanli/draw.js";
import {formOf, quarters} from "yanli/stacks.js";

const {abs, floor, max, min, round} = Math;

/** @typedef {import("yanli/types.js").StageDoc} StageDoc */
/** @typedef {import("yanli/types.js").Moment} Moment */
/** @typedef {import("yanli/stacks.js").Stack} Stack */

/**
 * @typedef {object} Mark
 * @property {number} broad  in units
 * @property {number} deep
 * @property {string} shapes
 */

/** Units for one 尺. */
export const UNIT = 9;
/** Of more arrows than these only so many are drawn, and the number written. */
const STROKES = 8;
const TEN = 10;
const MAT = "席";
const TARGET = "侯";
const LOOSE = ["不繫", "釋", "說"];
const CORD = "左下綱";
const FLAG = path("pole", "M0 9 V-9") + path("flag", "M0 -9 L8 -6 L0 -2Z");
const WAVES = path("wave", "M-4 -1.5 q2 -2 4 0 t4 0 M-4 2.5 q2 -2 4 0 t4 0");
const BASIN = disc("stand", 7);

/** @type {Record<string, [string, number, number]>}  shapes, breadth, depth */
const PLAIN = {
  扑: [path("switch", "M-12 2 L12 -2"), 26, 7],
  旌: [FLAG, 18, 20],
  脯醢: [disc("dish", 2.1, 0, -2.3) + rect("dish", 4, 4, -2, 0.5), 9, 5],
  羞: [path("dish", "M-3.6 3 L0 -3.6 L3.6 3Z"), 8, 8],
  俎: [rect("wood", 12, 6) + path("thin", "M-3.5 -3 V3 M3.5 -3 V3"), 13, 7],
  洗: [BASIN + disc("water", 4.6), 15, 15],
  水: [rect("stand", 13, 13) + WAVES, 14, 14],
  建鼓: [disc("stand", 8) + disc("drumskin", 5.6) + disc("post", 1.4), 17, 17],
  乏: [path("screen", "M13 -13 H-9 Q-15 0 -9 13 H13"), 30, 28],
  鼙: [disc("stand", 5.4) + disc("drumskin", 3.4), 11, 11],
  鼗: [path("pole", "M0 9 V0") + disc("drumskin", 4.2, -3), 9, 17],
  簜: [path("pole", "M-3 8 V-8 M0 8 V-8 M3 8 V-8"), 9, 17],
  燭: [path("pole", "M0 8 V-3") + path("flag", "M0 -10 Q5 -4 0 -1 Q-5 -4 0 -10Z"), 11, 19],
  豆: [disc("dish", 3.4) + disc("thin", 1.4), 8, 8],
  笥: [rect("basket", 15, 9) + path("thin", "M-7.5 0 H7.5"), 16, 10],
  巾: [rect("load", 10, 6), 11, 7],
  策: [rect("wood", 11, 14) + path("thin", "M-2.5 -7 V7 M2.5 -7 V7"), 12, 15],
  瑟: [rect("wood", 8, 24) + path("thin", "M-1.5 -12 V12 M1.5 -12 V12"), 9, 25],
  茅: [path("thin", "M-6 3 Q0 -4 6 3 M-6 0 Q0 -6 6 0"), 14, 9],
};

/** @type {Record<string, (stack: Stack, look: Look) => Mark>} */
const DRAWN = {
  爵: cups,
  弓: bow,
  矢: arrows,
  算: sticks,
  斯禁: stand,
  壺: jars,
  篚: basket,
  豐: cupstand,
  楅: arrowstand,
  中: holder,
  磬: chimes,
  鐘: bells,
  鑮: bell,
  [MAT]: mat,
  [TARGET]: target,
};

/**
 * @typedef {object} Look  what a mark must know of the moment
 * @property {StageDoc} doc
 * @property {Moment} moment
 * @property {number} large  what is in a target is drawn so much larger than the target
 * @property {Stack[]} mats  all mats, so that those close together do not cover one another
 */

/** Whether the lower left cord of a target hangs free. @param {Record<string, string>} states */
export function isLoose(states) {
  return Object.entries(states).some(([part, how]) => (part.endsWith(CORD) || part === "繫") && LOOSE.includes(how));
}

/** Whose mark a stack has. @param {StageDoc} doc @param {Stack} stack */
const lookOf = (doc, {kind, form}) => doc.kinds[kind]?.look ?? form;

/** Whether a stack has a mark of its own; else its first character is written. @param {StageDoc} doc @param {Stack} stack */
export function isDrawn(doc, stack) {
  const look = lookOf(doc, stack);
  return look in DRAWN || look in PLAIN;
}

/** Whether a thing is always as large as it is. @param {string} form */
export function isTrue(form) {
  return form === MAT || form === TARGET;
}

/** @param {Stack} stack @param {Look} look @returns {Mark} */
export function markOf(stack, look) {
  const {doc, moment} = look;
  const name = lookOf(doc, stack);
  const draw = DRAWN[name];
  const plain = PLAIN[name];
  if (!draw && !plain)
    return {broad: 11, deep: 11, shapes: rect("load", 11, 11) + letters([...stack.kind][0], 8, 0, 3)};
  const mark = draw ? draw(stack, look) : {shapes: plain[0], broad: plain[1], deep: plain[2]};
  const {facing, spot} = moment.things[stack.things[0]];
  const turns = isTrue(stack.form) ? 0 : quarters(doc.kinds[stack.kind], facing ?? doc.spots[spot][4]);
  if (!turns) return mark;
  const shapes = `<g transform="rotate(${90 * turns})">${mark.shapes}</g>`;
  return turns % 2 ? {broad: mark.deep, deep: mark.broad, shapes} : {...mark, shapes};
}

/** @param {Stack} stack @param {Look} look @returns {[number, number]}  in units */
function sizeOf(stack, {doc}) {
  const [broad, deep] = doc.kinds[stack.kind]?.size ?? [1.5, 1.5];
  return [broad * UNIT, deep * UNIT];
}

/** @param {Stack} stack @param {string} form @param {Look} look @returns {number[]}  what of a form lies in it */
function inside(stack, form, {doc}) {
  return stack.content.filter((thing) => formOf(doc, thing) === form);
}

/** Cups side by side. @param {number[]} things @param {Look} look @param {number} step @param {number} r @param {boolean} [upright] */
function cupsOf(things, {moment}, step, r, upright) {
  let at = 0;
  return row(things.length, step, (off) => {
    const [x, y] = upright ? [0, off] : [off, 0];
    return disc("cup", r, y, x) + (moment.things[things[at++]].filled ? disc("wine", r * 0.55, y, x) : "");
  });
}

/** @param {Stack} stack @param {Look} look @returns {Mark} */
function mat(stack, look) {
  const {doc, moment, mats} = look;
  const state = moment.things[stack.things[0]];
  const [x, y] = frontOf(state.facing ?? doc.spots[state.spot][4] ?? 180);
  const size = doc.kinds[stack.kind]?.size ?? [6, 10 / 3];
  const near = mats.map((other) => abs(other.x - stack.x) + abs(other.y - stack.y));
  const long = max(1.6, min(size[0], ...near.filter((far) => far > 0.5).map((far) => far - 0.25)));
  const w = (x ? size[1] : long) * UNIT;
  const h = (x ? long : size[1]) * UNIT;
  const layers = stack.things.reduce((sum, thing) => sum + moment.things[thing].layers, 0);
  let shapes = rect("mat", w, h);
  for (let at = 1; at <= min(max(layers, 1), 3); at++) shapes += rect("hem", w - 5 * at, h - 5 * at);
  const u = 4 * (x + y);
  const v = 4 * (y - x);
  shapes += path("way", `M${num((x * w) / 2 - y * 4)} ${num((y * h) / 2 + x * 4)} l${u} ${v} l${v} ${-u}Z`);
  return {broad: w, deep: h, shapes};
}

/** The nearest of the four ways as a step on the screen, y down. @param {number} degrees @returns {[number, number]} */
function frontOf(degrees) {
  const turn = (round(degrees / 90) * Math.PI) / 2;
  return [round(Math.sin(turn)), -round(Math.cos(turn))];
}

/** The target from above, its ropes, and what stands in it. @param {Stack} stack @param {Look} look @returns {Mark} */
function target(stack, look) {
  const {large, moment} = look;
  const [whole] = sizeOf(stack, look);
  const half = whole / 2;
  const loose = isLoose(moment.things[stack.things[0]].states);
  let shapes = rect("cloth", whole, 5) + rect("drum", whole / 4, 5);
  for (const side of [-1, 1]) {
    const post = side * (half + 14);
    const low = `M${num(side * half * 0.75)} 2`;
    shapes += path("rope", `M${num(side * half)} -1 L${num(post)} -1`);
    // Seen from the hall its left is in the west.
    shapes +=
      loose && side < 0
        ? path("rope loose", `${low} q-3 9 -12 7 q-9 -2 -10 6`)
        : path("rope", `${low} L${num(post)} 3`);
    shapes += disc("post", 3, 1, post);
  }
  const shot = inside(stack, "矢", look).length;
  const flagged = inside(stack, "旌", look).length > 0;
  shapes += `<g transform="scale(${large})">${strokes(shot, 4, whole / 4, "-12 v14")}</g>`;
  if (flagged)
    shapes += `<g transform="translate(${num(whole / 8 + 10 * large)} ${-9 * large}) scale(${large})">${FLAG}</g>`;
  return {broad: whole + 34, deep: shot || flagged ? 26 * large : 9, shapes};
}

/** Arrows side by side. @param {number} number @param {number} step  at most @param {number} broad @param {string} way */
function strokes(number, step, broad, way) {
  const count = min(number, TEN + 2);
  return row(count, min(step, broad / max(count, 1)), (x) => path("arrow", `M${num(x)} ${way}`));
}

/** @param {Stack} stack @param {Look} look @returns {Mark} */
function cups({things}, look) {
  const shown = things.slice(0, 4);
  return {broad: 9 * shown.length - 1.2, deep: 7.8, shapes: cupsOf(shown, look, 9, 3.4)};
}

/** @param {Stack} stack @param {Look} look @returns {Mark} */
function bow({things}, {moment}) {
  const slack = moment.things[things[0]].states["狀"] === "弛";
  return {broad: 24, deep: 9, shapes: path("bow", slack ? "M-11 0 Q0 2.5 11 0" : "M-11 3 Q0 -8 11 3 M-11 3 H11")};
}

/** @param {Stack} stack @returns {Mark} */
function arrows({things}) {
  const count = min(things.length, STROKES);
  const shapes = row(count, 3, (x) => path("arrow", `M${num(x)} 9 V-9 m-1.2 2.6 l1.2 -2.8 l1.2 2.8`));
  return {broad: 3 * count + 2, deep: 20, shapes};
}

/** @param {Stack} stack @returns {Mark} */
function sticks({things}) {
  const count = min(things.length, 8 * TEN);
  const line = count <= 4 * TEN ? TEN : 2 * TEN;
  const broad = 2.6 * min(count, line);
  const deep = 7 * Math.ceil(count / line);
  let way = "";
  for (let at = 0; at < count; at++) {
    way += `M${num(1.3 + 2.6 * (at % line) - broad / 2)} ${num(1 + 7 * floor(at / line) - deep / 2)}v5`;
  }
  return {broad: broad + 2, deep: deep + 1, shapes: path("stick", way)};
}

/** @param {Stack} stack @param {Look} look @returns {Mark} */
function basket(stack, look) {
  const [broad, deep] = sizeOf(stack, look);
  const shown = inside(stack, "爵", look).slice(0, 4);
  return {broad, deep, shapes: rect("basket", broad, deep) + cupsOf(shown, look, 6.2, 2.6, broad <= deep)};
}

/** @param {Stack} stack @param {Look} look @returns {Mark} */
function stand(stack, look) {
  const [broad, deep] = sizeOf(stack, look);
  return {broad, deep, shapes: rect("stand", broad, deep) + jarsOf(inside(stack, "壺", look).length)};
}

/** Jars on the floor itself. @param {Stack} stack @returns {Mark} */
function jars({things}) {
  const count = min(things.length, TEN);
  return {broad: 16 * count - 2, deep: 14, shapes: jarsOf(count)};
}

/** @param {number} count */
function jarsOf(count) {
  return row(count, 16, (x) => disc("jar", 6.5, 0, x) + disc("mouth", 2.6, 0, x));
}

/** @param {Stack} stack @param {Look} look @returns {Mark} */
function cupstand(stack, look) {
  const shown = inside(stack, "爵", look).slice(0, 1);
  return {broad: 12, deep: 12, shapes: disc("stand", 6) + disc("thin", 4.4) + cupsOf(shown, look, 0, 3)};
}

/** @param {Stack} stack @param {Look} look @returns {Mark} */
function arrowstand(stack, look) {
  const [broad] = sizeOf(stack, look);
  const count = inside(stack, "矢", look).length;
  const shapes = rect("wood", broad, 5) + row(2, broad, (x) => disc("wood", 2.6, 0, x));
  return {broad: broad + 6, deep: count ? 24 : 8, shapes: shapes + strokes(count, 3, broad - 4, "11 V-11")};
}

/** @param {Stack} stack @param {Look} look @returns {Mark} */
function holder(stack, look) {
  let shapes = '<ellipse rx="10" ry="5.6" class="beast"/>';
  shapes += disc("beast", 3.4, 0, 11) + path("thin", "M12.5 -3 l3 -3 M12.5 3 l3 3");
  const count = min(inside(stack, "算", look).length, STROKES);
  return {broad: 32, deep: 14, shapes: shapes + row(count, 2, (x) => path("stick", `M${num(x)} -3 v6`))};
}

/** @param {Stack} stack @param {Look} look @returns {Mark} */
function chimes(stack, look) {
  const [broad, deep] = sizeOf(stack, look);
  let shapes = beam(broad);
  for (let x = -broad / 2 + 6; x < broad / 2; x += 8) shapes += path("thin", `M${num(x)} -6 l2.5 6 l-2.5 6`);
  return {broad, deep, shapes};
}

/** @param {number} broad */
const beam = (broad) => path("beam", `M${num(-broad / 2)} 0 H${num(broad / 2)}`);

/** Bells under their beam. @param {Stack} stack @param {Look} look @returns {Mark} */
function bells(stack, look) {
  const [broad, deep] = sizeOf(stack, look);
  const count = floor((broad - 6) / 9) + 1;
  return {broad, deep, shapes: beam(broad) + row(count, 9, (x) => disc("stand", 4, 0, x))};
}

/** One great bell. @param {Stack} stack @param {Look} look @returns {Mark} */
function bell(stack, look) {
  const [broad, deep] = sizeOf(stack, look);
  return {broad, deep, shapes: beam(broad) + disc("stand", 7)};
}

/** An arrow in the air, pointing up. */
export const FLYING = path("arrow flying", "M0 13 V-13 m-2 4 l2 -4.4 l2 4.4 M-1.6 13 l1.6 -3 l1.6 3");
