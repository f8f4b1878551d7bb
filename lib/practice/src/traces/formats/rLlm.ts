import { isFiniteNumber, isObject, type Row } from "../../logs/row";
import { wordsOf, type StoredTrajectory, type StoredTurn } from "../trace";
import { listOf, numberOf, without, type ReadFormat } from "./contract";
import { textOf, turnsOf, type Message } from "./messages";

/** Ends of an episode that the agent did not choose. */
const cut = /max|exceed|time_?out|truncat/i;

/**
 * Episodes of rLLM: those of its logger, one to a file (`episodes/train_step_<n>_epoch_<m>/episode_*.json`), and those that
 * `Episode.to_dict()` makes. Each trajectory of an episode, one for each agent, is read; one agent's trajectories of a task are a group.
 *
 * @see https://github.com/rllm-org/rllm at 9beb6e0f676a46d38858991fd79ac5f8e0b16d4c: `rllm/types.py` (Episode), `rllm/utils/episode_logger.py`
 */
export const rLlm: ReadFormat = {
  title: "episodes of rLLM",
  is: (record) =>
    Array.isArray(record.trajectories) && ("is_correct" in record || "termination_reason" in record),
  read: (record, number) => {
    const where = `record ${number}`;
    const id = String(record.episode_id ?? record.id ?? number);
    const [task] = id.split(":");
    return listOf<Row>(record.trajectories, "trajectories", where).map((trajectory, i): StoredTrajectory => {
      const steps = listOf<Row>(trajectory.steps ?? [], "steps", `${where}, trajectory ${i}`);
      const name = String(trajectory.name ?? i);
      return {
        id: `${id}:${name}`,
        group: `${task}:${name}`,
        turns: turnsOfSteps(steps, `${where}, trajectory ${i}`),
        reward: rewardOf(trajectory, steps, record, where),
        truncated: cut.test(String(record.termination_reason ?? "")),
        extra: {
          ...without(record, ["trajectories", "id", "episode_id"]),
          ...(isFiniteNumber(record.training_step) && { step: record.training_step }),
        },
      };
    });
  },
};

/** The reward of a trajectory: its own, else that of its steps, else whether its episode is correct. */
function rewardOf(
  trajectory: Row,
  steps: readonly Row[],
  { is_correct: isCorrect }: Row,
  where: string,
): number {
  if (trajectory.reward !== null && trajectory.reward !== undefined)
    return numberOf(trajectory.reward, "reward", where);
  const given = steps.map(({ reward }) => reward).filter(isFiniteNumber);
  return given.some((one) => one !== 0) ? given.reduce((a, b) => a + b, 0) : Number(isCorrect === true);
}

const chatOf = (step: Row | undefined): readonly Message[] =>
  Array.isArray(step?.chat_completions) ? (step.chat_completions as readonly Message[]) : [];

const answersIn = (chat: readonly Message[]): number =>
  chat.filter(({ role }) => role === "assistant").length;

/** A turn for each step. The chat of a step may hold those before it, too, and may be of that step alone. */
function turnsOfSteps(steps: readonly Row[], where: string): StoredTurn[] {
  const last = chatOf(steps.at(-1));
  const whole = answersIn(last) >= steps.length && steps.length > 0 ? turnsOf(last, where) : undefined;
  return steps.map((step, t) => {
    const chat = chatOf(step);
    const turn =
      whole?.at(t - steps.length) ?? (answersIn(chat) > 0 ? turnsOf(chat, where).at(-1) : undefined);
    return withIds(step, turn ?? spoken(step));
  });
}

const written = (value: unknown): string =>
  typeof value === "string" ? value : value === undefined || value === null ? "" : JSON.stringify(value);

/** The turn of a step without a chat. */
const spoken = ({ observation, model_response: said, action }: Row): StoredTurn => ({
  observation:
    isObject(observation) && "content" in observation
      ? textOf(observation as unknown as Message)
      : written(observation),
  tokens: wordsOf(written(said ?? action)),
});

/** A turn with the tokens that were sampled, where the step has them. */
function withIds({ response_ids: ids, logprobs }: Row, turn: StoredTurn): StoredTurn {
  if (!Array.isArray(ids) || ids.length === 0 || !ids.every(isFiniteNumber)) return turn;
  const isWhole = Array.isArray(logprobs) && logprobs.length === ids.length && logprobs.every(isFiniteNumber);
  return { ...turn, tokens: ids, ...(isWhole && { rolloutLogProb: logprobs }) };
}
