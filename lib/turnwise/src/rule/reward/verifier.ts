/**
 * Reward of a finished episode from a verifier that reads the environment's state.
 *
 * ```
 * r = 1 if verify(state), else 0;   with a score s in [0, 1]:  r = s
 * ```
 *
 * @see RLVR; AWM, arXiv 2602.10090, verifies the state of a database
 * @throws {RangeError} if the verifier returns a number outside [0, 1]
 */
export function verifierReward<State>(state: State, verify: (state: State) => boolean | number): number {
  const verdict = verify(state);
  if (typeof verdict === "boolean") return verdict ? 1 : 0;
  if (!(verdict >= 0 && verdict <= 1)) {
    throw new RangeError(
      `Cannot compute the verifier reward: the verdict must be true, false or from 0 to 1, ` +
        `got ${String(verdict)}.`,
    );
  }
  return verdict;
}

/**
 * The shift that the released SeeUPO code applies to an AppWorld score: 1 + s / 2 when s >= 1, else s / 2.
 *
 * @see SeeUPO, released code, branch `seeupo` of `modelscope/AgentEvolver`
 */
export function seeUpoScoreReward(score: number): number {
  return score >= 1 ? 1 + 0.5 * score : 0.5 * score;
}
