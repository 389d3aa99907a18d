/**
 * Forms for the view in depth: solids with their colours in them, and stocks of many alike drawn at one stroke.
 *
 * Takes lengths in 尺 and colours as numbers (0xrrggbb); gives three.js geometries. In a scene x is east, y up and z
 * south: a spot (x, y) of the plan is at (x, -y). A figure made here looks north (-z).
 */
import * as THREE from "three";

/** @typedef {[number, number, number]} Three */
/** @typedef {{geometry: THREE.BufferGeometry, colour?: number, at?: Three, turn?: Three}} Part */

/** Colours of what is made of something; people and the building have the page's own. White takes any other colour. */
export const TINT = /** @type {Record<string, number>} */ ({
  wood: 0x7d5a3a,
  dark: 0x4a3527,
  lacquer: 0x2b2422,
  red: 0xa23b2a,
  leather: 0xc0543f,
  bronze: 0x66735a,
  bamboo: 0xb99c62,
  straw: 0xcdb984,
  hem: 0x35302c,
  cloth: 0xf6efdf,
  stone: 0x8f948f,
  hide: 0x8d6c4c,
  wine: 0x6d2a35,
  water: 0x8fb2bd,
  bone: 0xe6dcc4,
  horn: 0x3d3029,
  meat: 0x8c4a3c,
  lung: 0xb56a6a,
  rush: 0x8f9a5a,
  string: 0xd8cdb4,
  hair: 0x2b2622,
  pale: 0xb5aea4,
  white: 0xffffff,
});

/** @param {number} broad @param {number} high @param {number} deep */
export const box = (broad, high, deep) => new THREE.BoxGeometry(broad, high, deep);

/** @param {number} top its radius above @param {number} foot its radius below @param {number} high */
export const tube = (top, foot, high, sides = 8) => new THREE.CylinderGeometry(top, foot, high, sides);

/** @type {Record<string, (...numbers: number[]) => THREE.BufferGeometry>} */
const SHAPES = {
  box,
  tube,
  ball: (radius, sides = 8) => new THREE.SphereGeometry(radius, sides, Math.max(4, sides >> 1)),
  lathe: (...line) => new THREE.LatheGeometry(points(line), 10),
  thin: (...line) => new THREE.LatheGeometry(points(line), 7),
  stave: (...line) => {
    const way = new THREE.CatmullRomCurve3(points(line).map(({x, y}) => new THREE.Vector3(0, x, y)));
    return new THREE.TubeGeometry(way, 12, 0.055, 4);
  },
};

/** @param {number[]} line */
const points = (line) => line.flatMap((x, at) => (at % 2 ? [] : [new THREE.Vector2(x, line[at + 1])]));

/**
 * One line of depth-moulds.js as parts.
 * @param {string} line @returns {Part[]}
 */
function parts(line) {
  const [[shape, tint, ...numbers], ...rest] = line.split("|").map((words) => words.trim().split(" "));
  const geometry = SHAPES[shape](...numbers.map(Number));
  /** @type {Record<string, number[]>} */
  const more = {at: [0, 0, 0], turn: [0, 0, 0], size: [1, 1, 1]};
  for (const [word, ...values] of rest) more[word] = values.map(Number);
  const {at, turn, size, pair, row, ring} = more;
  geometry.scale(size[0], size[1], size[2]);
  /** @param {number} x @param {number} y @param {number} z @returns {Part} */
  const part = (x, y, z, side = 1) => ({
    geometry: geometry.clone(),
    colour: TINT[tint],
    at: [at[0] * side + x, at[1] + y, at[2] + z],
    turn: [turn[0], turn[1] * side, turn[2] * side],
  });
  if (pair) return [part(0, 0, 0), part(0, 0, 0, -1)];
  const count = row?.[0] ?? ring?.[0] ?? 1;
  return Array.from({length: count}, (_, nth) => {
    if (!row)
      return part(
        (ring?.[1] ?? 0) * Math.sin((nth * 6.283) / count),
        0,
        (ring?.[1] ?? 0) * Math.cos((nth * 6.283) / count),
      );
    const off = nth - (count - 1) / 2;
    return part(row[1] * off, row[2] * off, row[3] * off);
  });
}

/**
 * One geometry of many parts, each in its colour and at its place. The parts are used up.
 * @param {string | Part[]} form lines as in depth-moulds.js, or parts
 */
export function mould(form) {
  const [where, normal, tint, index] = /** @type {number[][]} */ ([[], [], [], []]);
  const colour = new THREE.Color();
  const all = typeof form === "string" ? form.split("\n").flatMap((line) => parts(line.trim())) : form;
  for (const {geometry, colour: number = TINT.white, at = [0, 0, 0], turn = [0, 0, 0]} of all) {
    const place = new THREE.Matrix4().makeRotationFromEuler(new THREE.Euler(turn[0], turn[1], turn[2]));
    place.setPosition(at[0], at[1], at[2]);
    geometry.applyMatrix4(place);
    const first = where.length / 3;
    for (const corner of geometry.index?.array ?? []) index.push(first + corner);
    for (const value of geometry.attributes.position.array) where.push(value);
    for (const value of geometry.attributes.normal.array) normal.push(value);
    colour.set(number);
    for (let left = geometry.attributes.position.count; left > 0; left--) tint.push(colour.r, colour.g, colour.b);
  }
  const whole = new THREE.BufferGeometry();
  whole.setIndex(index);
  whole.setAttribute("position", new THREE.Float32BufferAttribute(where, 3));
  whole.setAttribute("normal", new THREE.Float32BufferAttribute(normal, 3));
  whole.setAttribute("color", new THREE.Float32BufferAttribute(tint, 3));
  return whole;
}

/** A number from -1 to 1 that is always the same for a thing. @param {number} thing @param {number} salt */
export function scatter(thing, salt) {
  const wave = Math.sin(thing * 127.1 + salt * 311.7) * 43758.5453;
  return 2 * (wave - Math.floor(wave)) - 1;
}

/** Many of one form, each with its place, its colour and the number of whom or what it belongs to. */
export class Stock {
  /** @param {THREE.BufferGeometry} geometry @param {THREE.Material} material @param {number} most */
  constructor(geometry, material, most) {
    this.mesh = new THREE.InstancedMesh(geometry, material, Math.max(1, most));
    this.mesh.frustumCulled = false;
    this.mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
    /** @type {number[]} by instance: a person or a thing */
    this.owners = [];
    this.mesh.userData.owners = this.owners;
    this.tinted = false;
    this.clear();
  }

  clear() {
    this.mesh.count = 0;
  }

  /** @param {THREE.Matrix4} matrix @param {number} owner @param {THREE.Color} [colour] */
  put(matrix, owner, colour) {
    const at = this.mesh.count;
    if (at >= this.mesh.instanceMatrix.count) return;
    this.mesh.count = at + 1;
    this.mesh.setMatrixAt(at, matrix);
    if (colour) {
      this.mesh.setColorAt(at, colour);
      this.tinted = true;
    }
    this.owners[at] = owner;
  }

  /** Call when all of a moment have been put. */
  done() {
    this.mesh.instanceMatrix.needsUpdate = true;
    this.mesh.boundingSphere = null;
    this.mesh.visible = this.mesh.count > 0;
    if (this.tinted && this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
  }

  dispose() {
    this.mesh.geometry.dispose();
    this.mesh.dispose();
  }
}

/**
 * The stuff of which everything solid is made: its own colours in the light of the sky and a sun in the south-west,
 * reckoned at its corners only, so that it is cheap where there is no graphics card.
 */
export function stuff() {
  return new THREE.ShaderMaterial({
    vertexColors: true,
    fog: true,
    uniforms: {
      ...THREE.UniformsUtils.clone(THREE.UniformsLib.fog),
      sky: {value: new THREE.Color()},
      earth: {value: new THREE.Color()},
      sun: {value: new THREE.Color()},
    },
    vertexShader: `
      uniform vec3 sky, earth, sun;
      uniform float fogNear, fogFar;
      varying vec4 tint;
      void main() {
        vec4 at = vec4(position, 1.0);
        vec3 up = normal;
        tint.rgb = color;
        #ifdef USE_INSTANCING
          at = instanceMatrix * at;
          up = mat3(instanceMatrix) * up;
        #endif
        #ifdef USE_INSTANCING_COLOR
          tint.rgb *= instanceColor;
        #endif
        up = normalize(mat3(modelMatrix) * up);
        tint.rgb *= mix(earth, sky, 0.5 + 0.5 * up.y) + sun * max(0.0, dot(up, vec3(-0.43, 0.72, 0.54)));
        tint.rgb = max(vec3(0.0), 1.055 * pow(tint.rgb, vec3(0.41666)) - 0.055);
        at = modelViewMatrix * at;
        tint.a = (-at.z - fogNear) / (fogFar - fogNear);
        gl_Position = projectionMatrix * at;
      }`,
    fragmentShader: `
      uniform vec3 fogColor;
      varying vec4 tint;
      void main() {
        gl_FragColor = vec4(mix(tint.rgb, fogColor, clamp(tint.a, 0.0, 1.0)), 1.0);
      }`,
  });
}

/** What draws in three dimensions here, by its name; null when nothing does. @returns {string | null} */
export function card() {
  const pen = document.createElement("canvas").getContext("webgl2");
  if (!pen) return null;
  const named = pen.getExtension("WEBGL_debug_renderer_info");
  const name = named && pen.getParameter(named.UNMASKED_RENDERER_WEBGL);
  pen.getExtension("WEBGL_lose_context")?.loseContext();
  return String(name ?? "");
}

/**
 * Free all that a part of the scene holds on the graphics card, but for `stuff`, which all share.
 * @param {THREE.Object3D} root
 */
export function release(root) {
  root.traverse((one) => {
    const {geometry, material} = /** @type {Partial<THREE.Mesh>} */ (one);
    geometry?.dispose();
    for (const each of material ? [material].flat() : []) if (!(each instanceof THREE.ShaderMaterial)) each.dispose();
    if (one instanceof THREE.InstancedMesh) one.dispose();
  });
  root.removeFromParent();
}

/** The colours that a page gives, by name, as its style sheet has them at this moment. */
const NAMES = /** @type {const} */ ([
  "paper",
  "ink",
  "accent",
  "accent-2",
  "court",
  "hall",
  "room",
  "wall",
  "host",
  "guest",
  "other",
  "skin",
  "focus",
]);

/** @typedef {Record<typeof NAMES[number], THREE.Color> & {night: boolean}} Palette */

/**
 * Read the page's colours.
 * @param {Element} element where they hold
 * @returns {Palette}
 */
export function palette(element) {
  const style = getComputedStyle(element);
  const found = /** @type {Palette} */ ({});
  for (const name of NAMES) found[name] = new THREE.Color(style.getPropertyValue(`--${name}`).trim() || "gray");
  found.night = found.paper.getHSL({h: 0, s: 0, l: 0}, THREE.SRGBColorSpace).l < 0.5;
  return found;
}
