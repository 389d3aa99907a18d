/**
 * A performance at any moment: who and what is where when some acts are done, which acts are under way, which words are
 * in force, and where to step next.
 *
 * Comes in: a `StageDoc`. Goes out: moments, indexes and times (seconds). A `Moment` is a value: what is asked for later
 * never changes it, and nobody may write to it; as long as nothing is different, the same moment is given again.
 */

const {floor, max, min} = Math;

/** @typedef {import("yanli/types.js").StageDoc} StageDoc */
/** @typedef {import("yanli/types.js").EventRow} EventRow */
/** @typedef {import("yanli/types.js").Moment} Moment */
/** @typedef {import("yanli/types.js").Word} Word */
/** @typedef {{clause: number, event: number, time: number | null, words: string}} Found  words that were looked up: the clause
 *   where they begin, the first act when it is first played (-1 for none) and the time, null when it is not played */

/** A moment is kept for every so many acts, so that none is far from one that is known. */
const KEPT = 256;
/** Acts are looked through by blocks of so many. */
const BLOCK = 32;
const NOT_WORDS = /[^\p{L}\p{N}]/u;

export class Timeline {
  /** The last end in each block of events. @type {number[]} */
  #lasting = [];
  /** @type {Moment[]}  the moment when so many times KEPT acts are done */
  #kept;
  #last;
  /** The playings of the running text, as indexes of `plays`, and when each begins. */
  #text;
  #textStarts;
  #actStops;
  #clauseStops;
  #sectionStops;
  /** @type {Map<string, Map<number, number[]>>} */
  #indexes = new Map();
  /** @type {Canon | null} */
  #canon = null;
  /** @type {Map<string, string> | null} */
  #folds = null;

  /** @param {StageDoc} doc */
  constructor(doc) {
    const {events, plays, sections, length, start} = doc;
    this.doc = doc;
    this.length = length;
    this.events = events;
    /** The place of each event in the order of play, from 0. */
    this.order = new Int32Array(events.length);
    let before = -1;
    events.forEach(({order, end}, index) => {
      before = order ?? before + 1;
      this.order[index] = before;
      const block = floor(index / BLOCK);
      this.#lasting[block] = max(this.#lasting[block] ?? end, end);
    });
    /** Events in the order in which they are done, and when. */
    this.done = Int32Array.from(events.keys()).sort((a, b) => events[a].end - events[b].end || a - b);
    this.ends = Float64Array.from(this.done, (index) => events[index].end);
    this.starts = Float64Array.from(events, (row) => row.start);
    this.#kept = [{people: start.people, things: start.things, tally: {}}];
    this.#last = {count: 0, moment: this.#kept[0]};
    this.#text = [...plays.keys()].filter((index) => plays[index].via.length === 0);
    this.#textStarts = Float64Array.from(this.#text, (index) => plays[index].start);
    this.#actStops = distinct([...this.starts, length]);
    this.#clauseStops = distinct([...this.#textStarts, length]);
    this.#sectionStops = distinct([...sections.flatMap((section) => section.start ?? []), length]);
  }

  // ── moments ───────────────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Everything when all acts that end by a time are done.
   * @param {number} time @returns {Moment}
   */
  at(time) {
    return this.#after(upper(this.ends, time));
  }

  /**
   * Everything when one playing of a clause has ended: of acts that end at that very time only those count that were
   * played before it ended.
   * @param {number} play  an index into `plays` @returns {Moment}
   */
  atPlay(play) {
    const {end, done} = this.doc.plays[play];
    const first = lower(this.ends, end);
    const rest = this.done.subarray(first, upper(this.ends, end)).filter((index) => this.order[index] < done);
    return this.#changed(this.#after(first), rest);
  }

  /**
   * Everything when the first so many acts are done, in the order in which acts end.
   * @param {number} count @returns {Moment}
   */
  #after(count) {
    if (count === this.#last.count) return this.#last.moment;
    const from = min(floor(count / KEPT), this.#kept.length - 1);
    let at = from * KEPT;
    let moment = this.#kept[from];
    if (this.#last.count > at && this.#last.count < count) ({count: at, moment} = this.#last);
    while (at < count) {
      const next = min(count, (floor(at / KEPT) + 1) * KEPT);
      moment = this.#changed(moment, this.done.subarray(at, next));
      at = next;
      if (at / KEPT === this.#kept.length) this.#kept.push(moment);
    }
    this.#last = {count, moment};
    return moment;
  }

  /**
   * A moment with some more acts done.
   * @param {Moment} moment @param {Int32Array} acts @returns {Moment}
   */
  #changed(moment, acts) {
    let {people, things, tally} = moment;
    for (const index of acts) {
      const row = this.doc.events[index];
      for (const change of row.changes ?? []) {
        const [whose, number, attribute, value] =
          typeof change === "string" ? ["p", row.actor, change, row[change] ?? null] : change;
        if (whose === "p") {
          if (people === moment.people) people = people.slice();
          people[number] = {...people[number], [attribute]: value};
        } else if (whose === "t") {
          if (things === moment.things) things = things.slice();
          things[number] = {...things[number], [attribute]: value};
        } else tally = value;
      }
    }
    if (people === moment.people && things === moment.things && tally === moment.tally) return moment;
    return {people, things, tally};
  }

  // ── what is going on ──────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * The acts that are under way: begun, and not yet over.
   * @param {number} time @returns {number[]}  indexes, in their order
   */
  running(time) {
    const begun = upper(this.starts, time);
    const found = [];
    for (let block = 0, first = 0; first < begun; block += 1, first += BLOCK) {
      if (this.#lasting[block] <= time) continue;
      const end = min(begun, first + BLOCK);
      for (let index = first; index < end; index += 1) if (this.events[index].end > time) found.push(index);
    }
    return found;
  }

  /**
   * The playing in the running text that is in force: the last that has begun. Before the first: the first; -1 when
   * nothing is played.
   * @param {number} time @returns {number}  an index into `plays`
   */
  playAt(time) {
    const begun = upper(this.#textStarts, time);
    return this.#text[max(begun - 1, 0)] ?? -1;
  }

  /**
   * The acts of a clause, of every time it is played, in the order of time.
   * @param {number} clause @returns {number[]}
   */
  clauseEvents(clause) {
    return this.#index("clause", (row) => [row.clause]).get(clause) ?? [];
  }

  /**
   * What a person does, and what others do to him.
   * @param {number} person @returns {number[]}
   */
  eventsOf(person) {
    return this.#index("person", (row) => [row.actor, ...(row.target ?? [])]).get(person) ?? [];
  }

  /**
   * The acts done with a thing: that hold, move, fill it.
   * @param {number} thing @returns {number[]}
   */
  eventsWithThing(thing) {
    const found = this.#index("thing", (row) => [
      ...(row.things ?? []),
      ...(row.changes ?? []).flatMap((change) => (typeof change !== "string" && change[0] === "t" ? [change[1]] : [])),
    ]);
    return found.get(thing) ?? [];
  }

  /**
   * @param {string} name @param {(row: EventRow) => number[]} keys
   * @returns {Map<number, number[]>}
   */
  #index(name, keys) {
    const known = this.#indexes.get(name);
    if (known) return known;
    /** @type {Map<number, number[]>} */
    const found = new Map();
    this.events.forEach((row, index) => {
      for (const key of new Set(keys(row))) {
        const there = found.get(key) ?? [];
        found.set(key, there);
        there.push(index);
      }
    });
    this.#indexes.set(name, found);
    return found;
  }

  // ── stepping ──────────────────────────────────────────────────────────────────────────────────────────────────────

  /** The time at which the next act begins (or the one before); after the last, the end. @param {number} time @param {number} way  1 or -1 */
  stepAct(time, way) {
    return stop(this.#actStops, time, way);
  }

  /** The same by clauses of the running text. @param {number} time @param {number} way  1 or -1 */
  stepClause(time, way) {
    return stop(this.#clauseStops, time, way);
  }

  /** The same by sections. @param {number} time @param {number} way  1 or -1 */
  stepSection(time, way) {
    return stop(this.#sectionStops, time, way);
  }

  // ── words ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * A word in a script; as it stands where it has no other form, "" for none.
   * @param {Word} word @param {"hant" | "hans" | "en" | "pinyin" | "ko"} script @returns {string}
   */
  word(word, script) {
    if (word < 0) return "";
    const other = script === "hant" ? null : this.doc.forms[script][word];
    return other ?? this.doc.words[word] ?? "";
  }

  /**
   * Every place where words stand in the text, whatever their shape or script; they may run on from clause to clause.
   * Blanks and signs are left aside.
   * @param {string} query @returns {Found[]}  in the order of the text
   */
  search(query) {
    this.#canon ??= canonOf(this.doc, (text) => this.fold(text));
    const {folded, text, clauses} = this.#canon;
    const wanted = this.fold(query);
    if (!wanted.length) return [];
    const firstPlays = new Map(
      this.doc.plays.map((play, index) => /** @type {const} */ ([play.clause, index])).reverse(),
    );
    const found = [];
    for (let at = place(folded, wanted, 0); at >= 0; at = place(folded, wanted, at + 1)) {
      const clause = clauses[at];
      const play = firstPlays.get(clause);
      const event = this.clauseEvents(clause)[0] ?? -1;
      const time = play === undefined ? null : this.doc.plays[play].start;
      found.push({clause, event, time, words: text.slice(at, at + wanted.length).join("")});
    }
    return found;
  }

  /** Words as they are looked up. @param {string} text @returns {string[]} */
  fold(text) {
    if (!this.#folds) {
      const [from, to] = this.doc.folds.map((characters) => [...characters]);
      this.#folds = new Map(from.map((character, index) => [character, to[index]]));
    }
    const folds = this.#folds;
    return [...text].filter((one) => !NOT_WORDS.test(one)).map((one) => folds.get(one) ?? one);
  }
}

/** @typedef {{folded: string[], text: string[], clauses: number[]}} Canon  the text: characters as they are looked up, as
 *   they stand, and the clause of each */

/** @param {StageDoc} doc @param {(text: string) => string[]} fold @returns {Canon} */
function canonOf(doc, fold) {
  /** @type {Canon} */
  const canon = {folded: [], text: [], clauses: []};
  doc.clauses.forEach((clause, number) => {
    const text = [...(doc.words[clause.text] ?? "")].filter((one) => !NOT_WORDS.test(one));
    canon.text.push(...text);
    canon.folded.push(...fold(text.join("")));
    canon.clauses.push(...text.map(() => number));
  });
  return canon;
}

/** Where a row of characters stands in another, from a place on; -1 for nowhere. @param {string[]} text @param {string[]} wanted @param {number} from */
function place(text, wanted, from) {
  for (let at = from; at + wanted.length <= text.length; at += 1) {
    if (wanted.every((one, index) => text[at + index] === one)) return at;
  }
  return -1;
}

/** @param {number[]} values @returns {Float64Array}  each once, in order */
function distinct(values) {
  return Float64Array.from(new Set(values)).sort();
}

/** @param {Float64Array} stops @param {number} time @param {number} way */
function stop(stops, time, way) {
  if (way > 0) return stops[upper(stops, time)] ?? time;
  return stops[lower(stops, time) - 1] ?? min(time, stops[0] ?? 0);
}

/** How many of some sorted values are at most as great as one. @param {Float64Array} values @param {number} value */
export function upper(values, value) {
  return count(values, (one) => one <= value);
}

/** How many of some sorted values are less than one. @param {Float64Array} values @param {number} value */
export function lower(values, value) {
  return count(values, (one) => one < value);
}

/** How many of some values, the first, pass a test. @param {ArrayLike<number>} values @param {(value: number) => boolean} test */
export function count(values, test) {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (test(values[middle])) low = middle + 1;
    else high = middle;
  }
  return low;
}
