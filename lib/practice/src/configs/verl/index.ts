import type { Trainer } from "../contract";
import type { FlagValue } from "../given";
import { everywhere } from "../plain";
import { actor } from "./names";
import { read } from "./read";
import { write } from "./write";

/** Hydra takes 0.5_5 for a number unless it is quoted. */
const hydra = (value: FlagValue): string => {
  if (value === null) return "null";
  if (typeof value === "boolean") return value ? "True" : "False";
  return typeof value === "string" && value.includes("_") && /^[\d.e_-]+$/.test(value)
    ? `"'${value}'"`
    : String(value);
};

/** Keys that its files do not have are added. */
const prefix = (name: string): string => (name.startsWith("reward.reward_kwargs.") ? "+" : "");

/** verl: overrides of trainer/config/ppo_trainer.yaml, trainer/config/algorithm.py, workers/config/actor.py, trainer/ppo/core_algos.py. */
export const verl: Trainer = {
  title: "verl",
  version: "0.9.1",
  write: (rule, groupSize) => [write(rule, groupSize)],
  read,
  groupSize: (given) => given.number("actor_rollout_ref.rollout.n", 1),
  optimizer: (given) => ({
    ...(given.has(actor("optim.lr")) && { learningRate: given.number(actor("optim.lr"), 1e-6) }),
    ...(given.has(actor("grad_clip")) && { maxGradNorm: given.number(actor("grad_clip"), 1) }),
  }),
  names:
    /^(actor_rollout_ref|algorithm|data|critic|reward|reward_model|custom_reward_function|trainer|ray_kwargs|ray_init)\./,
  tells: /^(algorithm\.|actor_rollout_ref\.)/,
  mentions: /\bverl\b|ragen/i,
  hints: {
    ...everywhere,
    "advantage.allowSingleton": "a group of one gets mean 0 and deviation 1; idle, as no group here has one",
    "advantage.groupBy": "groups are tasks",
    "scale.epsilon": "1e-6 is written in its code",
    "regularizer.klReference.clamp": "its k3 is cut to 20 and 10 nats",
    "regularizer.klReference.correction": "no ratio weighs its KL",
  },
  text: (flags) =>
    [
      "python -m verl.trainer.main_ppo",
      ...Object.entries(flags).map(([name, value]) => `  ${prefix(name)}${name}=${hydra(value)}`),
    ].join(" \\\n"),
};
