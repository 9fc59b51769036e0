// Pointer, fingers, wheel, keys and controls.

const fingers = new Map();
let moved = 0;

function spread() {
  const [one, two] = [...fingers.values()];
  return Math.hypot(one.x - two.x, one.y - two.y);
}

canvas.addEventListener("pointerdown", (event) => {
  canvas.setPointerCapture(event.pointerId);
  fingers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
  moved = 0;
  canvas.classList.add("moving");
});
canvas.addEventListener("pointermove", (event) => {
  const before = fingers.get(event.pointerId);
  if (!before) {
    const found = pointAt(event.offsetX, event.offsetY);
    if (found !== pointed) ask();
    pointed = found;
    canvas.classList.toggle("pointing", pointed >= 0);
    showTip(event.offsetX, event.offsetY);
    return;
  }
  const apart = fingers.size === 2 ? spread() : 0;
  fingers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
  if (apart) zoom(spread() / apart, event.offsetX, event.offsetY);
  else {
    view.left -= (event.offsetX - before.x) / view.scale;
    view.top -= (event.offsetY - before.y) / view.scale;
  }
  moved += Math.abs(event.offsetX - before.x) + Math.abs(event.offsetY - before.y);
  pointed = -1;
  byId("tip").hidden = true;
  ask();
});
canvas.addEventListener("pointerup", (event) => {
  fingers.delete(event.pointerId);
  canvas.classList.remove("moving");
  if (moved > 4) return;
  const found = pointAt(event.offsetX, event.offsetY);
  if (found >= 0) choose(found, false); else release();
});
canvas.addEventListener("pointercancel", (event) => {
  fingers.delete(event.pointerId);
  canvas.classList.remove("moving");
});
canvas.addEventListener("pointerleave", () => {
  pointed = -1;
  byId("tip").hidden = true;
  ask();
});
canvas.addEventListener("wheel", (event) => {
  event.preventDefault();
  zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), event.offsetX, event.offsetY);
}, { passive: false });
canvas.addEventListener("dblclick", (event) => zoom(2, event.offsetX, event.offsetY));

canvas.addEventListener("keydown", (event) => {
  const step = 60 / view.scale;
  const keys = {
    ArrowLeft: () => { view.left -= step; }, ArrowRight: () => { view.left += step; },
    ArrowUp: () => { view.top -= step; }, ArrowDown: () => { view.top += step; },
    "+": () => zoom(1.4), "=": () => zoom(1.4), "-": () => zoom(1 / 1.4), 0: fit,
  };
  if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  keys[event.key]();
  ask();
});
document.addEventListener("keydown", (event) => { if (event.key === "Escape") release(); });

byId("search").addEventListener("input", search);
byId("search").addEventListener("keydown", (event) => { if (event.key === "Enter") showArea(search()); });
byId("colour").addEventListener("change", (event) => {
  groupName = event.target.value;
  hidden.clear();
  regroup();
});
for (const id of ["labels", "links"]) byId(id).addEventListener("change", ask);
byId("fit").addEventListener("click", fit);
byId("in").addEventListener("click", () => zoom(1.5));
byId("out").addEventListener("click", () => zoom(1 / 1.5));
byId("all").addEventListener("click", () => setAll(true));
byId("none").addEventListener("click", () => setAll(false));
isDark.addEventListener("change", regroup);
