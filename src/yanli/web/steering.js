/**
 * Hands on the plan: drag, wheel, pinch, double click, keys.
 *
 * Comes in: a window of the page and what is to be done. Goes out: calls. It knows nothing of what is drawn.
 */

const {hypot} = Math;

/**
 * @typedef {object} Helm  what the plan does when it is steered; points are in pixels from its corner
 * @property {(dx: number, dy: number) => void} drag
 * @property {(times: number, x?: number, y?: number) => void} zoom
 * @property {() => void} settle  a drag or a pinch is over
 * @property {(x: number, y: number) => void} choose  a click, or a touch
 * @property {() => void} whole
 * @property {() => void} auto
 * @property {(x: number, y: number) => boolean} go  from the figure that has the focus to the next that way
 * @property {() => boolean} take  choose the figure that has the focus
 * @property {() => void} leave  let the figure that has the focus go
 * @property {() => boolean} onFigure  whether a figure has the focus
 */

/** A press that moved no farther than this is a click, in pixels. */
const STILL = 5;
const STEP = 60;
const NEARER = 1.35;
const WHEEL = 0.0016;
/** A wheel that counts in lines, in pixels for one. */
const LINE = 30;
const TWICE = 320;
/** @type {Record<string, [number, number]>} */
const ARROWS = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};

/** @param {HTMLElement} root @param {Helm} helm */
export function steer(root, helm) {
  /** @type {Map<number, {x: number, y: number}>} */
  const pressed = new Map();
  let moved = 0;
  let spread = 0;
  let last = {time: 0, x: 0, y: 0};

  /** @param {PointerEvent | WheelEvent | MouseEvent} event */
  const at = (event) => {
    const box = root.getBoundingClientRect();
    return {x: event.clientX - box.left, y: event.clientY - box.top};
  };
  const apart = () => {
    const [one, other] = [...pressed.values()];
    return other ? hypot(one.x - other.x, one.y - other.y) : 0;
  };

  root.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    pressed.set(event.pointerId, at(event));
    if (pressed.size === 1) moved = 0;
    spread = apart();
  });
  root.addEventListener("pointermove", (event) => {
    const before = pressed.get(event.pointerId);
    if (!before) return;
    const now = at(event);
    const way = hypot(now.x - before.x, now.y - before.y);
    moved += way;
    if (moved <= STILL && pressed.size === 1) return;
    if (!root.hasPointerCapture(event.pointerId)) root.setPointerCapture(event.pointerId);
    root.classList.add("dragging");
    pressed.set(event.pointerId, now);
    helm.drag((now.x - before.x) / pressed.size, (now.y - before.y) / pressed.size);
    if (pressed.size < 2) return;
    const wide = apart();
    const [one, other] = [...pressed.values()];
    if (spread > 0 && wide > 0) helm.zoom(wide / spread, (one.x + other.x) / 2, (one.y + other.y) / 2);
    spread = wide;
  });
  /** @param {PointerEvent} event */
  const lift = (event) => {
    if (!pressed.delete(event.pointerId)) return;
    spread = apart();
    if (pressed.size > 0) return;
    root.classList.remove("dragging");
    if (moved > STILL) return helm.settle();
    if (event.type !== "pointerup") return;
    const {x, y} = at(event);
    const time = event.timeStamp;
    const twice = time - last.time < TWICE && hypot(x - last.x, y - last.y) < 3 * STILL;
    last = twice ? {time: 0, x, y} : {time, x, y};
    if (twice) helm.zoom(event.shiftKey ? 0.5 : 2, x, y);
    else helm.choose(x, y);
  };
  root.addEventListener("pointerup", lift);
  root.addEventListener("pointercancel", lift);
  root.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const {x, y} = at(event);
      const far = event.deltaMode === 0 ? event.deltaY : event.deltaY * LINE;
      helm.zoom(Math.exp(-far * WHEEL * (event.ctrlKey ? 5 : 1)), x, y);
    },
    {passive: false},
  );
  root.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !keyed(event, helm)) return;
    event.preventDefault();
    event.stopPropagation();
  });
}

/** @param {KeyboardEvent} event @param {Helm} helm @returns {boolean}  whether the key was meant for the plan */
function keyed({key, shiftKey}, helm) {
  const arrow = ARROWS[key];
  if (arrow && !shiftKey) {
    if (helm.onFigure()) return helm.go(...arrow);
    helm.drag(-arrow[0] * STEP, -arrow[1] * STEP);
    helm.settle();
    return true;
  }
  if (key === "Enter" || key === " ") return helm.take();
  if (key === "Escape" && !helm.onFigure()) return false;
  const nearer = () => helm.zoom(NEARER);
  const farther = () => helm.zoom(1 / NEARER);
  /** @type {Record<string, () => void>} */
  const keys = {"+": nearer, "=": nearer, "-": farther, _: farther, 0: helm.whole, a: helm.auto, Escape: helm.leave};
  keys[key]?.();
  return key in keys;
}
