/**
 * The ground in depth: how high it is anywhere, what is solid, and room for everybody.
 *
 * Takes the shapes of a `Building` and poses; gives heights and places, in 尺. What can no longer occur: somebody sunk
 * into a step, within a pillar or the wall beside the gate, or within somebody else, where several are on one spot.
 */

/** @typedef {import("yanli/types.js").Building} Building */
/** @typedef {import("yanli/types.js").Shape} Shape */
/** @typedef {import("yanli/types.js").Pose} Pose */

/** So much room everybody has about him, and what is solid has about itself. */
const [APART, CLEAR] = [1.7, 0.75];
/** So near the gate one walks between its posts. */
const [NEAR, BESIDE] = [2.5, 7];
/** From this share of a tread on one steps up to the next. */
const LIFTED = 0.5;

/** @param {number} value */
const within = (value) => Math.min(1, Math.max(0, value));

/** Whether a stair that begins there rises to the north. @param {Shape[]} shapes @param {number} south */
export const rises = (shapes, south) => !shapes.some(({form, box}) => form === "hall" && south >= box[3] - 0.1);

/** Walls, pillars and posts. @param {Building} building */
export const solids = ({shapes}) => shapes.filter(({form}) => /^(wall|pillar|post)$/.test(form));

/**
 * How high the ground is at a spot; on a stair and before it as one who goes there rises from tread to tread.
 * @param {Building} building @param {number} x @param {number} y
 */
export function floorAt({shapes}, x, y) {
  let high = 0;
  for (const {form, box, tall, steps = 1} of shapes) {
    const [west, south, east, north] = box;
    if (x < west || x > east) continue;
    if (form === "hall" && y >= south && y <= north) high = Math.max(high, tall);
    if (form !== "stair") continue;
    const tread = ((rises(shapes, south) ? y - south : north - y) / (north - south)) * steps;
    if (tread <= LIFTED - 1 || tread > steps) continue;
    const whole = Math.floor(tread);
    const lift = Math.max(0, (tread - whole - LIFTED) / (1 - LIFTED));
    high = Math.max(high, (tall / steps) * Math.min(steps, whole + 1 + lift * lift * (3 - 2 * lift)));
  }
  return high;
}

/**
 * Where everybody is shown: where his pose is, but for those who would stand in one another or in a pillar.
 * @param {Building} building @param {Pose[]} poses
 * @returns {[x: number, y: number][]}
 */
export function apart(building, poses) {
  const places = poses.map(({x, y}) => /** @type {[number, number]} */ ([x, y]));
  const gate = building.shapes.find(({form}) => form === "sill")?.box;
  const round = building.shapes.filter(({form}) => form === "pillar" || form === "post");
  for (const place of gate ? places : []) {
    const [west, , east, y] = /** @type {Shape["box"]} */ (gate);
    const off = Math.min(Math.max(place[0], west + 1.1), east - 1.1) - place[0];
    place[0] += off * within(NEAR - Math.abs(place[1] - y)) * within((BESIDE - Math.abs(off)) / 3);
  }
  for (let again = 0; again < 3; again++) {
    for (let one = 0; one < poses.length; one++) {
      for (let other = 0; other < one; other++) {
        const [dx, dy] = [places[one][0] - places[other][0], places[one][1] - places[other][1]];
        const far = Math.hypot(dx, dy);
        if (far >= APART || Math.abs(poses[one].z - poses[other].z) > 1) continue;
        // On the very same spot the later goes to his right.
        const turn = (poses[one].facing * Math.PI) / 180;
        const [u, v] = far > 0.01 ? [dx / far, dy / far] : [Math.cos(turn), -Math.sin(turn)];
        const by = (APART - far) / 2;
        places[one] = [places[one][0] + u * by, places[one][1] + v * by];
        places[other] = [places[other][0] - u * by, places[other][1] - v * by];
      }
    }
    for (const place of places) {
      for (const {box} of round) {
        const [u, v] = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
        const [dx, dy, least] = [place[0] - u, place[1] - v, (box[2] - box[0]) / 2 + CLEAR];
        const far = Math.hypot(dx, dy) || 0.01;
        if (far < least) [place[0], place[1]] = [u + (dx / far) * least, v + (dy / far) * least];
      }
    }
  }
  return places;
}
