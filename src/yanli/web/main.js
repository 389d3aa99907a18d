/**
 * Begins: takes the performances that lie in the page itself, or else asks the server, and gives them to the page.
 */

import {sayBoth} from "yanli/language.js";
import {Held, Served, heldInPage} from "yanli/supply.js";

/** @param {unknown} fault told in both languages, for none is chosen yet */
function fail(fault) {
  console.error(fault);
  const place = document.getElementById("loading");
  if (!place) return;
  place.setAttribute("role", "alert");
  place.textContent = `${sayBoth("app.failed")}\n${fault instanceof Error ? fault.message : String(fault)}`;
}

try {
  const [packed, {YanliApp}] = await Promise.all([heldInPage(), import("yanli/app.js")]);
  const app = document.querySelector("yanli-app");
  if (app instanceof YanliApp) await app.start(packed ? new Held(packed) : new Served());
} catch (fault) {
  fail(fault);
}
