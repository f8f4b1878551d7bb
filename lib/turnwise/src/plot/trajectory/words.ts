import type { Row, Scene, Token, Turn } from "./episodes";

/** A number with its sign, in so many decimals at most; a minus as wide as the plus. */
export function signed(value: number, digits = 2): string {
  const text = plainNumber(Math.abs(value), digits);
  if (text === "0") return "0";
  return `${value < 0 ? "−" : "+"}${text}`;
}

/** A number without zeros at its end, and with a real minus. */
export function plainNumber(value: number, digits = 2): string {
  if (!Number.isFinite(value)) return String(value).replace("-", "−");
  const text = String(Number(value.toFixed(digits)));
  return text === "-0" ? "0" : text.replace("-", "−");
}

/** Description of a token in words: for tooltips, and for readers who cannot see colors. */
export function tokenText({ text, byWorld, role, advantage, ratio }: Token): string {
  const parts = [
    ...(byWorld ? ["written by the world, mask 0"] : []),
    ...(role === undefined
      ? []
      : [role === "switch" ? "keeps or switches the subgoal" : "names the subgoal"]),
    ...(advantage === undefined ? [] : [`advantage ${signed(advantage)}`]),
    ...(ratio === undefined ? [] : [`ratio ${ratio.toFixed(2)}`]),
  ];
  return parts.length === 0 ? text : `${text}: ${parts.join(", ")}`;
}

/** The whole drawing for a terminal: what the world wrote stands in brackets. */
export function sceneText({ title, rows, more, clip }: Scene): string {
  const single = rows.length === 1;
  const turnLine = ({ number, observation, tokens, reward, agent, newSubgoal }: Turn): string => {
    const heard = observation === "" ? "" : `(${observation.replaceAll("\n", " / ")}) `;
    const who = agent === undefined ? "" : ` ${agent}`;
    const aim = newSubgoal ? " new subgoal" : "";
    const words = tokens.map((token) => wordText(token, clip)).join(" ");
    return `    turn ${number}${who}${aim}: ${heard}${words}${reward === undefined ? "" : `  reward ${plainNumber(reward)}`}`;
  };
  const lines = rows.flatMap((row) => [
    ...(single ? [] : [`  ${row.name}${totalText(row)}`]),
    ...row.turns.map(turnLine),
  ]);
  const head = single ? `${title}${totalText(rows[0]!)}` : title;
  return [head, ...lines, ...(more > 0 ? [`  ${more} more`] : [])].join("\n");
}

/** The end of a row: what it got, and whether a limit cut it off. */
export function totalText({ total, truncated }: Row): string {
  const parts = [
    ...(total === undefined ? [] : [`return ${plainNumber(total)}`]),
    ...(truncated ? ["cut off by a limit"] : []),
  ];
  return parts.length === 0 ? "" : `, ${parts.join(", ")}`;
}

function wordText({ text, byWorld, advantage, ratio }: Token, clip: Scene["clip"]): string {
  if (byWorld) return `(${text})`;
  const numbers = [
    ...(advantage === undefined ? [] : [signed(advantage)]),
    ...(ratio === undefined ? [] : [`x${ratio.toFixed(2)}${isClipped(ratio, clip) ? "!" : ""}`]),
  ];
  return numbers.length === 0 ? text : `${text}[${numbers.join(" ")}]`;
}

/** Whether a ratio lies beyond the bounds of the gate. */
export const isClipped = (ratio: number, { low, high }: Scene["clip"]): boolean =>
  ratio < low || ratio > high;
