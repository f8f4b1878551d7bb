"use strict";

const thread =
  /\]\(https:\/\/(?:github\.com\/[\w.-]+\/[\w.-]+\/(?:issues|pull|discussions)\/\d+|arxiv\.org\/abs\/[\d.]+)\)/;

/** A lesson begins with a run that someone has reported, and ends with the command that looks for the same in the reader's own. */
function look({ cells, sections }) {
  const problems = [];
  const first = cells[0];
  const opening = first?.source.split(/\n\n/)[1] ?? "";
  if (!thread.test(opening))
    problems.push([
      first?.place ?? "the notebook",
      "the first paragraph must tell of a real run and link to its thread or paper",
    ]);
  const last = sections.at(-1).items.map(({ text }) => text);
  if (!last.some((text) => /### In your own run[^]*`npx turnwise doctor/.test(text)))
    problems.push([
      "Takeaways",
      '"### In your own run" must say what `npx turnwise doctor` finds there, in the paragraph below its table',
    ]);
  return problems;
}

module.exports = { kinds: ["lesson"], look };
