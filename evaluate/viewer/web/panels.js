// Bars: what a move was drawn from, and what can be believed.

import { h } from "./dom.js";

const LIKELIEST = 6;
const LEAST = 0.005; // what would round to 0 %

export function bar(label, share, text, mark, chosen) {
  const width = `${(100 * Math.max(0, Math.min(1, share))).toFixed(1)}%`;
  return h(
    "div",
    { class: `bar-row ${chosen ? "chosen" : ""}` },
    h("span", { class: "label" }, label),
    h(
      "span",
      { class: "track" },
      h("span", { class: "fill", style: `width:${width}` }),
      mark === undefined || mark === null
        ? null
        : h("span", { class: "tick", style: `left:${(100 * mark).toFixed(1)}%` }),
    ),
    h("span", { class: "amount" }, text),
  );
}

function drawOdds(root, { player, text, odds = [] }, names) {
  if (odds.length === 1) root.append(h("p", { class: "hint" }, `${names(player)} was certain`));
  if (odds.length < 2) return;
  root.append(h("h3", {}, `What ${names(player)} drew it from`));
  const shown = odds.slice(0, LIKELIEST).filter(([, share]) => share >= LEAST);
  const chosen = odds.find(([other]) => other === text);
  if (chosen && !shown.includes(chosen)) shown.push(chosen);
  for (const [other, share] of shown) {
    root.append(bar(other, share, `${(100 * share).toFixed(0)}%`, null, other === text));
  }
  const rest = odds.length - shown.length;
  if (rest > 0) root.append(h("p", { class: "hint" }, `and ${rest} less likely`));
}

export function drawMove(root, frame, names) {
  root.replaceChildren(h("h2", {}, frame.step ? "Last move" : "The deal"));
  root.hidden = !frame.events?.length && !frame.move;
  for (const event of frame.events ?? []) root.append(h("p", { class: "event" }, event));
  const move = frame.move;
  if (!move) return;
  drawOdds(root, move, names);
  if (move.value !== undefined && move.value !== null) {
    const sign = move.value > 0 ? "+" : "";
    root.append(
      h("p", { class: "value" }, `${names(move.player)} expected to earn `, h("b", {}, `${sign}${move.value.toFixed(2)}`)),
    );
  }
}

export function drawPanels(root, frame) {
  root.replaceChildren(
    ...(frame.panels ?? []).map((panel) =>
      h(
        "section",
        { class: "card-panel" },
        h("h2", {}, panel.title),
        h("div", { class: "bars" }, ...panel.bars.map((b) => bar(b.label, b.share, b.text ?? "", b.mark, false))),
        panel.note ? h("p", { class: "hint" }, panel.note) : null,
      ),
    ),
  );
}
