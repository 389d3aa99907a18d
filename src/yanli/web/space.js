/**
 * Boxes: what they share and hold; and those in the window that may not overlap, in a grid, so that asking is quick.
 *
 * Comes in: boxes in pixels, y downwards (where no grid is asked, any other measure will do). Goes out: whether a box or
 * a thin line is free. `soft` boxes are avoided where that is possible. What can no longer occur: a box that is counted
 * as free where another stands.
 */

const {abs, cos, floor, max, min, sin} = Math;

/** @typedef {[left: number, top: number, right: number, bottom: number]} Rect  in pixels */

const CELL = 56;
/** How far a bead of a thin line reaches from its middle. */
const BEAD = 0.8;
const BEADS_APART = 4;
/** Around this many pixels places are looked for closely. */
const CLOSE = 60;

export class Space {
  /** @type {Map<number, Rect[]>} */
  #hard = new Map();
  /** @type {Map<number, Rect[]>} */
  #soft = new Map();
  /** @type {Set<Rect>}  lines on the floor: no name stands on them, but leaders may cross them */
  #lines = new Set();
  /** @type {Rect[]} */
  #walls = [];

  /** @param {Space[]} spaces  what is taken in them is taken here, what is soft excepted */
  constructor(...spaces) {
    for (const space of spaces) {
      for (const [cell, boxes] of space.#hard) this.#hard.set(cell, [...(this.#hard.get(cell) ?? []), ...boxes]);
      this.#walls.push(...space.#walls);
    }
  }

  /** @param {Rect} box @param {boolean} [soft] */
  take(box, soft = false) {
    const grid = soft ? this.#soft : this.#hard;
    for (const cell of cells(box)) {
      const there = grid.get(cell);
      if (there) there.push(box);
      else grid.set(cell, [box]);
    }
  }

  /** A line on the floor. @param {Rect} box */
  line(box) {
    this.#lines.add(box);
    this.take(box);
  }

  /** A wall: nothing is moved to its other side. @param {Rect} box */
  wall(box) {
    this.#walls.push(box);
    this.take(box);
  }

  /** @param {Rect} box @param {boolean} [strict]  soft boxes count too */
  free(box, strict = false) {
    return !this.#met(box) && !(strict && first(this.#soft, box));
  }

  /** @param {Rect} box @returns {Rect | null}  a hard box that is met */
  #met(box) {
    return first(this.#hard, box);
  }

  /**
   * Whether a thin line meets nothing hard but its own boxes.
   * @param {number} x @param {number} y @param {number} u @param {number} v @param {Rect[]} own
   */
  clear(x, y, u, v, own) {
    for (const bead of beads(x, y, u, v)) {
      for (const cell of cells(bead)) {
        for (const other of this.#hard.get(cell) ?? []) {
          if (meets(bead, other) && !own.includes(other) && !this.#lines.has(other)) return false;
        }
      }
    }
    return true;
  }

  /** Whether a wall stands between two points. @param {number} x @param {number} y @param {number} u @param {number} v */
  #walled(x, y, u, v) {
    const way = /** @type {Rect} */ ([min(x, u), min(y, v), max(x, u) + 0.1, max(y, v) + 0.1]);
    const near = this.#walls.filter((wall) => meets(wall, way));
    return near.length > 0 && beads(x, y, u, v).some((bead) => near.some((wall) => meets(bead, wall)));
  }

  /**
   * How far a box must be moved so that it meets nothing, the nearest way first; null when there is no room so near.
   * @param {Rect} box
   * @param {number} most  in pixels
   * @param {number} degrees  to the right and left of this way it is looked for first
   * @returns {[number, number] | null}
   */
  settle(box, most, degrees = 0) {
    if (!this.#met(box)) return [0, 0];
    const [left, top, right, bottom] = box;
    const x = (left + right) / 2;
    const y = (top + bottom) / 2;
    let blocked = /** @type {Rect | null} */ (null);
    for (const [dx, dy] of ways(most, degrees)) {
      const there = /** @type {Rect} */ ([left + dx, top + dy, right + dx, bottom + dy]);
      // What stood in the way a moment ago mostly does so still.
      if (blocked && meets(there, blocked)) continue;
      blocked = this.#met(there);
      if (!blocked && !this.#walled(x, y, x + dx, y + dy)) return [dx, dy];
    }
    return null;
  }
}

/** Whether two boxes share more than an edge. @param {Rect} one @param {Rect} other */
export function meets(one, other) {
  return one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3];
}

/** Whether one box holds another. @param {Rect} outer @param {Rect} inner */
export function holds(outer, inner) {
  return outer[0] <= inner[0] && outer[1] <= inner[1] && outer[2] >= inner[2] && outer[3] >= inner[3];
}

/** @param {number} value @param {number} least @param {number} most */
export function clamp(value, least, most) {
  return min(most, max(least, value));
}

/** A point as a box. @param {number} x @param {number} y @returns {Rect} */
export function dot(x, y) {
  return [x, y, x, y];
}

/** @param {Rect} box @param {number} by  so much more on every side @returns {Rect} */
export function grown(box, by) {
  return [box[0] - by, box[1] - by, box[2] + by, box[3] + by];
}

/** The point of a box that is nearest to a point. @param {Rect} box @param {number} x @param {number} y @returns {[number, number]} */
export function nearest(box, x, y) {
  return [clamp(x, box[0], box[2]), clamp(y, box[1], box[3])];
}

/**
 * The box around two boxes; null stands for none.
 * @template {Rect | null} T
 * @param {T} one @param {Rect | null} other @returns {T | Rect}
 */
export function around(one, other) {
  if (!one || !other) return one ?? /** @type {T} */ (other);
  return [min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])];
}

/** The four edges of a box as thin boxes. @param {Rect} box @param {number} half @returns {Rect[]} */
export function edges([left, top, right, bottom], half) {
  return [
    [left - half, top - half, left + half, bottom + half],
    [right - half, top - half, right + half, bottom + half],
    [left - half, top - half, right + half, top + half],
    [left - half, bottom - half, right + half, bottom + half],
  ];
}

/**
 * Small boxes along a line.
 * @param {number} x @param {number} y @param {number} u @param {number} v @returns {Rect[]}
 */
export function beads(x, y, u, v) {
  const count = max(1, Math.ceil(max(abs(u - x), abs(v - y)) / BEADS_APART));
  return Array.from({length: count + 1}, (_, at) => {
    const a = x + ((u - x) * at) / count;
    const b = y + ((v - y) * at) / count;
    return [a - BEAD, b - BEAD, a + BEAD, b + BEAD];
  });
}

/**
 * The upright box round a figure that faces so and reaches so far to its sides.
 * @param {number} degrees @param {{left: number, right: number, front: number, back: number}} reach
 * @param {number} x @param {number} y @param {number} size
 * @returns {Rect}
 */
export function turned(degrees, {left, right, front, back}, x, y, size) {
  const turn = (degrees * Math.PI) / 180;
  const s = sin(turn) * size;
  const c = cos(turn) * size;
  const xs = [-left * c + front * s, right * c + front * s, -left * c - back * s, right * c - back * s];
  const ys = [-left * s - front * c, right * s - front * c, -left * s + back * c, right * s + back * c];
  return [x + min(...xs), y + min(...ys), x + max(...xs), y + max(...ys)];
}

/** @param {Map<number, Rect[]>} grid @param {Rect} box @returns {Rect | null} */
function first(grid, box) {
  for (const cell of cells(box)) {
    for (const other of grid.get(cell) ?? []) if (meets(box, other)) return other;
  }
  return null;
}

/** @param {Rect} box @returns {number[]} */
function cells([left, top, right, bottom]) {
  const found = [];
  const low = floor(bottom / CELL);
  const far = floor(right / CELL);
  for (let row = floor(top / CELL); row <= low; row++) {
    for (let column = floor(left / CELL); column <= far; column++) found.push(row * 4096 + column);
  }
  return found;
}

/** @type {Map<string, [number, number][]>} */
const known = new Map();

/** Ever wider rings, on each right, left, then what lies between, before and behind. @param {number} most @param {number} degrees */
function ways(most, degrees) {
  const key = `${most} ${degrees}`;
  let found = known.get(key);
  if (found) return found;
  found = [];
  const start = (degrees * Math.PI) / 180;
  for (let ring = 3; ring <= most; ring += ring < CLOSE ? 3 : 8) {
    const count = ring < 12 ? 8 : 16;
    for (let turn = 0; turn < count; turn++) {
      const angle = start - (floor(turn / 2) * 2 * Math.PI) / count + (turn % 2 ? Math.PI : 0);
      found.push([ring * cos(angle), ring * sin(angle)]);
    }
  }
  if (known.size > 500) known.clear();
  known.set(key, found);
  return found;
}
