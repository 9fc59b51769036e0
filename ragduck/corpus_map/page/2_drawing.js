// Points as pixels; links, names and marks as strokes over them.

function radius() {
  const crowd = Math.max(0.9, Math.min(4, 110 / Math.sqrt(count + 1)));
  const zoom = view.scale / fittingScale();
  return Math.min(9, crowd * Math.max(1, zoom ** 0.45) + 0.4);
}

// Discs are put into the pixels directly: without a graphics card a canvas takes ten times as long for so many.
let picture = null;
function drawPoints() {
  if (!picture || picture.width !== canvas.width || picture.height !== canvas.height) {
    picture = pen.createImageData(canvas.width, canvas.height);
  }
  const [red, green, blue] = parts(colourOf("--paper"));
  new Uint32Array(picture.data.buffer).fill(((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0);
  const faint = colourOf("--none");
  const places = [...group.order].sort((a, b) => (group.names[b] === NO_TOPIC) - (group.names[a] === NO_TOPIC));
  for (const isLit of matches ? [false, true] : [true]) {
    const disc = discOf(radius() + (matches && isLit ? 1.2 : 0), isLit ? 0.85 : 0.3);
    for (const place of places) {
      if (!hidden.has(place)) drawGroup(drawOrder[place], disc, isLit, parts(isLit ? group.colours[place] : faint));
    }
  }
  pen.putImageData(picture, 0, 0);
}

// Shares of 256 that a disc covers of each pixel around its middle.
function discOf(size, opacity) {
  const reach = size * pixels;
  const side = 2 * Math.ceil(reach) + 1;
  const middle = (side - 1) / 2;
  const shares = new Uint16Array(side * side);
  for (let place = 0; place < shares.length; place += 1) {
    const distance = Math.hypot((place % side) - middle, Math.floor(place / side) - middle);
    shares[place] = 256 * opacity * Math.max(0, Math.min(1, reach - distance + 0.5));
  }
  return { side, middle, shares };
}

function drawGroup(points, { side, middle, shares }, isLit, [red, green, blue]) {
  const { data: pixel, width, height } = picture;
  const scale = view.scale * pixels;
  for (const point of points) {
    if (matches && Boolean(matches[point]) !== isLit) continue;
    const left = Math.round((data.x[point] - view.left) * scale) - middle;
    const top = Math.round((data.y[point] - view.top) * scale) - middle;
    if (left < 0 || top < 0 || left + side > width || top + side > height) continue;
    let share = 0;
    for (let row = top; row < top + side; row += 1) {
      for (let at = 4 * (row * width + left), end = at + 4 * side; at < end; at += 4, share += 1) {
        const part = shares[share];
        if (!part) continue;
        pixel[at] += ((red - pixel[at]) * part) >> 8;
        pixel[at + 1] += ((green - pixel[at + 1]) * part) >> 8;
        pixel[at + 2] += ((blue - pixel[at + 2]) * part) >> 8;
      }
    }
  }
}

// A canvas says any colour as #rrggbb.
function parts(colour) {
  pen.fillStyle = colour;
  return [1, 3, 5].map((place) => parseInt(pen.fillStyle.slice(place, place + 2), 16));
}

function drawLinks() {
  const all = byId("links").checked;
  if (!all && chosen < 0) return;
  for (const [from, to] of data.links) {
    const isNear = from === chosen || to === chosen;
    if ((!all && !isNear) || !isShown(from) || !isShown(to)) continue;
    pen.strokeStyle = colourOfLink[isNear ? 1 : 0];
    pen.lineWidth = isNear ? 1.8 : 0.9;
    pen.globalAlpha = isNear ? 0.95 : chosen >= 0 ? 0.35 : 0.6;
    arrow(screenX(from), screenY(from), screenX(to), screenY(to));
  }
  pen.globalAlpha = 1;
}

let colourOfLink = ["", ""];

function arrow(fromX, fromY, toX, toY) {
  const [aside, along] = [(toY - fromY) * 0.12, (toX - fromX) * 0.12];
  const [bendX, bendY] = [(fromX + toX) / 2 + aside, (fromY + toY) / 2 - along];
  const angle = Math.atan2(toY - bendY, toX - bendX);
  const gap = radius() + 1;
  const [tipX, tipY] = [toX - Math.cos(angle) * gap, toY - Math.sin(angle) * gap];
  pen.beginPath();
  pen.moveTo(fromX, fromY);
  pen.quadraticCurveTo(bendX, bendY, tipX, tipY);
  for (const side of [-0.45, 0.45]) {
    pen.moveTo(tipX, tipY);
    pen.lineTo(tipX - Math.cos(angle + side) * 7, tipY - Math.sin(angle + side) * 7);
  }
  pen.stroke();
}

function drawMark(point, colour) {
  pen.strokeStyle = colour;
  pen.lineWidth = 2.5;
  pen.beginPath();
  pen.arc(screenX(point), screenY(point), radius() + 3, 0, 2 * Math.PI);
  pen.stroke();
}

// The name of a topic stands at the point of it that is nearest to the middle, since the middle may lie between two clumps.
const members = data.topics.map(() => []);
data.topic.forEach((topic, point) => { if (members[topic]) members[topic].push(point); });
const anchors = members.map((points) => {
  const middle = (values) => points.map((point) => values[point]).sort((a, b) => a - b)[points.length >> 1];
  const [x, y] = [middle(data.x), middle(data.y)];
  const distance = (point) => (data.x[point] - x) ** 2 + (data.y[point] - y) ** 2;
  return points.reduce((best, point) => (best < 0 || distance(point) < distance(best) ? point : best), -1);
});

function drawNames(width, height, paper, ink) {
  const taken = [];
  pen.font = "600 12.5px system-ui, sans-serif";
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.lineJoin = "round";
  anchors.forEach((anchor, topic) => {
    if (anchor < 0 || (groupName === "topic" && hidden.has(topic))) return;
    const lines = wrapped(data.topics[topic].name);
    const wide = Math.max(...lines.map((line) => pen.measureText(line).width)) / 2 + 5;
    const high = lines.length * 8 + 3;
    let [x, y] = [screenX(anchor), screenY(anchor)];
    if (x < 0 || y < 0 || x > width || y > height) return;
    x = Math.max(wide, Math.min(width - wide, x));
    y = Math.max(high, Math.min(height - high, y));
    if (taken.some((box) => Math.abs(box[0] - x) < box[2] + wide && Math.abs(box[1] - y) < box[3] + high)) return;
    taken.push([x, y, wide, high]);
    lines.forEach((line, place) => {
      const lineY = y + (place - (lines.length - 1) / 2) * 15;
      pen.strokeStyle = paper;
      pen.lineWidth = 4;
      pen.globalAlpha = 0.85;
      pen.strokeText(line, x, lineY);
      pen.globalAlpha = 1;
      pen.fillStyle = ink;
      pen.fillText(line, x, lineY);
    });
  });
}

function wrapped(name) {
  const lines = [""];
  for (const part of name.split(/(?<=, )/)) {
    if (lines.at(-1) && (lines.at(-1) + part).length > 24) lines.push("");
    lines[lines.length - 1] += part;
  }
  return lines.map((line) => line.trim()).slice(0, 3);
}

function draw() {
  isAsked = false;
  const [width, height] = [canvas.width / pixels, canvas.height / pixels];
  const [paper, ink, accent, faint] = ["--paper", "--ink", "--accent", "--faint"].map(colourOf);
  colourOfLink = [faint, accent];
  pen.setTransform(pixels, 0, 0, pixels, 0, 0);
  drawPoints();
  drawLinks();
  if (byId("labels").checked) drawNames(width, height, paper, ink);
  if (pointed >= 0) drawMark(pointed, ink);
  if (chosen >= 0) drawMark(chosen, accent);
}

function ask() {
  if (isAsked) return;
  isAsked = true;
  requestAnimationFrame(draw);
}
