/**
 * Elements of a drawing: made, and changed only where something is new.
 *
 * Comes in: names, attributes, marks as text. Goes out: SVG elements. Nothing is set by a `style` attribute, which a
 * strict page forbids.
 */

const NS = "http://www.w3.org/2000/svg";

/**
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} name @param {Record<string, string | number>} [attributes] @param {Element | null} [parent]
 * @returns {SVGElementTagNameMap[T]}
 */
export function element(name, attributes = {}, parent = null) {
  const made = /** @type {SVGElementTagNameMap[T]} */ (document.createElementNS(NS, name));
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  parent?.append(made);
  return made;
}

/**
 * Set an attribute, or take it away when there is no value; the page is left alone when it has the value already.
 * @param {Element} one @param {string} name @param {string | number | null} value
 */
export function set(one, name, value) {
  if (value === null || value === "") {
    if (one.hasAttribute(name)) one.removeAttribute(name);
    return;
  }
  const text = String(value);
  if (one.getAttribute(name) !== text) one.setAttribute(name, text);
}

/** A number with at most two decimals. @param {number} value */
export function num(value) {
  return String(Math.round(value * 100) / 100);
}

/** Text that is safe inside a mark. @param {string} text */
export function safe(text) {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}
