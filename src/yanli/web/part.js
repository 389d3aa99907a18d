/**
 * What all parts of the page are: elements in the document itself, so that one style and one printout serve them.
 */

import {LitElement} from "lit";

export class Part extends LitElement {
  constructor() {
    super();
    /** @type {import("yanli/language.js").Script} */
    this.script = "hant";
  }

  createRenderRoot() {
    return this;
  }

  /** The first within that a selector fits. @param {string} selector @returns {HTMLElement | null} */
  bit(selector) {
    return this.querySelector(selector);
  }

  /** All within that a selector fits. @param {string} selector @returns {HTMLElement[]} */
  bits(selector) {
    return [...this.querySelectorAll(/** @type {"a"} */ (selector))];
  }

  /** Tell those who hold this. @param {string} name @param {unknown} detail */
  emit(name, detail) {
    this.dispatchEvent(new CustomEvent(name, {detail, bubbles: true}));
  }

  /**
   * Properties that are never attributes.
   * @param {string[]} names
   */
  static given(...names) {
    return Object.fromEntries([...names, "script"].map((name) => [name, {attribute: false}]));
  }
}
