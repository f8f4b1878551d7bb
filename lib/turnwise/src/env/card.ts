import { checkCard, type CheckCard, type CheckCardParts, type CheckRow } from "../base/checkCard";
import { isEnumerable, type Env, type EnvSpec } from "./env";
import { observationHtml } from "./grid/drawGrid";
import { rowsFromAbove } from "./cardRows";
import { usageOf } from "./tool/declared";

/** Facts about a world: what an agent may write and see in it, what is hidden, and how long an episode lasts. */
export function factsOf(env: Env): CheckRow[] {
  const { spec } = env;
  const first = spec.tiles ? [] : startsOf(env);
  const more = first.length > STARTS ? ", ..." : "";
  const hidden = hiddenIn(env);
  return [
    { name: "the agent writes", ok: null, figure: words(spec.vocabulary) },
    ...toolRow(spec),
    { name: "the world says", ok: null, figure: words(spec.observationVocabulary) },
    ...(hidden === undefined ? [] : [{ name: "hidden at the start", ok: null, figure: hidden }]),
    ...(first.length === 0
      ? []
      : [{ name: "it begins with", ok: null, figure: `${first.slice(0, STARTS).join(", ")}${more}` }]),
    { name: "an episode", ok: null, figure: lengthOf(spec) },
  ];
}

/** The calls, where they are more than single words, which the row above has shown already. */
function toolRow({ tools = [] }: EnvSpec): CheckRow[] {
  if (tools.every(({ parameters }) => parameters.length === 0)) return [];
  return [{ name: "its tools", ok: null, figure: tools.map(usageOf).join(", ") }];
}

/** At most so many starts are shown. */
const STARTS = 4;

/** The different first observations, where the world lists them. */
const startsOf = (env: Env): string[] =>
  isEnumerable(env) ? [...new Set(env.start().map(({ observation }) => observation.text))] : [];

/** Starts that look the same to the agent: what it cannot see is which of them it is in. Undefined where the world lists none. */
function hiddenIn(env: Env): string | undefined {
  if (!isEnumerable(env)) return undefined;
  const alike = new Map<string, Set<string>>();
  for (const { observation, taskId, state } of env.start()) {
    const task = taskId ?? JSON.stringify(state);
    alike.set(observation.text, (alike.get(observation.text) ?? new Set()).add(task));
  }
  const [most] = [...alike.values()].sort((a, b) => b.size - a.size);
  if (most === undefined || most.size < 2) return "nothing: what the agent sees first tells the starts apart";
  const names = [...most];
  const some = names.slice(0, STARTS).join(", ") + (names.length > STARTS ? ", ..." : "");
  return `which of ${most.size} starts it is: ${some}`;
}

/** First observation of the agent as a drawing, where observations are maps. */
export function startPicture(env: Env): Pick<CheckCardParts, "picture"> {
  const { tiles } = env.spec;
  const texts = startsOf(env).slice(0, STARTS);
  if (!tiles || texts.length === 0) return {};
  const html = texts.map((text) => `<div>${observationHtml(text, tiles)}</div>`);
  return {
    picture: {
      html: `<div style="display:flex;flex-wrap:wrap;gap:1em;margin:.5em 0">${html.join("")}</div>`,
      text: texts.join("\n\n"),
    },
  };
}

/** An environment as a notebook shows it: the facts, its options, and what the agent sees first. */
export function envCard(env: Env): CheckCard {
  const { id, skill, options } = env.spec;
  const figure = (value: unknown): string =>
    typeof value === "number" ? String(Number(value.toPrecision(4))) : JSON.stringify(value);
  const given = Object.entries(options).map(([name, value]) => `${name} ${figure(value)}`);
  return checkCard({
    title: id,
    about: skill,
    rows: [
      ...factsOf(env),
      ...rowsFromAbove(env),
      ...(given.length === 0 ? [] : [{ name: "options", ok: null, figure: given.join(", ") }]),
    ],
    ...startPicture(env),
  });
}

function lengthOf({ maxTurns, maxTokens, endToken, vocabulary }: EnvSpec): string {
  const turns = maxTurns === 1 ? "one turn" : `at most ${maxTurns} turns`;
  const tokens =
    maxTokens === 1 ? "one token" : `${endToken === undefined ? "" : "at most "}${maxTokens} tokens`;
  const end = endToken === undefined ? "" : `; "${vocabulary[endToken]}" ends a turn`;
  return `${turns} of ${tokens}${end}`;
}

function words(vocabulary: readonly string[]): string {
  const some = vocabulary.slice(0, 10).join(", ");
  return vocabulary.length > 10 ? `${some} and ${vocabulary.length - 10} more` : some;
}
