/**
 * What wants a name in a window, in which order, and how it is called.
 *
 * Comes in: a window, what is true at a moment, and the boxes that are taken. Goes out: names, placed. Who acts comes first
 * and is always named; then who is followed or marked; then rows, people, things, and the parts of the building.
 */

import {groundNames} from "yanli/ground.js";
import {LINE} from "yanli/labels.js";
import {wordOf} from "yanli/language.js";
import {dot, holds} from "yanli/space.js";
import {isDrawn, isTrue} from "yanli/things.js";

/** @typedef {import("yanli/pane.js").Pane} Pane */
/** @typedef {import("yanli/pane.js").Body} Body */
/** @typedef {import("yanli/pane.js").Frame} Frame */
/** @typedef {import("yanli/pane.js").Lump} Lump */
/** @typedef {import("yanli/rows.js").Names} Names */
/** @typedef {import("yanli/stacks.js").Stacks} Stacks */
/** @typedef {import("yanli/stacks.js").Stack} Stack */
/** @typedef {import("yanli/labels.js").Row} Row */
/** @typedef {import("yanli/labels.js").Wish} Wish */
/** @typedef {import("yanli/space.js").Rect} Rect */
/** @typedef {import("yanli/space.js").Space} Space */

/** What is named only where there is room beside it: its mark can be told. */
const QUIET = new Set(["脯醢", "俎", "羞", "肺", "爵", "觶", "觚"]);
const MAT = "席";
/** So many of those that are alike are named. */
const ALIKE = 3;
/** How far away the name of who does nothing may stand, in pixels, and that of a thing. */
const PERSON = 64;
const THING = 32;
/** Below this many pixels for one 尺 only people are named. */
const FAR = 3.2;
/** …and what stands by itself far off. */
const FARSEEN = new Set(["侯", "乏"]);
const EDGE = 3;

/**
 * Name everything in a window.
 * @param {Pane} pane @param {Frame} frame @param {Names} names @param {Stacks} stacks @param {Space} space
 * @param {Map<number, Rect>} boxes  of people @param {Map<string, Rect>} marks  of things @param {boolean} rest
 */
export function arranged(pane, frame, names, stacks, space, boxes, marks, rest) {
  const {camera} = pane;
  const inside = (/** @type {Rect} */ box) => {
    const x = (box[0] + box[2]) / 2;
    const y = (box[1] + box[3]) / 2;
    return x > 0 && y > 0 && x < camera.width && y < camera.height && pane.open(x, y);
  };
  const people = peopleRows(pane, frame, names, boxes, inside, rest);
  for (const [key, box] of marks) {
    const {stack} = /** @type {Lump} */ (pane.lumps.get(key));
    if (stack.form !== MAT && !stack.fixed && !stack.laid) space.take(box);
  }
  const things = thingRows(pane, frame, stacks, marks, inside);
  const rows = [true, false].flatMap((act) => [...people, ...things].filter((row) => row.act === act));
  if (!pane.small) rows.push(...outside(pane, frame), ...(camera.scale < FAR ? [] : parts(pane, frame)));
  const area = /** @type {Rect} */ ([EDGE, EDGE, camera.width - EDGE, camera.height - EDGE]);
  pane.tags.update(pane.labels.place(rows, space, area, pane.sizes, rest));
}

/**
 * @param {Pane} pane @param {Frame} frame @param {Names} names @param {Map<number, Rect>} boxes
 * @param {(box: Rect) => boolean} inside @param {boolean} rest @returns {Row[]}
 */
function peopleRows(pane, frame, names, boxes, inside, rest) {
  const {doc} = pane;
  const shown = [...boxes].filter(([, box]) => inside(box)).map(([person]) => person);
  const alone = (/** @type {number} */ person) => person === frame.person || frame.marks.has(person);
  const first = (/** @type {number} */ person) => frame.acting.has(person) || alone(person);
  const found = names
    .rows(shown, frame.moment, frame.poses, first)
    .flatMap((row) => (row.some(alone) ? row.map((person) => [person]) : [row]))
    .map((row) => {
      const members = row.map((person) => {
        const body = /** @type {Body} */ (pane.bodies.get(person));
        const {x, y} = frame.poses[person];
        return {
          key: `p${person}`,
          of: doc.words[doc.people[person].name],
          words: names.person(person, frame.moment.people[person], frame.script),
          tag: frame.tags.get(person) ?? "",
          box: boxes.get(person),
          x: rest ? pane.camera.left(x) + body.goal.dx : body.x,
          y: rest ? pane.camera.top(y) + body.goal.dy : body.y,
        };
      });
      const [{tag}] = members;
      return /** @type {Row} */ ({
        key: `r${row[0]}`,
        members,
        together: row.length > 1 ? names.row(row, frame.moment, frame.script) : "",
        tag: members.every((one) => one.tag === tag) ? tag : "",
        kind: "person",
        act: first(row[0]),
        reach: PERSON,
      });
    });
  return found.sort((one, other) => Number(other.act) - Number(one.act) || other.members.length - one.members.length);
}

/**
 * @param {Pane} pane @param {Frame} frame @param {Stacks} stacks @param {Map<string, Rect>} marks
 * @param {(box: Rect) => boolean} inside @returns {Row[]}
 */
function thingRows(pane, frame, stacks, marks, inside) {
  /** @type {Row[]} */
  const found = [];
  const far = pane.camera.scale < FAR && !pane.small;
  for (const [key, box] of marks) {
    const {stack, goal} = /** @type {Lump} */ (pane.lumps.get(key));
    const whole = [...stack.things, ...stack.content];
    const act = whole.includes(frame.thing);
    const touched = whole.some((thing) => frame.touched.has(thing));
    if (far && !act && !FARSEEN.has(stack.form)) continue;
    if (stack.form === MAT && !act) continue;
    if (!isTrue(stack.form) && !inside(box)) continue;
    const words = stacks.words(stack, frame.script, isDrawn(pane.doc, stack));
    if (!words) continue;
    const wish = {
      key: `t${key}`,
      of: stack.things.map((thing) => pane.doc.things[thing].id).join(" "),
      words,
      tag: "",
      box,
      x: pane.camera.left(stack.x) + goal.dx,
      y: pane.camera.top(stack.y) + goal.dy,
    };
    const quiet = QUIET.has(stack.kind) && !touched;
    found.push({key: wish.key, members: [wish], together: "", tag: "", kind: "thing", act, reach: quiet ? 0 : THING});
  }
  return fewer(found.sort((one, other) => Number(!one.reach) - Number(!other.reach)));
}

/** Of small things of one kind a few are named; the others look the same. @param {Row[]} rows */
function fewer(rows) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  return rows.filter((row) => {
    if (row.reach > 0 || row.act) return true;
    const {words} = row.members[0];
    const count = (counts.get(words) ?? 0) + 1;
    counts.set(words, count);
    return count <= ALIKE;
  });
}

/** Where people are outside hall and court, the place is named. @param {Pane} pane @param {Frame} frame @returns {Row[]} */
function outside(pane, frame) {
  const {doc, camera} = pane;
  /** @type {Map<string, Row>} */
  const found = new Map();
  for (const [person, body] of pane.bodies) {
    const {x, y, walking} = frame.poses[person];
    if (!body.seen || walking || holds(doc.building.bounds, dot(x, y))) continue;
    const place = doc.spots[frame.moment.people[person].spot][2];
    const words = wordOf(doc, place, frame.script);
    if (found.has(words)) continue;
    const spots = [-34, 34, -52, 52].flatMap((down) =>
      [0, 46, -46].map((across) => [camera.left(x) + across, camera.top(y) + down]),
    );
    found.set(words, part(camera, `o${words}`, words, spots, 0));
  }
  return [...found.values()];
}

/** The parts of the building: each at the first of its places that is free. @param {Pane} pane @param {Frame} frame @returns {Row[]} */
function parts(pane, frame) {
  const {camera} = pane;
  return groundNames(pane.doc, camera, frame.script, pane.sizes.part).map(({words, spots}) => {
    // Where the name stood a moment ago it stays while that ground is seen.
    const before = pane.labels.memory.get(`g${words}`)?.labels[0]?.anchor;
    const kept = before ? pane.anchor(before) : null;
    return part(camera, `g${words}`, words, kept ? [[kept.x, kept.y], ...spots] : spots, pane.sizes.part * LINE);
  });
}

/**
 * A part of the ground, to be named at one of some spots in the window.
 * @param {import("yanli/camera.js").Camera} camera @param {string} name @param {string} words @param {number[][]} spots
 * @param {number} high  of the name, in pixels @returns {Row}
 */
function part(camera, name, words, spots, high) {
  const members = spots.map(([x, y]) => {
    const key = `g${camera.groundX(x).toFixed(2)} ${camera.groundY(y).toFixed(2)}`;
    return {key, of: words, words, tag: "", box: /** @type {Rect} */ ([x, y - high / 2, x, y + high / 2]), x, y};
  });
  return {key: name, members, together: "", tag: "", kind: "part", act: false, reach: 0};
}
