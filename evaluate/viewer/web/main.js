// The page: games, viewpoints, steps, keys.

import { chapters, frameAt, heads, views } from "./data.js";
import { get, h } from "./dom.js";
import { drawMove, drawPanels } from "./panels.js";
import { Player, readAddress, SPEEDS } from "./player.js";
import { drawTable, shortName } from "./table.js";

const KEYS = [
  ["← →", "one step back, one step on"],
  ["↑ ↓", "to the round before, to the next round"],
  ["Home End", "to the beginning, to the end"],
  ["space", "play or pause"],
  ["+ −", "faster, slower"],
  ["0 1 2 …", "see what this seat knows"],
  ["a", "see all, as a spectator"],
  ["[ ]", "the game before, the next game"],
  ["t", "light or dark"],
  ["?", "this list"],
];

const games = heads();
let head = games[0];
let seen = {};
const player = new Player(show);
const names = (seat) => `player_${seat}`;

function show() {
  const frames = seen[player.viewer];
  const frame = frameAt(frames, player.step);
  const viewer = player.viewer === "all" ? null : Number(player.viewer);
  const moved = frame.move?.player ?? null;
  drawTable(get("stage"), frame, { viewer, moved, agents: head.agents, names });
  drawMove(get("move"), frame, names);
  drawPanels(get("panels"), frame);
  showControls(frames, frame);
  showEnd();
  if (location.hash !== player.address) history.replaceState(null, "", player.address);
}

// Nobody wants to know the end before it comes.
function showEnd() {
  const earned = Object.entries(head.returns).map(([seat, r]) => `${names(seat)} ${r > 0 ? "+" : ""}${Number(r.toFixed(2))}`);
  get("agents").textContent = `earned: ${earned.join(", ")}`;
  get("agents").classList.toggle("to-come", player.step < player.steps);
}

function showControls(frames, frame) {
  const slider = get("slider");
  slider.max = player.steps;
  slider.value = player.step;
  get("step").textContent = `${player.step} / ${player.steps}`;
  const play = get("play");
  play.textContent = player.playing ? "❙❙" : "▶";
  play.setAttribute("aria-label", player.playing ? "pause" : "play");
  for (const id of ["first", "back"]) get(id).disabled = player.step === 0;
  for (const id of ["last", "forward"]) get(id).disabled = player.step === player.steps;
  for (const button of get("seats").children) {
    button.setAttribute("aria-pressed", button.dataset.viewer === player.viewer);
  }
  for (const part of chapterButtons()) {
    const here = player.step >= Number(part.dataset.from) && player.step < Number(part.dataset.to);
    part.toggleAttribute("aria-current", here);
  }
  const log = get("log");
  for (const entry of log.children) {
    const here = Number(entry.dataset.step) === frame.step;
    entry.toggleAttribute("aria-current", here);
    entry.classList.toggle("to-come", Number(entry.dataset.step) > player.step);
    if (here) log.scrollTop = entry.offsetTop - Math.max(0, (log.clientHeight - entry.offsetHeight) / 2);
  }
}

function drawLog(frames) {
  get("log").replaceChildren(
    ...frames.map((frame) =>
      h(
        "li",
        { "data-step": frame.step },
        h(
          "button",
          { onclick: () => player.go(frame.step) },
          h("span", { class: "number" }, String(frame.step)),
          h("span", {}, ...(frame.events?.length ? frame.events : ["the deal"]).map((e) => h("span", { class: "line" }, e))),
        ),
      ),
    ),
  );
}

function chapterButtons() {
  return [...get("chapters").querySelectorAll("button")];
}

// Chapters such as "heist 2, flop" stand together below what they have in common.
function drawChapters(frames) {
  const groups = [];
  for (const part of chapters(frames, player.steps)) {
    const [first, ...rest] = part.name.split(", ");
    const head = rest.length ? first : "";
    if (groups.at(-1)?.head !== head) groups.push({ head, parts: [] });
    groups.at(-1).parts.push({ ...part, text: rest.join(", ") || first });
  }
  get("chapters").replaceChildren(...groups.map(drawGroup));
  get("chapters").hidden = chapterButtons().length < 2;
  fitChapters();
}

function drawGroup({ head, parts }) {
  const buttons = parts.map((part) =>
    h("button", {
      style: `flex-grow:${part.to - part.from}`,
      title: part.name,
      "data-text": part.text,
      "data-from": part.from,
      "data-to": part.to,
      onclick: () => player.go(part.from),
    }),
  );
  const style = `flex-grow:${parts.at(-1).to - parts[0].from}`;
  return h("div", { class: "chapter-group", style }, head ? h("span", {}, head) : null, h("div", {}, ...buttons));
}

// A text that does not fit gives way to the number at its end, that to nothing.
function fitChapters() {
  const forms = [(text) => text, (text) => text.match(/\d+$/)?.[0] ?? "", () => ""];
  let wide = chapterButtons();
  for (const form of forms) {
    for (const button of wide) button.textContent = form(button.dataset.text);
    wide = wide.filter((button) => button.scrollWidth > button.clientWidth);
  }
}

function setViewer(viewer) {
  if (!(viewer in seen)) return;
  player.viewer = viewer;
  drawLog(seen[viewer]);
  drawChapters(seen[viewer]);
  player.show(player);
}

function setGame(index, viewer = player.viewer, step = 0) {
  if (!(index in games)) return;
  player.pause();
  player.game = index;
  head = games[index];
  seen = views(index);
  const known = Object.keys(seen).sort((a, b) => (a === "all" ? -1 : b === "all" ? 1 : a - b));
  player.steps = Math.max(...known.map((name) => seen[name].at(-1).step));
  player.step = Math.min(step, player.steps);
  get("title").textContent = head.title;
  get("games").value = index;
  get("previous-game").disabled = index === 0;
  get("next-game").disabled = index === games.length - 1;
  get("seats").replaceChildren(
    ...known.map((name) =>
      h(
        "button",
        {
          "data-viewer": name,
          title: name === "all" ? "all cards, as a spectator  a" : `what ${names(name)} knows  ${name}`,
          onclick: () => setViewer(name),
        },
        name === "all" ? "all" : `${name}`,
      ),
    ),
  );
  setViewer(viewer in seen ? viewer : known[0]);
}

function turnChapter(direction) {
  const starts = chapterButtons().map((part) => Number(part.dataset.from));
  const next = direction > 0 ? starts.find((s) => s > player.step) : starts.findLast((s) => s < player.step);
  if (next !== undefined) player.go(next);
}

function turnSpeed(direction) {
  const place = SPEEDS.indexOf(player.speed) + direction;
  if (place in SPEEDS) {
    player.setSpeed(SPEEDS[place]);
    get("speed").value = player.speed;
  }
}

function switchTheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = document.documentElement.dataset.theme ?? (dark ? "dark" : "light");
  document.documentElement.dataset.theme = now === "dark" ? "light" : "dark";
}

function showKeys() {
  get("keys").showModal();
}

const ACTIONS = {
  ArrowLeft: () => player.go(player.step - 1),
  ArrowRight: () => player.go(player.step + 1),
  ArrowUp: () => turnChapter(-1),
  ArrowDown: () => turnChapter(1),
  Home: () => player.go(0),
  End: () => player.go(player.steps),
  " ": () => player.toggle(),
  "+": () => turnSpeed(1),
  "-": () => turnSpeed(-1),
  "[": () => setGame(player.game - 1),
  "]": () => setGame(player.game + 1),
  a: () => setViewer("all"),
  t: switchTheme,
  "?": showKeys,
};

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || get("keys").open) return;
  if (event.target instanceof HTMLSelectElement) return;
  const action = /^\d$/.test(event.key) ? () => setViewer(event.key) : ACTIONS[event.key];
  if (!action) return;
  event.preventDefault();
  if (event.target instanceof HTMLElement && event.key === " ") event.target.blur();
  action();
}

function fromAddress() {
  const wanted = readAddress(location.hash);
  const game = wanted.game in games ? wanted.game : 0;
  if (game !== player.game || !Object.keys(seen).length) setGame(game, wanted.viewer, wanted.step ?? 0);
  else {
    player.step = Math.min(wanted.step ?? 0, player.steps);
    setViewer(wanted.viewer in seen ? wanted.viewer : player.viewer);
  }
}

function start() {
  get("games").replaceChildren(
    ...games.map((game, k) => {
      const who = [...new Set(game.agents.map(shortName))].join(", ");
      return h("option", { value: k }, `${k + 1} of ${games.length}: ${game.title}, ${who}`);
    }),
  );
  get("collection").hidden = games.length < 2;
  get("speed").replaceChildren(...SPEEDS.map((s) => h("option", { value: s }, `${s} / s`)));
  get("speed").value = player.speed;
  get("keys").append(
    h("h2", {}, "Keys"),
    h("dl", {}, ...KEYS.flatMap(([key, what]) => [h("dt", {}, key), h("dd", {}, what)])),
    h("form", { method: "dialog" }, h("button", {}, "close")),
  );
  get("games").addEventListener("change", (event) => setGame(Number(event.target.value)));
  get("speed").addEventListener("change", (event) => player.setSpeed(Number(event.target.value)));
  get("slider").addEventListener("input", (event) => player.go(Number(event.target.value)));
  const clicks = {
    "previous-game": ACTIONS["["],
    "next-game": ACTIONS["]"],
    first: ACTIONS.Home,
    back: ACTIONS.ArrowLeft,
    play: ACTIONS[" "],
    forward: ACTIONS.ArrowRight,
    last: ACTIONS.End,
    theme: switchTheme,
    help: showKeys,
  };
  for (const [id, action] of Object.entries(clicks)) get(id).addEventListener("click", action);
  addEventListener("keydown", onKey);
  addEventListener("hashchange", fromAddress);
  addEventListener("resize", fitChapters);
  fromAddress();
}

start();
