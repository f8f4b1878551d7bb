import type { Policy } from "../policy/policy";
import type { Batch } from "../batch/batch";

/** A turn of the batch, or as much of the environment's answer as fits into one. */
interface Part {
  readonly tokens: readonly number[];
  readonly context: readonly number[];
  readonly logProb?: readonly number[];
  readonly reward: number;
  readonly writer: "agent" | "environment";
  readonly observation: string;
}

/**
 * The batch as a trainer would see it that forgot the mask: the environment's answers stand between the agent's turns with
 * mask 1, as if the policy had written them.
 *
 * Answers are cut into turns of at most L tokens, whose old log-probs are those of the present policy; the last answer of an
 * episode is left out because nothing follows it. Rewards, returns and groups stay. `agentId_nt` tells who wrote a turn.
 *
 * @throws {TypeError} if the policy's context is not the tokens so far
 * @throws {RangeError} if its window is too small for the episode, or its vocabulary lacks the environment's tokens (see
 *   `sharedVocabulary`)
 * @see Search-R1, arXiv 2503.09516, section 3.1, which masks them (`state_masking` in its code)
 */
export function withRetrieved(batch: Batch, policy: Policy, vocabularySize: number): Batch {
  const [N, , L] = batch.shape;
  const what = "Cannot train on retrieved tokens";
  const rows = Array.from({ length: N }, (_, n) => partsOf(batch, n, vocabularySize, what));
  const whole = inParts(batch, rows);
  const [, T] = whole.shape;
  const { oldLogProb_ntl } = whole;
  const { logProb_ntl } = policy.evaluate(whole);
  rows.forEach((parts, n) => {
    parts.forEach(({ writer, tokens }, t) => {
      const from = (n * T + t) * L;
      if (writer === "environment")
        oldLogProb_ntl.set(logProb_ntl.subarray(from, from + tokens.length), from);
    });
  });
  return whole;
}

/**
 * The environment's answers alone, each token with mask 1 after the context in which it came: what a policy that reads tokens
 * can learn to predict. The last answer of an episode is left out because nothing follows it.
 *
 * Undefined where there is no answer, and for policies whose contexts are not the tokens so far. Such a policy has no place in
 * which it would write an answer: in a table, these would be rows that no turn reads.
 *
 * @throws {RangeError} if the policy's window is too small for the episode, or its vocabulary lacks the environment's tokens (see
 *   `sharedVocabulary`)
 * @see ECHO, arXiv 2605.24517
 */
export function answersOf(batch: Batch, vocabularySize: number): Batch | undefined {
  if (!batch.context_nt.every((own) => own.every(isTokens))) return undefined;
  const what = "Cannot learn to predict the environment's answers";
  const rows = batch.context_nt.map((_, n) =>
    partsOf(batch, n, vocabularySize, what).filter(({ writer }) => writer === "environment"),
  );
  const { step_nt: _step, rolloutLogProb_ntl: _rollout, ...own } = batch;
  return rows.every((parts) => parts.length === 0) ? undefined : inParts(own, rows);
}

/** Trajectories of these parts, with the groups and returns of the batch. */
function inParts(batch: Batch, rows: readonly (readonly Part[])[]): Batch {
  const [N, , L] = batch.shape;
  const T = Math.max(...rows.map((parts) => parts.length));
  const token_ntl = new Int32Array(N * T * L);
  const mask_ntl = new Uint8Array(N * T * L);
  const oldLogProb_ntl = new Float64Array(N * T * L);
  const reward_nt = new Float64Array(N * T);
  rows.forEach((parts, n) => {
    parts.forEach(({ tokens, logProb, reward }, t) => {
      const from = (n * T + t) * L;
      token_ntl.set(tokens, from);
      mask_ntl.fill(1, from, from + tokens.length);
      if (logProb) oldLogProb_ntl.set(logProb, from);
      reward_nt[n * T + t] = reward;
    });
  });
  const { agentId_nt: _agent, switch_nt: _switch, role_ntl: _role, ...kept } = batch;
  return {
    ...kept,
    shape: [N, T, L],
    token_ntl,
    mask_ntl,
    oldLogProb_ntl,
    reward_nt,
    turnCount_n: Int32Array.from(rows, (parts) => parts.length),
    observation_nt: rows.map((parts) => parts.map(({ observation }) => observation)),
    context_nt: rows.map((parts) => parts.map(({ context }) => context)),
    info_nt: rows.map((parts) => parts.map(() => ({}))),
    agentId_nt: rows.map((parts) => parts.map(({ writer }) => writer)),
  };
}

function partsOf(batch: Batch, n: number, vocabularySize: number, what: string): Part[] {
  const [, T, L] = batch.shape;
  const parts: Part[] = [];
  for (let t = 0; t < batch.turnCount_n[n]!; t++) {
    const from = (n * T + t) * L;
    const cells = Array.from({ length: L }, (_, l) => from + l).filter((i) => batch.mask_ntl[i] === 1);
    const tokens = cells.map((i) => batch.token_ntl[i]!);
    const context = tokensOf(batch.context_nt[n]![t], what);
    parts.push({
      tokens,
      context,
      logProb: cells.map((i) => batch.oldLogProb_ntl[i]!),
      reward: batch.reward_nt[n * T + t]!,
      writer: "agent",
      observation: batch.observation_nt[n]![t]!,
    });
    if (t + 1 === batch.turnCount_n[n]) break;
    const before = [...context, ...tokens];
    const after = tokensOf(batch.context_nt[n]![t + 1], what);
    if (before.some((token, i) => after[i] !== token)) {
      throw new RangeError(
        `${what}: the policy's window must hold an entire episode, but turn ${t + 1} of ${batch.trajectoryId[n]!} has lost its beginning`,
      );
    }
    const answer = after.slice(before.length);
    const foreign = answer.find((token) => token >= vocabularySize);
    if (foreign !== undefined) {
      throw new RangeError(
        `${what}: the policy must be able to write them, but token ${foreign} is outside its vocabulary of ${vocabularySize}`,
      );
    }
    for (let at = 0; at < answer.length; at += L) {
      parts.push({
        tokens: answer.slice(at, at + L),
        context: [...before, ...answer.slice(0, at)],
        reward: 0,
        writer: "environment",
        observation: batch.observation_nt[n]![t + 1]!,
      });
    }
  }
  return parts;
}

const isTokens = (context: unknown): context is readonly number[] =>
  Array.isArray(context) && context.every((token) => typeof token === "number");

function tokensOf(context: unknown, what: string): readonly number[] {
  if (isTokens(context)) return context;
  throw new TypeError(
    `${what}: the policy's context must be the tokens so far, as in an mlp, gru or transformer, got ${JSON.stringify(context)}.`,
  );
}
