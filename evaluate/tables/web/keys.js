// Keys, and what they are for.

import { get, h } from "./dom.js";

const KEYS = [
  ["1 2 3 …", "choose this answer"],
  ["⌫", "back to the question before"],
  ["h", "hint: what would the agent do here?"],
  ["o", "odds: what can I believe?"],
  ["s", "do not wait for the agents' pauses"],
  ["n", "a new game, when this one is over"],
  ["r", "save the game as you saw it"],
  ["← → End", "look back, on, and at the game as it is"],
  ["t", "light or dark"],
  ["?", "this list"],
];

export function showKeys() {
  const list = get("keys");
  list.replaceChildren(
    h("h2", {}, "Keys"),
    h("dl", {}, ...KEYS.flatMap(([key, what]) => [h("dt", {}, key), h("dd", {}, what)])),
    h("form", { method: "dialog" }, h("button", {}, "close")),
  );
  list.showModal();
}

export function switchTheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = document.documentElement.dataset.theme ?? (dark ? "dark" : "light");
  document.documentElement.dataset.theme = now === "dark" ? "light" : "dark";
}

// actions: what a key does, by its name; digits(place): what the key of an answer does.
export function listen(actions, digits) {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || get("keys").open) return;
    const digit = /^\d$/.test(event.key);
    const action = digit ? () => digits((Number(event.key) + 9) % 10) : actions[event.key];
    if (!action || event.repeat) return;
    event.preventDefault();
    action();
  });
}
