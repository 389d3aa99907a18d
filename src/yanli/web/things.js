/**
 * Things as seen from above: what is set up to scale, what merely lies there as a mark that can be told.
 *
 * Comes in: stacks of things. Goes out: for each a size and its SVG round (0, 0), in a measure of nine units for one 尺.
 * A mat and a target are always to scale; the smaller things are drawn a little larger than they are when the camera is
 * far away, so that they can be told.
 */

import {num, safe} from "yanli/draw.js";

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
const FLAG = '<path d="M0 9 V-9" class="pole"/><path d="M0 -9 L8 -6 L0 -2Z" class="flag"/>';
const WAVES = '<path d="M-4 -1.5 q2 -2 4 0 t4 0 M-4 2.5 q2 -2 4 0 t4 0" class="wave"/>';
const BASIN = '<circle r="7" class="stand"/>';

/** @type {Record<string, [string, number, number]>}  shapes, breadth, depth */
const PLAIN = {
  扑: ['<path d="M-12 2 L12 -2" class="switch"/>', 26, 7],
  旌: [FLAG, 18, 20],
  脯醢: ['<circle cx="-2.3" r="2.1" class="dish"/><rect x="0.5" y="-2" width="4" height="4" class="dish"/>', 9, 5],
  羞: ['<path d="M-3.6 3 L0 -3.6 L3.6 3Z" class="dish"/>', 8, 8],
  俎: [`${rect(12, 6, "wood")}<path d="M-3.5 -3 V3 M3.5 -3 V3" class="thin"/>`, 13, 7],
  洗: [`${BASIN}<circle r="4.6" class="water"/>`, 15, 15],
  水: [rect(13, 13, "stand") + WAVES, 14, 14],
  罍: [BASIN + WAVES, 15, 15],
  建鼓: ['<circle r="8" class="stand"/><circle r="5.6" class="drumskin"/><circle r="1.4" class="post"/>', 17, 17],
  乏: ['<path d="M13 -13 H-9 Q-15 0 -9 13 H13" class="screen"/>', 30, 28],
  瑟: [`${rect(8, 24, "wood")}<path d="M-1.5 -12 V12 M1.5 -12 V12" class="thin"/>`, 9, 25],
  茅: ['<path d="M-6 3 Q0 -4 6 3 M-6 0 Q0 -6 6 0" class="thin"/>', 14, 9],
};

/** @type {Record<string, (stack: Stack, look: Look) => Mark>} */
const DRAWN = {
  爵: cups,
  弓: bow,
  矢: arrows,
  算: sticks,
  斯禁: jars,
  禁: jars,
  上篚: basket,
  下篚: basket,
  膳篚: basket,
  篚: basket,
  豐: cupstand,
  楅: arrowstand,
  中: holder,
  磬: chimes,
  鍾: chimes,
  鑮: chimes,
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

/** Whether a form has a mark of its own; else its first character is written. @param {string} form */
export function isDrawn(form) {
  return form in DRAWN || form in PLAIN;
}

/** Whether a thing is always as large as it is. @param {string} form */
export function isTrue(form) {
  return form === MAT || form === TARGET;
}

/** @param {Stack} stack @param {Look} look @returns {Mark} */
export function markOf(stack, look) {
  const draw = DRAWN[stack.form];
  if (draw) return draw(stack, look);
  const plain = PLAIN[stack.form];
  if (plain) return {shapes: plain[0], broad: plain[1], deep: plain[2]};
  const [letter = ""] = stack.kind;
  const text = `<text y="3" font-size="8" class="tiny">${safe(letter)}</text>`;
  return {broad: 11, deep: 11, shapes: `<rect x="-5.5" y="-5.5" width="11" height="11" class="load"/>${text}`};
}

/** @param {number} broad @param {number} deep @param {string} kind */
function rect(broad, deep, kind) {
  return `<rect x="${num(-broad / 2)}" y="${num(-deep / 2)}" width="${num(broad)}" height="${num(deep)}" class="${kind}"/>`;
}

/** @param {Stack} stack @param {Look} look @returns {[number, number]}  in units */
function sizeOf(stack, {doc}) {
  const [broad, deep] = doc.kinds[stack.kind]?.size ?? [1.5, 1.5];
  return [broad * UNIT, deep * UNIT];
}

/** @param {number} thing @param {Look} look */
function formOf(thing, {doc}) {
  const kind = doc.words[doc.things[thing]?.kind ?? -1] ?? "";
  return doc.kinds[kind]?.form ?? kind;
}

/** @param {Stack} stack @param {string} form @param {Look} look @returns {number[]}  what of a form lies in it */
function inside(stack, form, look) {
  return stack.content.filter((thing) => formOf(thing, look) === form);
}

/** A cup. @param {number} x @param {number} y @param {number} r @param {boolean} full */
function cup(x, y, r, full) {
  const place = `cx="${num(x)}" cy="${num(y)}"`;
  return `<circle ${place} r="${r}" class="cup"/>${full ? `<circle ${place} r="${num(r * 0.55)}" class="wine"/>` : ""}`;
}

/** @param {Stack} stack @param {Look} look @returns {Mark} */
function mat(stack, look) {
  const {doc, moment, mats} = look;
  const [first = -1] = stack.things;
  const state = moment.things[first];
  const facing = state?.facing ?? doc.spots[state?.spot ?? -1]?.[4] ?? 180;
  const [x, y] = frontOf(facing);
  const size = doc.kinds[stack.kind]?.size ?? [6, 10 / 3];
  const near = mats.map((other) => Math.abs(other.x - stack.x) + Math.abs(other.y - stack.y));
  const long = Math.max(1.6, Math.min(size[0], ...near.filter((far) => far > 0.5).map((far) => far - 0.25)));
  const w = (x ? size[1] : long) * UNIT;
  const h = (x ? long : size[1]) * UNIT;
  const layers = Math.max(
    stack.things.reduce((sum, thing) => sum + (moment.things[thing]?.layers ?? 1), 0),
    1,
  );
  let shapes = rect(w, h, "mat");
  for (let at = 1; at <= Math.min(layers, 3); at++) shapes += rect(w - 5 * at, h - 5 * at, "hem");
  const u = 4 * (x + y);
  const v = 4 * (y - x);
  shapes += `<path d="M${num((x * w) / 2 - y * 4)} ${num((y * h) / 2 + x * 4)} l${u} ${v} l${v} ${-u}Z" class="way"/>`;
  return {broad: w, deep: h, shapes};
}

/** The nearest of the four ways as a step on the screen, y down. @param {number} degrees @returns {[number, number]} */
function frontOf(degrees) {
  const ways = /** @type {[number, number][]} */ ([
    [0, -1],
    [1, 0],
    [0, 1],
    [-1, 0],
  ]);
  return ways[((Math.round(degrees / 90) % 4) + 4) % 4] ?? [0, -1];
}

/** The target from above, its ropes, and what stands in it. @param {Stack} stack @param {Look} look @returns {Mark} */
function target(stack, look) {
  const [whole] = sizeOf(stack, look);
  const half = whole / 2;
  const state = look.moment.things[stack.things[0] ?? -1];
  const loose = LOOSE.includes(state?.states["左下綱"] ?? "");
  let shapes = rect(whole, 5, "cloth") + rect(whole / 4, 5, "drum");
  for (const side of [-1, 1]) {
    const post = side * (half + 14);
    shapes += `<path d="M${num(side * half)} -1 L${num(post)} -1" class="rope"/>`;
    // Seen from the hall its left is in the west.
    shapes +=
      loose && side < 0
        ? `<path d="M${num(side * half * 0.75)} 2 q-3 9 -12 7 q-9 -2 -10 6" class="rope loose"/>`
        : `<path d="M${num(side * half * 0.75)} 2 L${num(post)} 3" class="rope"/>`;
    shapes += `<circle cx="${num(post)}" cy="1" r="3" class="post"/>`;
  }
  const shot = inside(stack, "矢", look).length;
  const {large} = look;
  shapes += `<g transform="scale(${large})">${strokes(shot, whole / 4, -12)}</g>`;
  const flagged = inside(stack, "旌", look).length > 0;
  if (flagged)
    shapes += `<g transform="translate(${num(whole / 8 + 10 * large)} ${-9 * large}) scale(${large})">${FLAG}</g>`;
  return {broad: whole + 34, deep: shot || flagged ? 26 * large : 9, shapes};
}

/** Arrows side by side, their points down. @param {number} number @param {number} broad @param {number} top */
function strokes(number, broad, top) {
  const count = Math.min(number, TEN + 2);
  const step = Math.min(4, broad / Math.max(count, 1));
  let shapes = "";
  for (let at = 0; at < count; at++) {
    shapes += `<path d="M${num((at - (count - 1) / 2) * step)} ${top} v14" class="arrow"/>`;
  }
  return shapes;
}

/** @param {Stack} stack @param {Look} look @returns {Mark} */
function cups(stack, {moment}) {
  const shown = stack.things.slice(0, 4);
  const shapes = shown.map((thing, at) => {
    return cup((at - (shown.length - 1) / 2) * 9, 0, 3.4, moment.things[thing]?.filled === true);
  });
  return {broad: 9 * shown.length - 1.2, deep: 7.8, shapes: shapes.join("")};
}

/** @param {Stack} stack @param {Look} look @returns {Mark} */
function bow(stack, {moment}) {
  const slack = moment.things[stack.things[0] ?? -1]?.states["狀"] === "弛";
  const way = slack ? "M-11 0 Q0 2.5 11 0" : "M-11 3 Q0 -8 11 3 M-11 3 H11";
  return {broad: 24, deep: 9, shapes: `<path d="${way}" class="bow"/>`};
}

/** @param {Stack} stack @returns {Mark} */
function arrows(stack) {
  const count = Math.min(stack.things.length, STROKES);
  let shapes = "";
  for (let at = 0; at < count; at++) {
    shapes += `<path d="M${num((at - (count - 1) / 2) * 3)} 9 V-9 m-1.2 2.6 l1.2 -2.8 l1.2 2.8" class="arrow"/>`;
  }
  return {broad: 3 * count + 2, deep: 20, shapes};
}

/** @param {Stack} stack @returns {Mark} */
function sticks(stack) {
  const count = Math.min(stack.things.length, 8 * TEN);
  const line = count <= 4 * TEN ? TEN : 2 * TEN;
  const lines = Math.ceil(count / line);
  const broad = 2.6 * Math.min(count, line);
  const deep = 7 * lines;
  let way = "";
  for (let at = 0; at < count; at++) {
    way += `M${num(1.3 + 2.6 * (at % line) - broad / 2)} ${num(1 + 7 * Math.floor(at / line) - deep / 2)}v5`;
  }
  return {broad: broad + 2, deep: deep + 1, shapes: `<path d="${way}" class="stick"/>`};
}

/** @param {Stack} stack @param {Look} look @returns {Mark} */
function basket(stack, look) {
  const [broad, deep] = sizeOf(stack, look);
  const shown = inside(stack, "爵", look).slice(0, 4);
  let shapes = rect(broad, deep, "basket");
  shown.forEach((thing, at) => {
    const off = 6.2 * (at - (shown.length - 1) / 2);
    const full = look.moment.things[thing]?.filled === true;
    shapes += broad > deep ? cup(off, 0, 2.6, full) : cup(0, off, 2.6, full);
  });
  return {broad, deep, shapes};
}

/** @param {Stack} stack @param {Look} look @returns {Mark} */
function jars(stack, look) {
  const [broad, deep] = sizeOf(stack, look);
  const count = stack.content.filter((thing) => formOf(thing, look).endsWith("壺")).length;
  let shapes = rect(broad, deep, "stand");
  for (let at = 0; at < count; at++) {
    const x = num((at - (count - 1) / 2) * 16);
    shapes += `<circle cx="${x}" r="6.5" class="jar"/><circle cx="${x}" r="2.6" class="mouth"/>`;
  }
  return {broad, deep, shapes};
}

/** @param {Stack} stack @param {Look} look @returns {Mark} */
function cupstand(stack, look) {
  const [thing] = inside(stack, "爵", look);
  let shapes = '<circle r="6" class="stand"/><circle r="4.4" class="thin"/>';
  if (thing !== undefined) shapes += cup(0, 0, 3, look.moment.things[thing]?.filled === true);
  return {broad: 12, deep: 12, shapes};
}

/** @param {Stack} stack @param {Look} look @returns {Mark} */
function arrowstand(stack, look) {
  const [broad] = sizeOf(stack, look);
  let shapes = rect(broad, 5, "wood");
  for (const side of [-1, 1]) shapes += `<circle cx="${num((side * broad) / 2)}" r="2.6" class="wood"/>`;
  const count = Math.min(inside(stack, "矢", look).length, TEN + 2);
  const step = Math.min(3, (broad - 4) / Math.max(count, 1));
  for (let at = 0; at < count; at++) {
    shapes += `<path d="M${num((at - (count - 1) / 2) * step)} 11 V-11" class="arrow"/>`;
  }
  return {broad: broad + 6, deep: count ? 24 : 8, shapes};
}

/** @param {Stack} stack @param {Look} look @returns {Mark} */
function holder(stack, look) {
  let shapes = '<ellipse rx="10" ry="5.6" class="beast"/><circle cx="11" r="3.4" class="beast"/>';
  shapes += '<path d="M12.5 -3 l3 -3 M12.5 3 l3 3" class="thin"/>';
  const count = Math.min(inside(stack, "算", look).length, STROKES);
  for (let at = 0; at < count; at++) shapes += `<path d="M${num((at - (count - 1) / 2) * 2)} -3 v6" class="stick"/>`;
  return {broad: 32, deep: 14, shapes};
}

/** @param {Stack} stack @param {Look} look @returns {Mark} */
function chimes(stack, look) {
  const [broad, deep] = sizeOf(stack, look);
  let shapes = `<path d="M0 ${num(-deep / 2)} V${num(deep / 2)}" class="beam"/>`;
  for (let y = -deep / 2 + 6; y < deep / 2; y += 8) shapes += `<path d="M-6 ${num(y)} l6 -2.5 l6 2.5" class="thin"/>`;
  return {broad, deep, shapes};
}

/** An arrow in the air, pointing up. */
export const FLYING = '<path d="M0 13 V-13 m-2 4 l2 -4.4 l2 4.4 M-1.6 13 l1.6 -3 l1.6 3" class="arrow flying"/>';
