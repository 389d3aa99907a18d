/**
 * Elements of a drawing: made, and changed only where something is new.
 *
 * Comes in: names, attributes, marks as text. Goes out: SVG elements. Nothing is set by a `style` attribute, which a
 * strict page forbids.
 */

const NS = "http://www.w3.org/2000/svg";

/** @typedef {Record<string, string | number | null | undefined>} Values  numbers are written with two decimals */

/**
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} name @param {Values} [attributes] @param {Element | null} [parent]
 * @returns {SVGElementTagNameMap[T]}
 */
export function element(name, attributes = {}, parent = null) {
  const made = document.createElementNS(NS, name);
  set(made, attributes);
  parent?.append(made);
  return made;
}

/**
 * Set attributes, or take away those that have no value; the page is left alone when it has the values already.
 * @param {Element} one @param {Values} attributes
 */
export function set(one, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    const text = typeof value === "number" ? num(value) : value || null;
    if (text === one.getAttribute(name)) continue;
    if (text === null) one.removeAttribute(name);
    else one.setAttribute(name, text);
  }
}

/** Tell something to those who read the page by program. @param {Element} one @param {Values} values  by name, without `data-` */
export function tell(one, values) {
  set(one, Object.fromEntries(Object.entries(values).map(([name, value]) => [`data-${name}`, value])));
}

/** A number with at most two decimals. @param {number} value */
export function num(value) {
  return String(Math.round(value * 100) / 100);
}

/**
 * A piece of ground.
 * @param {[west: number, south: number, east: number, north: number]} box  in 尺 @param {string} kind
 * @param {Element | null} [parent]
 */
export function area([west, south, east, north], kind, parent) {
  return element("rect", {x: west, y: -north, width: east - west, height: north - south, class: kind}, parent);
}

/** A point on the ground, in a path. @param {number} x @param {number} y  in 尺 */
export function spot(x, y) {
  return `${num(x)} ${num(-y)}`;
}

/** Where something is on the ground, and how large: its `transform`. @param {number} x @param {number} y  in 尺 @param {number} size  尺 for one unit */
export function placed(x, y, size) {
  return `translate(${x.toFixed(3)} ${(-y).toFixed(3)}) scale(${size.toFixed(4)})`;
}

/** The mark of a path. @param {string} kind @param {string} way */
export function path(kind, way) {
  return `<path d="${way}" class="${kind}"/>`;
}

/** The mark of a circle. @param {string} kind @param {number} r @param {number} [y] @param {number} [x] */
export function disc(kind, r, y = 0, x = 0) {
  return `<circle cx="${num(x)}" cy="${num(y)}" r="${num(r)}" class="${kind}"/>`;
}

/**
 * The mark of a rectangle, round (0, 0) unless it is said where.
 * @param {string} kind @param {number} broad @param {number} deep @param {number} [y] @param {number} [x]
 * @param {number} [round]
 */
export function rect(kind, broad, deep, y = -deep / 2, x = -broad / 2, round = 0) {
  return `<rect x="${num(x)}" y="${num(y)}" width="${num(broad)}" height="${num(deep)}" rx="${num(round)}" class="${kind}"/>`;
}

/** The mark of a few characters. @param {string} text @param {number} size @param {number} x @param {number} y @param {string} [kind] */
export function letters(text, size, x, y, kind = "tiny") {
  return `<text x="${num(x)}" y="${num(y)}" font-size="${size}" class="${kind}">${safe(text)}</text>`;
}

/**
 * Marks side by side, round 0.
 * @param {number} count @param {number} step @param {(x: number) => string} mark
 */
export function row(count, step, mark) {
  return Array.from({length: count}, (_, at) => mark((at - (count - 1) / 2) * step)).join("");
}

/** Text that is safe inside a mark. @param {string} text */
function safe(text) {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}
