// The sample of this folder: episodes of a fresh policy of our own on LookUp-v0, as chats with log-probs.
// To renew it: npm run generated
"use strict";
const { collect, createPolicy, createRng, make } = require("turnwise");

const short = (x) => Number(x.toPrecision(5));

/** The text of the file, by its name. */
function trajectories() {
  const env = make("LookUp-v0");
  const batch = collect(env, createPolicy(env.spec), { groups: 4, groupSize: 12, rng: createRng(3) });
  const [N, T, L] = batch.shape;
  const lines = Array.from({ length: N }, (_, n) => ({
    id: batch.trajectoryId[n],
    group: batch.groupId[n],
    reward: batch.return_n[n],
    messages: Array.from({ length: batch.turnCount_n[n] }, (_, t) => {
      const cells = Array.from({ length: L }, (_, l) => (n * T + t) * L + l).filter((i) => batch.mask_ntl[i]);
      const content = cells.map((i) => ({
        token: env.spec.vocabulary[batch.token_ntl[i]],
        logprob: short(batch.oldLogProb_ntl[i]),
      }));
      return [
        { role: t === 0 ? "user" : "tool", content: batch.observation_nt[n][t] },
        { role: "assistant", content: content.map(({ token }) => token).join(" "), logprobs: { content } },
      ];
    }).flat(),
  }));
  return { "messages.jsonl": lines.map((line) => JSON.stringify(line)).join("\n") + "\n" };
}

module.exports = { trajectories };
