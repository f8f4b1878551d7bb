import { Drawing } from "../plot/drawing";
import { creditColors } from "../plot/trajectory/pieces";
import { box, line, shortened, text } from "../plot/trajectory/shapes";
import { plainNumber, signed } from "../plot/trajectory/words";
import type { Decision } from "./film";

const mostWords = 7;
const row = 30;
const left = 120;
const scale = 330;
const right = 640;

/**
 * The words that the agent could have chosen, with their probabilities as bars. As a gradient, an arrow shows which way and how
 * hard the update pushes each; as a result, the bar is the new probability and a line stands where the old one was.
 */
export function drawDecision(decision: Decision, as: "gradient" | "result"): Drawing {
  const { words, before, after, push } = decision;
  const strength = Math.max(...push.map(Math.abs), 1e-300);
  const shown = [...words.keys()]
    .sort((a, b) => Math.abs(push[b]!) - Math.abs(push[a]!) || a - b)
    .slice(0, mostWords)
    .sort((a, b) => a - b);
  const content = shown.map((v, i) => {
    const y = 8 + i * row;
    const share = as === "gradient" ? before[v]! : after[v]!;
    const bar = box(left, y, scale * share, row - 10, { fill: "currentColor", fillOpacity: 0.3, radius: 2 });
    const frame = box(left, y, scale, row - 10, { stroke: "currentColor", strokeOpacity: 0.2, radius: 2 });
    const word = text(left - 10, y + 16, shortened(words[v]!, 12), { size: 15, mono: true, anchor: "end" });
    const number = (words: string): string => text(left + scale + 12, y + 16, words, { size: 15 });
    if (as === "result") {
      const old = left + scale * before[v]!;
      const mark = line([old, y - 3], [old, y + row - 7], { width: 2.5 });
      return word + frame + bar + mark + number(`${plainNumber(before[v]!, 3)} → ${plainNumber(share, 3)}`);
    }
    return (
      word +
      frame +
      bar +
      arrow(left + scale * share, y + (row - 10) / 2, (110 * push[v]!) / strength) +
      number(`push ${signed(push[v]!, 4)}`)
    );
  });
  const numbers = shown.map((v) =>
    as === "gradient"
      ? `${words[v]!} ${before[v]!.toFixed(3)}, push ${signed(push[v]!, 4)}`
      : `${words[v]!} ${before[v]!.toFixed(3)} → ${after[v]!.toFixed(3)}`,
  );
  const what = as === "gradient" ? "What the gradient asks for" : "What the step has changed";
  return new Drawing({
    width: right,
    height: 8 + shown.length * row,
    content: content.join(""),
    label: `${what}: ${numbers.join("; ")}.`,
    text: `${what}:\n${numbers.map((words) => `  ${words}`).join("\n")}`,
  });
}

function arrow(x: number, y: number, length: number): string {
  if (Math.abs(length) < 1) return "";
  const color = length > 0 ? creditColors.more : creditColors.less;
  const sign = Math.sign(length);
  const tip = x + length;
  const head = Math.min(11, Math.abs(length));
  const foot = tip - sign * head;
  return (
    line([x, y], [foot, y], { stroke: color, width: 5 }) +
    `<path d="M${tip.toFixed(1)} ${y.toFixed(1)}L${foot.toFixed(1)} ${(y - 8).toFixed(1)}V${(y + 8).toFixed(1)}Z" fill="${color}"/>`
  );
}
