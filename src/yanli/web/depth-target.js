/**
 * The target 侯 in depth: cloth, posts and ropes, of its true size.
 *
 * Takes the breadth of its upper strip (上个), from which all else follows: 躬 is half, 中 a quarter of it, 下个 three
 * quarters. The cloth is two 尺 high in each strip, and hangs as high as its kind says, else one 尺二寸. Lengths in 尺.
 */
import * as THREE from "three";
import {TINT, box, mould, scatter, tube} from "yanli/depth-form.js";
import {isLoose} from "yanli/things.js";

/** @typedef {import('yanli/types.js').StageDoc} StageDoc */
/** @typedef {import('yanli/types.js').ThingState} ThingState */
/** @typedef {import('yanli/depth-form.js').Part} Part */

const [STRIP, CLEAR, USUAL] = [2, 1.2, 40];

export class Target {
  /** @param {StageDoc} doc @param {number} thing @param {THREE.Material} stuff */
  constructor(doc, thing, stuff) {
    this.group = new THREE.Group();
    this.thing = thing;
    this.stuff = stuff;
    const form = doc.kinds[doc.words[doc.things[thing].kind]];
    this.broad = form?.size?.[0] || USUAL;
    this.low = form?.low ?? CLEAR;
    /** the breadth and height of the 中 */
    this.middle = this.broad / 4;
    this.foot = this.low + 2 * STRIP;
    /** @type {[number, number]} */
    this.at = [0, 0];
    this.tied = "";
  }

  /** @param {[number, number]} spot */
  far([x, y]) {
    return Math.hypot(x - this.at[0], y - this.at[1]);
  }

  /** @param {ThingState} state @param {import('yanli/types.js').Spot} spot */
  update(state, [x, y]) {
    this.at = [x, y];
    this.group.position.set(x, 0, -y);
    this.group.updateMatrixWorld();
    const tied = JSON.stringify(state.states);
    if (tied === this.tied) return;
    this.tied = tied;
    for (const one of [...this.group.children]) {
      one.removeFromParent();
      if (one instanceof THREE.Mesh) one.geometry.dispose();
    }
    const mesh = new THREE.Mesh(mould(this.parts(state.states)), this.stuff);
    mesh.userData.owners = [this.thing];
    this.group.add(mesh);
  }

  /** @param {Record<string, string>} states @returns {Part[]} */
  parts(states) {
    const {broad, middle, foot, low} = this;
    const loose = states["狀"] === "說" || isLoose(states);
    const top = foot + middle + 2 * STRIP;
    const post = broad / 2 + 1.5;
    /** @type {Part[]} */
    const parts = [-1, 1].map((side) => ({
      geometry: tube(0.18, 0.22, top + 2.4),
      colour: TINT.wood,
      at: [side * post, top / 2 + 1.2, 0],
    }));
    /** @param {number} left @param {number} right @param {number} foot @param {number} high @param {number} [colour] @param {number} [z] */
    const cloth = (left, right, foot, high, colour = TINT.cloth, z = 0) =>
      parts.push({
        geometry: box(right - left, high - foot - 0.05, 0.08),
        colour,
        at: [(left + right) / 2, (foot + high) / 2, z],
      });
    cloth(-broad / 2, broad / 2, top - STRIP, top);
    cloth(-broad / 4, broad / 4, top - 2 * STRIP, top - STRIP, 0xf2e9d2);
    cloth(-middle / 2, middle / 2, foot, foot + middle, 0xfffaf0);
    // The frame of the 中, so that it is seen from the hall.
    for (const side of [-1, 1]) {
      cloth(side * (middle / 2 - 0.2) - 0.2, side * (middle / 2 - 0.2) + 0.2, foot, foot + middle, TINT.red, -0.04);
      cloth(
        -middle / 2,
        middle / 2,
        foot + middle / 2 + side * (middle / 2 - 0.2) - 0.2,
        foot + middle / 2 + side * (middle / 2 - 0.2) + 0.25,
        TINT.red,
        -0.04,
      );
    }
    cloth(-broad / 4, broad / 4, low + STRIP, foot, 0xf2e9d2);
    // Its left, seen from itself, is west: not tied, that end is folded over to the middle.
    cloth(loose ? -broad / 8 : -broad * 0.375, broad * 0.375, low, low + STRIP);
    if (loose) cloth(-broad / 8, broad / 8, low + 0.2, low + STRIP + 0.8, 0xd2c6a8, -0.12);
    /** @param {number} x @param {number} y @param {number} u @param {number} v */
    const rope = (x, y, u, v) =>
      parts.push({
        geometry: tube(0.05, 0.05, Math.hypot(u - x, v - y), 5),
        colour: TINT.dark,
        at: [(x + u) / 2, (y + v) / 2, 0],
        turn: [0, 0, -Math.atan2(u - x, v - y)],
      });
    for (const side of [-1, 1]) {
      rope((side * broad) / 2, top - 0.2, side * post, top + 1);
      rope((side * broad) / 2, top - STRIP + 0.2, side * post, top - STRIP);
      const free = loose && side < 0;
      rope(
        side * broad * (free ? 0.125 : 0.375),
        low + 0.4,
        free ? -broad / 8 - 1 : side * post,
        free ? 0.1 : low - 0.6,
      );
    }
    return parts;
  }

  /** Where in it an arrow sticks. @param {number} thing @param {THREE.Vector3} out */
  hit(thing, out) {
    const reach = this.middle / 2 - 1;
    return out.set(
      this.at[0] + reach * scatter(thing, 1),
      this.foot + this.middle / 2 + reach * scatter(thing, 2),
      -this.at[1],
    );
  }

  dispose() {
    this.group.removeFromParent();
    for (const one of this.group.children) if (one instanceof THREE.Mesh) one.geometry.dispose();
    this.group.clear();
  }
}
