import { power } from "../../base/elementary/power";
import { positionsByKey } from "../../base/statistics";
import type { Batch } from "../../batch/batch";
import { solved } from "../../batch/solved";
import { fraction, number } from "../../schema";
import { withinGroup } from "../scale";
import { amongRepeated } from "./anchorStates";
import { advantage, undiscounted } from "./contract";
import { groupAdvantage64 } from "./groupAdvantage";

export const stateGraph = advantage({
  help: "The group advantage of the episode plus the advantage of a turn among all that leave the same observation, by how near to success it leads.",
  equation: String.raw`A=A^E+wA^G,\quad A^E_i=\frac{R_i-\mathrm{mean}(R)}{F},\quad A^G_t=\frac{x_t-\mathrm{mean}_{\text{same observation}}(x)}{F},\quad x_t=x_0\,\omega^{d(s_{t+1})}`,
  source:
    "GraphGPO, arXiv 2605.26684; examples/graphgpo/graph_credit.py in github.com/redai-infra/Relax at 9545630",
  fields: {
    weight: number(1, { atLeast: 0, help: "Weight of the advantage in the graph." }),
    omega: fraction(0.1, { help: "Factor on a turn's reward for each further step to success." }),
    success: number(10, { atLeast: 0, help: "Reward of a turn that ends in success." }),
  },
  label: ({ weight }) => `state graph, w ${weight}`,
  comparesGroups: true,
  scalesItself: true,
  needsCritic: false,
  criticDiscount: undiscounted,
  wholeTrajectory: false,
  exactBaseline: () => undefined,
  assign({ weight, omega, success }, { batch, reward, scale }) {
    const [N, T] = batch.shape;
    const within = { baseline: "mean", ...withinGroup(scale) } as const;
    const episode_n = groupAdvantage64(reward.return_n, batch.groupId, within);
    const advantage = new Float64Array(N * T);
    for (const [group, members] of positionsByKey(batch.groupId)) {
      const turns = members.flatMap((n) => turnsOf(batch, n));
      const distance = distanceToSuccess(turns);
      const graph = amongRepeated(
        turns.map(({ to }) => success * power(omega, distance(to))),
        turns.map(({ from }) => JSON.stringify([group, from])),
        within,
      );
      turns.forEach(({ n, t }, k) => {
        advantage[n * T + t] = episode_n[n]! + weight * graph[k]!;
      });
    }
    return { level: "turn", advantage };
  },
});

const goal = Symbol("success");
const end = Symbol("end without success");

/** State of a graph: an observation, or how an episode ended. */
type Place = string | typeof goal | typeof end;

interface Turn {
  readonly n: number;
  readonly t: number;
  readonly from: string;
  readonly to: Place;
}

function turnsOf(batch: Batch, n: number): Turn[] {
  const seen = batch.observation_nt[n]!;
  const turns = batch.turnCount_n[n]!;
  const last = solved(batch, n) ? goal : end;
  return Array.from({ length: turns }, (_, t) => {
    const to = t + 1 < turns ? seen[t + 1]! : last;
    return { n, t, from: seen[t]!, to };
  });
}

/**
 * Number of turns that the shortest way from a place to success takes, in the graph of all turns.
 *
 * ```
 * d(success) = 0,   d(s) = 1 + min over the turns from s to s' of d(s'),   and the largest of them + 1 where no way leads to success
 * ```
 * Observations stand for states, so that turns with different pasts are joined: an assumption, as in GiGPO.
 *
 * @see GraphGPO, arXiv 2605.26684, with a cost of 1 for each turn. The end of an episode without success is a state without a way
 *   out; in the code its last observation is, which is not part of a batch
 */
function distanceToSuccess(turns: readonly Turn[]): (place: Place) => number {
  const sources = new Map<Place, Set<string>>();
  for (const { from, to } of turns) {
    const known = sources.get(to);
    if (known) known.add(from);
    else sources.set(to, new Set([from]));
  }
  const distance = new Map<Place, number>([[goal, 0]]);
  let furthest = 0;
  // A Map also iterates over what is added on the way: a breadth-first search.
  for (const [place, steps] of distance) {
    furthest = steps;
    for (const from of sources.get(place) ?? []) {
      if (!distance.has(from)) distance.set(from, steps + 1);
    }
  }
  return (place) => distance.get(place) ?? furthest + 1;
}
