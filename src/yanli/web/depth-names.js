/**
 * Names over heads in the view in depth: HTML of one size however far away, in the reader's script.
 *
 * Takes who is to be named, where, and how much he matters; names that would lie on one another give way to those that
 * matter more.
 */

/** @typedef {{person: number, text: string, x: number, y: number, weight: number, kind: string, lang: string}} Name  x and y in pixels */

export class Names {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    /** @type {Map<number, HTMLElement>} */
    this.shown = new Map();
    /** @type {Map<string, [number, number]>} breadth and height by text */
    this.sizes = new Map();
  }

  /** @param {Name[]} names @param {number} width @param {number} height of the window */
  show(names, width, height) {
    names.sort((one, other) => other.weight - one.weight);
    /** @type {[number, number, number, number][]} */
    const taken = [];
    const kept = new Set();
    for (const name of names) {
      const element = this.element(name);
      const [broad, high] = this.measured(name, element);
      const left = Math.round(Math.min(Math.max(name.x - broad / 2, 2), width - broad - 2));
      const top = Math.round(name.y - high);
      if (
        top < 2 ||
        top > height - high ||
        taken.some(([l, t, r, b]) => left < r && l < left + broad && top < b && t < top + high)
      )
        continue;
      taken.push([left, top, left + broad, top + high]);
      element.style.transform = `translate(${left}px, ${top}px)`;
      kept.add(name.person);
    }
    for (const [person, element] of this.shown) element.hidden = !kept.has(person);
  }

  /** @param {Name} name */
  element({person, text, kind, lang}) {
    let element = this.shown.get(person);
    if (!element) {
      element = document.createElement("span");
      this.root.append(element);
      this.shown.set(person, element);
    }
    if (element.textContent !== text) element.textContent = text;
    if (element.className !== kind) element.className = kind;
    if (element.lang !== lang) element.lang = lang;
    return element;
  }

  /** @param {Name} name @param {HTMLElement} element @returns {[number, number]} */
  measured({text, kind, lang}, element) {
    const key = `${kind} ${lang} ${text}`;
    let size = this.sizes.get(key);
    if (!size) {
      element.hidden = false;
      size = [element.offsetWidth + 4, element.offsetHeight + 2];
      if (size[0] > 4) this.sizes.set(key, size);
    }
    return size;
  }

  /** Forget all, as when another performance is shown. */
  clear() {
    this.root.replaceChildren();
    this.shown.clear();
    this.sizes.clear();
  }
}
