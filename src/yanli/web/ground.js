/**
 * The ground of the plan: court, hall, rooms, walls, pillars, stairs, marks and gate, from the shapes of the building.
 *
 * Comes in: the building of a performance. Goes out: SVG in 尺 (x east, y south), what stands in the way of names, and
 * the names of the parts with the places where each may be written. Lines keep their breadth however near the camera.
 */

import {area, element, num, spot} from "yanli/draw.js";
import {edges} from "yanli/space.js";
import {wordOf} from "yanli/language.js";

const {max, min} = Math;

/** @typedef {import("yanli/types.js").StageDoc} StageDoc */
/** @typedef {import("yanli/types.js").Shape} Shape */
/** @typedef {import("yanli/camera.js").Camera} Camera */
/** @typedef {import("yanli/space.js").Space} Space */
/** @typedef {import("yanli/space.js").Rect} Rect */
/** @typedef {import("yanli/language.js").Script} Script */

/** A wall is at least so thick on the screen, in pixels. */
const WALL = 2;
/** Where in an area its name is looked a place for: shares of its height and breadth. */
const DOWN = [0, -0.3, 0.3, -0.42, 0.42];
const ACROSS = [0, 0.15, -0.15, 0.3, -0.3, 0.42, -0.42];
/** Along something long, and along a beam: shares of its length from the middle. */
const LONG = [0.08, -0.08, 0.16, -0.16, 0, 0.35, -0.35];
const BEAM = [0.44, -0.44, 0.35, -0.35, 0.16, -0.16, 0];
/** What the name of an area needs of its own: the marks of the archers are named only when there is archery. */
const AREAS = new Set(["zone", "room", "court", "hall"]);
/** What is drawn with its breadth, and as what. @type {Record<string, string>} */
const BROAD = {court: "court", hall: "hall", room: "room", wall: "wall", post: "wall", stair: "stair"};

/**
 * Draw the building.
 * @param {StageDoc} doc @param {SVGGElement} group
 */
export function drawGround(doc, group) {
  group.replaceChildren();
  for (const shape of doc.building.shapes) {
    const [west, south, east, north] = shape.box;
    const {form} = shape;
    const [x, y] = [(west + east) / 2, (south + north) / 2];
    const line = (/** @type {string} */ kind, /** @type {number} */ at, before = "") =>
      element("path", {d: `${before}M${spot(west, at)} H${num(east)}`, class: kind}, group);
    if (form === "pillar")
      element("ellipse", {cx: x, cy: -y, rx: (east - west) / 2, ry: (north - south) / 2, class: form}, group);
    else if (form === "beam") line("beam-line", y);
    else if (form === "edge" || form === "sill") line(form, south);
    else if (form === "tent") line(form, south, `M${spot(west, north)} H${num(east)} V${num(-south)} `);
    else if (form === "mark") line(form, y, `M${spot(x, north)} V${num(-south)} `);
    else if (form in BROAD) area(shape.box, form === "hall" && shape.tall === 0 ? "hall flat" : BROAD[form], group);
    const steps = form === "stair" ? (shape.steps ?? 1) : 0;
    for (let at = 1; at < steps; at++) line("step", south + ((north - south) * at) / steps);
  }
}

/**
 * Let what is built stand in the way of names.
 * @param {StageDoc} doc @param {Camera} camera @param {Space} space
 */
export function blockGround(doc, camera, space) {
  for (const shape of doc.building.shapes) {
    const box = boxOf(shape, camera);
    if (box[2] < 0 || box[3] < 0 || box[0] > camera.width || box[1] > camera.height) continue;
    if (shape.form === "wall" || shape.form === "post") space.wall(thick(box));
    else if (shape.form === "pillar") space.take(thick(box));
    else if (shape.form === "edge") space.line(thick(box));
    else if (shape.form === "stair" || shape.form === "mark" || shape.form === "beam") space.take(box, true);
    else if (shape.form === "hall" || shape.form === "room") for (const one of edges(box, 1)) space.take(one, true);
  }
}

/** @param {Shape} shape @param {Camera} camera @returns {Rect} */
function boxOf(shape, camera) {
  const [west, south, east, north] = shape.box;
  return [camera.left(west), camera.top(north), camera.left(east), camera.top(south)];
}

/** @param {Rect} box @returns {Rect} */
function thick([left, top, right, bottom]) {
  const x = max(0, WALL - (right - left)) / 2;
  const y = max(0, WALL - (bottom - top)) / 2;
  return [left - x, top - y, right + x, bottom + y];
}

/**
 * The names of the parts that are in the window, each with the middles where it may be written, best first.
 * @param {StageDoc} doc @param {Camera} camera @param {Script} script @param {number} size  of the type, in pixels
 * @returns {{words: string, spots: number[][]}[]}
 */
export function groundNames(doc, camera, script, size) {
  /** @type {Map<string, number[][]>} */
  const found = new Map();
  for (const shape of doc.building.shapes) {
    const words = wordOf(doc, shape.name ?? -1, script);
    if (!words) continue;
    const box = boxOf(shape, camera);
    const seen = /** @type {Rect} */ ([
      max(box[0], 0),
      max(box[1], 0),
      min(box[2], camera.width),
      min(box[3], camera.height),
    ]);
    if (seen[2] < seen[0] || seen[3] < seen[1]) continue;
    // A beam ends at the walls: its name beside its ends would be outside.
    const spots = AREAS.has(shape.form)
      ? inside(seen)
      : shape.form === "beam"
        ? along(box, size, BEAM)
        : beside(box, size);
    found.set(words, [...(found.get(words) ?? []), ...spots]);
  }
  return [...found].map(([words, spots]) => ({words, spots}));
}

/** Places in an area; none when it is hardly seen. @param {Rect} box @returns {number[][]} */
function inside([left, top, right, bottom]) {
  if (right - left < 40 || bottom - top < 24) return [];
  return DOWN.flatMap((down) =>
    ACROSS.map((across) => [(left + right) / 2 + across * (right - left), (top + bottom) / 2 + down * (bottom - top)]),
  );
}

/** Places round a small thing, or along a long one. @param {Rect} box @param {number} size  of the type @returns {number[][]} */
function beside([left, top, right, bottom], size) {
  const y = (top + bottom) / 2;
  const across = along([left, top, right, bottom], size, right - left > 120 ? LONG : [0]);
  const [out, down] = [size * 1.25, size * 1.1];
  const sides = [0, down].flatMap((low) =>
    [1, 1.8].flatMap((far) => [
      [right + out * far, y + low],
      [left - out * far, y + low],
    ]),
  );
  return [...sides.slice(0, 4), ...across, ...sides.slice(4)];
}

/** Places above and below a long thing, by their share of it from the middle. @param {Rect} box @param {number} size @param {number[]} shares @returns {number[][]} */
function along([left, top, right, bottom], size, shares) {
  return shares.flatMap((share) => {
    const at = (left + right) / 2 + share * (right - left);
    return [
      [at, bottom + size * 0.8],
      [at, top - size * 0.8],
    ];
  });
}
