/**
 * What keys and buttons ask for, done. In: the page and the name of a command. Out: nothing; the page changes.
 */

/** @typedef {import("yanli/app.js").YanliApp} YanliApp */
/** @typedef {import("yanli/app.js").Tab} Tab */
/** @typedef {import("yanli/keys.js").Command | "compare" | "rechoose" | "uncompare" | "link"} Asked */

/** @typedef {import("yanli/player.js").Step} Step */
/** @typedef {import("yanli/session.js").Session} Session */

/** What is asked for by name. @type {Record<string, (app: YanliApp, session: Session) => unknown>} */
const DOES = {
  toggle: (_, {player}) => player.toggle(),
  first: (_, {player}) => player.seek(0),
  last: (_, {player}) => player.seek(player.track.length),
  faster: (_, {player}) => player.stepSpeed(1),
  slower: (_, {player}) => player.stepSpeed(-1),
  search: (app) => app.focusOn("yanli-search"),
  help: (app) => app.show("help"),
  look: (app) => app.show("look"),
  view: (app) => app.turn(app.link.view === "plan" ? "depth" : "plan"),
  choose: (app) => choose(app, "one"),
  compare: (app, {comparison}) => (comparison ? app.compare(null) : choose(app, "other")),
  rechoose: (app) => choose(app, "other"),
  uncompare: (app) => app.compare(null),
  link: (app) => app.copy(),
  close: (app) => app.chooser?.close(),
};

/**
 * @param {YanliApp} app @param {Asked} command
 */
export function run(app, command) {
  const {session} = app;
  if (!session) return;
  const [, kind, way] = /^(act|clause|section)([+-])$/.exec(command) ?? [];
  if (kind) session.player.step(/** @type {Step} */ (kind), way === "+" ? 1 : -1);
  else if (command in DOES) DOES[command](app, session);
  else app.open(/** @type {Tab} */ (command), true);
}

/** @param {YanliApp} app @param {"one" | "other"} which */
function choose(app, which) {
  app.draft = null;
  app.choosing = which;
  app.chooser?.open();
}
