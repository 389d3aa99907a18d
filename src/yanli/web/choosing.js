/**
 * Which figure is meant: by a point, or by a way from the one that has the focus.
 *
 * Comes in: a window with its figures. Goes out: one of them, or null.
 */

/** @typedef {import("yanli/pane.js").Pane} Pane */
/**
 * @typedef {object} Choice  what can be chosen, and where it is in the window
 * @property {SVGElement} el
 * @property {number} x
 * @property {number} y
 * @property {number} person  or -1
 * @property {number} thing  or -1
 */

/** A finger meets a figure that is no farther than this, in pixels. */
const TOUCH = 22;
/** Of a person and a thing equally near the person is meant. */
const BEHIND = 3;

/** All that can be chosen. @param {Pane} pane @param {number} followed  a thing, or -1 @returns {Choice[]} */
export function choices(pane, followed) {
  /** @type {Choice[]} */
  const found = [];
  for (const [person, {figure, seen, x, y}] of pane.bodies) {
    if (seen) found.push({el: figure.el, x, y, person, thing: -1});
  }
  for (const {el, seen, x, y, stack} of pane.lumps.values()) {
    const whole = [...stack.things, ...stack.content];
    if (seen) found.push({el, x, y, person: -1, thing: whole.includes(followed) ? followed : stack.things[0]});
  }
  return found;
}

/** The nearest to a point. @param {Choice[]} all @param {number} x @param {number} y @returns {Choice | null} */
export function nearestTo(all, x, y) {
  return least(all, TOUCH, (one) => Math.hypot(one.x - x, one.y - y) + (one.person < 0 ? BEHIND : 0));
}

/**
 * The next one in a direction.
 * @param {Choice[]} all @param {Choice} from @param {number} u  1 to the right, -1 to the left @param {number} v  1 down
 * @returns {Choice | null}
 */
export function nextTo(all, from, u, v) {
  return least(all, Infinity, (one) => {
    const along = (one.x - from.x) * u + (one.y - from.y) * v;
    const aside = Math.abs((one.x - from.x) * v) + Math.abs((one.y - from.y) * u);
    return one === from || along < 1 || aside > along * 2.2 ? Infinity : along + aside * 1.6;
  });
}

/** The first that is least far, if it is less far than `near`. @param {Choice[]} all @param {number} near @param {(one: Choice) => number} measure */
function least(all, near, measure) {
  let best = null;
  for (const one of all) {
    const far = measure(one);
    if (far < near) {
      near = far;
      best = one;
    }
  }
  return best;
}
