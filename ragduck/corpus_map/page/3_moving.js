// Which part of the map is seen, and how large.

const fittingScale = () => {
  const [width, height] = [canvas.width / pixels, canvas.height / pixels];
  const spanX = Math.max(1, extent.right), spanY = Math.max(1, extent.bottom);
  return Math.max(1e-4, Math.min((width - 2 * PADDING) / spanX, (height - 2 * PADDING) / spanY));
};
const extent = { right: 0, bottom: 0 };
for (let point = 0; point < count; point += 1) {
  extent.right = Math.max(extent.right, data.x[point]);
  extent.bottom = Math.max(extent.bottom, data.y[point]);
}

function fit() {
  view.scale = fittingScale();
  view.left = extent.right / 2 - canvas.width / pixels / 2 / view.scale;
  view.top = extent.bottom / 2 - canvas.height / pixels / 2 / view.scale;
  ask();
}

function zoom(factor, x = canvas.width / pixels / 2, y = canvas.height / pixels / 2) {
  const scale = Math.max(fittingScale() / 4, Math.min(fittingScale() * 400, view.scale * factor));
  view.left += x / view.scale - x / scale;
  view.top += y / view.scale - y / scale;
  view.scale = scale;
  ask();
}

function showArea(points) {
  if (!points.length) return;
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const point of points) {
    left = Math.min(left, data.x[point]);
    right = Math.max(right, data.x[point]);
    top = Math.min(top, data.y[point]);
    bottom = Math.max(bottom, data.y[point]);
  }
  const [width, height] = [canvas.width / pixels, canvas.height / pixels];
  const least = GRID / 60;
  const scale = Math.min((width - 4 * PADDING) / Math.max(least, right - left), (height - 4 * PADDING) / Math.max(least, bottom - top));
  go(scale, (left + right) / 2 - width / 2 / scale, (top + bottom) / 2 - height / 2 / scale);
}

function go(scale, left, top) {
  const from = { ...view };
  const began = performance.now();
  const step = (now) => {
    const share = isCalm.matches ? 1 : Math.min(1, (now - began) / 300);
    const eased = 1 - (1 - share) ** 3;
    view.scale = from.scale + (scale - from.scale) * eased;
    view.left = from.left + (left - from.left) * eased;
    view.top = from.top + (top - from.top) * eased;
    draw();
    if (share < 1) requestAnimationFrame(step);
  };
  step(isCalm.matches ? began + 300 : began);
}
