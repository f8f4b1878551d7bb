import { exp } from "../../base/elementary/exp";
import { log } from "../../base/elementary/log";
import { contextKey } from "../../policy/policy";
import { cellName, distinct, fail, furthest, rngOf, small, type Check } from "./trial";

/** Log-probs of two computations may differ by so much where they are done in 32-bit floats. */
const CLOSE = 1e-4;

/** The probabilities of the next token, after each prefix that was sampled. */
export const sumToOne: Check = ({ policy, env, met }) => {
  const V = env.spec.vocabulary.length;
  let worst = 0;
  for (const { context, tokens } of distinct(met)) {
    for (let l = 0; l < tokens.length; l++) {
      const prefix = tokens.slice(0, l);
      const logProb = policy.nextTokenLogProb(context, prefix);
      const where = `after [${prefix.join(", ")}] in context ${short(context)}`;
      if (logProb.length !== V) {
        fail(
          policy,
          `nextTokenLogProb gave ${logProb.length} entries ${where}`,
          `one for each of ${V} tokens`,
        );
      }
      const total = logProb.reduce((sum, x) => sum + exp(x), 0);
      if (!(Math.abs(total - 1) < CLOSE)) {
        fail(policy, `probabilities sum to ${total} ${where}`, "take the logits through a log-softmax");
      }
      worst = Math.max(worst, Math.abs(total - 1));
    }
  }
  return `off by ${small(worst)} at most`;
};

/** Checks that three numbers agree: the one stored at sampling, that of `evaluate`, and that of the enumeration. */
export const agree: Check = ({ policy, env, batch }) => {
  const { logProb_ntl, entropy_ntl } = policy.evaluate(batch);
  const L = env.spec.maxTokens;
  let worst = 0;
  batch.mask_ntl.forEach((mask, cell) => {
    if (!mask) return;
    const turn = cell - (cell % L);
    const context = batch.context_nt[Math.floor(turn / (L * batch.shape[1]))]![(turn / L) % batch.shape[1]];
    const token = batch.token_ntl[cell]!;
    const next = policy.nextTokenLogProb(context, Array.from(batch.token_ntl.subarray(turn, cell)));
    const entropy = -next.reduce((sum, x) => sum + (x === -Infinity ? 0 : x * exp(x)), 0);
    const told: [string, number, string, number, string][] = [
      [
        "log-prob",
        logProb_ntl[cell]!,
        "sample stored",
        batch.oldLogProb_ntl[cell]!,
        "both must use the same context and prefix",
      ],
      [
        "log-prob",
        logProb_ntl[cell]!,
        "nextTokenLogProb has",
        next[token]!,
        "both must use the same context and prefix",
      ],
      [
        "entropy",
        entropy_ntl[cell]!,
        "-sum p log p is",
        entropy,
        "natural logarithms, over the whole vocabulary",
      ],
    ];
    for (const [what, evaluated, other, value, hint] of told) {
      worst = Math.max(worst, Math.abs(evaluated - value));
      if (Math.abs(evaluated - value) < CLOSE) continue;
      fail(
        policy,
        `evaluate gives the ${what} ${evaluated} where ${other} ${value}, at ${cellName(batch, cell)}`,
        hint,
      );
    }
  });
  return `to ${small(worst)}`;
};

const DRAWS = 600;

/** Checks how often each first token is drawn: within five standard errors of its probability. */
export const frequencies: Check = ({ policy, met }) => {
  const { history, context } = met[0]!;
  const rng = rngOf("frequencies");
  const histories = Array.from({ length: DRAWS }, () => history);
  const samples = policy.sample(
    histories,
    histories.map((_, i) => rng.split("draw", i)),
  );
  let worst = 0;
  policy.nextTokenLogProb(context, []).forEach((logProb, token) => {
    const p = exp(logProb);
    const share = samples.filter(({ tokens }) => tokens[0] === token).length / DRAWS;
    const errors = Math.abs(share - p) / Math.max(Math.sqrt((p * (1 - p)) / DRAWS), 1 / DRAWS);
    worst = Math.max(worst, errors);
    if (errors < 5) return;
    fail(
      policy,
      `sample drew token ${token} in ${share.toFixed(3)} of ${DRAWS} turns, where its probability is ${p.toFixed(3)}`,
      "draw with rng.categorical(logProb)",
    );
  });
  return `${DRAWS} draws, ${worst.toFixed(1)} standard errors at most`;
};

/** Divided by a temperature, the logits give the log-probs that are stored. */
export const temperature: Check = ({ policy, met }) => {
  const { history, context } = met[0]!;
  for (const temperature of [0.5, 2]) {
    const [sample] = policy.sample([history], [rngOf("temperature")], { temperature });
    const [token] = sample!.tokens;
    const logits = policy.nextTokenLogProb(context, []).map((x) => x / temperature);
    const most = Math.max(...logits);
    const wanted = logits[token!]! - most - log(logits.reduce((sum, x) => sum + exp(x - most), 0));
    if (Math.abs(sample!.logProb[0]! - wanted) < CLOSE) continue;
    fail(
      policy,
      `at temperature ${temperature} sample stored ${sample!.logProb[0]} for token ${token}, which has ${wanted}`,
      "divide the logits by the temperature, and store the log-probs of what was drawn from",
    );
  }
  return "0.5 and 2";
};

/** A turn depends on its own history and its own generator alone. */
export const apart: Check = ({ policy, met }) => {
  const some = met.slice(0, 6).map(({ history }) => history);
  const rngs = (): ReturnType<typeof rngOf>[] => some.map((_, i) => rngOf("apart").split("turn", i));
  const together = policy.sample(some, rngs());
  together.forEach((sample, i) => {
    const [alone] = policy.sample([some[i]!], [rngs()[i]!]);
    if (alone!.tokens.join() === sample.tokens.join()) return;
    fail(
      policy,
      `sample gave [${alone!.tokens.join(", ")}] for a history alone and [${sample.tokens.join(", ")}] for it beside others`,
      "draw turn i from rngs[i] only",
    );
  });
  return `${some.length} histories`;
};

/** The same history gives the same context, and an equal context the same distribution. */
export const contexts: Check = ({ policy, batch, met }) => {
  for (const { history, context } of met) {
    const again = policy.contextOf(history);
    if (contextKey(again) === contextKey(context)) continue;
    fail(
      policy,
      `contextOf gave ${short(again)} where sample had ${short(context)}, for the same history`,
      "it must depend on the history alone",
    );
  }
  const before = policy.evaluate(batch).logProb_ntl.slice();
  const copied = { ...batch, context_nt: batch.context_nt.map((turns) => turns.map(copyOf)) };
  const { by, at } = furthest(before, policy.evaluate(copied).logProb_ntl);
  if (by > 1e-9) {
    fail(
      policy,
      `evaluate gives another log-prob for an equal context, at ${cellName(batch, at)}`,
      "read the context's data, not which object it is, and remember nothing of earlier calls",
    );
  }
  return `${distinct(met).length} contexts in ${met.length} turns`;
};

const copyOf = (context: unknown): unknown =>
  typeof context === "string" ? context : (JSON.parse(JSON.stringify(context)) as unknown);

function short(context: unknown): string {
  const text = contextKey(context);
  return text.length > 60 ? `${text.slice(0, 60)}...` : text;
}
