/**
 * The state of the page as the hash of its address, and back.
 *
 * In: a hash as anybody may have written it. Out: a whole `Link`, and a problem for every value that is not used; never
 * an error. What equals the default is left out, so that links stay short.
 */

import {nearest} from "yanli/language.js";

const {abs, round} = Math;

/** @typedef {import("yanli/types.js").Link} Link */
/** @typedef {import("yanli/types.js").Choosing} Choosing */
/** @typedef {{key: string, value: string, nearest: string}} Problem  a value that was not used */

export const SPEEDS = [0.5, 1, 2, 4, 8, 16, 32, 64];

/** Words that a key may have; the first is the default. */
export const WORDS = {
  view: ["plan", "depth"],
  tab: ["text", "people", "differences"],
  script: ["hant", "hans", "en"],
  ruby: ["none", "pinyin", "ko"],
  writing: ["horizontal", "vertical"],
  theme: ["auto", "light", "dark"],
  notes: ["off", "on"],
};
const KEYS = [
  "rite",
  "set",
  "school",
  "reading",
  "against",
  "against.set",
  "against.school",
  "against.reading",
  "t",
  "speed",
  "follow",
  "eye",
  "camera",
  "search",
  ...Object.keys(WORDS),
];
const LONGEST = 200;

/** What a link chooses of what is played. @param {Choosing} link @returns {Choosing} */
export const choosingOf = ({set, school, readings}) => ({set, school, readings});

/** @returns {Choosing} a scenario in which nothing is set */
export const nothingSet = () => ({set: {}, school: null, readings: {}});

/**
 * The state of a page that has just been opened.
 * @param {string} [languages] the reader's language, as a browser tells it
 * @returns {Link}
 */
export function defaultLink(languages = "zh-Hant") {
  return {
    rite: "",
    ...nothingSet(),
    against: null,
    time: 0,
    speed: 1,
    follow: null,
    view: "plan",
    tab: "text",
    eye: null,
    camera: null,
    script: scriptFor(languages),
    ruby: "none",
    writing: "horizontal",
    theme: "auto",
    notes: "off",
    search: "",
  };
}

/**
 * The script for a language: traditional where Chinese is written so, English where it is not Chinese.
 * @param {string} language
 * @returns {Link["script"]}
 */
function scriptFor(language) {
  if (!/^zh/i.test(language)) return "en";
  return /^zh-(hans|cn|sg|my)/i.test(language) || /^zh$/i.test(language) ? "hans" : "hant";
}

/**
 * Read a hash.
 * @param {string} hash with or without #
 * @param {Link} base what stands where the hash is silent
 * @returns {{link: Link, problems: Problem[]}}
 */
export function readLink(hash, base) {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  /** @type {Link} */
  const link = {...base, ...nothingSet(), against: null};
  /** @type {Problem[]} */
  const problems = [];
  const wrong = (/** @type {string} */ key, /** @type {string} */ value, near = "") =>
    problems.push({key, value: value.slice(0, LONGEST), nearest: near});
  const against = nothingSet();
  for (const [key, value] of given) {
    switch (key) {
      case "rite":
      case "follow":
      case "eye":
      case "search":
      case "school":
        if (value.length > LONGEST) wrong(key, value);
        else link[key] = value;
        break;
      case "set":
      case "reading":
        pair(key === "set" ? link.set : link.readings, value) || wrong(key, value);
        break;
      case "against":
        link.against = against;
        break;
      case "against.school":
        [link.against, against.school] = [against, value];
        break;
      case "against.set":
      case "against.reading":
        link.against = against;
        pair(key === "against.set" ? against.set : against.readings, value) || wrong(key, value);
        break;
      case "t": {
        const time = Number(value);
        if (value.trim() && time >= 0 && Number.isFinite(time)) link.time = time;
        else wrong(key, value, "0");
        break;
      }
      case "speed": {
        const speed = Number(value);
        if (SPEEDS.includes(speed)) link.speed = speed;
        else wrong(key, value, String(nearestSpeed(speed)));
        break;
      }
      case "camera": {
        const numbers = value.split(",").map(Number);
        const [x, y, scale] = numbers;
        if (numbers.length === 3 && numbers.every(Number.isFinite) && (scale ?? 0) > 0) {
          link.camera = [x ?? 0, y ?? 0, scale ?? 1];
        } else wrong(key, value);
        break;
      }
      default:
        if (Object.hasOwn(WORDS, key)) {
          const known = WORDS[/** @type {keyof typeof WORDS} */ (key)];
          word(link, /** @type {keyof typeof WORDS} */ (key), value) ||
            wrong(key, value, nearest(value, known) || known.join("、"));
        } else wrong(key, value, nearest(key, KEYS));
    }
  }
  for (const name of /** @type {const} */ (["school", "follow", "eye"])) link[name] ||= null;
  against.school ||= null;
  return {link, problems};
}

/**
 * @param {Record<string, string>} into @param {string} text KEY=VALUE
 */
function pair(into, text) {
  const at = text.indexOf("=");
  if (at < 1 || text.length > LONGEST) return false;
  const key = text.slice(0, at).trim();
  // A name that every object has would not be kept as one of ours.
  if (!key || key === "__proto__") return false;
  into[key] = text.slice(at + 1).trim();
  return true;
}

/**
 * @param {Link} link @param {keyof typeof WORDS} key @param {string} value
 */
function word(link, key, value) {
  if (!WORDS[key].includes(value)) return false;
  /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (link))[key] = value;
  return true;
}

/** @param {number} speed any number */
function nearestSpeed(speed) {
  if (Number.isNaN(speed)) return 1;
  return SPEEDS.reduce((best, each) => (abs(each - speed) < abs(best - speed) ? each : best));
}

/**
 * Write a link, without #.
 * @param {Link} link
 * @param {Link} base what need not be said
 */
export function writeLink(link, base) {
  const out = new URLSearchParams();
  if (link.rite && link.rite !== base.rite) out.set("rite", link.rite);
  writeChoosing(out, link, "");
  if (link.against) {
    writeChoosing(out, link.against, "against.");
    if (![...out.keys()].some((key) => key.startsWith("against."))) out.set("against", "");
  }
  if (link.time > 0) out.set("t", String(round(link.time * 1000) / 1000));
  if (link.speed !== base.speed) out.set("speed", String(link.speed));
  for (const key of /** @type {const} */ (["follow", "eye"])) if (link[key]) out.set(key, link[key] ?? "");
  if (link.camera) out.set("camera", link.camera.map((number) => round(number * 1000) / 1000).join(","));
  for (const key of /** @type {(keyof typeof WORDS)[]} */ (Object.keys(WORDS))) {
    if (link[key] !== base[key]) out.set(key, link[key]);
  }
  if (link.search) out.set("search", link.search);
  return out.toString();
}

/**
 * What is chosen of a scenario, as the server's and the hash's parameters have it.
 * @param {URLSearchParams} out @param {Choosing} choosing @param {string} prefix
 */
export function writeChoosing(out, choosing, prefix) {
  for (const key of Object.keys(choosing.set).sort()) out.append(`${prefix}set`, `${key}=${choosing.set[key]}`);
  if (choosing.school) out.set(`${prefix}school`, choosing.school);
  for (const key of Object.keys(choosing.readings).sort()) {
    out.append(`${prefix}reading`, `${key}=${choosing.readings[key]}`);
  }
}

/**
 * The query for a performance: one text for one choice, so that two may be compared.
 * @param {string} rite @param {Choosing} choosing
 */
export function queryOf(rite, choosing) {
  const out = new URLSearchParams();
  if (rite) out.set("rite", rite);
  writeChoosing(out, choosing, "");
  return out.toString();
}
