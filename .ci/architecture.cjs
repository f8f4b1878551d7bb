"use strict";
// Draws the folders of lib/turnwise/src and kernel/src with the imports between them, as dependency-cruiser finds them.
const path = require("node:path");
const floors = require("./floors.cjs");

const root = path.resolve(__dirname, "..");
const box = { width: 190, height: 46 };
const gap = { x: 24, y: 44 };
const margin = 24;

/** Which rooms below it each room imports from; imports that go up are refused by `npm run check`, not drawn. */
async function importsBetween(workspace) {
  const { cruise } = await import("dependency-cruiser");
  const { default: options } = await import("../.dependency-cruiser.cjs");
  const { output } = await cruise([`${workspace}/src`], {
    ...options.options,
    baseDir: root,
    // What packages import is not drawn.
    includeOnly: { path: `^${workspace}/src/` },
  });
  const room = (file) => new RegExp(`^${workspace}/src/([^/]+)/`).exec(file)?.[1];
  const upwards = floors[workspace].flatMap(Object.keys);
  const between = new Map(upwards.map((name) => [name, new Set()]));
  for (const { source, dependencies } of output.modules)
    for (const { resolved } of dependencies) {
      const [from, to] = [room(source), room(resolved)];
      if (upwards.includes(to) && upwards.indexOf(to) < upwards.indexOf(from)) between.get(from).add(to);
    }
  return between;
}

/** All rooms that a room reaches, without the direct way to one of them. */
function reached(between, from, without) {
  const found = new Set();
  const open = [...between.get(from)].filter((to) => to !== without);
  while (open.length > 0) {
    const next = open.pop();
    if (!found.has(next)) open.push(...between.get(next));
    found.add(next);
  }
  return found;
}

/** The imports that do not also follow from a longer way: few enough to be drawn. */
const essential = (between) =>
  [...between].flatMap(([from, to]) =>
    [...to].filter((one) => !reached(between, from, one).has(one)).map((one) => [from, one]),
  );

function levelsOf(between) {
  const level = (name) => Math.max(-1, ...[...between.get(name)].map(level)) + 1;
  return new Map([...between.keys()].map((name) => [name, level(name)]));
}

/** Rows of nodes from the ground up. An arrow over several levels gets a narrow node on each level that it passes. */
function rowsOf(levels, arrows) {
  const rows = Array.from({ length: Math.max(...levels.values()) + 1 }, () => []);
  const nodes = new Map();
  const add = (name, level, width) => {
    const node = { name, level, width, near: [], x: 0 };
    rows[level].push(node);
    return node;
  };
  for (const [name, level] of levels) nodes.set(name, add(name, level, box.width));
  const ways = arrows.map(([from, to]) => {
    const way = [nodes.get(from)];
    for (let level = levels.get(from) - 1; level > levels.get(to); level--) way.push(add("", level, 8));
    way.push(nodes.get(to));
    way.slice(1).forEach((node, i) => {
      node.near.push(way[i]);
      way[i].near.push(node);
    });
    return way;
  });
  return { rows, ways };
}

const mean = (numbers) => numbers.reduce((a, b) => a + b, 0) / numbers.length;

/** Moves each node of a row towards the mean of its neighbors, and keeps their distance. */
function settle(row) {
  const wish = new Map(
    row.map((node) => [node, node.near.length ? mean(node.near.map(({ x }) => x)) : node.x]),
  );
  row.sort((a, b) => wish.get(a) - wish.get(b) || (a.name < b.name ? -1 : 1));
  const apart = (a, b) => (a.width + b.width) / 2 + gap.x;
  // Nodes that would overlap stand as one block, whose place is the mean of what its nodes wish for.
  const blocks = [];
  for (const node of row) {
    let block = { nodes: [node], offsets: [0] };
    const place = (b) => mean(b.nodes.map((one, i) => wish.get(one) - b.offsets[i]));
    for (;;) {
      block.at = place(block);
      const before = blocks.at(-1);
      if (!before) break;
      const shift = before.offsets.at(-1) + apart(before.nodes.at(-1), block.nodes[0]);
      if (before.at + shift <= block.at) break;
      blocks.pop();
      block = {
        nodes: [...before.nodes, ...block.nodes],
        offsets: [...before.offsets, ...block.offsets.map((x) => x + shift)],
      };
    }
    blocks.push(block);
  }
  for (const { nodes, offsets, at } of blocks) nodes.forEach((node, i) => (node.x = at + offsets[i]));
}

function arrange(rows) {
  for (const row of rows) {
    let x = 0;
    for (const node of row) {
      node.x = x;
      x += node.width + gap.x;
    }
  }
  for (let round = 0; round < 40; round++) {
    for (const row of rows) settle(row);
    for (const row of [...rows].reverse()) settle(row);
  }
  const left = Math.min(...rows.flat().map((node) => node.x - node.width / 2));
  for (const node of rows.flat()) node.x = Math.round(node.x - left + margin);
}

const style = `
  .ground { fill: #ffffff; }
  .room { fill: #eef3fb; stroke: #5b7db1; }
  .name { fill: #14233c; font: 600 15px sans-serif; }
  .purpose { fill: #44546d; font: 11.5px sans-serif; }
  .import { fill: none; stroke: #7a8799; stroke-width: 1.4; }
  .head { fill: #7a8799; }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #12161d; }
    .room { fill: #1d2a40; stroke: #6f94cc; }
    .name { fill: #e8eefa; }
    .purpose { fill: #a9b7cc; }
    .import { stroke: #8593a8; }
    .head { fill: #8593a8; }
  }`;

function draw(workspace, { rows, ways }) {
  const width = Math.max(...rows.flat().map((node) => node.x + node.width / 2)) + margin;
  const height = rows.length * (box.height + gap.y) - gap.y + 2 * margin;
  const top = ({ level }) => margin + (rows.length - 1 - level) * (box.height + gap.y);
  const purpose = Object.assign({}, ...floors[workspace]);
  const rooms = rows.flat().filter(({ name }) => name !== "");
  const boxes = rooms.map((node) =>
    [
      `<rect class="room" x="${node.x - box.width / 2}" y="${top(node)}" width="${box.width}" height="${box.height}" rx="6"/>`,
      `<text class="name" x="${node.x}" y="${top(node) + 19}" text-anchor="middle">${node.name}/</text>`,
      `<text class="purpose" x="${node.x}" y="${top(node) + 36}" text-anchor="middle">${purpose[node.name]}</text>`,
    ].join("\n  "),
  );
  const lines = ways.map((way) => {
    const { x } = way[0];
    let d = `M${x},${top(way[0]) + box.height}`;
    way.slice(1).forEach((node, i) => {
      const from = top(way[i]) + box.height;
      const to = top(node) - (node.name === "" ? 0 : 7);
      const middle = (from + to) / 2;
      d += ` C${way[i].x},${middle} ${node.x},${middle} ${node.x},${to}`;
      if (node.name === "") d += ` L${node.x},${top(node) + box.height}`;
    });
    return `<path class="import" d="${d}" marker-end="url(#head)"/>`;
  });
  const title = `The folders of ${workspace}/src and what they import`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${title}">
  <title>${title}</title>
  <style>${style}
  </style>
  <marker id="head" viewBox="0 0 8 8" refX="1" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="head" d="M0,0 L8,4 L0,8 z"/></marker>
  <rect class="ground" width="${width}" height="${height}" rx="8"/>
  ${lines.join("\n  ")}
  ${boxes.join("\n  ")}
</svg>
`;
}

/** The picture of a workspace as SVG. */
async function picture(workspace) {
  const between = await importsBetween(workspace);
  const layout = rowsOf(levelsOf(between), essential(between));
  arrange(layout.rows);
  return draw(workspace, layout);
}

module.exports = { picture };
