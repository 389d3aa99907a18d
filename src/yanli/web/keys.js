/**
 * The keyboard: which key asks for what. In: a key event. Out: the name of a command; and the list for the help.
 */

/** @typedef {import("yanli/language.js").Key} Key */
/**
 * @typedef {"toggle" | "act+" | "act-" | "clause+" | "clause-" | "section+" | "section-" | "first" | "last" | "faster"
 *   | "slower" | "search" | "help" | "choose" | "look" | "text" | "people" | "differences" | "view" | "close"} Command
 */

/** @type {[command: Command, keys: string[], key: Key][]} */
export const KEYS = [
  ["toggle", ["Space"], "key.toggle"],
  ["act-", ["←"], "last.act"],
  ["act+", ["→"], "next.act"],
  ["clause-", ["Shift", "←"], "last.clause"],
  ["clause+", ["Shift", "→"], "next.clause"],
  ["section-", ["["], "last.section"],
  ["section+", ["]"], "next.section"],
  ["first", ["Home"], "key.first"],
  ["last", ["End"], "key.last"],
  ["slower", ["-"], "key.slower"],
  ["faster", ["+"], "key.faster"],
  ["search", ["/"], "find.name"],
  ["text", ["1"], "tab.text"],
  ["people", ["2"], "tab.people"],
  ["differences", ["3"], "tab.differences"],
  ["choose", ["c"], "pick.name"],
  ["look", ["l"], "look.name"],
  ["view", ["v"], "key.view"],
  ["help", ["?"], "help.name"],
  ["close", ["Esc"], "key.close"],
];

/** Keys that the list calls otherwise than browsers do. @type {Record<string, string>} */
const CALLED = {" ": "Space", ArrowLeft: "←", ArrowRight: "→", Escape: "Esc", "=": "+"};
/** Where keys are typed or mean something else. */
const TYPED = "input:not([type=range]), select, textarea, [contenteditable], [role=radiogroup], fieldset";
const PRESSED = "button, summary, a[href], [role=button]";

/**
 * The command of a key, or null when it is not ours or means something where it was pressed.
 * @param {KeyboardEvent} event
 * @returns {Command | null}
 */
export function commandOf(event) {
  if (event.defaultPrevented || event.isComposing || event.metaKey) return null;
  const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const [command] = KEYS.find(([, keys]) => keys.join() === (CALLED[name] ?? name)) ?? [];
  if (!command || command === "close") return command ?? null;
  const target = event.composedPath()[0];
  const at = target instanceof Element ? target : null;
  if (at?.closest(TYPED)) return null;
  if (command === "toggle" && at?.closest(PRESSED)) return null;
  if (command === "act-" || command === "act+") {
    const way = command.slice(-1);
    if (at?.closest("[role=tab]")) return null;
    if (event.ctrlKey || event.altKey) return /** @type {Command} */ (`section${way}`);
    return /** @type {Command} */ (`${event.shiftKey ? "clause" : "act"}${way}`);
  }
  return event.ctrlKey || event.altKey ? null : command;
}
