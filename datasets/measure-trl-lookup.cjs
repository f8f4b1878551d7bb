// Measures datasets/measured/trl-lookup.csv from datasets/trl-lookup: what each update was paid, by TRL's runs and by our own, and how
// many of the episodes that TRL played on the server an environment of this process pays the same, turn by turn, to the last bit.
//   node datasets/measure-trl-lookup.cjs
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const { gunzipSync } = require("node:zlib");
const { make } = require("turnwise");
const { main, readArguments } = require("./measureParts.cjs");

const round = (x) => Number(x.toPrecision(6));
const total = (values) => values.reduce((sum, x) => sum + x, 0);
const lines = (bytes) =>
  bytes
    .toString("utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

/** Whether an environment here pays each turn of an episode what the server has paid. */
function paidTheSame({ seed, member, turns, rewards }, env) {
  env.reset({ seed, member });
  const own = turns.map((text) => env.step(text.split(" ").map((w) => env.spec.vocabulary.indexOf(w)))[1]);
  return own.length === rewards.length && own.every((x, i) => Object.is(x, rewards[i]));
}

/** The text of the table. */
function trlLookup(folder) {
  const env = make("LookUp-v0");
  const updates = new Map();
  for (const episode of lines(gunzipSync(fs.readFileSync(path.join(folder, "episodes.jsonl.gz"))))) {
    const key = `${episode.run},${episode.update}`;
    const own = updates.get(key) ?? { paid: [], same: 0 };
    own.paid.push(total(episode.rewards));
    own.same += Number(paidTheSame(episode, env));
    updates.set(key, own);
  }
  const theirs = [...updates].map(([key, { paid, same }]) =>
    ["TRL", key, round(total(paid) / paid.length), paid.length, same].join(","),
  );
  const ours = lines(fs.readFileSync(path.join(folder, "own.jsonl"))).map(({ seed, update, metrics }) =>
    ["turnwise", seed, update, round(metrics["reward/mean"]), "", ""].join(","),
  );
  return ["trainer,seed,update,reward,episodes,same", ...theirs, ...ours].join("\n") + "\n";
}

module.exports = { trlLookup };

if (require.main === module) {
  void main(() => {
    readArguments({ what: "name" });
    const table = trlLookup(path.join(__dirname, "trl-lookup"));
    fs.writeFileSync(path.join(__dirname, "measured", "trl-lookup.csv"), table);
  });
}
