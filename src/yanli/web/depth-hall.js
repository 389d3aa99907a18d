/**
 * The building in depth: court, hall and stairs, walls, pillars and beams, roof, gate and shooting marks.
 *
 * Takes the shapes of a `Building` (尺) and the page's colours; gives a group for the scene. It is drawn as a drawing:
 * pale planes, and hairlines at their edges.
 */
import * as THREE from "three";
import {box, mould, release, tube} from "yanli/depth-form.js";
import {rises} from "yanli/depth-ground.js";

/** @typedef {import('yanli/types.js').Building} Building */
/** @typedef {import('yanli/types.js').Shape} Shape */
/** @typedef {import('yanli/depth-form.js').Palette} Palette */
/** @typedef {import('yanli/depth-form.js').Part} Part */

/** How far the roof reaches beyond the hall, and how thick a door is; no source tells it. */
const [EAVES, RAFTERS, LEAF] = [4, 20, 0.3];
const FAR = 2600;

export class Hall {
  /** @param {Building} building @param {THREE.Material} stuff */
  constructor(building, stuff) {
    this.building = building;
    this.stuff = stuff;
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
    /** @param {"court" | "hall" | "room" | "wall" | "accent" | "ink"} name @param {"wall" | "paper"} [other] @param {number} [share] */
    const mixed = (name, other = "wall", share = 0) => colours[name].clone().lerp(colours[other], share).getHex();
    const tint = {
      court: mixed("court"),
      hall: mixed("hall", "wall", 0.12),
      room: mixed("room"),
      wall: mixed("wall", "paper", 0.5),
      accent: mixed("accent"),
      ink: mixed("ink"),
    };
    const wood = colours.wall.clone().lerp(new THREE.Color(0x7a4630), 0.6).getHex();
    for (const shape of shapes) {
      const [west, south, east, north] = shape.box;
      const [broad, deep, x, z] = [east - west, north - south, (west + east) / 2, -(south + north) / 2];
      /** @param {number} colour @param {number} high @param {number} foot @param {Part[]} into */
      const block = (colour, high, foot, into = solid) => {
        // A post is a little thicker than the wall that ends in it.
        const more = shape.form === "post" ? 0.16 : 0;
        const geometry = box(broad + more, high, deep + more);
        lined.push(new THREE.EdgesGeometry(geometry).translate(x, foot + high / 2, z));
        into.push({geometry, colour, at: [x, foot + high / 2, z]});
      };
      if (shape.form === "court") flat.push({geometry: box(broad, 0.02, deep), colour: tint.court, at: [x, 0, z]});
      else if (shape.form === "hall") block(tint.hall, Math.max(shape.tall, 0.04), 0);
      else if (shape.form === "room")
        flat.push({geometry: box(broad, 0.03, deep), colour: tint.room, at: [x, shape.base + 0.015, z]});
      else if (shape.form === "tent") {
        const high = shape.tall / 2;
        for (const at of [south, north])
          solid.push({geometry: box(broad, shape.tall, 0.1), colour: tint.room, at: [x, high, -at]});
        solid.push({geometry: box(0.1, shape.tall, deep), colour: tint.room, at: [east, high, z]});
      } else if (shape.form === "beam") block(wood, shape.tall, shape.base);
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
    const ground = colours.paper.clone().lerp(colours.court, 0.45).getHex();
    const disk = new THREE.RingGeometry(1, most, 24, 8).rotateX(-Math.PI / 2);
    const earth = new THREE.Mesh(mould([{geometry: disk, colour: ground, at: [0, -0.06, 0]}]), this.stuff);
    const pen = new THREE.LineBasicMaterial({
      color: colours.ink.clone().lerp(colours.paper, colours.night ? 0.35 : 0.45),
    });
    const made = [solid, flat, inner].map((parts) => new THREE.Mesh(mould(parts), this.stuff));
    this.outer.add(new THREE.Mesh(mould(outer), this.stuff));
    this.group.add(earth, ...made, new THREE.LineSegments(joined(lined), pen), this.outer, this.roof);
    this.cover(colours);
    // Near things first, so that what they hide is not painted.
    this.group.traverse((one) => (one.renderOrder = one === earth ? 2 : 1));
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
    // The leaves are folded back to the wall, without.
    for (const at of [west - leaf / 2, east + leaf / 2])
      parts.push([leaf, high, LEAF, at, high / 2 + 0.1, 0.6 - south]);
    for (const [broad, tall, deep, ...at] of parts) {
      const geometry = box(broad, tall, deep);
      lined.push(new THREE.EdgesGeometry(geometry).translate(...at));
      solid.push({geometry, colour: wood, at});
    }
  }

  /** The roof over the beams, as its rafters. @param {Palette} colours */
  cover({ink, paper}) {
    const hall = this.building.shapes.find(({form}) => form === "hall");
    const [high, low] = this.building.shapes
      .filter(({form}) => form === "beam")
      .sort((one, other) => other.base - one.base);
    if (!hall || !low) return;
    const [west, south, east, north] = hall.box;
    const [top, ridge, front] = [high.base + high.tall, high.box[1], low.box[1]];
    const slope = (high.base - low.base) / Math.abs(ridge - front);
    const lines = [];
    for (const end of [south - EAVES, north + EAVES]) {
      const foot = top - Math.abs(ridge - end) * slope;
      const [left, right] = [west - EAVES, east + EAVES];
      for (let at = 0; at <= RAFTERS; at++) {
        const x = left + ((right - left) * at) / RAFTERS;
        lines.push(x, top, -ridge, x, foot, -end);
      }
      lines.push(left, top, -ridge, right, top, -ridge, left, foot, -end, right, foot, -end);
    }
    const ribs = new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute(lines, 3));
    this.roof.add(new THREE.LineSegments(ribs, new THREE.LineBasicMaterial({color: ink.clone().lerp(paper, 0.55)})));
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
