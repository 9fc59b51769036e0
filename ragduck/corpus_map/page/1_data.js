// What the page is given, how it is grouped and coloured, and which point is where.

const data = JSON.parse(document.getElementById("data").textContent);
const GRID = 65535;
const CELLS = 256; // of the index of points, in each direction
const REACH = 10; // pixels from the pointer within which a point is meant
const LISTED = 200;
const PADDING = 40;
const GROUPS = {
  topic: "topic", repo: "repository", branch: "branch", data_type: "data type", file_class: "file class",
  kind: "kind", file_type: "file type",
};
const NO_TOPIC = "between topics";

const byId = (id) => document.getElementById(id);
const count = data.x.length;
const number = (value) => value.toLocaleString("en");
const canvas = byId("canvas");
const pen = canvas.getContext("2d");
const isDark = window.matchMedia("(prefers-color-scheme: dark)");
const isCalm = window.matchMedia("(prefers-reduced-motion: reduce)");
const view = { scale: 1, left: 0, top: 0 };
const hidden = new Set();
let pixels = 1;
let groupName = "topic";
let group = null; // {names, of: place per point, counts, colours, order}
let matches = null; // Uint8Array, 1 where the search fits
let chosen = -1;
let pointed = -1;
let isAsked = false; // for a picture at the next frame

function element(tag, text, className) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

const colourOf = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// Hues far apart for neighbours in the list; lightness in three steps tells apart what hue alone does not.
function colours(length, noneAt) {
  const [saturation, steps] = isDark.matches ? [62, [66, 56, 76]] : [66, [42, 52, 33]];
  return Array.from({ length }, (_, place) => {
    if (place === noneAt) return colourOf("--none");
    const hue = (212 + place * 137.508) % 360;
    return `hsl(${hue.toFixed(0)} ${saturation}% ${steps[Math.floor(place / 9) % 3]}%)`;
  });
}

function grouping(name) {
  let names, of;
  if (name === "topic") {
    names = [...data.topics.map((topic) => topic.name), NO_TOPIC];
    of = data.topic.map((topic) => (topic >= 0 && topic < data.topics.length ? topic : data.topics.length));
  } else {
    ({ names, of } = data.groups[name]);
  }
  const counts = new Array(names.length).fill(0);
  for (const place of of) counts[place] += 1;
  const order = names.map((_, place) => place).filter((place) => counts[place] > 0)
    .sort((a, b) => counts[b] - counts[a] || (names[a] < names[b] ? -1 : 1));
  if (name === "topic") order.sort((a, b) => (names[a] === NO_TOPIC) - (names[b] === NO_TOPIC) || a - b);
  const shades = colours(order.length, name === "topic" ? order.indexOf(data.topics.length) : -1);
  const byPlace = new Array(names.length).fill(colourOf("--none"));
  order.forEach((place, rank) => { byPlace[place] = shades[rank]; });
  return { names, of, counts, order, colours: byPlace };
}

// Points of each group side by side, so that a colour is set once; what is between topics lies undermost.
let drawOrder = [];
function arrange() {
  group = grouping(groupName);
  drawOrder = group.names.map(() => []);
  for (let point = 0; point < count; point += 1) drawOrder[group.of[point]].push(point);
}

const screenX = (point) => (data.x[point] - view.left) * view.scale;
const screenY = (point) => (data.y[point] - view.top) * view.scale;
const isShown = (point) => !hidden.has(group.of[point]);

// Points by cell, for the pointer.
const cells = new Map();
const cellOf = (value) => Math.min(CELLS - 1, Math.floor((value / (GRID + 1)) * CELLS));
for (let point = 0; point < count; point += 1) {
  const cell = cellOf(data.y[point]) * CELLS + cellOf(data.x[point]);
  if (cells.has(cell)) cells.get(cell).push(point); else cells.set(cell, [point]);
}

function pointAt(x, y) {
  const reach = REACH / view.scale;
  const [at, up] = [x / view.scale + view.left, y / view.scale + view.top];
  const [low, high] = [cellOf(Math.max(0, at - reach)), cellOf(Math.max(0, at + reach))];
  let best = -1;
  let nearest = reach * reach;
  for (let row = cellOf(Math.max(0, up - reach)); row <= cellOf(Math.max(0, up + reach)); row += 1) {
    for (let column = low; column <= high; column += 1) {
      for (const point of cells.get(row * CELLS + column) || []) {
        const distance = (data.x[point] - at) ** 2 + (data.y[point] - up) ** 2;
        if (distance <= nearest && isShown(point) && (!matches || matches[point] || point === chosen)) {
          nearest = distance;
          best = point;
        }
      }
    }
  }
  return best;
}
