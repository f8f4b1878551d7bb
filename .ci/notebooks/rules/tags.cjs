"use strict";
const { joined } = require("../read.cjs");

const tag = /\[[PRNUDSA]\]/;

/** Visible text for a reader: names of axes in code, such as `ratio [N]`, are not. */
const prose = (source) => source.replace(/^```[^]*?^```|`[^`]*`|\$[^$]*\$/gm, " ");

/** Evidence tags are notes for referees: the appendix has them. */
function look({ cells }) {
  return cells.flatMap(({ place, type, source, outputs }) => {
    const shown = outputs.map(({ data }) => joined(data?.["text/html"])).join("\n");
    const [found] = tag.exec(type === "markdown" ? prose(source) : shown) ?? [];
    return found
      ? [[place, `the evidence tag ${found} says nothing to a learner; leave it to the appendix`]]
      : [];
  });
}

module.exports = { kinds: ["lesson"], look };
