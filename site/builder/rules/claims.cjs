"use strict";
// The claims of the lessons by rule. They are read from the ledgers that the notebooks show, so a page says what its lesson says.

const fs = require("fs");
const path = require("path");

const ledger = "application/vnd.turnwise.ledger+json";

/** Names by which claims speak of rules, or of their papers, beside the rules' own titles. */
const others = {
  SORL: ["soPpo", "soGrpo"],
  "SO-PPO": ["soPpo"],
  SeeUPO: ["seeUpo", "seeUpoAuthors"],
  RAGEN: ["starPo", "starPoS", "ragenTopP"],
  "dual clip": ["verlGrpo"],
  "REINFORCE++": ["reinforcePlusPlus"],
  "WebAgent-R1": ["mGrpo"],
  "M-GRPO": ["mGrpo"],
  "GRPO with std": ["grpo"],
  FSPO: ["factualityFspo"],
  "divided by the group's std": ["grpo"],
  "Dividing by the group's std": ["grpo"],
  "dividing by the group's std": ["grpo"],
};

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Titles, names, papers and other names of rules, the longest first, so that "Dr. GRPO" is not GRPO. */
function namesOf(citations) {
  const names = new Map();
  const add = (word, rules) => names.set(word, [...new Set([...(names.get(word) ?? []), ...rules])]);
  for (const [rule, { title, source }] of Object.entries(citations)) {
    add(title.replace(/ \(.*\)$/, ""), [rule]);
    add(rule, [rule]);
    const [, paper] = /^(?:[^;]*?)arXiv (\d{4}\.\d{5})/.exec(source) ?? [];
    if (paper !== undefined) add(paper, [rule]);
  }
  // FSPO is the name of two rules, and the claims are about one.
  for (const [word, rules] of Object.entries(others)) names.set(word, rules);
  return [...names].sort(([a], [b]) => b.length - a.length);
}

/** The rules that a text names; each place of it counts for the longest name alone. */
function rulesIn(text, names) {
  const rules = new Set();
  let rest = text;
  for (const [word, of] of names) {
    const pattern = new RegExp(`(?<![\\w.+-])${escaped(word)}(?![\\w+])`, "g");
    if (!pattern.test(rest)) continue;
    rest = rest.replace(pattern, (whole) => " ".repeat(whole.length));
    for (const rule of of) rules.add(rule);
  }
  return [...rules];
}

/** Every claim of the committed notebooks, once, with its notebook. */
function storedClaims(root) {
  const folder = path.join(root, "notebooks");
  const files = ["", "appendix"].flatMap((below) =>
    fs
      .readdirSync(path.join(folder, below))
      .filter((name) => name.endsWith(".ipynb"))
      .sort()
      .map((name) => path.posix.join(below, name)),
  );
  const seen = new Set();
  return files.flatMap((file) => {
    const { cells } = JSON.parse(fs.readFileSync(path.join(folder, file), "utf8"));
    const title = [cells[0].source].flat().join("").split("\n")[0].replace(/^#\s*/, "");
    const ledgers = cells.flatMap(({ outputs = [] }) => outputs.flatMap(({ data }) => data?.[ledger] ?? []));
    return ledgers
      .filter(({ claim }) => !seen.has(claim) && seen.add(claim))
      .map((claim) => ({ ...claim, notebook: file, title }));
  });
}

/** The claims that name a rule or its paper, by rule. */
function claimsByRule(root, citations) {
  const names = namesOf(citations);
  const by = Object.fromEntries(Object.keys(citations).map((rule) => [rule, []]));
  for (const claim of storedClaims(root)) {
    for (const rule of rulesIn(`${claim.claim} | ${claim.source} | ${claim.measured}`, names))
      by[rule].push(claim);
  }
  return by;
}

module.exports = { claimsByRule: claimsByRule, rulesIn: rulesIn, namesOf: namesOf };
