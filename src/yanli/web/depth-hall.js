/**
 * The building in depth: court, hall and stairs, walls, pillars and beams, roof, gate and shooting marks.
 *
 * Takes the shapes of a `Building` (尺) and the page's colours; gives a group for the scene, and how high the floor is
 * anywhere. It is drawn as a drawing: pale planes, and hairlines at their edges.
 */
import * as THREE from "three";
import {box, mould, release, tube} from "yanli/depth-form.js";

/** @typedef {import('yanli/types.js').Building} Building */
/** @typedef {import('yanli/types.js').Shape} Shape */
/** @typedef {import('yanli/depth-form.js').Palette} Palette */
/** @typedef {import('yanli/depth-form.js').Part} Part */

/** How far the roof reaches beyond the hall, and how thick a door is; no source tells it. */
const [EAVES, LEAF] = [4, 0.3];
const FAR = 2600;

/**
 * How high the ground is at a spot.
 * @param {Building} building @param {number} x @param {number} y
 */
export function floorAt({shapes}, x, y) {
  for (const {
    form,
    box: [west, south, east, north],
    tall,
    steps = 1,
  } of shapes) {
    if (x < west || x > east || y < south || y > north) continue;
    if (form === "hall") return tall;
    if (form !== "stair") continue;
    const share = rises(shapes, south) ? (y - south) / (north - south) : (north - y) / (north - south);
    return (tall * Math.min(steps, Math.floor(share * steps) + 1)) / steps;
  }
  return 0;
}

/** Whether a stair that begins there rises to the north. @param {Shape[]} shapes @param {number} south */
const rises = (shapes, south) => !shapes.some(({form, box}) => form === "hall" && south >= box[3] - 0.1);

/**
 * The lines on which nobody walks through: walls and pillars.
 * @param {Building} building
 */
export const solids = ({shapes}) => shapes.filter(({form}) => form === "wall" || form === "pillar" || form === "post");

export class Hall {
  /** @param {Building} building */
  constructor(building) {
    this.building = building;
    this.group = new THREE.Group();
    this.roof = new THREE.Group();
    /** the sides of walls that hide what is behind them from a camera above */
    this.outer = new THREE.Group();
  }

  /** @param {Palette} colours @param {number} most how far the camera sees */
  paint(colours, most = FAR) {
    for (const one of [...this.group.children]) release(one);
    this.roof = new THREE.Group();
    this.outer = new THREE.Group();
    const {shapes, height} = this.building;
    const [solid, flat, inner, outer] = /** @type {Part[][]} */ ([[], [], [], []]);
    /** @type {THREE.BufferGeometry[]} */
    const lined = [];
    const tint = Object.fromEntries(
      ["court", "hall", "room", "wall", "ink", "accent", "line"].map((name) => [
        name,
        colours[/** @type {"hall"} */ (name)].getHex(),
      ]),
    );
    const wood = colours.wall.clone().lerp(new THREE.Color(0x7a4630), 0.55).getHex();
    for (const shape of shapes) {
      const [west, south, east, north] = shape.box;
      const [broad, deep, x, z] = [east - west, north - south, (west + east) / 2, -(south + north) / 2];
      /** @param {number} colour @param {number} high @param {number} foot @param {Part[]} into */
      const block = (colour, high, foot, into = solid) => {
        const geometry = box(broad, high, deep);
        lined.push(new THREE.EdgesGeometry(geometry).translate(x, foot + high / 2, z));
        into.push({geometry, colour, at: [x, foot + high / 2, z]});
      };
      if (shape.form === "court") flat.push({geometry: box(broad, 0.02, deep), colour: tint.court, at: [x, 0, z]});
      else if (shape.form === "hall") block(tint.hall, Math.max(shape.tall, 0.04), 0);
      else if (shape.form === "room")
        flat.push({geometry: box(broad, 0.03, deep), colour: tint.room, at: [x, shape.base + 0.015, z]});
      else if (shape.form === "beam") block(wood, shape.tall, shape.base);
      else if (shape.form === "post") block(wood, shape.tall, 0);
      else if (shape.form === "pillar") {
        solid.push({
          geometry: tube(broad / 2, broad / 2, shape.tall, 14),
          colour: wood,
          at: [x, shape.base + shape.tall / 2, z],
        });
        solid.push({
          geometry: tube(broad * 0.7, broad * 0.8, 0.3, 14),
          colour: tint.wall,
          at: [x, shape.base + 0.15, z],
        });
      } else if (shape.form === "stair") {
        const steps = shape.steps ?? 1;
        const north = rises(shapes, south);
        for (let step = 0; step < steps; step++) {
          const [high, tread] = [(shape.tall * (step + 1)) / steps, (deep * (steps - step)) / steps];
          const geometry = box(broad, high, tread);
          const at = /** @type {[number, number, number]} */ ([
            x,
            high / 2,
            z + ((north ? -1 : 1) * (deep - tread)) / 2,
          ]);
          lined.push(new THREE.EdgesGeometry(geometry).translate(...at));
          solid.push({geometry, colour: tint.hall, at});
        }
      } else if (shape.form === "mark") {
        flat.push({geometry: box(0.14, 0.03, deep), colour: tint.accent, at: [x, shape.base + 0.05, z]});
        flat.push({geometry: box(broad, 0.03, 0.14), colour: tint.accent, at: [x, shape.base + 0.05, z]});
      } else if (shape.form === "edge" && !height)
        flat.push({geometry: box(broad, 0.03, 0.2), colour: tint.ink, at: [x, 0.05, z]});
      else if (shape.form === "sill") this.gate(shape, wood, solid, lined);
      else if (shape.form === "wall") {
        const geometry = box(broad, shape.tall, deep);
        const at = /** @type {[number, number, number]} */ ([x, shape.base + shape.tall / 2, z]);
        lined.push(new THREE.EdgesGeometry(geometry).translate(...at));
        const away = this.away(shape);
        outer.push({geometry: side(geometry, away, true), colour: tint.wall, at});
        inner.push({geometry: side(geometry, away, false), colour: tint.wall, at});
      }
    }
    const stuff = () => new THREE.MeshLambertMaterial({vertexColors: true});
    const ground = new THREE.MeshBasicMaterial({color: colours.paper.clone().lerp(colours.court, 0.45)});
    const earth = new THREE.Mesh(new THREE.CircleGeometry(most, 40).rotateX(-Math.PI / 2), ground);
    earth.position.y = -0.06;
    const pen = new THREE.LineBasicMaterial({
      color: colours.ink.clone().lerp(colours.paper, colours.night ? 0.35 : 0.45),
    });
    const made = [solid, flat, inner].map((parts) => new THREE.Mesh(mould(parts), stuff()));
    this.outer.add(new THREE.Mesh(mould(outer), stuff()));
    this.group.add(earth, ...made, new THREE.LineSegments(joined(lined), pen), this.outer, this.roof);
    this.cover(colours);
    this.group.updateMatrixWorld();
  }

  /** The face of a wall's box (0 … 5: +x -x +y -y +z -z) that looks away from hall and court. @param {Shape} shape */
  away({box: [west, south, east, north], base}) {
    const hall = this.building.shapes.find(({form}) => form === "hall")?.box;
    const [left, low, right, high] = base > 0 && hall ? hall : this.building.bounds;
    if (east - west < north - south) return (west + east) / 2 > (left + right) / 2 ? 0 : 1;
    return (south + north) / 2 > (low + high) / 2 - (base > 0 ? 6 : 0) ? 5 : 4;
  }

  /** Two open doors and what is above them. @param {Shape} sill @param {number} wood @param {Part[]} solid @param {THREE.BufferGeometry[]} lined */
  gate({box: [west, south, east]}, wood, solid, lined) {
    const post = this.building.shapes.find(({form}) => form === "post");
    if (!post) return;
    const [leaf, high] = [(east - west) / 2, post.tall - 1.5];
    /** @type {[number, number, number, number, number, number][]} */
    const parts = [
      [east - west + 3, 0.6, 0.7, (west + east) / 2, post.tall - 1, -south],
      [east - west, 0.25, 0.5, (west + east) / 2, 0.1, -south],
    ];
    // The leaves are folded back to the wall, within.
    for (const at of [west - leaf / 2, east + leaf / 2])
      parts.push([leaf, high, LEAF, at, high / 2 + 0.1, -south - 0.6]);
    for (const [broad, tall, deep, ...at] of parts) {
      const geometry = box(broad, tall, deep);
      lined.push(new THREE.EdgesGeometry(geometry).translate(...at));
      solid.push({geometry, colour: wood, at});
    }
  }

  /** The roof over the beams, as rafters and a veil. @param {Palette} colours */
  cover(colours) {
    const hall = this.building.shapes.find(({form}) => form === "hall");
    const beams = this.building.shapes.filter(({form}) => form === "beam").sort((one, other) => other.base - one.base);
    if (!hall || beams.length < 2) return;
    const [west, , east] = [hall.box[0] - EAVES, 0, hall.box[2] + EAVES];
    const middle = (/** @type {Shape} */ shape) => (shape.box[1] + shape.box[3]) / 2;
    const [top, ridge] = [beams[0].base + beams[0].tall, middle(beams[0])];
    const slope = (beams[0].base - beams[1].base) / Math.abs(ridge - middle(beams[1]));
    const lines = [];
    const planes = [];
    for (const end of [hall.box[1] - EAVES, hall.box[3] + EAVES]) {
      const low = top - Math.abs(ridge - end) * slope;
      for (let x = west; x <= east + 0.01; x += (east - west) / 24) lines.push(x, top, -ridge, x, low, -end);
      lines.push(west, top, -ridge, east, top, -ridge, west, low, -end, east, low, -end);
      planes.push(
        west,
        top,
        -ridge,
        east,
        top,
        -ridge,
        east,
        low,
        -end,
        west,
        top,
        -ridge,
        east,
        low,
        -end,
        west,
        low,
        -end,
      );
    }
    const ribs = new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute(lines, 3));
    const veil = new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute(planes, 3));
    const look = {color: colours.ink, transparent: true, depthWrite: false};
    this.roof.add(
      new THREE.LineSegments(ribs, new THREE.LineBasicMaterial({...look, opacity: 0.3})),
      new THREE.Mesh(
        veil,
        new THREE.MeshBasicMaterial({...look, opacity: colours.night ? 0.12 : 0.07, side: THREE.DoubleSide}),
      ),
    );
  }

  dispose() {
    release(this.group);
  }
}

/** A box's geometry with only one of its faces, or with all but that. @param {THREE.BoxGeometry} whole @param {number} face @param {boolean} only */
function side(whole, face, only) {
  const geometry = whole.clone();
  const index = [...(geometry.index?.array ?? [])];
  geometry.setIndex(index.filter((_, at) => (Math.floor(at / 6) === face) === only));
  return geometry;
}

/** Many sets of lines as one. @param {THREE.BufferGeometry[]} sets */
function joined(sets) {
  /** @type {number[]} */
  const all = [];
  for (const lines of sets) {
    for (const value of lines.attributes.position.array) all.push(value);
    lines.dispose();
  }
  return new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute(all, 3));
}
