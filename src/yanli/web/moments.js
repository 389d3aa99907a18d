/**
 * Moments that are kept when a performance is exchanged for another, and moments said in words.
 *
 * In: timelines and times. Out: times, indexes and phrases.
 */

import {inForce, playsOf} from "yanli/acts.js";
import {canonOf, clock, fullName, nameOf, nearest, wordOf} from "yanli/language.js";

/** @typedef {import("yanli/timeline.js").Timeline} Timeline */
/** @typedef {import("yanli/language.js").Script} Script */

/**
 * The time in another performance of the same rite at which the same words are played, as often as by now; where they
 * are not played, the last words before them that are.
 * @param {Timeline} from @param {number} time @param {Timeline} to
 */
export function sameMoment(from, time, to) {
  const play = from.doc.plays[from.playAt(time)];
  if (!play) return 0;
  const nth = playsOf(from, play.clause).filter((each) => each.start <= play.start).length;
  const span = play.end - play.start;
  const share = span > 0 ? Math.min(Math.max((time - play.start) / span, 0), 1) : 0;
  for (let clause = play.clause; clause >= 0; clause -= 1) {
    const plays = playsOf(to, clause);
    const match = plays[Math.min(nth, plays.length) - 1];
    if (match) return clause === play.clause ? match.start + share * (match.end - match.start) : match.start;
  }
  return 0;
}

/**
 * The clause in force at a time, an index; -1 when nothing is played.
 * @param {Timeline} timeline @param {number} time
 */
export function clauseAt(timeline, time) {
  return timeline.doc.plays[timeline.playAt(time)]?.clause ?? -1;
}

/**
 * The section in force at a time, an index; -1 before the first.
 * @param {Timeline} timeline @param {number} time
 */
export function sectionAt({doc}, time) {
  let found = -1;
  doc.sections.forEach((section, index) => {
    if (section.start !== null && section.start <= time + 1e-6 && section.start >= (doc.sections[found]?.start ?? 0))
      found = index;
  });
  return found;
}

/**
 * A section's number and name.
 * @param {Timeline} timeline @param {number} index @param {Script} script
 */
export function sectionName({doc}, index, script) {
  const section = doc.sections[index];
  if (!section) return "";
  return `${section.number} ${script === "en" ? section.en : wordOf(doc, section.name, script)}`;
}

/**
 * A moment for those who cannot see it: the section and the clause in force.
 * @param {Timeline} timeline @param {number} time @param {Script} script
 */
export function momentSaid(timeline, time, script) {
  const {doc} = timeline;
  const clause = clauseAt(timeline, time);
  const section = sectionName(timeline, doc.clauses[clause]?.section ?? -1, script);
  return [clock(time), section, script === "en" ? "" : `「${canonOf(doc, clause, script)}」`]
    .filter(Boolean)
    .join("　");
}

/**
 * Who does what, and where, for those who cannot see it; those who do the same in one breath.
 * @param {Timeline} timeline @param {number} time @param {Script} script
 */
export function actsSaid(timeline, time, script) {
  const {doc} = timeline;
  const [comma, stop] = script === "en" ? [", ", "; "] : ["、", "；"];
  /** @type {Map<string, string[]>} */
  const doers = new Map();
  for (const index of inForce(timeline, time)) {
    const row = doc.events[index];
    const deed = [row.act, doc.spots[row.spot][2]].map((word) => wordOf(doc, word, script)).join(comma);
    doers.set(deed, [...(doers.get(deed) ?? []), nameOf(doc, row.actor, script)]);
  }
  return [...doers].map(([deed, names]) => `${names.join(comma)} ${deed}`).join(stop);
}

/**
 * Whom or what a link follows: p or t and an index; null when nobody is called so.
 * @param {Timeline} timeline @param {string | null} name a person's name or a thing's id
 */
export function followed({doc}, name) {
  if (!name) return null;
  const person = doc.people.findIndex((each) => doc.words[each.name] === name);
  if (person >= 0) return `p${person}`;
  const thing = doc.things.findIndex((each) => each.id === name);
  return thing >= 0 ? `t${thing}` : null;
}

/**
 * The name by which a link follows.
 * @param {Timeline} timeline @param {string} follow p or t and an index
 */
export function followName({doc}, follow) {
  const index = Number(follow.slice(1));
  return (follow.startsWith("p") ? fullName(doc, index) : doc.things[index]?.id) ?? null;
}

/**
 * The name nearest to one that nobody has.
 * @param {Timeline} timeline @param {string} name @param {boolean} people people alone, no things
 */
export function nearestName({doc}, name, people) {
  return nearest(name, [
    ...doc.people.map((each) => doc.words[each.name]),
    ...(people ? [] : doc.things.map((each) => each.id)),
  ]);
}

/**
 * The sections that are played, on the track: each until the next begins.
 * @param {Timeline} one @param {import("yanli/pairing.js").Pairing | null} pairing @param {number} length @param {Script} script
 */
export function segmentsOf({doc}, pairing, length, script) {
  const found = doc.sections.flatMap((section) => {
    if (section.start === null) return [];
    const name = script === "en" ? section.en : wordOf(doc, section.name, script);
    return [{number: section.number, name, start: pairing?.joint(section.start, 1) ?? section.start, end: length}];
  });
  found.sort((a, b) => a.start - b.start);
  found.forEach((segment, index) => {
    segment.end = found[index + 1]?.start ?? length;
  });
  return found;
}
