/**
 * People in depth: figures in robes who stand, walk, bow, kneel, draw and shoot.
 *
 * Takes poses and the state of each person; keeps for each a `Body`: where his hands, his breast and his eyes are, so
 * that what he holds can be put there. Lengths in 尺. All figures together are some twenty strokes of the pen.
 */
import * as THREE from "three";
import {Stock, mould} from "yanli/depth-form.js";
import {apart, floorAt} from "yanli/depth-ground.js";
import {LIMBS} from "yanli/depth-moulds.js";

/** @typedef {import('yanli/types.js').StageDoc} StageDoc */
/** @typedef {import('yanli/types.js').Pose} Pose */
/** @typedef {import('yanli/types.js').Moment} Moment */
/** @typedef {import('yanli/types.js').PersonState} PersonState */
/** @typedef {import('yanli/depth-form.js').Palette} Palette */
/** @typedef {import('yanli/depth-form.js').Part} Part */

/** @typedef {"rest" | "cup" | "load" | "bow" | "flag" | "tool" | "pipe" | "zither"} Hold  how the hands are */
/** @typedef {import('yanli/types.js').Gesture | "reach" | "play" | ""} Deed  what they are doing */

const [HIP, SITTING, THIGH, SHIN, UPPER, FORE] = [3.6, 1.15, 1.75, 1.55, 1.15, 1.2];
const SHOULDER = 1.95;

/** One person's body at a moment, in the scene. */
export class Body {
  constructor() {
    /** his feet, turned as his hips are */
    this.root = new THREE.Matrix4();
    /** from the hip upwards */
    this.breast = new THREE.Matrix4();
    this.left = new THREE.Vector3();
    this.right = new THREE.Vector3();
    this.eye = new THREE.Vector3();
    this.top = new THREE.Vector3();
    /** the way his face looks */
    this.look = new THREE.Vector3();
    /** the way he faces, level */
    this.ahead = new THREE.Vector3();
    this.draw = 0;
    this.kneel = 0;
    /** how far beside his spot he is shown */
    this.aside = new THREE.Vector3();
    /** how far the hands have come to what lies before him, 0 … 1 */
    this.reach = 0;
    /** @type {Hold} */
    this.hold = "rest";
    /** @type {Deed} */
    this.deed = "";
    /** the hands in the frame of the breast, which they reach little by little */
    this.grip = [new THREE.Vector3(-0.15, 0.75, -0.8), new THREE.Vector3(0.15, 0.75, -0.8)];
  }
}

/** @param {(at: THREE.Vector3) => void} bend @param {THREE.BufferGeometry} geometry */
function bent(geometry, bend) {
  const at = new THREE.Vector3();
  const where = geometry.attributes.position;
  for (let i = 0; i < where.count; i++) {
    bend(at.fromBufferAttribute(where, i));
    where.setXYZ(i, at.x, at.y, at.z);
  }
  geometry.computeVertexNormals();
  return geometry;
}

/** A wide sleeve from the elbow (0) to the wrist, that hangs down to +z. */
function sleeve() {
  const wide = bent(new THREE.CylinderGeometry(1, 1, FORE - 0.12, 8, 2).translate(0, (FORE - 0.12) / 2, 0), (at) => {
    const share = at.y / FORE;
    at.x *= 0.27 - 0.03 * share;
    at.z = at.z * (0.28 + 0.3 * share) + 0.34 * share * share;
  });
  const cuff = bent(new THREE.CylinderGeometry(1, 1, 0.14, 8, 1).translate(0, FORE - 0.1, 0), (at) => {
    at.x *= 0.26;
    at.z = at.z * 0.58 + 0.31;
  });
  return mould([{geometry: wide}, {geometry: cuff, colour: 0xa8a29a}]);
}

/** A soft dark patch under somebody, instead of a shadow. */
function patch() {
  const round = new THREE.CircleGeometry(1, 18).rotateX(-Math.PI / 2);
  const tint = new Float32Array(round.attributes.position.count * 4);
  tint[3] = 1;
  round.setAttribute("color", new THREE.BufferAttribute(tint, 4));
  return round;
}

/** @param {number} from @param {number} to @param {number} share */
const mix = (from, to, share) => from + (to - from) * share;
/** @param {number} value */
const within = (value) => Math.min(1, Math.max(0, value));

export class People {
  /** @param {StageDoc} doc @param {THREE.Material} cloth */
  constructor(doc, cloth) {
    this.doc = doc;
    this.group = new THREE.Group();
    this.bodies = doc.people.map(() => new Body());
    const most = doc.people.length;
    const twice = ["upper", "sleeve", "bare", "hand", "foot"];
    this.shade = new THREE.MeshBasicMaterial({vertexColors: true, transparent: true, opacity: 0.34, depthWrite: false});
    this.mark = new THREE.MeshBasicMaterial({transparent: true, opacity: 0.95});
    /** @type {Record<string, Stock>} */
    this.stocks = {
      patch: new Stock(patch(), this.shade, most),
      ring: new Stock(new THREE.RingGeometry(1.35, 1.62, 28).rotateX(-Math.PI / 2), this.mark, most),
    };
    for (const [name, form] of Object.entries({...LIMBS, sleeve: null}))
      this.stocks[name] = new Stock(form ? mould(form) : sleeve(), cloth, twice.includes(name) ? most * 2 : most);
    for (const stock of Object.values(this.stocks)) this.group.add(stock.mesh);
    /** @type {{robe: THREE.Color, skirt: THREE.Color, trim: THREE.Color}[]} */
    this.clothes = [];
    this.words = doc.words;
    this.settled = true;
    /** with whose eyes one looks: his own head is not drawn */
    this.hidden = -1;
  }

  /** Give everybody the colours of the page. @param {Palette} colours */
  paint(colours) {
    this.colours = colours;
    this.cap = colours.ink.clone().multiplyScalar(colours.night ? 0.05 : 0.8);
    this.sock = new THREE.Color(0xe8e2d2);
    this.shade.opacity = colours.night ? 0.5 : 0.34;
    this.clothes = this.doc.people.map(({party}, at) => {
      const robe = colours[party]
        .clone()
        .multiplyScalar(colours.night ? 0.45 : 1)
        .offsetHSL(0, 0, ((at * 7) % 5) * 0.008 - 0.016);
      const dark = robe.getHSL({h: 0, s: 0, l: 0}).l < 0.25;
      const trim =
        party === "other" ? colours["accent-2"] : dark ? new THREE.Color(0xd9cba6) : new THREE.Color(0x4a4640);
      return {robe, skirt: robe.clone().lerp(new THREE.Color(dark ? 0xb8ab90 : 0x8d7f66), dark ? 0.22 : 0.16), trim};
    });
  }

  /**
   * Set all figures as they are at a moment.
   * @param {Moment} moment
   * @param {Pose[]} poses
   * @param {string[]} forms  by thing
   * @param {(person: number) => THREE.Color | null} ring  the ring at his feet
   * @param {number} ease  how much of the way to their new place hands go at once; 1 all
   */
  update(moment, poses, forms, ring, ease) {
    for (const stock of Object.values(this.stocks)) stock.clear();
    this.settled = true;
    const {building} = this.doc;
    const places = apart(building, poses);
    for (let person = 0; person < poses.length; person++) {
      const [given, {aside}] = [poses[person], this.bodies[person]];
      // Who steps aside for somebody does so without haste.
      V.set(places[person][0] - given.x, places[person][1] - given.y, 0);
      aside.lerp(V, ease < 1 ? ease * 0.4 : 1);
      if (aside.distanceToSquared(V) > 1e-3) this.settled = false;
      const pose = {...given, x: given.x + aside.x, y: given.y + aside.y, z: floorAt(building, given.x, given.y)};
      this.figure(person, pose, moment.people[person], forms, ease);
      const at = M.makeTranslation(pose.x, pose.z + 0.06, -pose.y);
      this.stocks.patch.put(at.scale(V.setScalar(mix(1.35, 1.75, pose.kneel))), person);
      const colour = ring(person);
      if (colour) this.stocks.ring.put(M.makeTranslation(pose.x, pose.z + 0.09, -pose.y), person, colour);
    }
    for (const stock of Object.values(this.stocks)) stock.done();
  }

  /** @param {number} person @param {Pose} pose @param {PersonState} state @param {string[]} forms @param {number} ease */
  figure(person, pose, state, forms, ease) {
    const body = this.bodies[person];
    const {clothes, colours, cap, sock} = this;
    const dress = clothes[person];
    if (!colours || !cap || !sock) return;
    const facing = (pose.facing * Math.PI) / 180;
    const kneel = pose.kneel;
    const [stands, turn] = [1 - kneel, -within(pose.draw * 4) * (Math.PI / 2)];
    body.draw = pose.draw;
    body.kneel = kneel;
    body.ahead.set(Math.sin(facing), 0, -Math.cos(facing));
    body.hold = holding(state, forms);
    body.deed = pose.gesture || this.doing(pose);
    body.root.makeRotationY(turn - facing).setPosition(pose.x, pose.z, -pose.y);

    // Legs: the hips sink, the knees go forward.
    const stride = pose.walking ? Math.sin((pose.x * Math.sin(facing) + pose.y * Math.cos(facing)) * 1.25 + person) : 0;
    const hip = P1.set(0, mix(HIP, SITTING, kneel) - 0.06 * Math.abs(stride), mix(0, 0.5, kneel));
    const ankle = P2.set(0, 0.33, mix(0.02, 0.55, kneel) - 0.16 * stride);
    const knee = joint(P3, hip, ankle, THIGH, SHIN, AHEAD);
    this.limb("thigh", person, body, hip, knee, RIGHT, dress.skirt, mix(1, 0.6, kneel));
    this.limb("shin", person, body, knee, ankle, RIGHT, dress.skirt, mix(1, 0.42, within(kneel * 2)));
    const shoe = state.dress.some((word) => this.words[word] === "屨") ? cap : sock;
    for (const side of [-1, 1]) {
      L.makeRotationX(kneel * 1.2).setPosition(
        side * 0.32,
        mix(0, 0.25, kneel),
        mix(-0.35 - side * stride * 0.36, 0.75, kneel),
      );
      this.put("foot", person, body, shoe);
    }

    // Breast and head lean forward: a slight bow standing, down to the ground kneeling.
    const lean = pose.bow * 1.6 + 0.04 * stands;
    L.makeRotationX(-lean).setPosition(hip);
    body.breast.multiplyMatrices(body.root, L);
    B.copy(L);
    this.put("breast", person, body, dress.robe);
    this.put("trim", person, body, dress.trim);
    const nod =
      pose.bow * mix(0.9, 0.5, kneel) +
      (body.deed === "reach" && kneel > 0.5 ? 0.3 : 0) -
      (body.deed === "drink" ? 0.25 : 0);
    L.makeRotationX(-nod)
      .setPosition(0, 2.36, 0)
      .multiply(H.makeRotationY(-turn).setPosition(0, 0.52, -0.06))
      .premultiply(B);
    if (person !== this.hidden) this.put("head", person, body, colours.skin);
    const party = this.doc.people[person].party;
    if (person !== this.hidden) this.put(party, person, body, party === "other" ? dress.trim : cap);
    H.multiplyMatrices(body.root, L);
    body.eye.set(0, 0.1, -0.42).applyMatrix4(H);
    body.top.setFromMatrixPosition(H).y += 1.15;
    body.look.set(0, 0, -1).transformDirection(H);
    this.arms(person, body, pose, state, hip, turn, ease);
  }

  /** What is seen of an act that has no gesture of its own. @param {Pose} pose @returns {Deed} */
  doing({event, kneel, walking}) {
    const row = this.doc.events[event];
    if (!row || walking) return "";
    if ((this.doc.infos[row.info].music ?? -1) >= 0) return "play";
    return kneel > 0.6 && row.things?.length ? "reach" : "";
  }

  /** @param {number} person @param {Body} body @param {Pose} pose @param {PersonState} state @param {THREE.Vector3} hip @param {number} turn @param {number} ease */
  arms(person, body, pose, state, hip, turn, ease) {
    const {clothes, colours, words} = this;
    if (!colours) return;
    const dress = new Set(state.dress.map((word) => words[word]));
    const bared = dress.has("袒") || dress.has("肉袒");
    const jacket = dress.has("朱襦") || dress.has("纁襦");
    const reach = body.deed === "reach" ? 1 : 0;
    body.reach = mix(body.reach, reach, ease);
    if (Math.abs(body.reach - reach) > 0.02) this.settled = false;
    for (const side of [-1, 1]) {
      const at = side < 0 ? 0 : 1;
      const wanted = grasp(P4, side, body, pose);
      const grip = body.grip[at];
      grip.lerp(wanted, ease);
      if (grip.distanceToSquared(wanted) > 1e-3) this.settled = false;
      const hand = P5.copy(grip).applyMatrix4(B);
      const down = pose.kneel * within(pose.bow * 1.4 - 0.3);
      if (down > 0) hand.lerp(V.set(side * 0.3, 0.32, -2.5), down);
      if (side > 0 || body.hold !== "bow") hand.lerp(V.set(side * 0.22, 0.5, -1.75), 0.85 * body.reach);
      const shoulder = P6.set(side * 0.66, SHOULDER, 0).applyMatrix4(B);
      if (pose.draw > 0) {
        const aim = V.set(Math.sin(turn), 0.04, -Math.cos(turn));
        const shot = within(pose.draw * 4);
        if (side < 0) hand.lerp(W.copy(shoulder).addScaledVector(aim, 2.28), shot);
        else {
          const nock = W.copy(P6).setX(-0.66).addScaledVector(aim, 1.55);
          hand.lerp(nock.lerp(V.set(0.2, hip.y + 2.32, -0.52), within((pose.draw - 0.25) / 0.75)), shot);
        }
      }
      hand.y = Math.max(hand.y, 0.3);
      const pole = V.set(side * 1.3, pose.draw > 0.25 ? 0.1 : mix(-1, 0.5, down), 0.5);
      const elbow = joint(P7, shoulder, hand, UPPER, FORE, pole);
      (side < 0 ? body.left : body.right).copy(hand).applyMatrix4(body.root);
      const bare = side < 0 && bared;
      const colour = bare ? (jacket ? colours.accent : colours.skin) : clothes[person].robe;
      this.limb(bare ? "bare" : "upper", person, body, shoulder, elbow, SIDE, colour, 1);
      // Near the ground a sleeve lies flat.
      const deep = bare ? 1 : Math.min(1, (elbow.y + hand.y) / 2.4, hand.y);
      this.limb(bare ? "bare" : "sleeve", person, body, elbow, hand, null, colour, deep);
      if (bare && dress.has("遂")) this.limb("guard", person, body, elbow, hand, null, colours.accent, 1);
      L.makeTranslation(hand.x, hand.y, hand.z);
      this.put("hand", person, body, colours.skin);
    }
  }

  /** Put the part whose place in the body is in `L`. @param {string} name @param {number} person @param {Body} body @param {THREE.Color} colour */
  put(name, person, body, colour) {
    this.stocks[name].put(M.multiplyMatrices(body.root, L), person, colour);
  }

  /**
   * A limb from one joint to another; its breadth lies along `across`, or, without, it hangs down.
   * @param {string} name @param {number} person @param {Body} body @param {THREE.Vector3} from @param {THREE.Vector3} to
   * @param {THREE.Vector3 | null} across @param {THREE.Color} colour @param {number} deep
   */
  limb(name, person, body, from, to, across, colour, deep) {
    const along = A.subVectors(to, from).normalize();
    if (across) X.copy(across).addScaledVector(along, -across.dot(along)).normalize();
    else {
      Z.set(0, -1, 0.25).addScaledVector(along, -Z.dot(along)).normalize();
      X.crossVectors(along, Z);
    }
    Z.crossVectors(X, along).multiplyScalar(deep);
    L.makeBasis(X, along, Z).setPosition(from);
    this.put(name, person, body, colour);
  }

  dispose() {
    for (const stock of Object.values(this.stocks)) stock.dispose();
    this.shade.dispose();
    this.mark.dispose();
    this.group.removeFromParent();
  }
}

/** How somebody's hands are, from what is in them. @param {PersonState} state @param {string[]} forms @returns {Hold} */
function holding(state, forms) {
  /** @type {Hold} */
  let found = "rest";
  for (const thing of [...state.left, ...state.right]) {
    const kind = forms[thing];
    if (kind === "弓") return "bow";
    if (kind === "旌") return "flag";
    if (kind === "瑟") found = "zither";
    else if (kind === "笙") found = "pipe";
    else if (kind === "爵") found = "cup";
    else if (kind === "矢" || kind === "算" || kind === "扑") found = found === "rest" ? "tool" : found;
    else if (found === "rest") found = "load";
  }
  return found;
}

/** Where a hand would be, from the breast. @param {THREE.Vector3} out @param {number} side @param {Body} body @param {Pose} pose */
function grasp(out, side, body, pose) {
  const {hold, deed} = body;
  const low = pose.kneel * 0.2;
  if (hold === "bow") out.set(side * 0.72, side < 0 ? 0.42 : 0.62, side < 0 ? -0.62 : -0.72);
  else if (hold === "flag") out.set(side < 0 ? 0.25 : 0.5, side < 0 ? 0.7 : 1.35, -0.85);
  else if (hold === "cup") out.set(side * 0.24, 1.3, -1.15);
  else if (hold === "load") out.set(side * 0.5, 0.95, -1.15);
  else if (hold === "tool") out.set(side > 0 ? 0.6 : -0.2, side > 0 ? 0.75 : 0.7, -0.8);
  else if (hold === "pipe") out.set(side * 0.2, deed === "play" ? 1.95 : 1.1, -0.85);
  else if (hold === "zither") out.set(side * 0.75, pose.kneel > 0.5 ? 0.35 : 0.8, pose.kneel > 0.5 ? -1.5 : -0.75);
  else out.set(side * 0.14, 0.78 - low, -0.82);
  if (deed === "drink" && hold === "cup") out.set(side * 0.2, 2.28, -0.82);
  else if (deed === "offer" && hold !== "bow") out.set(side * 0.26, 1.3, -1.6);
  else if (deed === "wash" && pose.kneel < 0.5) out.set(side * 0.25, 0.75, -1.35);
  if (hold !== "bow" && hold !== "flag")
    out.lerp(V.set(side * 0.12, 1.62, -1.25), within(pose.bow * 4) * (1 - pose.kneel));
  return out;
}

/**
 * The middle joint between two ends; where they are too far apart, the far end comes nearer.
 * @param {THREE.Vector3} out @param {THREE.Vector3} from @param {THREE.Vector3} to @param {number} first @param {number} second
 * @param {THREE.Vector3} pole the way to which it bends
 */
function joint(out, from, to, first, second, pole) {
  const along = A.subVectors(to, from);
  const far = Math.min(Math.max(along.length(), 0.2), first + second - 0.005);
  along.normalize();
  to.copy(from).addScaledVector(along, far);
  const share = Math.min(1, Math.max(-1, (first * first + far * far - second * second) / (2 * first * far)));
  const bend = Z.copy(pole).addScaledVector(along, -pole.dot(along)).normalize();
  return out
    .copy(from)
    .addScaledVector(along, first * share)
    .addScaledVector(bend, first * Math.sqrt(1 - share * share));
}

const [M, L, B, H] = [0, 0, 0, 0].map(() => new THREE.Matrix4());
const [V, W, A, X, Z, P1, P2, P3, P4, P5, P6, P7] = Array.from({length: 12}, () => new THREE.Vector3());
const AHEAD = new THREE.Vector3(0, 0, -1);
const RIGHT = new THREE.Vector3(1, 0, 0);
const SIDE = new THREE.Vector3(0, 0, -1);
