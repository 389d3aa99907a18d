// Where the page's modules are, for `resolve.mjs`; with YANLI_PAGE in another folder, and the libraries all the same.

import {pathToFileURL} from "node:url";

const OTHER = process.env.YANLI_PAGE;
const WEB = OTHER ? pathToFileURL(`${OTHER}/`) : new URL("../../src/yanli/web/", import.meta.url);

/** @param {string} name @param {{parentURL?: string}} context @param {(name: string, context: object) => unknown} next */
export function resolve(name, context, next) {
  if (name.startsWith("yanli/")) return next(new URL(name.slice("yanli/".length), WEB).href, context);
  const ours = context.parentURL?.startsWith(WEB.href) && !/^[./]|^\w+:/.test(name);
  return next(name, ours ? {...context, parentURL: import.meta.url} : context);
}
