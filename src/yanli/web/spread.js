/**
 * People who stand too close to be told apart are moved a little, or drawn smaller.
 *
 * Comes in: where figures stand in the window. Goes out: how far each is moved, in pixels, and how large it is drawn. Who
 * stand on one spot are set side by side, across the way they face; in a row that is closer than figures are broad all are
 * drawn smaller.
 */

const {hypot} = Math;

/** @typedef {{person: number, x: number, y: number, facing: number}} Standing  in pixels */
/** @typedef {{dx: number, dy: number, size: number}} Nudge */

/** Shoulders of a figure, in its own measure. */
const BROAD = 18.5;
/** Nearer than this share of the shoulders two are on one spot. */
const ONE_SPOT = 0.55;
/** Figures of a row are not drawn smaller than this share. */
const LEAST = 0.5;
const TURNS = 8;

/**
 * @param {Standing[]} standing
 * @param {number} size  pixels for one unit of a figure
 * @returns {Map<number, Nudge>}
 */
export function spread(standing, size) {
  /** @type {Map<number, Nudge>} */
  const found = new Map(standing.map(({person}) => [person, {dx: 0, dy: 0, size}]));
  const broad = BROAD * size;
  for (const group of together(standing, broad * ONE_SPOT)) {
    if (group.length > 1) sideBySide(group, found, broad);
  }
  const now = standing.map((one) => {
    const {dx, dy} = nudgeOf(found, one);
    return {...one, x: one.x + dx, y: one.y + dy};
  });
  relax(now, standing, found, broad);
  for (const group of together(now, broad * 1.04)) {
    if (group.length < 2) continue;
    let near = broad;
    group.forEach((one, at) => {
      for (const other of group.slice(at + 1)) near = Math.min(near, hypot(one.x - other.x, one.y - other.y));
    });
    const share = Math.max(LEAST, near / (broad * 1.04));
    for (const one of group) nudgeOf(found, one).size = size * share;
  }
  return found;
}

/** @param {Map<number, Nudge>} found @param {Standing} one @returns {Nudge} */
function nudgeOf(found, {person}) {
  return /** @type {Nudge} */ (found.get(person));
}

/**
 * Who was moved may have come upon a third: those who were moved make way.
 * @param {Standing[]} now  changed @param {Standing[]} before @param {Map<number, Nudge>} found @param {number} broad
 */
function relax(now, before, found, broad) {
  const least = broad * ONE_SPOT * 1.05;
  const moved = now.map((one, at) => one.x !== before[at].x || one.y !== before[at].y);
  if (!moved.includes(true)) return;
  for (let turn = 0; turn < TURNS; turn++) {
    now.forEach((one, at) => {
      for (let next = at + 1; next < now.length; next++) {
        const other = now[next];
        const x = other.x - one.x;
        const y = other.y - one.y;
        const far = hypot(x, y);
        if (far >= least || far === 0 || !(moved[at] || moved[next])) continue;
        const push = (least - far) / far / (moved[at] && moved[next] ? 2 : 1);
        if (moved[at]) {
          one.x -= x * push;
          one.y -= y * push;
        }
        if (moved[next]) {
          other.x += x * push;
          other.y += y * push;
        }
      }
    });
  }
  now.forEach((one, at) => {
    const nudge = nudgeOf(found, one);
    nudge.dx = one.x - before[at].x;
    nudge.dy = one.y - before[at].y;
  });
}

/** @param {Standing[]} group @param {Map<number, Nudge>} found @param {number} broad */
function sideBySide(group, found, broad) {
  const turn = (group[0].facing * Math.PI) / 180;
  const u = Math.cos(turn);
  const v = Math.sin(turn);
  const x = group.reduce((sum, one) => sum + one.x, 0) / group.length;
  const y = group.reduce((sum, one) => sum + one.y, 0) / group.length;
  // Who stands a little to the right already stays there; of those on the very spot the first in rank is first.
  const order = group
    .map((one) => ({one, off: Math.round((one.x - x) * u + (one.y - y) * v)}))
    .sort((one, other) => one.off - other.off || one.one.person - other.one.person);
  const step = broad * (group.length > 3 ? 0.8 : 1.06);
  order.forEach(({one}, at) => {
    const off = (at - (group.length - 1) / 2) * step;
    const nudge = nudgeOf(found, one);
    nudge.dx = x + off * u - one.x;
    nudge.dy = y + off * v - one.y;
  });
}

/** Those who are nearer to one another than a distance, in groups. @param {Standing[]} standing @param {number} near */
function together(standing, near) {
  /** @type {Standing[][]} */
  const groups = [];
  const left = new Set(standing);
  for (const first of standing) {
    if (!left.delete(first)) continue;
    const group = [first];
    for (const one of group) {
      for (const other of left) {
        if (hypot(one.x - other.x, one.y - other.y) < near) {
          left.delete(other);
          group.push(other);
        }
      }
    }
    groups.push(group);
  }
  return groups;
}
