"use strict";
// Which rules lie next to each other: the choices in which two of them differ, and the tree of the closest ones.

/** Fields that are how often a batch is used, and with which step: they are ours for small policies, so they tell no rules apart. */
const isOurs = ({ field }) => field.startsWith("update");

const fieldOf = ({ field }) => field.split(".")[0];

/** The choices in which two rules differ, each with the values of both, and how many fields that are. */
function distance(differences) {
  const between = differences.filter((one) => !isOurs(one));
  return { fields: [...new Set(between.map(fieldOf))], count: between.length, between };
}

/**
 * By rule: its parent in the tree, which begins at GRPO and adds the closest rule that it does not have yet; the rules that differ
 * in one field alone; and its depth.
 */
function treeOf(names, differencesOf, first = "grpo") {
  const found = new Map();
  const reversed = ({ between, ...rest }) => ({
    ...rest,
    between: between.map(({ field, values: [a, b] }) => ({ field, values: [b, a] })),
  });
  const between = (a, b) => {
    if (found.has(`${b} ${a}`)) return reversed(found.get(`${b} ${a}`));
    const key = `${a} ${b}`;
    if (!found.has(key)) found.set(key, distance(differencesOf(a, b)));
    return found.get(key);
  };
  const joined = [{ name: first, parent: undefined, depth: 0, children: [] }];
  const left = names.filter((name) => name !== first);
  while (left.length > 0) {
    const pairs = left.flatMap((name) =>
      joined.map((parent) => ({ name, parent, fields: between(parent.name, name).fields.length })),
    );
    // Of equally close ones the plainer: nearer to the root, then earlier in the table, which `left` is in the order of.
    const next = pairs.reduce((best, one) =>
      (one.fields - best.fields || one.parent.depth - best.parent.depth) < 0 ? one : best,
    );
    const node = { name: next.name, parent: next.parent.name, depth: next.parent.depth + 1, children: [] };
    next.parent.children.push(node);
    joined.push(node);
    left.splice(left.indexOf(next.name), 1);
  }
  const order = [];
  const walk = (node) => {
    order.push(node);
    node.children.forEach(walk);
  };
  walk(joined[0]);
  return Object.fromEntries(
    order.map(({ name, parent, depth }, place) => {
      const near = names
        .filter((other) => other !== name)
        .map((other) => ({ name: other, ...between(name, other) }))
        .filter(({ fields }) => fields.length <= 1);
      return [
        name,
        { place, depth, parent, step: parent === undefined ? undefined : between(parent, name), near },
      ];
    }),
  );
}

module.exports = { treeOf: treeOf };
