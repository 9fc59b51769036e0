// How the page begins.

// A canvas that changes its size is empty: it is drawn at once, not at the next frame.
let isFitted = false;
function resize() {
  pixels = window.devicePixelRatio || 1;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight].map((side) => Math.max(1, Math.round(side * pixels)));
  if (isFitted && canvas.width === width && canvas.height === height) return;
  canvas.width = width;
  canvas.height = height;
  if (!isFitted) fit();
  isFitted = canvas.clientWidth > 0;
  draw();
}

const choices = Object.keys(GROUPS).filter((name) => (name === "topic" ? data.topics.length : data.groups[name].names.length > 1));
if (!choices.length) choices.push("data_type");
groupName = choices[0];
byId("colour").append(...choices.map((name) => new Option(GROUPS[name], name)));
byId("links-label").hidden = !data.links.length;
arrange();
legend();
tell();
explain();
new ResizeObserver(resize).observe(byId("map"));
resize();
