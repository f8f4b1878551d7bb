import { count, flag, flagOr, group, number, oneOf, renamed, whole, type Static } from "../schema";

/** Settings that shape every update besides the rule; a checkpoint keeps all of them. */
export const settingsSchema = group({
  groups: count(8, { help: "P: start states per update.", slider: { min: 1, max: 16 } }),
  groupSize: count(8, { help: "G: trajectories per start state.", slider: { min: 2, max: 32 } }),
  temperature: number(1, {
    above: 0,
    help: "Divides the logits while sampling; the stored log-probs are those of the tempered policy.",
  }),
  topP: number(1, {
    above: 0,
    atMost: 1,
    help: "Draws each token from the fewest likeliest ones that have this probability together, after the temperature.",
  }),
  rolloutLogProb: renamed(
    "storedLogProb",
    oneOf(["processed", "raw"], {
      help:
        "What the rollout engine says of its tokens: log-probs after temperature and topP, as verl and TRL ask vLLM for " +
        "(processed), or before both, so that nobody can see the mismatch (raw).",
    }),
  ),
  staleness: whole(0, {
    atLeast: 0,
    unit: "updates",
    help: "Age in updates of the policy that samples each batch, as with an asynchronous engine.",
  }),
  logProbNoise: number(0, {
    atLeast: 0,
    unit: "nats",
    help: "Disagreement of rollout engine and trainer: scale of heavy-tailed noise on the stored log-probs.",
  }),
  observationTokens: renamed(
    "retrieved",
    oneOf(["masked", "trained"], {
      help:
        '"trained" takes the mask off the environment\'s answers, as a trainer does that forgot it: they get the advantage of ' +
        "their trajectory. It needs a rule that credits whole trajectories and updates all turns at once, and a policy whose " +
        "context is the tokens so far.",
    }),
  ),
  exactEvery: renamed(
    "evaluateExact",
    flagOr(whole(0, { atLeast: 0, help: "" }), {
      unit: "updates",
      help: "Updates between exact evaluations of the expected return, logged as `return/exact`. true: every update; 0: never.",
    }),
  ),
  evalEvery: whole(0, {
    atLeast: 0,
    unit: "updates",
    help: "Updates between evaluations, which play episodes on separate seeds. 0: never.",
  }),
  evalEpisodes: count(256, { help: "Episodes per evaluation, the same ones every time." }),
  evalGreedy: flag(false, { help: "Evaluates with the likeliest token instead of a drawn one." }),
});

/** The settings of a run; `exactEvery` counts updates, with 0 for never. */
export type TrainSettings = Omit<Static<typeof settingsSchema>, "exactEvery"> & {
  readonly exactEvery: number;
};

/** `masked` leaves what the environment wrote out of the loss; `trained` treats it as if the policy had written it. */
export type RetrievedTokens = TrainSettings["observationTokens"];
