// What may be played, as buttons: one question after the other.

import { card, chip, named, pile, stake } from "./art.js";
import { h } from "./dom.js";

const PIECES = { card, chip, named, pile, stake };
const SPEAKING = new Set(["card", "pile"]); // pieces that need no words
const NAMING = new Set(["named"]); // pieces that say their name

// The actions that are still possible when the questions so far have been answered by `picked`.
function open(choices, picked) {
  return Object.entries(choices.actions).filter(([, numbers]) => picked.every((k, at) => numbers[at] === k));
}

// The action that `picked` has led to, if it has.
export function decided(choices, picked) {
  return open(choices, picked).find(([, numbers]) => numbers.length === picked.length)?.[0];
}

// The numbers of the answers to the next question.
export function answers(choices, picked) {
  return [...new Set(open(choices, picked).map(([, numbers]) => numbers[picked.length]))].sort((a, b) => a - b);
}

// An action in a person's words.
export function words(choices, action) {
  const numbers = choices?.actions[action];
  return numbers ? numbers.map((k, at) => choices.questions[at].answers[k].text).join(", ") : action;
}

function face(answer) {
  const item = answer.item;
  const silent = SPEAKING.has(item?.type) || (NAMING.has(item?.type) && item.name === answer.text);
  return h(
    "span",
    { class: "face" },
    item && PIECES[item.type] ? PIECES[item.type](item) : null,
    silent ? null : h("span", { class: "text" }, answer.text),
    answer.note ? h("small", { class: "note" }, answer.note) : null,
  );
}

// The question that comes after the answers `picked`.
function asked(choices, picked) {
  const at = picked.length;
  const before = at ? choices.questions[at - 1].answers[picked[at - 1]] : null;
  return before?.then || choices.questions[at].text;
}

function button(answer, place, pick) {
  const key = place < 9 ? String(place + 1) : place === 9 ? "0" : null;
  return h(
    "button",
    {
      class: `choice ${answer.item ? `of-${answer.item.type}` : ""} ${answer.place < 0 ? "apart" : ""}`,
      onclick: pick,
      "data-answer": answer.text,
      "aria-label": answer.note ? `${answer.text}, ${answer.note}` : answer.text,
    },
    face(answer),
    key ? h("kbd", {}, key) : null,
  );
}

// The question that is open, its answers, and those that were given before.
export function drawChoices(root, choices, picked, { pick, back }) {
  const question = choices.questions[picked.length];
  const before = picked.map((k, at) => choices.questions[at].answers[k].text);
  root.replaceChildren(
    h(
      "p",
      { class: "question" },
      ...before.map((text) => h("span", { class: "given" }, text)),
      h("b", {}, asked(choices, picked)),
      before.length ? h("button", { class: "undo", onclick: back }, "back ", h("kbd", {}, "⌫")) : null,
    ),
    h(
      "div",
      { class: "answers" },
      ...answers(choices, picked).map((k, place) => button(question.answers[k], place, () => pick(k))),
    ),
  );
}
