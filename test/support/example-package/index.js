"use strict";
const areas = { triangle: 0.5, square: 1 };

// What help("triangle") answers: `help` in package.json lets it load this module.
const topicsSymbol = Symbol.for("turnwise.topics");
const before = globalThis[topicsSymbol];
const topics = Object.keys(areas).map((name) => ({
  group: "options",
  name,
  about: `a ${name} of side 1`,
  page: `A ${name} of side 1 has area ${areas[name]}.`,
}));
Object.defineProperty(globalThis, topicsSymbol, {
  value: () => [...(before ? before() : []), ...topics],
  configurable: true,
});

exports.measureShape = (shape) => Promise.resolve([areas[shape]]);
exports.draw = (shape) => `<${shape}>`;
