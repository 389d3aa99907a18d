/**
 * How the page says things: its own words in the reader's script, the words of a performance, times and facings.
 *
 * In: a key of `interface.js` or an index of a word, and a script. Out: text. Nothing here knows a rite.
 */

import {SIMPLIFIED, STRINGS, TRADITIONAL} from "yanli/interface.js";

const {floor, max} = Math;

/** @typedef {import("yanli/types.js").StageDoc} StageDoc */
/** @typedef {import("yanli/types.js").PersonState} PersonState */
/** @typedef {"hant" | "hans" | "en"} Script */
/** @typedef {typeof STRINGS} Strings */
/** @typedef {{[G in keyof Strings]: `${G}.${keyof Strings[G] & string}`}[keyof Strings]} Key */

const SIMPLER = new Map([...TRADITIONAL].map((sign, index) => [sign, [...SIMPLIFIED][index] ?? sign]));
const TEXTS = Object.fromEntries(
  Object.entries(STRINGS).flatMap(([subject, texts]) =>
    Object.entries(texts).map(([name, text]) => [`${subject}.${name}`, text.split("|")]),
  ),
);
const HOUR = 3600;
const MINUTE = 60;

/**
 * A sentence of the interface; `{0}`, `{1}` … are filled with the values.
 * @param {Script} script
 * @param {Key} key
 * @param {(string | number)[]} values
 */
export function say(script, key, ...values) {
  const [zh, en] = TEXTS[key];
  const text =
    script === "en" ? en : script === "hant" ? zh : [...zh].map((sign) => SIMPLER.get(sign) ?? sign).join("");
  return values.length ? text.replace(/\{(\d)\}/g, (_, place) => String(values[Number(place)])) : text;
}

/**
 * Text in both languages, for what is said before a language is chosen or when nothing else can be.
 * @param {Key} key
 * @param {(string | number)[]} values
 */
export function sayBoth(key, ...values) {
  return `${say("hant", key, ...values)}\n${say("en", key, ...values)}`;
}

/**
 * The language of words in a script, for the `lang` attribute: of the interface, or of Chinese words in it.
 * @param {Script} script
 * @param {boolean} [chinese] the words are Chinese though the interface is English
 */
export function langOf(script, chinese = false) {
  if (script === "en" && !chinese) return "en";
  return script === "hans" ? "zh-Hans" : "zh-Hant";
}

/**
 * A word of the performance in a script; without English the Chinese word stands. -1 gives "".
 * @param {StageDoc} doc
 * @param {number} index
 * @param {Script} script
 */
export function wordOf(doc, index, script) {
  if (index < 0) return "";
  const other = script === "hant" ? null : doc.forms[script][index];
  return other ?? doc.words[index];
}

/**
 * A word in Chinese, whatever the script of the page.
 * @param {StageDoc} doc
 * @param {number} index
 * @param {Script} script
 */
export function zhOf(doc, index, script) {
  return wordOf(doc, index, script === "en" ? "hant" : script);
}

/**
 * Several words as one text.
 * @param {string[]} words
 * @param {Script} script
 */
export function listOf(words, script) {
  return words.join(script === "en" ? ", " : "、");
}

/**
 * The short name of a person.
 * @param {StageDoc} doc
 * @param {number} person
 * @param {Script} script
 */
export function nameOf(doc, person, script) {
  const who = doc.people[person];
  if (!who) return "";
  return script === "en" ? who.en : wordOf(doc, who.label, script);
}

/**
 * A thing by kind and number: 爵二, jue cup 2; the number stands only where there are several of its kind.
 * @param {StageDoc} doc
 * @param {number} thing
 * @param {Script} script
 */
export function thingOf(doc, thing, script) {
  const item = doc.things[thing];
  if (!item) return "";
  const number = item.id.slice(item.id.lastIndexOf(".") + 1);
  const kind =
    script === "en"
      ? (doc.kinds[doc.words[item.kind]]?.en ?? wordOf(doc, item.kind, script))
      : wordOf(doc, item.kind, script);
  return /^\d+$/.test(number) ? `${kind} ${number}` : kind;
}

/**
 * Several things by kind and number: 爵; 矢×4.
 * @param {StageDoc} doc
 * @param {number[]} things
 * @param {Script} script
 */
export function thingsOf(doc, things, script) {
  /** @type {Map<number, number[]>} */
  const kinds = new Map();
  for (const thing of things) {
    const kind = doc.things[thing].kind;
    const same = kinds.get(kind);
    if (same) same.push(thing);
    else kinds.set(kind, [thing]);
  }
  const parts = [...kinds.values()].map((same) => {
    const first = thingOf(doc, same[0], script);
    return same.length === 1 ? first : `${first.replace(/ \d+$/, "")} ×${same.length}`;
  });
  return listOf(parts, script);
}

/**
 * The canonical words of a clause, which are Chinese whatever the page speaks; "" of none.
 * @param {StageDoc} doc
 * @param {number} clause
 * @param {Script} script
 */
export function canonOf(doc, clause, script) {
  return zhOf(doc, doc.clauses[clause]?.text ?? -1, script);
}

/**
 * The full name of a person, as links and other performances know him.
 * @param {StageDoc} doc
 * @param {number} person
 */
export function fullName(doc, person) {
  return doc.words[doc.people[person]?.name] ?? "";
}

/** @type {WeakMap<StageDoc, Map<string, number>>} */
const lexicons = new WeakMap();

/**
 * A Chinese text that comes without an index (a key, a name in a difference), in a script, where one of the performances
 * knows how; else as it is.
 * @param {StageDoc[]} docs
 * @param {string} text
 * @param {Script} script
 */
export function textOf(docs, text, script) {
  if (script === "hant") return text;
  for (const doc of docs) {
    let words = lexicons.get(doc);
    if (!words) {
      // A text may have several meanings, each with its place: a person's name comes first, then what has English.
      const english = [...doc.words.keys()].filter((index) => doc.forms.en[index] !== null);
      words = new Map(
        [...doc.words.keys(), ...english, ...doc.people.map((each) => each.name)].map((index) => [
          doc.words[index],
          index,
        ]),
      );
      lexicons.set(doc, words);
    }
    const index = words.get(text);
    if (index === undefined) continue;
    const person = script === "en" ? doc.people.find((each) => each.name === index) : null;
    return person ? person.en : wordOf(doc, index, script);
  }
  return text;
}

/**
 * A time as the timeline shows it: mm:ss, from the first hour on h:mm:ss; begun seconds do not count.
 * @param {number} seconds
 */
export function clock(seconds) {
  const whole = max(0, floor(seconds + 1e-6));
  const hours = floor(whole / HOUR);
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const rest = `${two(floor((whole % HOUR) / MINUTE))}:${two(whole % MINUTE)}`;
  return hours ? `${hours}:${rest}` : rest;
}

/**
 * How one stands: 西面, 東面坐; facing west, kneeling.
 * @param {StageDoc} doc
 * @param {number} facing degrees
 * @param {number} posture a word
 * @param {Script} script
 */
export function mannerOf(doc, facing, posture, script) {
  const {length} = doc.facings;
  const way = ((Math.round((facing * length) / 360) % length) + length) % length;
  const said = wordOf(doc, doc.facings[way], script);
  const word = doc.words[posture] === "立" ? "" : wordOf(doc, posture, script);
  return said + (word && script === "en" ? `, ${word}` : word);
}

/**
 * A number of a stair's step or of a playing, as it is said: 第三, 3rd is left to the sentence.
 * @param {number} number
 * @param {Script} script
 */
export function numberOf(number, script) {
  const digits = "〇一二三四五六七八九";
  if (script === "en" || number < 1 || number > 99 || !Number.isInteger(number)) return String(number);
  const ten = floor(number / 10);
  return (ten ? `${ten > 1 ? digits[ten] : ""}十` : "") + (number % 10 ? digits[number % 10] : "");
}

/**
 * The nearest of some names to one that is not among them, or "" when none is near.
 * @param {string} name
 * @param {Iterable<string>} names
 */
export function nearest(name, names) {
  let best = "";
  let least = max(1, Math.ceil([...name].length * 0.67));
  for (const other of names) {
    const far = distance([...name.toLowerCase()], [...other.toLowerCase()]);
    if (far < least || (far === least && !best)) [best, least] = [other, far];
  }
  return best;
}

/**
 * How many signs must be changed, added or left out (Levenshtein).
 * @param {string[]} one
 * @param {string[]} other
 */
function distance(one, other) {
  let row = other.map((_, index) => index + 1);
  row.unshift(0);
  one.forEach((sign, at) => {
    const next = [at + 1];
    other.forEach((mark, to) => {
      next.push(Math.min((row[to + 1] ?? 0) + 1, (next[to] ?? 0) + 1, (row[to] ?? 0) + (sign === mark ? 0 : 1)));
    });
    row = next;
  });
  return row[other.length] ?? 0;
}
