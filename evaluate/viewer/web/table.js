// A table from a frame: `drawTable(root, frame, settings)` is all that a viewer needs, whether the
// frame comes from a file or from a server that plays a game.

import { card, chip, named, pile, stake } from "./art.js";
import { h } from "./dom.js";

const PIECES = {
  card,
  chip,
  pile,
  named,
  stake,
  role: (item) =>
    h(
      "span",
      { class: `role ${item.kind.split(" ")[0]}` },
      h("small", {}, item.kind),
      h("b", {}, item.name),
      h("span", {}, item.meaning ?? ""),
    ),
  speech: (item, names) =>
    h(
      "span",
      { class: "speech" },
      h("b", {}, names(item.seat)),
      item.to >= 0 ? h("small", {}, ` to ${names(item.to)}`) : null,
      h("q", {}, item.text.replace(/"/g, "")),
    ),
  note: (item) => h("span", { class: "words" }, item.text),
};

function zone(part, names) {
  const items = (part.items ?? []).map((item) => PIECES[item.type](item, names));
  const kinds = new Set((part.items ?? []).map((item) => item.type));
  return h(
    "div",
    { class: `zone ${part.small ? "small" : ""} ${[...kinds].map((kind) => `of-${kind}`).join(" ")}` },
    h("h4", {}, part.name, part.note ? h("span", { class: "zone-note" }, part.note) : null),
    h("div", { class: "items" }, ...items),
  );
}

// For short: a file of weights by its own name, a training by that of its folder.
export function shortName(agent) {
  if (!/^[^<>"]*[\\/][^<>"]*$/.test(agent)) return agent; // no path
  const parts = agent.replace(/\.(safetensors|zip|npz)$/, "").split(/[\\/]/).filter(Boolean);
  if (parts.length > 1 && parts.at(-1) === "policy") parts.pop();
  return parts.at(-1) ?? agent;
}

function place(part, seat, scene, settings) {
  const own = settings.viewer === seat;
  const turn = scene.turn === seat;
  const marks = `${turn ? "turn" : ""} ${own ? "own" : ""} ${settings.moved === seat ? "moved" : ""}`;
  return h(
    "article",
    { class: `place ${marks}`, "data-seat": seat, "aria-label": settings.names(seat) },
    h(
      "h3",
      {},
      h("span", { class: "who" }, settings.names(seat)),
      settings.agents[seat] ? h("small", { title: settings.agents[seat] }, shortName(settings.agents[seat])) : null,
      ...(part.notes ?? []).map((note) => h("span", { class: "note" }, note)),
      h("span", { class: "push" }),
      own ? h("em", { class: "mark you" }, settings.own ?? "seen by") : null,
      turn ? h("em", { class: "mark" }, "to move") : null,
    ),
    h("div", { class: "zones" }, ...(part.zones ?? []).map((z) => zone(z, settings.names))),
  );
}

// Around the table clockwise from the bottom: the viewer's seat lies there, if there is one.
function around(places, viewer) {
  const n = places.length;
  if (n <= 1) return [[], places];
  if (viewer === null) {
    const half = n >> 1;
    return [places.slice(0, half), places.slice(half).reverse()];
  }
  const others = [];
  for (let k = 1; k < n; k++) others.push(places[(viewer + k) % n]);
  return [others, [places[viewer]]];
}

// settings: viewer (null for the spectator), moved (seat of the last move), agents, names(seat),
// own (what marks the viewer's seat).
export function drawTable(root, frame, settings) {
  const scene = frame.scene;
  const score = (scene.score ?? []).map(([name, value]) =>
    h("span", {}, h("small", {}, name), h("b", {}, value)),
  );
  const places = (scene.places ?? []).map((part, seat) => place(part, seat, scene, settings));
  const [top, bottom] = around(places, settings.viewer);
  const centre = (scene.centre ?? []).map((part) => zone(part, settings.names));
  if (scene.text) centre.push(h("pre", { class: "as-text" }, scene.text));
  const row = (name, seats) =>
    seats.length ? h("div", { class: `row ${name}`, "data-seats": seats.length }, ...seats) : null;
  root.replaceChildren(
    h("div", { class: "score" }, ...score),
    h(
      "div",
      { class: "felt" },
      row("top", top),
      h("div", { class: "centre" }, ...centre, scene.status ? h("p", { class: "status" }, scene.status) : null),
      row("bottom", bottom),
    ),
  );
  if (scene.aside?.length) {
    root.append(h("div", { class: "beside" }, ...scene.aside.map((part) => zone(part, settings.names))));
  }
}
