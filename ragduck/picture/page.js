"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const COLOURS = {
    TABLE: "#2f7ed8", VIEW: "#5aa7e8", PROC: "#d9822b", FUNC: "#c9a227", TRIGGER: "#b5541c", TYPE: "#4c9a52",
    METHOD: "#8a6fd1", PROPERTY: "#a79bc9", FIELD: "#a79bc9", DBSET: "#2aa198", MIGRATION: "#c2577a",
    FILE: "#8a93a0", FOREIGN_KEY: "#7b8da8", INDEX: "#7b8da8", SEQUENCE: "#7b8da8", SYNONYM: "#7b8da8",
  };
  const SHAPES = {
    TABLE: "round-rectangle", VIEW: "round-rectangle", PROC: "hexagon", FUNC: "hexagon", TRIGGER: "hexagon",
    FILE: "rectangle", MIGRATION: "tag", DBSET: "barrel",
  };
  const DEFAULT_COLOUR = "#7b8da8";
  const ROWS = ["FILE", "TYPE", "METHOD", "PROPERTY", "FIELD", "DBSET", "MIGRATION", "PROC", "FUNC", "TRIGGER", "VIEW", "TABLE"];
  const FORCE_STEPS = 1500;
  const MAX_NAMED = 12; // ties that are labelled at once

  const colour = (kind) => COLOURS[kind] || DEFAULT_COLOUR;
  const byId = (id) => document.getElementById(id);
  const nodes = new Map(data.nodes.map((node) => [node.node_key, node]));
  const hidden = { kind: new Set(), relation: new Set() };
  let chosen = null;

  function element(tag, text, className) {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    if (className) made.className = className;
    return made;
  }

  function counted(values) {
    const counts = new Map();
    for (const value of values) counts.set(value, (counts.get(value) || 0) + 1);
    return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  }

  function lines() {
    const seen = new Map();
    for (const edge of data.edges) {
      const id = JSON.stringify([edge.from_key, edge.to_key, edge.relation]);
      if (nodes.has(edge.from_key) && nodes.has(edge.to_key) && !seen.has(id)) {
        seen.set(id, { group: "edges", data: { id, source: edge.from_key, target: edge.to_key, relation: edge.relation } });
      }
    }
    return [...seen.values()];
  }

  function circles() {
    return data.nodes.map((node) => ({
      group: "nodes",
      data: {
        id: node.node_key, label: node.label, kind: node.kind, colour: colour(node.kind),
        shape: SHAPES[node.kind] || "ellipse", size: node.distance === 0 ? 34 : 20,
        border: node.is_external ? "dashed" : "solid", width: node.distance === 0 ? 4 : 1,
      },
    }));
  }

  const ink = () => getComputedStyle(document.documentElement).getPropertyValue("--ink").trim();
  const faint = () => getComputedStyle(document.documentElement).getPropertyValue("--faint").trim();
  const paper = () => getComputedStyle(document.documentElement).getPropertyValue("--paper").trim();
  const accent = () => getComputedStyle(document.documentElement).getPropertyValue("--accent").trim();

  const style = () => [
    { selector: "node", style: {
      "background-color": "data(colour)", shape: "data(shape)", width: "data(size)", height: "data(size)",
      label: "data(label)", color: ink(), "font-size": 13, "text-valign": "bottom", "text-margin-y": 3,
      "text-background-color": paper(), "text-background-opacity": 0.75, "text-background-padding": 1,
      "border-style": "data(border)", "border-width": "data(width)", "border-color": ink(), "min-zoomed-font-size": 6 } },
    { selector: "edge", style: {
      width: 1.2, "line-color": faint(), "target-arrow-color": faint(), "target-arrow-shape": "triangle",
      "arrow-scale": 0.8, "curve-style": "bezier", opacity: 0.55, "font-size": 9, color: faint(),
      "text-background-color": paper(), "text-background-opacity": 0.85 } },
    { selector: ".away", style: { display: "none" } },
    { selector: ".dim", style: { opacity: 0.12 } },
    { selector: "edge.named", style: { label: "data(relation)" } },
    { selector: "edge.near", style: { opacity: 1, width: 2, "line-color": accent(), "target-arrow-color": accent() } },
    { selector: "node.chosen", style: { "border-width": 4, "border-color": accent(), "border-style": "solid" } },
  ];

  const picture = window.cytoscape({
    container: byId("graph"), elements: [...circles(), ...lines()], style: style(),
    layout: { name: "preset" }, minZoom: 0.1, maxZoom: 4,
  });
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => picture.style(style()));

  function arrange(name) {
    const shown = picture.elements().not(".away");
    const settings = {
      force: { name: "cose", randomize: false, animate: false, numIter: FORCE_STEPS, idealEdgeLength: 130, nodeRepulsion: 90000, nodeOverlap: 40, gravity: 0.25 },
      rings: { name: "concentric", concentric: (node) => -nodes.get(node.id()).distance, levelWidth: () => 1, minNodeSpacing: 34 },
      rows: { name: "grid", condense: false, avoidOverlapPadding: 26, position: inRow },
    }[name];
    if (name === "force") shown.layout({ name: "concentric", concentric: (node) => -nodes.get(node.id()).distance, levelWidth: () => 1 }).run();
    if (name === "rows") columns.clear();
    shown.layout({ ...settings, fit: true, padding: 40 }).run();
  }

  const columns = new Map();
  function inRow(node) {
    const kind = node.data("kind");
    const row = ROWS.includes(kind) ? ROWS.indexOf(kind) : ROWS.length;
    const col = columns.get(row) || 0;
    columns.set(row, col + 1);
    return { row, col };
  }

  function filter() {
    picture.batch(() => {
      picture.nodes().forEach((node) => node.toggleClass("away", hidden.kind.has(node.data("kind")) && nodes.get(node.id()).distance !== 0));
      picture.edges().forEach((edge) => edge.toggleClass("away", hidden.relation.has(edge.data("relation")) || edge.source().hasClass("away") || edge.target().hasClass("away")));
      picture.nodes().forEach((node) => {
        const alone = nodes.get(node.id()).distance > 0 && node.connectedEdges().not(".away").empty();
        if (alone) node.addClass("away");
      });
    });
    const shown = picture.nodes().not(".away").length;
    byId("counts").textContent = `${shown} of ${data.nodes.length} nodes, ${picture.edges().not(".away").length} ties`;
    list();
  }

  function boxes(place, group, values, swatched) {
    for (const [value, count] of counted(values)) {
      const label = element("label");
      const box = element("input");
      box.type = "checkbox";
      box.checked = true;
      box.addEventListener("change", () => {
        if (box.checked) hidden[group].delete(value); else hidden[group].add(value);
        filter();
      });
      label.append(box);
      if (swatched) {
        const swatch = element("span", undefined, "swatch");
        swatch.style.background = colour(value);
        label.append(swatch);
      }
      label.append(element("span", value), element("span", String(count)));
      place.append(label);
    }
  }

  function list() {
    const wanted = byId("search").value.trim().toLowerCase();
    const found = data.nodes.filter((node) => !picture.getElementById(node.node_key).hasClass("away")
      && (node.node_key.toLowerCase().includes(wanted) || node.label.toLowerCase().includes(wanted)));
    byId("nodes").replaceChildren(...found.map((node) => {
      const item = element("li");
      const button = element("button");
      button.type = "button";
      button.title = node.node_key;
      button.setAttribute("aria-current", String(node.node_key === chosen));
      const swatch = element("span", undefined, "swatch");
      swatch.style.background = colour(node.kind);
      button.append(swatch, element("span", node.label));
      button.addEventListener("click", () => choose(node.node_key, true));
      item.append(button);
      return item;
    }));
  }

  function tie(edge, key) {
    const box = element("div", undefined, "tie");
    const outward = edge.from_key === key;
    const otherKey = outward ? edge.to_key : edge.from_key;
    const other = nodes.get(otherKey);
    box.append(element("strong", outward ? `${edge.relation} → ` : `← ${edge.relation} `));
    if (other) {
      const button = element("button", other.label);
      button.type = "button";
      button.title = otherKey;
      button.addEventListener("click", () => choose(otherKey, true));
      box.append(button);
    } else {
      box.append(element("span", otherKey));
    }
    const detail = edge.detail ? ` (${edge.detail})` : "";
    const place = edge.source_file ? `${edge.source_file}:${edge.line}` : "";
    box.append(element("p", `${place}  ${edge.rule}${detail}, confidence ${edge.confidence}`, "place"));
    if (edge.snippet) box.append(element("code", edge.snippet));
    return box;
  }

  function choose(key, moves) {
    const node = nodes.get(key);
    if (!node) return;
    chosen = key;
    const mark = picture.getElementById(key);
    picture.elements().removeClass("chosen near named dim");
    picture.elements().not(mark.closedNeighborhood()).addClass("dim");
    mark.addClass("chosen");
    const near = mark.connectedEdges().not(".away").addClass("near");
    if (near.length <= MAX_NAMED) near.addClass("named");
    if (moves) picture.animate({ center: { eles: mark }, duration: 200 });
    const ties = data.edges.filter((edge) => edge.from_key === key || edge.to_key === key)
      .filter((edge) => !hidden.relation.has(edge.relation));
    const place = node.source_file ? `${node.source_file}:${node.start_line}-${node.end_line}` : "not defined in the store";
    const parts = [
      element("h2", node.label),
      element("p", [node.kind, node.role, `distance ${node.distance}`].filter(Boolean).join(", "), "place"),
      element("p", node.node_key, "place"),
      element("p", place, "place"),
    ];
    if (data.texts[key]) parts.push(element("h3", "Text"), element("pre", data.texts[key]));
    parts.push(element("h3", `${ties.length} ties shown`), ...ties.map((edge) => tie(edge, key)));
    byId("details").replaceChildren(...parts);
    byId("details").scrollTop = 0;
    list();
  }

  function release() {
    chosen = null;
    picture.elements().removeClass("chosen near named dim");
    list();
  }

  boxes(byId("kinds"), "kind", data.nodes.map((node) => node.kind), true);
  boxes(byId("relations"), "relation", data.edges.map((edge) => edge.relation), false);
  picture.on("tap", "node", (event) => choose(event.target.id(), false));
  picture.on("tap", (event) => { if (event.target === picture) release(); });
  byId("search").addEventListener("input", list);
  byId("layout").addEventListener("change", (event) => arrange(event.target.value));
  byId("fit").addEventListener("click", () => picture.fit(undefined, 40));
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") release(); });
  filter();
  arrange("force");
  if (data.nodes.length) choose(data.nodes[0].node_key, false);
})();
