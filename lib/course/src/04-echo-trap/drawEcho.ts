import { exp } from "turnwise/internal/base/elementary/exp";
import type { EnumerableEnv } from "turnwise/internal/env/env";
import { ANSWER, type ToolChainState } from "turnwise/internal/env/toolChain";
import { Chart, vegaLiteSchema } from "turnwise/internal/plot/chart";
import { largeLetters } from "turnwise/internal/plot/large";
import { neutralColor, seriesColors } from "turnwise/internal/plot/palette";
import { contextKey, type History, type Policy } from "turnwise/internal/policy/policy";

/** The values that a task of ToolChain-v0 may ask for. */
const values = [0, 1, 2, 3] as const;

/** The answers of an agent at one time of its training. */
export interface Echo {
  /** Updates before it. */
  readonly after: number;
  /** P(answer | right answer): a row for each right answer, and a last column for episodes that end without any. */
  readonly answer: readonly (readonly number[])[];
}

/**
 * The share of each answer among those to the tasks with one right answer, exactly, over the training prompts of ToolChain-v0.
 *
 * An agent that has learned the task has 1 on the diagonal; one that says the same to everything, a column.
 *
 * @see RAGEN-2, whose matrix scores every output against every input
 */
export function answersGiven(env: EnumerableEnv<ToolChainState>, policy: Policy): number[][] {
  const answers = values.map(() => [...values, "none"].map(() => 0));
  const asked = values.map(() => 0);
  const calls = callsOf(env, policy);
  for (const { probability, state, observation } of env.start()) {
    const right = Math.floor(state.prompt / 16) % 4;
    asked[right]! += probability;
    let reached: readonly Reached[] = [
      { state, history: { observations: [observation], actions: [] }, weight: probability },
    ];
    while (reached.length > 0) reached = nextTurn(env, policy, calls, reached, answers[right]!);
  }
  return answers.map((row, right) => row.map((sum) => sum / asked[right]!));
}

/** A state in an episode, by one of the ways that lead there, and how likely they are together. */
interface Reached {
  readonly state: ToolChainState;
  readonly history: History;
  readonly weight: number;
}

/** The states one turn later. Ways to one state in which the policy sees the same are one: so there are few, however many words there are. */
function nextTurn(
  env: EnumerableEnv<ToolChainState>,
  policy: Policy,
  calls: ReturnType<typeof callsOf>,
  reached: readonly Reached[],
  answers: number[],
): readonly Reached[] {
  const later = new Map<string, Reached>();
  for (const { state, history, weight } of reached) {
    for (const [action, chance] of calls(history)) {
      const [, tool, argument] = action as readonly [number, number, number];
      for (const { probability, state: next, observation, terminated } of env.transition(state, action)) {
        const share = weight * chance * probability;
        if (terminated) {
          answers[tool === ANSWER ? Math.min(argument, values.length) : values.length]! += share;
          continue;
        }
        const then = {
          observations: [...history.observations, observation],
          actions: [...history.actions, action],
        };
        const key = `${JSON.stringify(next)} ${contextKey(policy.contextOf(then))}`;
        later.set(key, { state: next, history: then, weight: (later.get(key)?.weight ?? 0) + share });
      }
    }
  }
  return [...later.values()];
}

/** A call of a tool with its argument, and how likely the policy makes it. */
type Call = readonly [action: readonly number[], chance: number];

/**
 * The calls that a policy may make after a history; those of one context are asked for once. The thought before a tool changes
 * nothing in the world.
 */
function callsOf(
  { spec }: Pick<EnumerableEnv<ToolChainState>, "spec">,
  policy: Policy,
): (history: History) => readonly Call[] {
  const known = new Map<string, readonly Call[]>();
  const words = spec.vocabulary.map((_, token) => token);
  return (history) => {
    const context = policy.contextOf(history);
    const key = contextKey(context);
    const found = known.get(key);
    if (found) return found;
    const chances = (prefix: readonly number[]): readonly number[] =>
      Array.from(policy.nextTokenLogProb(context, prefix), exp);
    const sums = words.map(() => words.map(() => 0));
    for (const [thought, first] of chances([]).entries()) {
      for (const [tool, second] of chances([thought]).entries()) {
        for (const [argument, third] of chances([thought, tool]).entries())
          sums[tool]![argument]! += first * second * third;
      }
    }
    const calls = sums
      .flatMap((row, tool) => row.map((chance, argument): Call => [[0, tool, argument], chance]))
      .filter(([, chance]) => chance > 0);
    known.set(key, calls);
    return calls;
  };
}

/** The share of right answers. */
const rightShare = ({ answer }: Echo): number =>
  answer.reduce((sum, row, right) => sum + row[right]!, 0) / answer.length;

/** The most frequent answer, and its share of all. */
function commonest({ answer }: Echo): { readonly value: number; readonly share: number } {
  const shares = values.map((value) => answer.reduce((sum, row) => sum + row[value]!, 0) / answer.length);
  const share = Math.max(...shares);
  return { value: shares.indexOf(share), share };
}

const percent = (share: number): string => `${Math.round(100 * share)}%`;

/**
 * A film strip: at each time, how often the agent gives each answer, by the answer that is right. As a run falls into the echo trap, the
 * diagonal dies, and a column remains.
 */
export function drawEcho({ echoes }: { readonly echoes: readonly Echo[] }): Chart {
  const { value, share } = commonest(echoes.at(-1)!);
  const title = `At the end, ${percent(share)} of all answers are ${value}, whatever the task`;
  const frameOf = ({ after }: Echo): string => `after ${after}`;
  const listed = echoes.map((echo) => {
    const most = commonest(echo);
    return `${frameOf(echo)}: ${percent(rightShare(echo))} right, ${percent(most.share)} say ${most.value}`;
  });
  const description = `${title}. ${listed.join("; ")}.`;
  const drawn = echoes.flatMap((echo) =>
    echo.answer.flatMap((row, right) =>
      row.map((often, given) => ({ frame: frameOf(echo), right, given: values[given] ?? "–", often })),
    ),
  );
  const axis = { grid: false, ticks: false, domain: false, labelAngle: 0 };
  return new Chart(
    {
      $schema: vegaLiteSchema,
      description,
      title: {
        text: title,
        subtitle:
          "each row: tasks with one right answer; each column: the answer given (–: none); dark: always",
      },
      data: { values: drawn },
      columns: echoes.length,
      facet: {
        field: "frame",
        type: "nominal",
        sort: echoes.map(frameOf),
        title: null,
        header: { labelFontSize: 13 },
      },
      spacing: 10,
      spec: {
        width: 85,
        height: 68,
        mark: { type: "rect", stroke: neutralColor, strokeWidth: 0.5 },
        encoding: {
          x: { field: "given", type: "ordinal", title: null, sort: [...values, "–"], axis },
          y: { field: "right", type: "ordinal", title: null, axis },
          color: { value: seriesColors[0] },
          fillOpacity: {
            field: "often",
            type: "quantitative",
            scale: { domain: [0, 1], range: [0, 1] },
            legend: null,
          },
        },
      },
      config: largeLetters,
    },
    description,
  );
}
