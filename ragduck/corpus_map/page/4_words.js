// Legend, findings, and what is told of a point.

const titleOf = (point) => data.titles[data.title[point]];
const fileOf = (point) => data.files[data.file[point]];
const placeOf = (point) => (data.level === "file" ? fileOf(point) : `${fileOf(point)}:${data.start[point]}-${data.end[point]}`);
const topicOf = (point) => (data.topics[data.topic[point]] || { name: NO_TOPIC }).name;
const groupText = (name, point) => data.groups[name].names[data.groups[name].of[point]];

function showTip(x, y) {
  const tip = byId("tip");
  tip.hidden = pointed < 0;
  if (pointed < 0) return;
  tip.replaceChildren(element("strong", titleOf(pointed)), element("span", placeOf(pointed)));
  if (data.topics.length) tip.append(element("span", topicOf(pointed)));
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  tip.style.left = `${Math.max(0, Math.min(x + 14, width - tip.offsetWidth - 4))}px`;
  tip.style.top = `${y + 18 + tip.offsetHeight > height ? Math.max(0, y - tip.offsetHeight - 12) : y + 18}px`;
}

function item(point, note) {
  const entry = element("li");
  const button = element("button", titleOf(point));
  button.type = "button";
  button.append(element("span", note ? `${placeOf(point)} ${note}` : placeOf(point)));
  button.addEventListener("click", () => choose(point, true));
  entry.append(button);
  return entry;
}

function list(points, notes) {
  const made = element("ul");
  made.append(...points.slice(0, LISTED).map((point, place) => item(point, notes && notes[place])));
  if (points.length > LISTED) made.append(element("li", `and ${number(points.length - LISTED)} more`, "place"));
  return made;
}

function nearest(point) {
  const found = [];
  for (let other = 0; other < count; other += 1) {
    if (other === point || !isShown(other)) continue;
    const distance = (data.x[other] - data.x[point]) ** 2 + (data.y[other] - data.y[point]) ** 2;
    if (found.length < 8 || distance < found.at(-1)[0]) {
      found.push([distance, other]);
      found.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
      found.length = Math.min(found.length, 8);
    }
  }
  return found.map((pair) => pair[1]);
}

function describe(point) {
  const facts = element("dl");
  const add = (name, value) => facts.append(element("dt", name), element("dd", value));
  if (data.topics.length) add("topic", topicOf(point));
  for (const name of Object.keys(data.groups)) add(GROUPS[name] || name, groupText(name, point));
  const parts = [element("h2", titleOf(point)), element("p", placeOf(point), "place"), facts];
  const times = (links) => links.map((link) => (link[2] > 1 ? `(${link[2]} links)` : ""));
  const out = data.links.filter((link) => link[0] === point);
  const into = data.links.filter((link) => link[1] === point);
  if (out.length) parts.push(element("h3", `Links to ${number(out.length)}`), list(out.map((link) => link[1]), times(out)));
  if (into.length) parts.push(element("h3", `Linked from ${number(into.length)}`), list(into.map((link) => link[0]), times(into)));
  parts.push(element("h3", "Nearest on the map"), list(nearest(point)));
  byId("details").replaceChildren(...parts);
  byId("details").scrollTop = 0;
}

function explain() {
  const parts = [
    element("h2", "How to read it"),
    element("p", `Each point is a ${data.level}. What lies close together says something alike; how far apart two regions are says little.`),
    element("p", "Point at one to see what it is, choose it for more. Drag to move, turn the wheel to zoom. With the keyboard: arrows, + and −, 0 for all, Escape."),
  ];
  if (data.links.length) parts.push(element("p", `Links of Markdown files are drawn for the chosen point; the box above draws all (${number(data.links.length)}).`));
  parts.push(element("p", `${number(count)} ${data.level}s, ${data.method}${data.made ? `, made ${data.made} UTC` : ""}.`, "place"));
  byId("details").replaceChildren(...parts);
}

function choose(point, moves) {
  chosen = point;
  describe(point);
  if (moves) {
    const scale = Math.max(view.scale, fittingScale() * 4);
    go(scale, data.x[point] - canvas.width / pixels / 2 / scale, data.y[point] - canvas.height / pixels / 2 / scale);
  }
  ask();
}

function release() {
  chosen = -1;
  pointed = -1;
  byId("tip").hidden = true;
  explain();
  ask();
}

function search() {
  const wanted = byId("search").value.trim().toLowerCase().split(/\s+/).filter(Boolean);
  matches = null;
  let found = [];
  if (wanted.length) {
    matches = new Uint8Array(count);
    const titles = data.titles.map((text) => text.toLowerCase());
    const files = data.files.map((text) => text.toLowerCase());
    for (let point = 0; point < count; point += 1) {
      const [title, file] = [titles[data.title[point]], files[data.file[point]]];
      if (wanted.every((word) => title.includes(word) || file.includes(word))) {
        matches[point] = 1;
        found.push(point);
      }
    }
  }
  byId("found").hidden = !wanted.length;
  byId("found-title").textContent = found.length ? `Found ${number(found.length)}` : "Nothing found";
  byId("found-list").replaceWith(list(found));
  byId("found").querySelector("ul").id = "found-list";
  tell();
  ask();
  return found;
}

function tell() {
  let shown = 0;
  for (const place of group.order) if (!hidden.has(place)) shown += group.counts[place];
  const told = [shown === count ? `${number(count)} ${data.level}s` : `${number(shown)} of ${number(count)} ${data.level}s`];
  if (matches) told.push(`${number(matches.reduce((sum, each) => sum + each, 0))} found`);
  byId("counts").textContent = told.join(", ");
}

function legend() {
  byId("legend-title").textContent = `By ${GROUPS[groupName]}`;
  byId("legend").replaceChildren(...group.order.map((place) => {
    const label = element("label");
    const box = element("input");
    box.type = "checkbox";
    box.checked = !hidden.has(place);
    box.addEventListener("change", () => {
      if (box.checked) hidden.delete(place); else hidden.add(place);
      tell();
      ask();
    });
    const swatch = element("span", undefined, "swatch");
    swatch.style.background = group.colours[place];
    label.append(box, swatch, element("span", group.names[place] || "none", "name"), element("span", number(group.counts[place]), "count"));
    const keywords = groupName === "topic" && data.topics[place] ? data.topics[place].keywords : [];
    if (keywords.length) label.title = keywords.join(", ");
    return label;
  }));
}

function regroup() {
  arrange();
  legend();
  tell();
  ask();
}

function setAll(isVisible) {
  hidden.clear();
  if (!isVisible) for (const place of group.order) hidden.add(place);
  legend();
  tell();
  ask();
}
