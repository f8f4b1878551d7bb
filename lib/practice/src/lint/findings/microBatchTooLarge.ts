import { clear, found, inapplicable, type Finding } from "../contract";
import type { Subject } from "../subject";

const actor = "actor_rollout_ref.actor";

/** GPUs that hold different rollouts; sequence parallelism shares one among several. */
function ranksOf(s: Subject): { readonly ranks: number; readonly areGiven: boolean } {
  const { given } = s.parts;
  const per = given.number("trainer.n_gpus_per_node", 8);
  const gpus = per * given.number("trainer.nnodes", 1);
  const shared = given.number(`${actor}.ulysses_sequence_parallel_size`, 1);
  return { ranks: Math.max(1, Math.floor(gpus / shared)), areGiven: given.has("trainer.n_gpus_per_node") };
}

/** Its fork of verl 0.2 counts rollouts in a minibatch, not tasks. */
const COUNTS_ROLLOUTS = "search-r1";

/** Whether the policy is trained by Megatron, as a setting or the name of a configuration says. */
const isMegatron = (s: Subject): boolean =>
  [...Object.entries(s.parts.flags), ...(s.parts.words ?? []).map((word) => [word, ""] as const)].some(
    ([name, value]) => /megatron/i.test(name) || /megatron/i.test(String(value)),
  );

export const microBatchTooLarge: Finding = {
  title: "A micro batch is larger than a GPU's share of the minibatch",
  severity: "error",
  confidence: "likely",
  why: "The loss is divided by the number of micro batches in a GPU's share, which rounds down to 0: the gradient is NaN from the first step on. Newer releases refuse to start instead.",
  source: "volcengine/verl#405, volcengine/verl#2505",
  lesson: "11-your-own-run",
  check: (s) => {
    const { given, dialect } = s.parts;
    if (s.trainer !== "verl" || !s.hasBaseNames)
      return inapplicable(`${s.title} counts micro batches otherwise`);
    if (given.flag(`${actor}.use_dynamic_bsz`, false))
      return inapplicable("micro batches are cut by tokens, not by rollouts");
    if (isMegatron(s))
      return inapplicable("Megatron splits a minibatch over fewer ranks, and cuts it itself");
    const perGpu = `${actor}.ppo_micro_batch_size_per_gpu`;
    const total = `${actor}.ppo_micro_batch_size`;
    if (!given.has(perGpu) && !given.has(total)) return inapplicable("no size of micro batches is given");
    const { ranks, areGiven } = ranksOf(s);
    const group = dialect === COUNTS_ROLLOUTS ? 1 : s.number("groupSize");
    const share = Math.floor((s.number("minibatch") * group) / ranks);
    const micro = given.has(perGpu) ? given.number(perGpu, 1) : Math.floor(given.number(total, 1) / ranks);
    if (micro <= share) return clear;
    const name = given.has(perGpu) ? perGpu : total;
    return found(
      `${name}=${given.text(name)}, while each of ${ranks} ranks has ${share} rollouts of a minibatch (${s.shown("minibatch")}${group > 1 ? `, ${group} rollouts of each task` : ""})`,
      [],
      {
        advice: `set ${name} to a divisor of ${given.has(perGpu) ? share : share * ranks}, or ${actor}.use_dynamic_bsz=True`,
        confidence: areGiven ? "likely" : "possible",
      },
    );
  },
};
