/**
 * Begins: takes the performances that lie in the page itself, or else asks the server, and gives them to the page.
 */

import {sayBoth} from "yanli/language.js";
import {defaultLink, readLink} from "yanli/link.js";
import {Held, Served, heldInPage} from "yanli/supply.js";

/** @param {unknown} fault told in both languages, for none is chosen yet */
function fail(fault) {
  console.error(fault);
  const place = document.getElementById("loading");
  if (!place) return;
  place.setAttribute("role", "alert");
  place.textContent = `${sayBoth("app.failed")}\n${fault instanceof Error ? fault.message : String(fault)}`;
}

/** What the page plays, asked for while the rest of it is still coming. */
async function supplied() {
  const packed = await heldInPage();
  if (packed) return new Held(packed);
  const served = new Served();
  const {link} = readLink(location.hash, defaultLink());
  served.ahead(link.rite, link);
  return served;
}

try {
  const [supply, {YanliApp}] = await Promise.all([supplied(), import("yanli/app.js")]);
  const app = document.querySelector("yanli-app");
  if (app instanceof YanliApp) await app.start(supply);
} catch (fault) {
  fail(fault);
}
