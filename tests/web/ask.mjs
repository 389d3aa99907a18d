// Asks the page's timeline and poses. In: the file of a performance; from the standard input a list of questions, each
// [name, …arguments]. Out: the list of answers, as JSON.

import {readFileSync} from "node:fs";
import {carried, flights, poseAt, poses} from "yanli/pose.js";
import {Timeline} from "yanli/timeline.js";

const doc = JSON.parse(readFileSync(process.argv[2], "utf8"));
const timeline = new Timeline(doc);
const before = JSON.stringify(doc);

/** @param {number[]} times @param {Timeline} line */
const texts = (times, line) => new Map(times.map((time) => [time, JSON.stringify(line.at(time))]));

const QUESTIONS = {
  at: (times) => times.map((time) => timeline.at(time)),
  atPlay: (plays) => plays.map((play) => timeline.atPlay(play)),
  running: (times) => times.map((time) => timeline.running(time)),
  playAt: (times) => times.map((time) => timeline.playAt(time)),
  order: () => [...timeline.order],
  search: (queries) => queries.map((query) => timeline.search(query)),
  poses: (times) => times.map((time) => poses(timeline, time)),
  poseAt: (times, person) => times.map((time) => poseAt(timeline, person, time)),
  flights: (times) => times.map((time) => flights(timeline, time)),
  carried: (times, thing) => times.map((time) => carried(timeline, thing, time)),
  clauseEvents: (clauses) => clauses.map((clause) => timeline.clauseEvents(clause)),
  eventsOf: () => doc.people.map((_, person) => timeline.eventsOf(person)),
  eventsWithThing: () => doc.things.map((_, thing) => timeline.eventsWithThing(thing)),
  word: (words, script) => words.map((word) => timeline.word(word, script)),
  // All stops from a time on, until none is left.
  steps: (kind, from, way) => {
    const found = [];
    for (let time = from, next = timeline[kind](from, way); next !== time; next = timeline[kind](time, way)) {
      found.push(next);
      time = next;
      if (found.length > doc.events.length + 2) throw new Error(`${kind} never comes to an end`);
    }
    return found;
  },
  step: (kind, times, way) => times.map((time) => timeline[kind](time, way)),
  // Whether the same is told in whatever order it is asked, by one timeline and by new ones; the times where it is not.
  orders: (times) => {
    const forward = texts(times, new Timeline(doc));
    const backward = texts(times.toReversed(), new Timeline(doc));
    const mixed = texts(times.toSorted((a, b) => ((a * 7919) % 101) - ((b * 7919) % 101)), new Timeline(doc));
    return times.filter((time) => {
      const told = new Set([forward, backward, mixed, texts([time], new Timeline(doc))].map((one) => one.get(time)));
      return told.size !== 1;
    });
  },
  // The times whose moments were changed by asking for others, or that are not the same when asked for twice running.
  kept: (times) => {
    const moments = times.map((time) => /** @type {const} */ ([time, timeline.at(time)]));
    const texts_then = moments.map(([, moment]) => JSON.stringify(moment));
    for (const time of times.toReversed()) poses(timeline, time);
    return times.filter(
      (time, index) => JSON.stringify(moments[index][1]) !== texts_then[index] || timeline.at(time) !== timeline.at(time),
    );
  },
  // Milliseconds for everybody's poses and all arrows, at many frames as they follow one another.
  speed: (from, frames) => {
    const spent = [];
    for (let frame = 0; frame < frames; frame += 1) {
      const time = from + frame / 60;
      const begun = performance.now();
      poses(timeline, time);
      flights(timeline, time);
      spent.push(performance.now() - begun);
    }
    return spent;
  },
  unchanged: () => JSON.stringify(doc) === before,
};

const questions = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(questions.map(([name, ...given]) => QUESTIONS[name](...given))));
