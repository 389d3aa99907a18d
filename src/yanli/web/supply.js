/**
 * Where performances come from: the server, or what lies in the page itself when it is one file.
 *
 * In: a rite and what was chosen. Out: performances and differences. What cannot be had is a `Refusal`, which tells every
 * fault in words; nothing else is thrown but the browser's own `AbortError`.
 */

import {queryOf, readLink, defaultLink, nothingSet, writeChoosing} from "yanli/link.js";

/** @typedef {import("yanli/types.js").StageDoc} StageDoc */
/** @typedef {import("yanli/types.js").NotesDoc} NotesDoc */
/** @typedef {import("yanli/types.js").Choosing} Choosing */
/** @typedef {{code: string, cause: string, known?: string | null, nearest?: string[]}} Fault */
/**
 * @typedef {object} Difference  as `yanli diff --json` gives it
 * @property {string} rite
 * @property {{crux: string, one: string[], other: string[]}[]} cruxes
 * @property {Record<string, [number, number]>} totals
 * @property {Record<string, [number, number]>} sections
 * @property {{clause: string, text: string, section: string, differences: Act[]}[]} clauses
 */
/**
 * @typedef {object} Act  one act that differs
 * @property {"one" | "other" | "both"} side
 * @property {string[]} actors
 * @property {string} act
 * @property {"text" | "editor" | "inferred"} origin
 * @property {number} times
 * @property {{field: string, one: string, other: string}[]} changes
 */
/** @typedef {{docs: {query: string, doc: StageDoc}[], differences?: {query: string, against: string, difference: Difference}[], offline?: boolean}} Packed */
/** @typedef {{slug: string, name: string, en: string}} Rite */

export class Refusal extends Error {
  /** @param {Fault[]} faults */
  constructor(faults) {
    super(faults.map((fault) => fault.cause).join("; "));
    this.name = "Refusal";
    this.faults = faults;
  }
}

/**
 * @typedef {object} Supply
 * @property {boolean} offline
 * @property {() => Promise<Rite[]>} rites
 * @property {(rite: string, choosing: Choosing, signal?: AbortSignal) => Promise<StageDoc>} stage
 * @property {(rite: string, one: Choosing, other: Choosing, signal?: AbortSignal) => Promise<Difference>} difference
 * @property {() => {rite: string, choosing: Choosing}[]} held  what can be had at once; empty when anything can
 * @property {() => Choosing & {against: Choosing | null}} opening  what is shown where a link says nothing of it
 * @property {((rite: string) => Promise<NotesDoc>) | null} notes  what is said of the clauses, where there is a store
 */

/** Where what is said of the clauses lies, or, when it is empty, that it can be asked for. */
const NOTES = "yanli-notes";

/** @implements {Supply} */
export class Served {
  offline = false;
  /** @type {{query: string, answer: Promise<StageDoc>} | null} */
  early = null;
  notes = document.getElementById(NOTES)
    ? (/** @type {string} */ rite) => ask("/api/notes", new URLSearchParams({rite}))
    : null;

  /**
   * Ask for a performance before anybody can show it.
   * @param {string} rite @param {Choosing} choosing
   */
  ahead(rite, choosing) {
    const answer = this.stage(rite, choosing);
    // A refusal is told to who asks for it then.
    answer.catch(() => {});
    this.early = {query: queryOf(rite, choosing), answer};
  }

  /** @returns {Promise<Rite[]>} */
  async rites() {
    const found = await ask("/api/rites", new URLSearchParams());
    return found.map((/** @type {Record<string, string>} */ {slug, name, english}) => ({
      slug,
      name,
      en: english || name,
    }));
  }

  /** @param {string} rite @param {Choosing} choosing @param {AbortSignal} [signal] @returns {Promise<StageDoc>} */
  stage(rite, choosing, signal) {
    const {early} = this;
    this.early = null;
    if (early?.query === queryOf(rite, choosing)) return early.answer;
    return ask("/api/stage", new URLSearchParams(queryOf(rite, choosing)), signal);
  }

  /** @param {string} rite @param {Choosing} one @param {Choosing} other @param {AbortSignal} [signal] @returns {Promise<Difference>} */
  difference(rite, one, other, signal) {
    const query = new URLSearchParams(queryOf(rite, one));
    writeChoosing(query, other, "against.");
    return ask("/api/difference", query, signal);
  }

  held() {
    return [];
  }

  opening() {
    return {...nothingSet(), against: null};
  }
}

/**
 * @param {string} path @param {URLSearchParams} query @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
async function ask(path, query, signal) {
  let answer;
  let body;
  try {
    answer = await fetch(`${path}?${query}`, {signal: signal ?? null, headers: {accept: "application/json"}});
    body = await answer.json();
  } catch (fault) {
    if (fault instanceof DOMException && fault.name === "AbortError") throw fault;
    throw new Refusal([
      {code: answer ? "bad-answer" : "no-server", cause: fault instanceof Error ? fault.message : String(fault)},
    ]);
  }
  if (answer.ok) return body;
  const error = body?.error ?? {};
  const {findings = [], ...first} = error;
  throw new Refusal(findings.length ? findings : [{code: "refused", cause: String(answer.status), ...first}]);
}

/** @implements {Supply} */
export class Held {
  offline = true;
  notes = document.getElementById(NOTES) ? () => unpacked(NOTES) : null;

  /** @param {Packed} packed */
  constructor(packed) {
    this.packed = packed;
    /** @type {Map<string, StageDoc>} */
    this.docs = new Map(packed.docs.map(({query, doc}) => [plain(query, doc.rite.slug), doc]));
  }

  /** @returns {Promise<Rite[]>} */
  async rites() {
    return [];
  }

  held() {
    return [...this.docs.keys()].map((query) => {
      const {link} = readLink(query, defaultLink());
      return {rite: link.rite, choosing: {set: link.set, school: link.school, readings: link.readings}};
    });
  }

  /** The first that it holds, beside the second where it says how they differ. */
  opening() {
    const [one, other] = this.held();
    return {...(one?.choosing ?? nothingSet()), against: (this.packed.differences?.length && other?.choosing) || null};
  }

  /** @param {string} rite @param {Choosing} choosing @returns {Promise<StageDoc>} */
  async stage(rite, choosing) {
    const [first] = this.docs.values();
    const found = this.docs.get(queryOf(rite || (first?.rite.slug ?? ""), choosing));
    if (!found) throw new Refusal([{code: "not-held", cause: decodeURIComponent(queryOf("", choosing))}]);
    return found;
  }

  /** @param {string} rite @param {Choosing} one @param {Choosing} other @returns {Promise<Difference>} */
  async difference(rite, one, other) {
    const slug = rite || ([...this.docs.values()][0]?.rite.slug ?? "");
    const [query, against] = [queryOf(slug, one), queryOf(slug, other)];
    const found = this.packed.differences?.find(
      (each) => plain(each.query, slug) === query && plain(each.against, slug) === against,
    );
    if (!found) throw new Refusal([{code: "not-held", cause: decodeURIComponent(queryOf("", other))}]);
    return found.difference;
  }
}

/**
 * A query in the form in which two may be compared.
 * @param {string} query @param {string} slug the rite, where the query does not name it
 */
function plain(query, slug) {
  const {link} = readLink(query, defaultLink());
  return queryOf(link.rite || slug, link);
}

/**
 * What the page holds in itself, or null when it is served.
 * @returns {Promise<Packed | null>}
 */
export function heldInPage() {
  return unpacked("yanli-docs");
}

/** @param {string} id of what holds it @returns {Promise<any>} null where nothing does */
async function unpacked(id) {
  const holder = document.getElementById(id);
  if (!holder) return null;
  const text = holder.textContent ?? "";
  if (holder.dataset.encoding !== "gzip-base64") return JSON.parse(text);
  const bytes = Uint8Array.from(atob(text.trim()), (sign) => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}
