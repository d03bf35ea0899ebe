// The games of this page. Frames are packed: parts that several have in common stand in a pool.

import { get } from "./dom.js";

function json(id) {
  return JSON.parse(get(id).textContent);
}

export function heads() {
  return json("data");
}

function unpack([step, scene, events, panels, move], pool) {
  const found = { ...pool[scene] };
  for (const name of ["centre", "places", "aside"]) {
    if (name in found) found[name] = pool[found[name]].map((number) => pool[number]);
  }
  const beliefs = pool[panels].map((number) => pool[number]);
  return { step, scene: found, events: pool[events], panels: beliefs, move: pool[move] };
}

// {"all": [frame, ...], "0": [...]}: the viewpoints of game number `index`.
export function views(index) {
  const { views: packed, pool } = json(`data-${index}`);
  return Object.fromEntries(
    Object.entries(packed).map(([viewer, list]) => [viewer, list.map((frame) => unpack(frame, pool))]),
  );
}

// The last frame that was there when `step` moves were made.
export function frameAt(frames, step) {
  let low = 0;
  let high = frames.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (frames[middle].step <= step) low = middle;
    else high = middle - 1;
  }
  return frames[low];
}

// Runs of frames of one chapter: [{name, from, to}].
export function chapters(frames, steps) {
  const found = [];
  for (const frame of frames) {
    const name = frame.scene.chapter ?? "";
    if (!found.length || found.at(-1).name !== name) found.push({ name, from: frame.step });
  }
  return found.map((part, k) => ({ ...part, to: found[k + 1]?.from ?? steps + 1 }));
}
