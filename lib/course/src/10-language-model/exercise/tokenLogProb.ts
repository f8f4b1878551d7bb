import { exp } from "turnwise/internal/base/elementary/exp";
import { log } from "turnwise/internal/base/elementary/log";
import { createRng, type Rng } from "turnwise/internal/base/rng";
import { close, diagnose, type Kind, type Mistake } from "../../shared/exercise/diagnose";
import { sum } from "../../shared/exercise/groups";
import { eight, formOfNumber } from "../../shared/exercise/numbers";
import type { Passed } from "../../shared/exercise/verdict";

/** Computes the log-prob in nats of a token from the logits of all tokens, at a temperature. */
export type TokenLogProbAnswer = (logit_v: readonly number[], token: number, temperature: number) => number;

interface Step {
  readonly logit_v: readonly number[];
  readonly token: number;
  readonly temperature: number;
}

function stepOf(rng: Rng, o: { temperature?: number; shift?: number; forbidden?: boolean }): Step {
  const logit_v = Array.from({ length: 5 }, (_, v) =>
    o.forbidden && v === 4 ? -Infinity : (o.shift ?? 0) + 2 * rng.normal(),
  );
  return { logit_v, token: rng.below(4), temperature: o.temperature ?? 1 };
}

const kinds = (rng: Rng): Kind<Step>[] => [
  { label: "logits near 0 at temperature 1", inputs: eight(rng, "plain", (r) => stepOf(r, {})) },
  {
    label: "other temperatures than 1",
    inputs: eight(rng, "warm", (r) => stepOf(r, { temperature: 0.3 + 1.4 * r.next() })),
  },
  {
    label: "large logits",
    inputs: eight(rng, "large", (r) => stepOf(r, { temperature: 0.7, shift: r.next() < 0.5 ? -1000 : 1000 })),
    sentence: "it is wrong for logits near 1000 or -1000: their exponentials overflow, or are all 0.",
  },
  // Far apart: the largest must be taken of all logits, after the temperature, and a small probability has no logarithm once it is 0.
  ...[1, 0.5].map((temperature): Kind<Step> => {
    const inputs = [
      [1000, -1000],
      [1000, 0],
      [-1000, 0, 1000],
    ];
    return {
      label: "logits far apart",
      inputs: inputs.flatMap((logit_v) => logit_v.map((_, token) => ({ logit_v, token, temperature }))),
      sentence: "it is wrong for logits near 1000 or -1000: their exponentials overflow, or are all 0.",
    };
  }),
  {
    label: "a token that is forbidden by a logit of -Infinity",
    inputs: eight(rng, "forbidden", (r) => stepOf(r, { temperature: 1.3, forbidden: true })),
  },
];

const scaled = ({ logit_v, temperature }: Step): number[] => logit_v.map((x) => x / temperature);

function logSumExp(x: readonly number[]): number {
  const top = Math.max(...x);
  return top + log(sum(x.map((one) => exp(one - top))));
}

const logProb = (x_v: readonly number[], token: number): number => x_v[token]! - logSumExp(x_v);
const right = (s: Step): number => logProb(scaled(s), s.token);

const mistakes: readonly Mistake<Step, number>[] = [
  { sentence: "it returns the probability; its logarithm is asked for.", run: (s) => exp(right(s)) },
  { sentence: "it returns the loss: a log-prob is never above 0.", run: (s) => -right(s) },
  {
    sentence: "it leaves out what all tokens share: the probabilities do not sum to 1.",
    run: (s) => scaled(s)[s.token]! - Math.max(...scaled(s)),
  },
  { sentence: "it returns the logit as it is.", run: ({ logit_v, token }) => logit_v[token]! },
  { sentence: "it counts in bits; nats are asked for.", run: (s) => right(s) / Math.LN2 },
  { sentence: "it leaves out the temperature.", run: ({ logit_v, token }) => logProb(logit_v, token) },
  {
    sentence: "it turns the temperature round: a higher one must make tokens more alike.",
    run: ({ logit_v, token, temperature }) =>
      logProb(
        logit_v.map((x) => x * temperature),
        token,
      ),
  },
  {
    sentence: "it applies the temperature after the softmax: the probabilities no longer sum to 1.",
    run: ({ logit_v, token, temperature }) => logProb(logit_v, token) / temperature,
  },
];

/** logit / T minus the log of the sum of all exponentials, which stays finite where these do not. */
export function checkTokenLogProb(answer: TokenLogProbAnswer): Passed {
  return diagnose<Step, number>({
    exercise: "tokenLogProb",
    kinds: kinds(createRng(1).split("tokenLogProb")),
    right,
    mistakes,
    form: formOfNumber,
    same: close,
    call: ({ logit_v, token, temperature }) => answer([...logit_v], token, temperature),
  });
}
