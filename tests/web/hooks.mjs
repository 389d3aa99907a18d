// Where the page's modules are, for `resolve.mjs`.

const WEB = new URL("../../src/yanli/web/", import.meta.url);

/** @param {string} name @param {object} context @param {(name: string, context: object) => unknown} next */
export function resolve(name, context, next) {
  return name.startsWith("yanli/") ? next(new URL(name.slice("yanli/".length), WEB).href, context) : next(name, context);
}
