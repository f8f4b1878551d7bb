import { isObject, type Row } from "../../logs/row";
import type { StoredTrajectory, StoredTurn } from "../trace";
import { listOf, numberOf, refuseToWrite, without, type TraceFormat } from "./contract";
import { textOf } from "./messages";

/**
 * Episodes of verifiers, which prime-rl writes to `rollouts/step_<n>/train/<all or effective>/traces.jsonl`.
 *
 * A trace is a graph of messages; each way from a root to a leaf is a trajectory. Its turns are the messages that a model call gave,
 * their tokens those that it sampled. Rewards count by their weights. Traces of agents that are not trained are left out.
 *
 * @see verifiers 0.4.0 on PyPI: `v1/episode.py`, `v1/trace.py`, `v1/graph.py` (`MessageNode`)
 */
export const verifiers: TraceFormat = {
  title: "episodes of verifiers",
  is: (record) => Array.isArray(record.traces) && "task" in record,
  read: (record, number) => {
    const where = `record ${number}`;
    const id = String(record.id ?? number);
    const group = isObject(record.group) ? String(record.group.id) : taskOf(record.task);
    return listOf<Row>(record.traces, "traces", where).flatMap((trace, i) => {
      if (isObject(trace.agent) && trace.agent.trainable === false) return [];
      return trajectories(trace, { id: `${id}.${i}`, group, where: `${where}, trace ${i}` });
    });
  },
  write: ([one]) => {
    const { agent = { name: "agent", trainable: true }, rewards, ...extra } = one!.extra;
    const stop = one!.truncated ? { stop_condition: "max_turns" } : {};
    return {
      id: one!.id.replace(/\.0$/, ""),
      group: { id: one!.group },
      task: { type: "task", data: {} },
      traces: [
        {
          agent,
          nodes: nodesOf(one!),
          calls: [],
          rewards: rewards ?? { reward: { score: one!.reward, weight: 1 } },
          ...stop,
          ...extra,
        },
      ],
    };
  },
};

/** Observations and sampled turns, each a node below the one before. */
function nodesOf({ id, turns }: StoredTrajectory): Row[] {
  const nodes: Row[] = [];
  const add = (node: Row): void =>
    void nodes.push({ parent: nodes.length === 0 ? null : nodes.length - 1, ...node });
  turns.forEach((turn, t) => {
    if (!turn.tokens.every((token) => typeof token === "number")) {
      refuseToWrite(
        "episodes of verifiers",
        "numbers for tokens",
        `turn ${t} of trajectory ${id} has pieces of text`,
      );
    }
    if (turn.observation !== "")
      add({ message: { role: "user", content: turn.observation }, sampled: false });
    add({
      message: turn.info?.message ?? { role: "assistant", content: null },
      sampled: true,
      token_ids: turn.tokens,
      mask: turn.tokens.map(() => true),
      logprobs: turn.rolloutLogProb ?? [],
      ...(turn.logProb && { trainer_logprobs: turn.logProb }),
      ...(turn.advantage && { advantages: turn.advantage }),
    });
  });
  return nodes;
}

const taskOf = (task: unknown): string =>
  isObject(task) ? String(task.key ?? task.hash ?? JSON.stringify(task.data)) : JSON.stringify(task);

function trajectories(
  trace: Row,
  { id, group, where }: { readonly id: string; readonly group: string; readonly where: string },
): StoredTrajectory[] {
  const nodes = listOf<Row>(trace.nodes, "nodes", where);
  const parents = new Set(nodes.map((node) => node.parent));
  const leaves = nodes.flatMap((_, i) => (parents.has(i) ? [] : [i]));
  const rewards = isObject(trace.rewards) ? Object.values(trace.rewards).filter(isObject) : [];
  const reward = rewards.reduce(
    (sum, one) => sum + numberOf(one.score, "score", where) * numberOf(one.weight ?? 1, "weight", where),
    0,
  );
  const truncated = trace.stop_condition === "max_turns" || trace.is_truncated === true;
  return leaves.map((leaf) => ({
    id: leaves.length === 1 ? id : `${id}/${leaf}`,
    group,
    turns: turnsTo(leaf, nodes, where),
    reward,
    truncated,
    extra: without(trace, ["nodes", "calls"]),
  }));
}

function turnsTo(leaf: number, nodes: readonly Row[], where: string): StoredTurn[] {
  const path: number[] = [];
  for (
    let at: unknown = leaf;
    typeof at === "number" && nodes[at] && path.length <= nodes.length;
    at = nodes[at]!.parent
  ) {
    path.unshift(at);
  }
  const turns: StoredTurn[] = [];
  let heard: string[] = [];
  let trainedBefore = 0;
  for (const i of path) {
    const node = nodes[i]!;
    const message = node.message as { role: string };
    if (node.sampled !== true) {
      heard.push(textOf(message));
      // What the model did not sample should have no loss.
      if (Array.isArray(node.mask)) trainedBefore += node.mask.filter(Boolean).length;
      continue;
    }
    turns.push({
      observation: heard.join("\n"),
      ...sampledOf(node, `${where}, node ${i}`),
      info: { node: i, message, ...(trainedBefore > 0 && { trainedBefore }) },
    });
    heard = [];
    trainedBefore = 0;
  }
  return turns;
}

/** The tokens that the model sampled, with what stands beside each of them. */
function sampledOf(node: Row, where: string): Omit<StoredTurn, "observation" | "info"> {
  const ids = listOf<number>(node.token_ids ?? [], "token_ids", where);
  const mask = listOf<boolean>(node.mask ?? [], "mask", where, ids.length);
  const tokens = ids.filter((_, i) => mask[i]);
  const beside = (name: string): readonly number[] | undefined => {
    const values = node[name];
    if (values === undefined || values === null || (Array.isArray(values) && values.length === 0))
      return undefined;
    return listOf<number>(values, name, where, tokens.length);
  };
  const rollout = beside("logprobs");
  const trainer = beside("trainer_logprobs");
  const advantage = beside("advantages");
  return {
    tokens,
    ...(trainer && { logProb: trainer }),
    ...(rollout && { rolloutLogProb: rollout }),
    ...(advantage && { advantage }),
  };
}
