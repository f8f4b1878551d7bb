// The samples of this folder: episodes of our own on LookUp-v0, as chats with log-probs.
// To renew them: npm run generated
"use strict";
const { advantages, collect, createPolicy, createRng, make, recipe, train } = require("turnwise");

const short = (x) => Number(x.toPrecision(5));

/** A batch as chats, a line each; what stands beside a token is told by `beside`. */
function chats(env, batch, beside) {
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
        ...beside(i),
      }));
      return [
        { role: t === 0 ? "user" : "tool", content: batch.observation_nt[n][t] },
        { role: "assistant", content: content.map(({ token }) => token).join(" "), logprobs: { content } },
      ];
    }).flat(),
  }));
  return lines.map((line) => JSON.stringify(line)).join("\n") + "\n";
}

/** Episodes of a policy that knows nothing. */
function fresh() {
  const env = make("LookUp-v0");
  const batch = collect(env, createPolicy(env.spec), { groups: 4, groupSize: 12, rng: createRng(3) });
  return chats(env, batch, () => ({}));
}

/** Episodes from the middle of a run of GRPO, whose sampler is eight updates behind its trainer. */
async function stale() {
  const env = make("LookUp-v0");
  const policy = createPolicy(env.spec);
  let sampler = policy;
  for await (const { update } of train({ env, policy, recipe: "grpo", updates: 65, seed: 3 }))
    if (update === 57) sampler = policy.clone();
  const batch = collect(env, sampler, { groups: 6, groupSize: 8, rng: createRng(7) });
  const { logProb_ntl } = policy.evaluate(batch);
  const { advantage_ntl } = advantages(batch, recipe("grpo"));
  const beside = (i) => ({ trainer_logprob: short(logProb_ntl[i]), advantage: short(advantage_ntl[i]) });
  return chats(env, batch, beside);
}

/** The text of the files, by their names. */
async function trajectories() {
  return { "messages.jsonl": fresh(), "stale.jsonl": await stale() };
}

module.exports = { trajectories };
