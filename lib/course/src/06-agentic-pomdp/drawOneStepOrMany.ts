import { Drawing } from "turnwise/internal/plot/drawing";
import { seriesColors } from "turnwise/internal/plot/palette";
import { box, line, text } from "turnwise/internal/plot/trajectory/shapes";

const width = 720;
const height = 392;
const [blue, orange] = seriesColors as readonly [string, string];

interface Card {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly heading: string;
  readonly words: readonly string[];
  readonly color: string;
}

const question: Card = {
  ...{ x: 160, y: 12, width: 400, height: 66, color: "currentColor" },
  heading: "What would a fixed plan get?",
  words: ["one plan, made after the first observation"],
};
const bandit: Card = {
  ...{ x: 12, y: 132, width: 336, height: 92, color: orange },
  heading: "a bandit with long answers",
  words: ["rules about turns buy nothing;", "pay for the answer"],
};
const agent: Card = {
  ...{ x: 396, y: 132, width: 312, height: 92, color: blue },
  heading: "an agent",
  words: ["what it reveals on the way", "decides what to do next"],
};
const third = { y: 288, width: 224, height: 92, color: blue } as const;
const parts: readonly Card[] = [
  { ...third, x: 12, heading: "memory", words: ["take it away and measure:", "it may lie in the world"] },
  {
    ...third,
    x: 248,
    heading: "credit",
    words: ["the whole return is noisy;", "dividing by the std is bias"],
  },
  { ...third, x: 484, heading: "mask", words: ["what the world wrote", "is nobody's action"] },
];

/** Slide with the questions to ask of a task before choosing a rule: the takeaway from the lesson on agentic POMDPs. */
export function drawOneStepOrMany(): Drawing {
  const ways =
    arrow([250, 78], [180, 132], "everything", "end") +
    arrow([470, 78], [552, 132], "less", "start") +
    parts.map((part) => arrow([552, 224], [part.x + part.width / 2, part.y], "", "start")).join("");
  const label =
    "What would a fixed plan get? Everything: a bandit with long answers. Less: an agent; look at memory, credit and mask.";
  return new Drawing({
    ...{ width, height, label },
    content: ways + [question, bandit, agent, ...parts].map(card).join(""),
    text: [question, bandit, agent, ...parts]
      .map(({ heading, words }) => [heading, ...words].join(": ").replace(": ", " - "))
      .join("\n"),
  });
}

function card({ x, y, width: w, height: h, heading, words, color }: Card): string {
  const middle = x + w / 2;
  const style = { fill: color, fillOpacity: 0.16, stroke: color, strokeWidth: 2.5, radius: 12 };
  return (
    box(x, y, w, h, style) +
    text(middle, y + 28, heading, { size: 20, bold: true, anchor: "middle" }) +
    words.map((one, i) => text(middle, y + 54 + 22 * i, one, { size: 16, anchor: "middle" })).join("")
  );
}

function arrow(
  from: readonly [number, number],
  to: readonly [number, number],
  words: string,
  anchor: "start" | "end",
): string {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.sqrt(dx * dx + dy * dy);
  const [ux, uy] = [dx / length, dy / length];
  const foot = [to[0] - 12 * ux, to[1] - 12 * uy] as const;
  const head = `M${to.join(" ")}L${foot[0] - 6 * uy} ${foot[1] + 6 * ux}L${foot[0] + 6 * uy} ${foot[1] - 6 * ux}Z`;
  const side = anchor === "end" ? -10 : 10;
  return (
    line(from, foot, { width: 2.5, opacity: 0.7 }) +
    `<path d="${head}" fill="currentColor" opacity="0.7"/>` +
    (words === ""
      ? ""
      : text((from[0] + to[0]) / 2 + side, (from[1] + to[1]) / 2 + 2, words, { size: 18, anchor }))
  );
}
