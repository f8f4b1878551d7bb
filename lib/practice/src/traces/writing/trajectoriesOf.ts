import type { Batch } from "turnwise/internal/batch/batch";
import type { StoredBatch } from "../batchOf";
import type { StoredTrajectory, StoredTurn } from "../trace";

/** Which of a batch's log-probs are whose. */
type Whose = StoredBatch["logProbs"];

/**
 * The trajectories of a batch. Tokens are the words of its vocabulary where it has one, else numbers; what turns before the last have
 * earned stands in `info.reward`.
 */
export function* trajectoriesOf(given: Batch | StoredBatch): Generator<StoredTrajectory, void, undefined> {
  const stored = "batch" in given ? given : undefined;
  const batch = "batch" in given ? given.batch : given;
  const whose: Whose = stored?.logProbs ?? (batch.rolloutLogProb_ntl ? ["trainer", "rollout"] : ["trainer"]);
  const words = batch.script?.vocabulary;
  const spaced = words?.some((word) => /^\s/.test(word)) ?? false;
  const [, T, L] = batch.shape;
  const turn = (n: number, t: number, count: number): StoredTurn => {
    const start = (n * T + t) * L;
    const cells = Array.from({ length: L }, (_, l) => start + l).filter((i) => batch.mask_ntl[i] === 1);
    const take = (values: Float64Array): number[] => cells.map((i) => values[i]!);
    const word = (i: number, l: number): string =>
      `${spaced || l === 0 ? "" : " "}${words![batch.token_ntl[i]!]}`;
    const old = take(batch.oldLogProb_ntl);
    const earned = batch.reward_nt[n * T + t]!;
    const info = {
      ...batch.info_nt?.[n]?.[t],
      ...(t < count - 1 && earned !== 0 && { reward: earned }),
    };
    return {
      observation: batch.observation_nt[n]![t]!,
      tokens: cells.map((i, l) => (words ? word(i, l) : batch.token_ntl[i]!)),
      ...(whose.includes("trainer") && { logProb: old }),
      ...(whose.includes("rollout") && {
        rolloutLogProb: whose.length === 1 ? old : take(batch.rolloutLogProb_ntl!),
      }),
      ...(stored?.advantage_ntl && { advantage: take(stored.advantage_ntl) }),
      ...(Object.keys(info).length > 0 && { info }),
    };
  };
  for (const [n, id] of batch.trajectoryId.entries()) {
    const count = batch.turnCount_n[n]!;
    yield {
      id,
      group: batch.groupId[n]!,
      turns: Array.from({ length: count }, (_, t) => turn(n, t, count)),
      reward: batch.return_n[n]!,
      truncated: batch.truncated[n]!,
      extra: stored?.extra_n[n] ?? {},
    };
  }
}
