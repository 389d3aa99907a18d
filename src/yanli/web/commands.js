/**
 * What keys and buttons ask for, done. In: the page and the name of a command. Out: nothing; the page changes.
 */

/** @typedef {import("yanli/app.js").YanliApp} YanliApp */
/** @typedef {import("yanli/app.js").Tab} Tab */
/** @typedef {import("yanli/keys.js").Command | "compare" | "rechoose" | "uncompare" | "link"} Asked */

/**
 * @param {YanliApp} app @param {Asked} command
 */
export function run(app, command) {
  const {session, chooser} = app;
  if (!session) return;
  const {player} = session;
  const [, kind, way] = /^(act|clause|section)([+-])$/.exec(command) ?? [];
  if (kind) {
    player.step(/** @type {import("yanli/player.js").Step} */ (kind), way === "+" ? 1 : -1);
    return;
  }
  switch (command) {
    case "toggle":
      player.toggle();
      break;
    case "first":
      player.seek(0);
      break;
    case "last":
      player.seek(player.track.length);
      break;
    case "faster":
      player.stepSpeed(1);
      break;
    case "slower":
      player.stepSpeed(-1);
      break;
    case "search":
      app.focusOn("yanli-search");
      break;
    case "help":
    case "look":
      app.show(command);
      break;
    case "view":
      app.turn(app.link.view === "plan" ? "depth" : "plan");
      break;
    case "choose":
    case "compare":
    case "rechoose":
      if (command === "compare" && session.comparison) app.compare(null);
      else {
        app.draft = null;
        app.choosing = command === "choose" ? "one" : "other";
        chooser?.open();
      }
      break;
    case "uncompare":
      app.compare(null);
      break;
    case "link":
      app.copy();
      break;
    case "close":
      chooser?.close();
      break;
    default:
      app.open(/** @type {Tab} */ (command), true);
  }
}
