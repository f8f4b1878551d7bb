import { card, type Card } from "../../base/card";
import { short } from "../../base/curve";
import { mean } from "../../base/statistics";
import type { Batch } from "../../batch/batch";
import { drawTrajectory } from "../drawTrajectory";
import type { Episode } from "../trajectory/episodes";

/** Number of members of a batch's first group that a card draws, as far as it can be read. */
const MOST = 4;

/** True for what `collect` and `scriptedBatch` give. */
export function isBatch(value: object): boolean {
  return ["shape", "mask_ntl", "token_ntl", "reward_nt", "turnCount_n"].every((name) => name in value);
}

/** True for an episode of your own loop. */
export function isEpisode(value: object): boolean {
  const { turns } = value as Partial<Episode>;
  return (
    Array.isArray(turns) &&
    turns.length > 0 &&
    turns.every((turn) => Array.isArray((turn as { tokens?: unknown } | null)?.tokens))
  );
}

/** A batch as a notebook shows it: its first trajectories drawn, and its returns. */
export function batchCard(batch: Batch): Card {
  const [N, T, L] = batch.shape;
  const groups = new Set(batch.groupId).size;
  const returns = Array.from(batch.return_n);
  const drawn = drawTrajectory(batch, { trajectory: firstRows(batch) });
  return card({
    title: `${N} ${N === 1 ? "trajectory" : "trajectories"} in ${groups} ${groups === 1 ? "group" : "groups"}`,
    about: `at most ${T} ${T === 1 ? "turn" : "turns"} of at most ${L} ${L === 1 ? "token" : "tokens"}`,
    picture: { html: `<div>${drawn.svg}</div>`, text: drawn.toString() },
    rows:
      returns.length === 0
        ? []
        : [
            ["mean return", short(mean(returns))],
            ["lowest and highest", `${short(Math.min(...returns))}, ${short(Math.max(...returns))}`],
          ],
    next: [
      ...(N > MOST
        ? [{ does: "To draw others", code: `drawTrajectory(batch, { trajectory: [${MOST}] })` }]
        : []),
      { does: "With the advantages of a rule", code: `drawTrajectory(batch, { recipe: "grpo" })` },
    ],
  });
}

/** An episode, or several, as drawn trajectories. */
export function episodesCard(episodes: readonly Episode[]): Card {
  const drawn = drawTrajectory(episodes);
  return card({
    title: episodes.length === 1 ? "An episode" : `${episodes.length} episodes`,
    picture: { html: `<div>${drawn.svg}</div>`, text: drawn.toString() },
    next: [{ does: "With a title, advantages or ratios", code: "drawTrajectory(episodes, { title: ... })" }],
  });
}

function firstRows({ groupId }: Batch): number[] {
  const rows = groupId.flatMap((id, n) => (id === groupId[0] ? [n] : []));
  return rows.slice(0, MOST);
}
