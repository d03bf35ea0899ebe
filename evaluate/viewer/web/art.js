// Pieces, drawn. Each differs from the others of its kind by shape and letter, not by colour alone.

import { h, svg } from "./dom.js";

// Suits in a box of 24 x 24.
const SUITS = {
  s: "M12 2C9 7 3 10 3 15a4.6 4.6 0 0 0 8 3c0 2-1 3-2 4h6c-1-1-2-2-2-4a4.6 4.6 0 0 0 8-3c0-5-6-8-9-13z",
  h: "M12 22C5 16 2 12 2 8a5.4 5.4 0 0 1 10-2.6A5.4 5.4 0 0 1 22 8c0 4-3 8-10 14z",
  d: "M12 1l8 11-8 11-8-11z",
  c: "M12 2a4.7 4.7 0 0 0-4 7.2A4.8 4.8 0 1 0 11 17c0 2-1 4-2 5h6c-1-1-2-3-2-5a4.8 4.8 0 1 0 3-7.8A4.7 4.7 0 0 0 12 2z",
};
const SUIT_NAMES = { s: "spades", h: "hearts", d: "diamonds", c: "clubs" };
const RANK_NAMES = { T: "10", J: "jack", Q: "queen", K: "king", A: "ace" };
const CROWN = "M2 20 4 7l5 6 3-9 3 9 5-6 2 13z";

export function card(item) {
  if (item.empty) return placeOf("a card to come");
  if (!item.text) return back("a card that lies face down");
  const [rank, suit] = item.text;
  const known = SUITS[suit];
  const name = `${RANK_NAMES[rank] ?? rank}${known ? ` of ${SUIT_NAMES[suit]}` : ""}`;
  return svg(
    "svg",
    { viewBox: "0 0 64 90", class: `card suit-${known ? suit : "none"}`, role: "img", "aria-label": name },
    svg("title", {}, name),
    svg("rect", { x: 1, y: 1, width: 62, height: 88, rx: 7, class: "face" }),
    svg("text", { x: 7, y: 28, class: "rank" }, rank === "T" ? "10" : rank),
    known
      ? svg("path", { d: known, class: "suit", transform: "translate(19 34) scale(1.75)" })
      : svg("path", { d: CROWN, class: "suit", transform: "translate(14 36) scale(1.5)" }),
    svg("text", { x: 8, y: 81, class: "letter" }, suit ?? ""),
  );
}

function placeOf(name) {
  return svg(
    "svg",
    { viewBox: "0 0 64 90", class: "card empty", role: "img", "aria-label": name },
    svg("rect", { x: 2, y: 2, width: 60, height: 86, rx: 7 }),
  );
}

function back(name) {
  const lines = [];
  for (let k = -60; k < 64; k += 12) {
    lines.push(svg("path", { d: `M${k} 6L${k + 78} 84M${k} 84L${k + 78} 6` }));
  }
  return svg(
    "svg",
    { viewBox: "0 0 64 90", class: "card back", role: "img", "aria-label": name },
    svg("title", {}, name),
    svg("rect", { x: 1, y: 1, width: 62, height: 88, rx: 7, class: "face" }),
    svg("svg", { x: 6, y: 6, width: 52, height: 78, viewBox: "6 6 52 78" }, ...lines),
    svg("rect", { x: 6, y: 6, width: 52, height: 78, rx: 4, class: "frame" }),
  );
}

const STAR = "M0-5 1.5-1.6 5-1.3 2.3 1.1 3.1 4.6 0 2.7-3.1 4.6-2.3 1.1-5-1.3-1.5-1.6z";

export function chip(item) {
  const stars = item.stars ?? 0;
  const name = stars
    ? `${item.colour} chip, ${stars} star${stars > 1 ? "s" : ""}${item.locked ? ", stays where it is" : ""}`
    : `no ${item.colour} chip`;
  const drawn = [svg("circle", { cx: 24, cy: 24, r: 22, class: "body" })];
  if (stars) {
    drawn.push(svg("circle", { cx: 24, cy: 24, r: 19.5, class: "edge" }));
    drawn.push(svg("circle", { cx: 24, cy: 24, r: 15, class: "inner" }));
    drawn.push(svg("text", { x: 24, y: 27, class: "number" }, String(stars)));
    for (let k = 0; k < stars; k++) {
      const x = 24 + (k - (stars - 1) / 2) * Math.min(6, 26 / stars);
      drawn.push(svg("path", { d: STAR, class: "star", transform: `translate(${x} 32.5) scale(.55)` }));
    }
    if (item.locked) drawn.push(svg("circle", { cx: 24, cy: 24, r: 22, class: "lock" }));
  } else {
    drawn.push(svg("text", { x: 24, y: 30, class: "letter" }, (item.colour[0] ?? "?").toUpperCase()));
  }
  return svg(
    "svg",
    {
      viewBox: "0 0 48 48",
      class: `chip ${item.colour} ${stars ? "" : "empty"}`,
      role: "img",
      "aria-label": name,
    },
    svg("title", {}, name),
    ...drawn,
  );
}

// Animals in a box of 64 x 64: [what, attributes] each; "l" is a line, "f" a filled shape, "e" eyes.
const ANIMALS = {
  cockroach: [
    ["l", "M24 20C18 10 12 8 6 8M40 20C46 10 52 8 58 8M20 34 8 28M20 42 8 46M22 50 12 60M44 34 56 28M44 42 56 46M42 50 52 60"],
    ["f", "M32 22c10 0 14 10 14 20s-6 18-14 18-14-8-14-18 4-20 14-20z"],
    ["f", "M32 14c6 0 9 4 9 8s-4 6-9 6-9-2-9-6 3-8 9-8z"],
    ["c", "M32 28v32"],
  ],
  rat: [
    ["l", "M52 46c8 0 10-8 4-12"],
    ["f", "M8 46c0-6 6-10 12-10 2-8 10-12 18-12 10 0 18 8 18 16 0 8-6 12-14 12H18C12 52 8 50 8 46z"],
    ["f", "M24 18a7 7 0 1 1 0 16 7 7 0 0 1 0-16z"],
    ["e", "M16 42h0"],
    ["l", "M8 46 2 44M8 47 3 50"],
    ["c", "M26 52v5M42 52v5"],
  ],
  bat: [
    ["f", "M32 24l4-8 3 9c5-6 13-8 22-7-3 4-2 8-1 12-4-2-8-1-10 2-3-1-6 1-7 4-4-2-8 4-11 14-3-10-7-16-11-14-1-3-4-5-7-4-2-3-6-4-10-2 1-4 2-8-1-12 9-1 17 1 22 7l3-9z"],
    ["e", "M29 28h0M35 28h0"],
  ],
  fly: [
    ["w", "M28 28C14 18 4 26 6 36s16 6 24 0zM36 28c14-10 24-2 22 8s-16 6-24 0z"],
    ["l", "M26 46 16 56M38 46l10 10M25 38l-9 4M39 38l9 4"],
    ["f", "M32 26c6 0 8 8 8 16s-4 14-8 14-8-6-8-14 2-16 8-16z"],
    ["f", "M25 14a6 6 0 1 1 0 12 6 6 0 0 1 0-12zM39 14a6 6 0 1 1 0 12 6 6 0 0 1 0-12z"],
    ["c", "M26 38h12M26 45h12"],
  ],
  frog: [
    ["f", "M18 14a8 8 0 0 1 8 6h12a8 8 0 1 1 14 7c5 4 8 9 8 14 0 9-12 15-28 15S4 50 4 41c0-5 3-10 8-14a8 8 0 0 1 6-13z"],
    ["e", "M19 22h0M45 22h0"],
    ["c", "M14 40c8 8 28 8 36 0M28 32h0M36 32h0"],
  ],
  spider: [
    ["l", "M26 36C16 30 12 24 6 28M26 40C16 38 10 38 4 42M27 44C18 46 12 50 8 58M29 32C22 24 18 16 12 12M38 36c10-6 14-12 20-8M38 40c10-2 16-2 22 2M37 44c9 2 15 6 19 14M35 32c7-8 11-16 17-20"],
    ["f", "M32 34a12 12 0 1 1 0 24 12 12 0 0 1 0-24z"],
    ["f", "M32 22a7 7 0 1 1 0 14 7 7 0 0 1 0-14z"],
    ["e", "M29 27h0M35 27h0"],
  ],
  scorpion: [
    ["l", "M24 42 12 48M24 36 12 38M40 42l12 6M40 36l12 2M26 30 16 24M38 30l10-6"],
    ["f", "M16 24c-8 2-10-6-6-12 0 4 4 4 8 2 2 4 2 8-2 10zM48 24c8 2 10-6 6-12 0 4-4 4-8 2-2 4-2 8 2 10z"],
    ["f", "M32 24c6 0 9 5 9 11s-4 13-9 13-9-7-9-13 3-11 9-11z"],
    ["t", "M32 48c0 10 12 12 16 4s-4-12-8-14"],
    ["f", "M40 38l-4-6 8 2z"],
    ["e", "M29 29h0M35 29h0"],
  ],
  "stink bug": [
    ["l", "M26 16 20 6M38 16 44 6M14 30 4 26M14 40 4 44M20 52 12 60M50 30l10-4M50 40l10 4M44 52l8 8"],
    ["f", "M32 12c6 0 8 4 8 8l12 6c0 14-8 26-20 34-12-8-20-20-20-34l12-6c0-4 2-8 8-8z"],
    ["c", "M14 27h36M32 27v32M20 32l12 14 12-14"],
  ],
};
const STYLES = { l: "limb", f: "shape", c: "crease", e: "eyes", w: "wing", t: "tail" };

function animal(name) {
  const drawn = (Object.hasOwn(ANIMALS, name) ? ANIMALS[name] : []).map(([kind, d]) => svg("path", { d, class: STYLES[kind] }));
  if (!drawn.length) drawn.push(svg("text", { x: 32, y: 42, class: "initial" }, name[0] ?? "?"));
  return svg("svg", { viewBox: "0 0 64 64", class: "animal", "aria-hidden": "true" }, ...drawn);
}

export function pile(item) {
  const name = item.name ?? "";
  const count = item.count ?? 1;
  const label = `${count} ${name || "face down"}`;
  const shown = name
    ? [animal(name), h("span", { class: "name" }, name)]
    : [back("cards that lie face down")];
  return h(
    "span",
    {
      class: `pile ${name ? `kind-${name.replace(/\W/g, "-")}` : "hidden-pile"} ${item.danger ? "danger" : ""}`,
      title: item.danger ? `${label}: one more of it loses` : label,
      "data-count": Math.min(count, 4),
    },
    ...shown,
    count > 1 || !name ? h("b", { class: "count" }, String(count)) : null,
  );
}

export function stake(item) {
  const high = Math.max(1, Math.min(6, Math.ceil(Math.log2(item.amount + 1))));
  const coins = [];
  for (let k = 0; k < high; k++) {
    coins.push(svg("ellipse", { cx: 20, cy: 4.5 * (high - k) + 4, rx: 17, ry: 7, class: k % 2 ? "coin odd" : "coin" }));
  }
  return h(
    "span",
    { class: "stake" },
    svg("svg", { viewBox: `0 0 40 ${4.5 * high + 12}`, class: "coins", "aria-hidden": "true" }, ...coins),
    h("b", {}, String(item.amount)),
    item.name ? h("small", {}, item.name) : null,
  );
}

// Signs of kinds of named cards in a box of 24 x 24: a shape each.
const SIGNS = {
  life: "M12 21C5 15 2 12 2 8a5 5 0 0 1 10-2 5 5 0 0 1 10 2c0 4-3 7-10 13z",
  boss: CROWN,
  gangster: "M1 16c3-2 5-2 6-3V6c3-3 7-3 10 0v7c1 1 3 1 6 3-3 4-19 4-22 0z",
  money: "M1 6h22v12H1zM12 8.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7z",
  weapon: "M2 6h20v5h-9l-1 3H9l-2 7H2l3-10H2z",
  specialist: "M12 2a5 5 0 1 1 0 10 5 5 0 0 1 0-10zM3 22c0-6 4-8 9-8s9 2 9 8z",
  contraband: "M9 2h6v5l3 3v12H6V10l3-3zM8 14v4h8v-4z",
};

export function named(item) {
  const [kind = "", colour = ""] = (item.kind ?? "").split(" ");
  const count = item.count ?? 1;
  const known = item.known ?? 0;
  const facts = [item.name || "a card that lies face down", kind, item.cost ? `cost ${item.cost}` : ""];
  if (known) facts.push(count > 1 ? `all know of ${known}` : "all know of it");
  const sign = SIGNS[kind];
  return h(
    "span",
    {
      class: `named ${item.name ? "" : "face-down"} sort-${kind || "none"} ${colour ? `life-${colour}` : ""}`,
      title: facts.filter(Boolean).join(", "),
    },
    sign ? svg("svg", { viewBox: "0 0 24 24", class: "sign", "aria-hidden": "true" }, svg("path", { d: sign })) : null,
    h("span", { class: "name" }, item.name || "?"),
    h("small", { class: "facts" }, kind),
    item.cost ? h("b", { class: "cost", "aria-hidden": "true" }, String(item.cost)) : null,
    count > 1 ? h("b", { class: "count" }, `×${count}`) : null,
    known ? h("small", { class: "known" }, known < count ? `open ${known}` : "open") : null,
  );
}
