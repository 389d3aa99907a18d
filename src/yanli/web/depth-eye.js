/**
 * From where one looks in depth: circling round what happens, standing at a chosen spot, walking about, or with the
 * eyes of somebody.
 *
 * Takes the building, pointer and keys; moves a camera. Lengths in 尺, times in seconds. It moves only while a key is
 * held or while it is on its way; `step` says whether it must be called again.
 */
import * as THREE from "three";
import {OrbitControls} from "three/addons/controls/OrbitControls.js";
import {floorAt, solids} from "yanli/depth-ground.js";

/** @typedef {import('yanli/types.js').Building} Building */
/** @typedef {import('yanli/depth-people.js').Body} Body */
/** @typedef {"orbit" | "walk" | "eyes"} Mode */
/** @typedef {"act" | "front" | "above" | "archers" | "target" | "gate"} View */

const [TALL, PACE, TURN, FIELD] = [6.6, 11, 1.5, 46];
/** Nearer to a wall nobody walks. */
const GIRTH = 1;
const KEYS = /** @type {Record<string, [ahead: number, aside: number, turn: number]>} */ ({
  KeyW: [1, 0, 0],
  KeyS: [-1, 0, 0],
  KeyA: [0, -1, 0],
  KeyD: [0, 1, 0],
  ArrowUp: [1, 0, 0],
  ArrowDown: [-1, 0, 0],
  ArrowLeft: [0, 0, 1],
  ArrowRight: [0, 0, -1],
});

export class Eye {
  /** @param {HTMLCanvasElement} canvas @param {Building} building @param {() => void} changed is called when it has moved by itself */
  constructor(canvas, building, changed) {
    this.changed = changed;
    this.building = building;
    this.camera = new THREE.PerspectiveCamera(FIELD, 1, 0.5, 2400);
    this.orbit = new OrbitControls(this.camera, canvas);
    this.orbit.minDistance = 6;
    this.orbit.maxDistance = 700;
    this.orbit.maxPolarAngle = Math.PI / 2 - 0.01;
    this.orbit.addEventListener("change", () => this.changed());
    this.orbit.addEventListener("start", () => (this.way = null));
    /** @type {Mode} */
    this.mode = "orbit";
    /** @type {View} */
    this.view = "act";
    this.calm = false;
    /** @type {{position: THREE.Vector3, target: THREE.Vector3, left: number} | null} where the camera is going */
    this.way = null;
    /** @type {THREE.Vector3 | null} with what the camera goes */
    this.goal = null;
    /** @type {Set<string>} */
    this.keys = new Set();
    /** how far one looks to the left and upwards, in radians */
    this.turn = 0;
    this.pitch = 0;
    this.stop = new AbortController();
    const options = {signal: this.stop.signal};
    canvas.addEventListener("pointermove", (event) => this.drag(event), options);
    canvas.addEventListener("blur", () => this.keys.clear(), options);
  }

  /** @param {number} width @param {number} height in pixels */
  size(width, height) {
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
  }

  /** Look around while one walks or looks with somebody's eyes. @param {PointerEvent} event */
  drag({buttons, isPrimary, movementX, movementY}) {
    if (this.mode === "orbit" || !buttons || !isPrimary) return;
    this.turn += movementX * 0.004;
    this.pitch = Math.max(-1.2, Math.min(1.2, this.pitch + movementY * 0.004));
    this.changed();
  }

  /** @param {Mode} mode */
  become(mode) {
    if (mode === "walk" && this.mode !== "walk") {
      const ahead = this.camera.getWorldDirection(A);
      this.turn = Math.atan2(-ahead.x, -ahead.z);
      // Come down to the ground where one was looking from above.
      if (this.mode === "orbit")
        this.camera.position.lerp(this.orbit.target, this.camera.position.y > 30 ? 0.55 : 0.15);
    } else this.turn = 0;
    this.pitch = 0;
    this.way = null;
    this.mode = mode;
    this.orbit.enabled = mode === "orbit";
    this.camera.fov = mode === "orbit" ? FIELD : 62;
    this.camera.updateProjectionMatrix();
    this.keys.clear();
  }

  /**
   * Where a view stands and at what it looks; so far away that what matters fits the window.
   * @param {View} view @param {[number, number] | null} target the 侯, when there is one
   * @returns {[position: THREE.Vector3, target: THREE.Vector3]}
   */
  seat(view, target) {
    const {measures, height, bounds} = this.building;
    const half = (measures["堂廣"] ?? 60) / 2;
    const deep = measures["堂深"] ?? 20;
    const gate = bounds[1];
    const [x, y] = target ?? [0, gate * 0.8];
    const across = Math.tan((FIELD * Math.PI) / 360) * Math.min(1.5, this.camera.aspect);
    /** @param {number} broad half of what must be seen @param {number[]} at @param {number[]} from the way back to the camera */
    const far = (broad, [u, v, w], [a, b, c]) => {
      const middle = new THREE.Vector3(u, w, -v);
      const way = new THREE.Vector3(a, c, -b).normalize().multiplyScalar(broad / across);
      return /** @type {[THREE.Vector3, THREE.Vector3]} */ ([middle.clone().add(way), middle]);
    };
    if (view === "front") return far(half * 1.12, [0, deep * 0.25, height + 4], [0, -1, 0.22]);
    if (view === "above") return far(half * 1.5, [0, -deep * 0.6, 0], [0, -1, 1.5]);
    if (view === "archers")
      return [new THREE.Vector3(x - 4, height + 15, -deep - 34), new THREE.Vector3(x, height + 6.4, 0)];
    if (view === "target") return far(26, [x, y, 8], [0.45, 1, 0.12]);
    if (view === "gate") return far(20, [0, gate, 5], [0.2, -1, 0.45]);
    return far(22, this.goal ? [this.goal.x, -this.goal.z, this.goal.y] : [0, 0, height], [-0.55, -1, 0.62]);
  }

  /** Go to a view. @param {View} view @param {[number, number] | null} target @param {boolean} [now] */
  go(view, target, now = false) {
    if (this.mode !== "orbit") this.become("orbit");
    this.view = view;
    // From behind the archers the target, far away, is looked at through a longer glass.
    this.camera.fov = view === "archers" ? 24 : FIELD;
    this.camera.updateProjectionMatrix();
    const [position, aim] = this.seat(view, target);
    this.way = {position, target: aim, left: now || this.calm ? 0 : 0.7};
  }

  /** Look with somebody's eyes. @param {Body} body */
  see(body) {
    const level = Math.atan2(-body.look.x, -body.look.z);
    const up = Math.asin(Math.max(-1, Math.min(1, body.look.y)));
    this.camera.position.copy(body.eye);
    this.camera.rotation.set(up + this.pitch - 0.06, level + this.turn, 0, "YXZ");
  }

  /**
   * Go on.
   * @param {number} seconds since the last time
   * @returns {boolean} whether it still moves
   */
  step(seconds) {
    if (this.mode === "walk") return this.walk(seconds);
    if (this.mode === "eyes") return false;
    const {camera, orbit, way, goal} = this;
    if (way) {
      const share = way.left > seconds ? 1 - Math.exp((-5 * seconds) / way.left) : 1;
      camera.position.lerp(way.position, share);
      orbit.target.lerp(way.target, share);
      way.left -= seconds;
      if (share === 1) this.way = null;
    } else if (goal && this.view === "act") {
      const gap = A.subVectors(goal, orbit.target);
      const share = this.calm || gap.length() < 0.05 ? 1 : 1 - Math.exp(-2.4 * seconds);
      camera.position.addScaledVector(gap, share);
      orbit.target.addScaledVector(gap, share);
      orbit.update();
      return share < 1;
    } else {
      const turned = this.turned(seconds);
      if (!turned) return false;
    }
    orbit.update();
    return this.way !== null || this.keys.size > 0;
  }

  /** Keys move what one circles round. @param {number} seconds */
  turned(seconds) {
    const [ahead, aside, turn] = this.pressed();
    if (!ahead && !aside && !turn) return false;
    const {camera, orbit} = this;
    const back = A.subVectors(camera.position, orbit.target);
    const far = back.length();
    back.applyAxisAngle(UP, -turn * TURN * seconds);
    const along = B.copy(back).setY(0).normalize();
    const move = C.crossVectors(UP, along)
      .multiplyScalar(aside)
      .addScaledVector(along, -ahead)
      .multiplyScalar(far * 0.6 * seconds);
    orbit.target.add(move);
    camera.position.copy(orbit.target).add(back);
    return true;
  }

  /** The way and the turn that the held keys ask for. */
  pressed() {
    const sum = [0, 0, 0];
    for (const key of this.keys) KEYS[key]?.forEach((value, at) => (sum[at] += value));
    return sum;
  }

  /** @param {number} seconds */
  walk(seconds) {
    const {camera} = this;
    const [ahead, aside, turn] = this.pressed();
    this.turn += turn * TURN * seconds;
    const pace = PACE * (this.keys.has("ShiftLeft") ? 4 : 1) * seconds;
    const [s, c] = [Math.sin(this.turn), Math.cos(this.turn)];
    const [x, y] = [camera.position.x, -camera.position.z];
    const [u, v] = [x + (aside * c - ahead * s) * pace, y + (aside * s + ahead * c) * pace];
    const [right, up] = this.free(u, v)
      ? [u, v]
      : this.free(u, y)
        ? [u, y]
        : this.free(x, v)
          ? [x, v]
          : this.free(x, y)
            ? [x, y]
            : [u, v];
    const high = floorAt(this.building, right, up) + TALL;
    const rise = high - camera.position.y;
    camera.position.set(
      right,
      Math.abs(rise) < 0.02 || this.calm ? high : camera.position.y + rise * (1 - Math.exp(-9 * seconds)),
      -up,
    );
    camera.rotation.set(this.pitch, this.turn, 0, "YXZ");
    return this.keys.size > 0 || Math.abs(rise) > 0.02;
  }

  /** Whether one can stand there. @param {number} x @param {number} y */
  free(x, y) {
    return !solids(this.building).some(
      ({box: [west, south, east, north]}) =>
        x > west - GIRTH && x < east + GIRTH && y > south - GIRTH && y < north + GIRTH,
    );
  }

  /** Nearer or farther. @param {number} times */
  zoom(times) {
    this.camera.position.sub(this.orbit.target).multiplyScalar(times).clampLength(6, 700).add(this.orbit.target);
    this.orbit.update();
  }

  /** A key goes down or up; whether it means something here. @param {string} code @param {boolean} down */
  key(code, down) {
    if (!KEYS[code] && code !== "ShiftLeft") return false;
    if (down) this.keys.add(code);
    else this.keys.delete(code);
    this.way = null;
    return code !== "ShiftLeft";
  }

  dispose() {
    this.stop.abort();
    this.orbit.dispose();
  }
}

const [A, B, C] = [0, 0, 0].map(() => new THREE.Vector3());
const UP = new THREE.Vector3(0, 1, 0);
