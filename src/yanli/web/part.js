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

  /**
   * Properties that are never attributes.
   * @param {string[]} names
   */
  static given(...names) {
    return Object.fromEntries([...names, "script"].map((name) => [name, {attribute: false}]));
  }
}
