// The page on which a person plays. All that it knows came over the link; all that it shows is made
// of elements and text by hand, never of markup that somebody sent.

import { answers, decided, drawChoices, words } from "./choose.js";
import { get, h } from "./dom.js";
import { listen, showKeys, switchTheme } from "./keys.js";
import { Link } from "./link.js";
import { bar, drawMove, drawPanels } from "./panels.js";
import { drawTable } from "./table.js";

let table = null; // what the table is: title, names, people, seat, hints
let game = { number: -1, step: -1, over: false };
let frames = [];
let picked = []; // answers given to the questions so far
let looking = null; // step that is looked back at
let hint = null;
let beliefs = null;
let there = [];
let sent = false; // whether a move is on its way
let quiet = 0; // timer of the sentence that is shown

const names = (seat) => `player_${seat}`;
const asText = (value) => `${value > 0 ? "+" : ""}${Number(value.toFixed(2))}`;

const link = new Link(location.hash.slice(1), {
  known: () => ({ number: game.number, step: game.step }),
  on: (message) => HEARD[message.type]?.(message),
  changed: showLink,
});

const HEARD = {
  welcome(message) {
    table = { seat: null, hints: null, ...message };
    get("title").textContent = table.title;
  },
  update({ update }) {
    const first = update.frames?.[0]?.step ?? game.step + 1;
    if (update.number !== game.number || first === 0) {
      frames = [];
      looking = null;
    }
    frames = [...frames.slice(0, first), ...(update.frames ?? [])];
    game = { over: false, ...update };
    sent = false;
    picked = [];
    hint = null;
    beliefs = null;
    show();
  },
  present({ seats }) {
    there = seats ?? [];
    showPeople();
  },
  hint(message) {
    if (message.number !== game.number || message.step !== game.step) return;
    hint = message.hint;
    showHint();
    get("hint").scrollIntoView({ block: "center" });
  },
  beliefs(message) {
    if (message.number !== game.number || message.step !== game.step) return;
    beliefs = message.panels ?? [];
    showBeliefs();
    get("panels").lastElementChild?.scrollIntoView({ block: "center" });
  },
  record({ name, line }) {
    const address = URL.createObjectURL(new Blob([line], { type: "application/jsonl" }));
    h("a", { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
  },
  sorry({ sentence }) {
    sent = false;
    say(sentence);
    show();
  },
};

function say(sentence) {
  clearTimeout(quiet);
  get("sorry").textContent = sentence;
  get("sorry").hidden = false;
  quiet = setTimeout(quieten, 12000);
}

function quieten() {
  clearTimeout(quiet);
  get("sorry").hidden = true;
}

function showLink(state, sentence) {
  const words = { open: "", lost: "connecting again", closed: "closed" };
  get("link").textContent = words[state];
  get("link").className = state;
  if (state === "closed") {
    get("choices").replaceChildren(h("p", { class: "wait" }, sentence || "the table is closed"));
    for (const button of get("tools").children) button.hidden = true;
  }
}

function showPeople() {
  if (!table) return;
  const others = table.people.filter((seat) => seat !== table.seat);
  const parts = [table.seat === null ? "you see all, as a spectator" : `you are ${names(table.seat)}`];
  for (const seat of others) parts.push(`${names(seat)} is ${there.includes(seat) ? "here" : "not here yet"}`);
  get("who").textContent = parts.join(", ");
}

function show() {
  if (!table || !frames.length) return;
  const at = Math.min(looking ?? frames.length - 1, frames.length - 1);
  const frame = frames[at];
  drawTable(get("stage"), frame, {
    viewer: table.seat,
    moved: at > 0 ? frames[at - 1].scene.turn : null,
    agents: table.names,
    names,
    own: "you",
  });
  get("move").hidden = false;
  drawMove(get("move"), frame, names);
  showPeople();
  showHint();
  showBeliefs();
  showLog(at);
  showHand();
}

function showHint() {
  const root = get("hint");
  root.hidden = !hint;
  if (!hint) return;
  root.replaceChildren(
    h("h2", {}, `Hint: ${hint.agent} would play`),
    ...hint.odds.map(([action, share], place) =>
      bar(words(game.choices, action), share, `${(100 * share).toFixed(0)}%`, null, place === 0),
    ),
  );
  if (hint.value !== undefined && hint.value !== null) {
    root.append(h("p", { class: "value" }, "and would expect ", h("b", {}, asText(hint.value))));
  }
}

function showBeliefs() {
  const found = beliefs ?? [];
  drawPanels(get("panels"), { panels: found });
  if (beliefs && !found.length) {
    get("panels").append(h("section", { class: "card-panel" }, h("p", { class: "hint" }, "There is nothing to reckon here.")));
  }
}

function showLog(at) {
  const log = get("log");
  const grown = log.children.length !== frames.length;
  log.replaceChildren(
    ...frames.map((frame, k) =>
      h(
        "li",
        { "aria-current": k === at },
        h(
          "button",
          { onclick: () => look(k) },
          h("span", { class: "number" }, String(k)),
          h("span", {}, ...(frame.events?.length ? frame.events : ["the deal"]).map((e) => h("span", { class: "line" }, e))),
        ),
      ),
    ),
  );
  if (grown || looking === null) log.scrollTop = log.scrollHeight;
}

function look(step) {
  looking = step >= frames.length - 1 ? null : Math.max(0, step);
  show();
}

function showHand() {
  const live = looking === null;
  const own = live && game.choices && !sent;
  get("hand").classList.toggle("yours", Boolean(own));
  document.title = `${game.choices && !sent ? "your turn · " : ""}${table.title}`;
  get("ask-hint").hidden = !own || !table.hints;
  get("ask-beliefs").hidden = !live || game.over;
  get("skip").hidden = !live || game.over || table.seat === null || table.people.includes(turn());
  get("now").hidden = live;
  const root = get("choices");
  if (!live) root.replaceChildren(h("p", { class: "wait" }, `Looking back at step ${looking} of ${frames.length - 1}`));
  else if (game.over) showEnd(root);
  else if (own) drawChoices(root, game.choices, picked, { pick, back });
  else root.replaceChildren(h("p", { class: "wait" }, waiting()));
}

function turn() {
  return frames.at(-1)?.scene.turn ?? -1;
}

function waiting() {
  if (sent) return "…";
  const who = turn();
  if (!table.people.includes(who)) return `${names(who)} (${table.names[who]}) thinks`;
  return `waiting for ${names(who)}`;
}

function showEnd(root) {
  const earned = game.earned;
  const result = earned === undefined || earned === null ? "The game is over" : `The game is over: you earned ${asText(earned)}`;
  const own = table.seat !== null;
  root.replaceChildren(
    h("p", { class: `question end ${earned > 0 ? "good" : ""}` }, h("b", {}, result)),
    h(
      "div",
      { class: "answers" },
      own ? h("button", { class: "choice again", onclick: again }, "new game ", h("kbd", {}, "n")) : null,
      own ? h("button", { class: "choice", onclick: save }, "save what you saw ", h("kbd", {}, "r")) : null,
    ),
  );
}

function pick(number) {
  if (!game.choices || sent) return;
  quieten();
  picked.push(number);
  const action = decided(game.choices, picked);
  if (action === undefined) {
    showHand();
    return;
  }
  picked = [];
  sent = link.send({ type: "play", action, number: game.number, step: game.step });
  if (!sent) say("the table cannot be reached just now; choose again when it is back");
  showHand();
}

function back() {
  picked.pop();
  showHand();
}

function pickPlace(place) {
  if (!game.choices || sent || looking !== null || game.over) return;
  const number = answers(game.choices, picked)[place];
  if (number !== undefined) pick(number);
}

function ask(type, allowed = true) {
  if (allowed && looking === null && !link.send({ type })) say("the table cannot be reached just now");
}

const again = () => ask("again", game.over && table.seat !== null);
const save = () => ask("record", game.over && table.seat !== null);
const askHint = () => ask("hint", Boolean(game.choices));
const askBeliefs = () => ask("beliefs", !game.over);
const skip = () => ask("skip", !game.over && table?.seat !== null);

// On a small screen the own seat stays in sight above the hand.
new ResizeObserver(() => {
  document.documentElement.style.setProperty("--hand-height", `${get("hand").offsetHeight}px`);
}).observe(get("hand"));

const clicks = { "ask-hint": askHint, "ask-beliefs": askBeliefs, skip, now: () => look(Infinity), theme: switchTheme, help: showKeys };
for (const [id, action] of Object.entries(clicks)) get(id).addEventListener("click", action);
listen(
  {
    Backspace: back,
    Escape: back,
    h: askHint,
    o: askBeliefs,
    s: skip,
    n: again,
    r: save,
    ArrowLeft: () => look((looking ?? frames.length - 1) - 1),
    ArrowRight: () => look((looking ?? frames.length - 1) + 1),
    End: () => look(Infinity),
    t: switchTheme,
    "?": showKeys,
  },
  pickPlace,
);
