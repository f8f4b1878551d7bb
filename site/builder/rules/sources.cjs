"use strict";
// The source of a rule with links to its papers and to the lines of code that it cites.

const { escape } = require("../page.cjs");

/** Repositories that sources name by a trainer's name and release. */
const trainers = {
  verl: ["verl-project/verl", "v"],
  TRL: ["huggingface/trl", "v"],
  OpenRLHF: ["OpenRLHF/OpenRLHF", "v"],
  "prime-rl": ["PrimeIntellect-ai/prime-rl", ""],
  "tinker-cookbook": ["thinking-machines-lab/tinker-cookbook", ""],
};

const link = (address, text) => `<a href="${escape(address)}">${escape(text)}</a>`;

/** The repository and the revision that a part of a source cites; undefined if it names none. */
function revisionOf(part) {
  const commit = /([\w.-]+\/[\w.-]+)(?: \([^)]*\))? at ([0-9a-f]{7,40})\b/.exec(part);
  if (commit) return { repository: commit[1], revision: commit[2] };
  for (const [name, [repository, prefix]] of Object.entries(trainers)) {
    const found = new RegExp(`(?:^|[\\s(])${name} (?:(\\d+\\.\\d+\\.\\d+)|at ([0-9a-f]{7,40}))\\b`).exec(
      part,
    );
    if (found) return { repository, revision: found[1] === undefined ? found[2] : prefix + found[1] };
  }
  return undefined;
}

/** Parts of a source that are linked: an address, a paper, or a file with a line or lines of it. */
const places =
  /(https?:\/\/[^\s)]+)|arXiv (\d{4}\.\d{5})(v\d+)?|([\w.-]+(?:\/[\w.-]+)+\.(?:py|yaml|sh|md))(?::(\d+)(?:-(\d+))?)?/g;

/** A source as HTML. Its parts are divided by semicolons, and each may cite another revision. */
function linkedSource(source) {
  return source
    .split(/(;\s)/)
    .map((part) => {
      const at = revisionOf(part);
      let html = "";
      let end = 0;
      for (const found of part.matchAll(places)) {
        const [whole, address, paper, version = "", file, first, last] = found;
        html += escape(part.slice(end, found.index));
        end = found.index + whole.length;
        if (address !== undefined) html += link(address, address.replace(/^https?:\/\//, ""));
        else if (paper !== undefined) html += link(`https://arxiv.org/abs/${paper}${version}`, whole);
        else if (at === undefined) html += `<code>${escape(whole)}</code>`;
        else {
          const line = first === undefined ? "" : `#L${first}${last === undefined ? "" : `-L${last}`}`;
          html += link(`https://github.com/${at.repository}/blob/${at.revision}/${file}${line}`, whole);
        }
      }
      return html + escape(part.slice(end));
    })
    .join("");
}

module.exports = { linkedSource: linkedSource };
