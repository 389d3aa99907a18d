/**
 * Things in depth: cups and jars, stands and mats, bows and arrows, sticks, the flag, the screen and the target.
 *
 * Takes the state of all things, the bodies of those who hold them, and the arrows in the air; puts every thing where
 * it is: in a hand, in a belt, in or on another thing, on the ground, in the target. Lengths in 尺.
 */
import * as THREE from "three";
import {Stock, TINT, mould, release, scatter} from "yanli/depth-form.js";
import {floorAt, solids} from "yanli/depth-ground.js";
import {THINGS} from "yanli/depth-moulds.js";
import {Target} from "yanli/depth-target.js";

/** @typedef {import("yanli/types.js").StageDoc} StageDoc */
/** @typedef {import("yanli/types.js").Moment} Moment */
/** @typedef {import("yanli/types.js").Flight} Flight */
/** @typedef {import("yanli/types.js").ThingState} ThingState */
/** @typedef {import("yanli/depth-people.js").Body} Body */
/** @typedef {{things: number[], x: number, y: number, floor: number, turn: number, holder: number}} Heap  things on one spot */

const ARROW = 3;
/** How far the tips of a strung bow are from its grip, and the string when nobody draws it. */
const [TIP, BRACE] = [2.85, 0.78];
/** How high what lies in or on a thing lies above its foot. */
const TOP = /** @type {Record<string, number>} */ ({
  斯禁: 0.38,
  篚: 0.16,
  下篚: 0.16,
  豐: 0.9,
  楅: 0.88,
  中: 0.94,
  俎: 0.86,
  壺: 1.7,
  席: 0.08,
});
/** What lies on its side, and leans where there is a wall. */
const LONG = new Set(["弓", "弛", "矢", "扑", "旌", "燭"]);
/** Of these so many lie side by side before the next lie on them. */
const PILED = /** @type {Record<string, number>} */ ({席: 1, 矢: 12, 冪: 1, 算: 20});

export class Things {
  /** @param {StageDoc} doc @param {THREE.Material} stuff */
  constructor(doc, stuff) {
    this.doc = doc;
    this.group = new THREE.Group();
    this.kinds = doc.things.map(({kind}) => doc.words[kind]);
    /** the form of each thing, and how it looks */
    this.forms = this.kinds.map((kind) => doc.kinds[kind]?.form ?? kind);
    this.looks = this.kinds.map((kind, at) =>
      /[觶觚散角]$/.test(kind)
        ? "觶"
        : ([kind, this.forms[at], doc.kinds[kind]?.look ?? "", "物"].find((look) => THINGS[look]) ?? ""),
    );
    /** @type {Record<string, Stock>} */
    this.stocks = {};
    /** how broad and deep a thing of a look is, lying @type {Record<string, [number, number]>} */
    this.room = {};
    for (const look of new Set([...this.looks, "弛", "弦", "酒"])) {
      const geometry = mould(THINGS[look]);
      geometry.computeBoundingBox();
      const {x, y, z} = geometry.boundingBox?.getSize(A) ?? A;
      this.room[look] = [x + 0.12, (LONG.has(look) ? y : z) + 0.12];
      this.stocks[look] = new Stock(geometry, stuff, doc.things.length);
      this.group.add(this.stocks[look].mesh);
    }
    this.targets = new Map(
      doc.things.flatMap((_, at) => (this.forms[at] === "侯" ? [[at, new Target(doc, at, stuff)]] : [])),
    );
    for (const target of this.targets.values()) this.group.add(target.group);
    const hall = doc.building.shapes.filter(({form, tall}) => form === "hall" && tall > 1);
    /** against what something may lean */
    this.walls = [...solids(doc.building).filter(({form}) => form === "wall"), ...hall].map(({box}) => box);
    /** every place that means: in or on a thing */
    this.inside = new Set([
      ...Object.values(doc.kinds).flatMap(({holds}) => holds ?? []),
      ...doc.things.map(({id}) => id),
    ]);
    /** behind arrows in the air: a line that is seen however far away they are */
    this.trail = new THREE.LineSegments(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({color: TINT.red}));
    this.trail.frustumCulled = false;
    this.group.add(this.trail);
    /** where each thing is, for what follows it */
    this.where = doc.things.map(() => new THREE.Vector3());
  }

  /**
   * Put everything where it is.
   * @param {Moment} moment @param {Body[]} bodies @param {Flight[]} flights
   */
  update(moment, bodies, flights) {
    for (const look in this.stocks) this.stocks[look].clear();
    const flying = new Set(flights.map(({thing}) => thing));
    moment.people.forEach((state, person) => {
      for (const hand of /** @type {const} */ (["left", "right", "belt"])) {
        const things = state[hand].filter((thing) => !flying.has(thing));
        things.forEach((thing, at) => this.held(thing, moment.things[thing], bodies[person], hand, at, things.length));
      }
    });
    for (const [thing, target] of this.targets) target.update(moment.things[thing], this.spot(moment.things[thing]));
    for (const heap of this.heaps(moment, flying)) this.heap(heap, moment);
    const trail = flights.flatMap((flight) => this.fly(flight, moment));
    this.trail.visible = trail.length > 0;
    if (trail.length) this.trail.geometry.setFromPoints(trail);
    for (const look in this.stocks) this.stocks[look].done();
  }

  /** @param {ThingState} state */
  spot(state) {
    return this.doc.spots[state.spot];
  }

  /**
   * Draw a thing whose place is in `M`.
   * @param {number} thing @param {ThingState} state @param {THREE.Vector3} [nock] where the string is drawn to
   */
  put(thing, state, nock) {
    const look = this.looks[thing];
    this.where[thing].setFromMatrixPosition(M);
    const slack = look === "弓" && state.states["狀"] === "弛";
    this.stocks[slack ? "弛" : look].put(M, thing);
    if (state.filled && this.forms[thing] === "爵")
      this.stocks["酒"].put(N.makeTranslation(0, 0.78, 0).premultiply(M), thing);
    if (look !== "弓" || slack) return;
    const middle = nock ?? B.set(0, 0, BRACE).applyMatrix4(M);
    for (const side of [-TIP, TIP]) {
      const tip = A.set(0, side, BRACE).applyMatrix4(M);
      const way = C.subVectors(middle, tip);
      Q.setFromUnitVectors(UP, D.copy(way).normalize());
      this.stocks["弦"].put(N.compose(tip, Q, C.set(1, way.length(), 1)), thing);
    }
  }

  /**
   * Something in a hand or a belt.
   * @param {number} thing @param {ThingState} state @param {Body} body @param {"left" | "right" | "belt"} hand
   * @param {number} at @param {number} of  its number among so many there
   */
  held(thing, state, body, hand, at, of) {
    const form = this.forms[thing];
    const grip = hand === "left" ? body.left : body.right;
    const fan = at - (of - 1) / 2;
    /** Turned so against his body, and so far from his hand. @param {[number, number, number]} turn @param {[number, number, number]} [off] */
    const from = (turn, off = [0, 0, 0]) => {
      N.extractRotation(body.root);
      M.makeRotationFromEuler(E.set(...turn))
        .premultiply(N)
        .setPosition(
          A.set(...off)
            .applyMatrix4(N)
            .add(grip),
        );
    };
    if (hand === "belt") {
      const [turn, x, y] = form === "矢" ? [-0.12 * fan - 0.25, 0.5 + fan * 0.09, -0.9] : [1.2, 0.2, 0.5];
      M.makeRotationFromEuler(E.set(0.5, 0, turn))
        .setPosition(x, y, 0.55)
        .premultiply(body.breast);
    } else if (form === "弓" && body.draw > 0) {
      const back = A.subVectors(body.right, body.left).normalize();
      const across = B.crossVectors(UP, back).normalize();
      M.makeBasis(across, C.crossVectors(back, across), back).setPosition(body.left);
      return this.put(thing, state, body.right);
    } else if (form === "弓") from([body.kneel * -0.9 - 0.15, 0, 0.12]);
    else if (form === "矢" && body.draw > 0)
      M.makeRotationFromQuaternion(
        Q.setFromUnitVectors(UP, A.subVectors(body.left, body.right).normalize()),
      ).setPosition(body.right);
    else if (form === "矢") from([-1.25, 0, 0.5 + fan * 0.05], [0.05 * fan, 0.03 * at, 1.2]);
    else if (form === "算") from([0, 1.3, fan * 0.06], [0.04 * fan, 0.04 * (at % 4), -0.1]);
    else if (LONG.has(form) || form === "茅") from([form === "扑" ? -0.6 : -0.06, 0, 0]);
    else {
      // Anything else with both hands before the breast; the zither, for who sits, on the ground.
      A.addVectors(body.left, body.right)
        .multiplyScalar(0.5)
        .addScaledVector(body.ahead, form === "爵" || form === "笙" ? 0 : 0.25);
      A.y += form === "爵" ? -0.4 : at * 0.5;
      if (form === "瑟") A.y = body.kneel > 0.5 ? body.root.elements[13] + 0.05 : A.y - 0.3;
      M.extractRotation(body.root).setPosition(A);
    }
    this.put(thing, state);
  }

  /**
   * All that lies somewhere and is shown, gathered by spot.
   * @param {Moment} moment @param {Set<number>} flying @returns {Iterable<Heap>}
   */
  heaps(moment, flying) {
    const {doc} = this;
    /** @type {Map<string, number[]>} what is there, by the name that it gives to what lies in it */
    const holders = new Map();
    /** @type {Map<string, Heap>} */
    const found = new Map();
    const lying = [...moment.things.keys()].filter(
      (thing) => !flying.has(thing) && this.shown(thing, moment.things[thing]),
    );
    for (const thing of lying)
      for (const name of doc.kinds[this.kinds[thing]]?.holds ?? [])
        holders.set(name, [...(holders.get(name) ?? []), thing]);
    for (const thing of lying) {
      if (this.targets.has(thing)) continue;
      const state = moment.things[thing];
      const [x, y, , , facing = 0] = this.spot(state);
      const name = doc.words[state.where];
      const holder =
        (holders.get(name) ?? []).find((other) => {
          const [u, v] = this.spot(moment.things[other]);
          return other !== thing && Math.hypot(u - x, v - y) < 6;
        }) ?? -1;
      if (holder < 0 && this.inside.has(name) && !holders.get(name)?.includes(thing)) continue;
      const own = this.forms[thing] === "席" ? doc.things[thing].of : "";
      const key = `${state.where} ${own} ${x.toFixed(1)} ${y.toFixed(1)}`;
      const heap = found.get(key) ?? {
        things: [],
        x,
        y,
        floor: floorAt(doc.building, x, y) + (TOP[this.looks[holder]] ?? 0),
        turn: facing,
        holder,
      };
      heap.things.push(thing);
      found.set(key, heap);
    }
    return found.values();
  }

  /** Whether a thing lies somewhere, and neither in store nor where nobody looks. @param {number} thing @param {ThingState} state */
  shown(thing, state) {
    const [, y, , zone] = this.spot(state);
    const {store} = this.doc.things[thing];
    const {hidden, bounds} = this.doc.building;
    return (
      state.holder < 0 && !store?.includes(state.where) && !hidden.includes(this.doc.words[zone]) && y >= bounds[1]
    );
  }

  /** Things of one spot, kind beside kind. @param {Heap} heap @param {Moment} moment */
  heap({things, x, y, floor, turn, holder}, moment) {
    /** @type {Map<string, number[]>} */
    const kinds = new Map();
    for (const thing of things) kinds.set(this.looks[thing], [...(kinds.get(this.looks[thing]) ?? []), thing]);
    const target = this.targets.get(holder);
    const rows = [...kinds].map(([look, all]) => {
      const piled = PILED[look] ?? Infinity;
      const side = Math.min(all.length, piled);
      const columns = look === "算" ? Math.ceil(side / 10) : LONG.has(look) ? side : Math.min(side, 6);
      const upon = things.some((thing) => this.doc.kinds[this.kinds[all[0]]]?.upon?.includes(this.kinds[thing]));
      return {look, all, columns, piled, upon, width: upon ? 0 : columns * this.room[look][0]};
    });
    let left = -rows.reduce((sum, {width}) => sum + width, 0) / 2;
    for (const {look, all, columns, piled, upon, width} of rows) {
      const [broad, deep] = this.room[look];
      const lines = Math.ceil(Math.min(all.length, piled) / columns);
      all.forEach((thing, nth) => {
        const at = nth % piled;
        const u = upon ? 0 : left + width / 2 + ((at % columns) - (columns - 1) / 2) * broad;
        const v = (Math.floor(at / columns) - (lines - 1) / 2) * deep;
        const high = floor + Math.floor(nth / piled) * 0.08 + (upon ? (TOP[this.looks[things[0]]] ?? TOP["俎"]) : 0);
        const state = moment.things[thing];
        const facing = (-(state.facing ?? turn) * Math.PI) / 180;
        if (target && look === "矢") this.struck(thing, target);
        else if (target && LONG.has(look)) M.makeRotationX(0.12).setPosition(x + 1.5, 3, 0.9 - y);
        else if (!LONG.has(look))
          M.makeRotationY(facing).setPosition(
            A.set(u, 0, v)
              .applyMatrix4(N.makeRotationY(facing))
              .add(B.set(x, high, -y)),
          );
        else if (this.doc.words[state.where] === "地" && look === "矢") this.fallen(thing, x, y);
        else if (holder >= 0 || !this.lean(look, x, y, u, high)) {
          M.makeRotationX(Math.PI / 2)
            .premultiply(N.makeRotationY(holder < 0 ? facing : 0))
            .setPosition(x + u, high + 0.07, -y - (look === "矢" ? ARROW / 2 : 0));
        }
        this.put(thing, state);
      });
      left += width;
    }
  }

  /**
   * Set `M` so that something long leans, when a wall or the hall's side is near.
   * @param {string} look @param {number} x @param {number} y @param {number} u how far along that wall @param {number} high
   */
  lean(look, x, y, u, high) {
    for (const [west, south, east, north] of this.walls) {
      const [v, w] = [Math.min(Math.max(x, west), east), Math.min(Math.max(y, south), north)];
      const far = Math.hypot(x - v, y - w);
      if (far < 0.01 || far > 2.2) continue;
      const [dx, dy] = [(v - x) / far, (w - y) / far];
      M.makeRotationY(Math.atan2(-dx, dy)).multiply(N.makeRotationX(-0.32));
      M.setPosition(
        v - dx * 1.05 + dy * u,
        high + (look === "矢" || look === "扑" ? 0.1 : 2.8),
        dy * 1.05 - w + dx * u,
      );
      return true;
    }
    return false;
  }

  /** An arrow in the target. @param {number} thing @param {Target} target */
  struck(thing, target) {
    const turn = E.set(Math.PI / 2 - 0.1 + 0.06 * scatter(thing, 3), 0, 0.08 * scatter(thing, 4));
    M.makeRotationFromEuler(turn).setPosition(target.hit(thing, A).add(B.set(0, 0.25, -2.2)));
  }

  /** An arrow that missed: in the ground. @param {number} thing @param {number} x @param {number} y */
  fallen(thing, x, y) {
    const turn = E.set(2.3 + 0.2 * scatter(thing, 3), 0, 0.15 * scatter(thing, 4));
    M.makeRotationFromEuler(turn).setPosition(missed(thing, x, y, A).add(B.set(0, 1.6, -1.7)));
  }

  /** An arrow in the air. @param {Flight} flight @param {Moment} moment */
  fly({thing, share, from, to, hit}, moment) {
    const start = A.set(from[0], floorAt(this.doc.building, ...from) + 5.6, -from[1]);
    const [target] = [...this.targets.values()].sort((one, other) => one.far(to) - other.far(to));
    const end = hit && target ? target.hit(thing, B) : missed(thing, to[0], to[1], B);
    const high = Math.min(16, start.distanceTo(end) * 0.05);
    /** @param {number} s @param {THREE.Vector3} out */
    const way = (s, out) =>
      out.lerpVectors(start, end, s).setY(start.y + (end.y - start.y) * s + 4 * high * s * (1 - s));
    const ahead = way(share + 0.01, C)
      .sub(way(share - 0.01, D))
      .normalize();
    Q.setFromUnitVectors(UP, ahead);
    M.makeRotationFromQuaternion(Q).setPosition(way(share, D).addScaledVector(ahead, -ARROW / 2));
    this.put(thing, moment.things[thing]);
    return [way(share, new THREE.Vector3()), way(Math.max(0, share - 0.06), new THREE.Vector3())];
  }

  dispose() {
    release(this.trail);
    for (const look in this.stocks) this.stocks[look].dispose();
    for (const target of this.targets.values()) target.dispose();
    this.group.removeFromParent();
  }
}

/**
 * Where an arrow that missed lies: wide of the target.
 * @param {number} thing @param {number} x @param {number} y @param {THREE.Vector3} out
 */
function missed(thing, x, y, out) {
  const wide = scatter(thing, 1);
  return out.set(x + Math.sign(wide) * (16.5 + 5 * Math.abs(wide)), 0, -y + 3 * scatter(thing, 2));
}

const [M, N] = [new THREE.Matrix4(), new THREE.Matrix4()];
const [A, B, C, D] = [0, 0, 0, 0].map(() => new THREE.Vector3());
const E = new THREE.Euler();
const Q = new THREE.Quaternion();
const UP = new THREE.Vector3(0, 1, 0);
