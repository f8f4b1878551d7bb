"use strict";
const ts = require("typescript");
const { codeCells, found } = require("../code.cjs");

const plumbing = /^(?:title|subtitle|[xy]Title|xLabel|yLabel|legend|encoding|mark|\$schema)$/;

/** No chart is described in a cell: what it is called and how its axes are named is the library's work. */
function look(notebook) {
  return codeCells(notebook).flatMap((cell) => {
    const keys = found(cell, (node) => ts.isPropertyAssignment(node) && plumbing.test(node.name.getText()));
    if (keys.length === 0) return [];
    const names = [...new Set(keys.map((node) => `${node.name.getText()}:`))].join(" and ");
    return [
      [
        cell.place,
        `${names} describe a chart; draw it by a function of lib/course/src named for what it shows`,
      ],
    ];
  });
}

module.exports = { kinds: ["lesson"], look };
