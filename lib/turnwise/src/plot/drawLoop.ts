import { hypot } from "../base/elementary/hypot";
import { show } from "../base/show";
import { didYouMean } from "../base/suggest";
import { Drawing } from "./drawing";
import { seriesColors } from "./palette";
import { box, text } from "./trajectory/shapes";

/** The parts of the loop in which an agent learns. */
export type LoopPart = "agent" | "world" | "rule" | "trainer";

interface Station {
  readonly x: number;
  readonly y: number;
  readonly does: string;
  /** Result that it passes to the next one, and where that is written. */
  readonly hands: {
    readonly words: readonly string[];
    readonly x: number;
    readonly y: number;
    readonly anchor: "start" | "middle" | "end";
  };
  /** The arrow to the next part. */
  readonly arrow: readonly [from: readonly [number, number], to: readonly [number, number]];
}

const width = 720;
const height = 330;
const size = { width: 240, height: 92 };
const left = 10;
const right = 470;
const top = 20;
const bottom = 218;

const stations: Readonly<Record<LoopPart, Station>> = {
  agent: {
    x: left,
    y: top,
    does: "writes a turn",
    hands: { words: ["tokens"], x: 350, y: top + 18, anchor: "middle" },
    arrow: [
      [left + size.width, top + 32],
      [right, top + 32],
    ],
  },
  world: {
    x: right,
    y: top,
    does: "answers and pays",
    hands: {
      words: ["trajectories", "and rewards"],
      x: right + size.width / 2 - 16,
      y: 160,
      anchor: "end",
    },
    arrow: [
      [right + size.width / 2, top + size.height],
      [right + size.width / 2, bottom],
    ],
  },
  rule: {
    x: right,
    y: bottom,
    does: "says what was good",
    hands: { words: ["gradient"], x: 350, y: bottom + 34, anchor: "middle" },
    arrow: [
      [right, bottom + 46],
      [left + size.width, bottom + 46],
    ],
  },
  trainer: {
    x: left,
    y: bottom,
    does: "takes a step",
    hands: { words: ["new", "policy"], x: left + size.width / 2 + 16, y: 160, anchor: "start" },
    arrow: [
      [left + size.width / 2, bottom],
      [left + size.width / 2, top + size.height],
    ],
  },
};

/** Answer of the world before the agent's next turn: many turns pass before the rule sees any. */
const answer = {
  words: ["observation"],
  arrow: [
    [right, top + 64],
    [left + size.width, top + 64],
  ] as const,
  at: { x: 350, y: top + 84 },
};

const parts = Object.keys(stations) as LoopPart[];

/**
 * The loop in which an agent learns, with its active parts lit: agent, world, rule and trainer.
 *
 * The agent and the world take turns until a batch of trajectories is full; the rule turns it into a gradient, and the trainer
 * takes a step, which makes a new agent. Without an argument, nothing is lit.
 *
 * @throws {RangeError} if it has no such part
 * @example
 * import { drawLoop } from "turnwise/plot";
 * drawLoop("rule");
 * drawLoop(["agent", "world"], { title: "Collect a batch" });
 */
export function drawLoop(
  lit: LoopPart | readonly LoopPart[] = [],
  { title }: { readonly title?: string } = {},
): Drawing {
  const active = [lit].flat() as readonly string[];
  const wrong = active.find((one) => !parts.includes(one as LoopPart));
  if (wrong !== undefined) {
    throw new RangeError(
      `Cannot draw the loop: its parts must be ${parts.join(", ")}, got ${show(wrong)}.${didYouMean(String(wrong), parts)}`,
    );
  }
  const shift = title === undefined ? 0 : 34;
  const isLit = (part: LoopPart): boolean => active.includes(part);
  const none = active.length === 0;
  const content = parts
    .map((part, i) => drawStation(part, i + 1, isLit(part), none) + drawHandOver(part, isLit(part), none))
    .join("");
  const both = isLit("world");
  const back =
    arrow(answer.arrow, both, none) +
    text(answer.at.x, answer.at.y, answer.words[0]!, {
      size: 18,
      anchor: "middle",
      bold: both,
      opacity: both || none ? 1 : 0.75,
    });
  const heading = title === undefined ? "" : text(2, 22, title, { size: 18, bold: true });
  return new Drawing({
    width,
    height: height + shift,
    content: `${heading}<g transform="translate(0 ${shift})">${content}${back}</g>`,
    label: labelOf(active, title),
    text: loopText(isLit, title),
  });
}

function drawStation(part: LoopPart, number: number, lit: boolean, none: boolean): string {
  const { x, y, does } = stations[part];
  const color = lit ? seriesColors[0]! : "currentColor";
  const frame = box(x, y, size.width, size.height, {
    fill: color,
    fillOpacity: lit ? 0.4 : 0.04,
    stroke: color,
    strokeOpacity: lit || none ? 1 : 0.45,
    strokeWidth: lit ? 5 : 2,
    radius: 12,
  });
  const opacity = lit || none ? 1 : 0.75;
  const middle = x + size.width / 2;
  return (
    frame +
    text(middle, y + 44, `${number} ${part}`, { size: 28, bold: lit || none, anchor: "middle", opacity }) +
    text(middle, y + 73, does, { size: 18, anchor: "middle", opacity })
  );
}

function drawHandOver(part: LoopPart, lit: boolean, none: boolean): string {
  const { hands, arrow: way } = stations[part];
  const style = { size: 18, anchor: hands.anchor, bold: lit, opacity: lit || none ? 1 : 0.75 };
  const words = hands.words.map((word, i) =>
    text(hands.x, hands.y + i * 21 - (hands.words.length - 1) * 4, word, style),
  );
  return arrow(way, lit, none) + words.join("");
}

function arrow(
  [[x1, y1], [x2, y2]]: readonly [readonly [number, number], readonly [number, number]],
  lit: boolean,
  none: boolean,
): string {
  const head = lit ? 14 : 11;
  const length = hypot(x2 - x1, y2 - y1);
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const from = [x1 + dx * 5, y1 + dy * 5] as const;
  const tip = [x2 - dx * 5, y2 - dy * 5] as const;
  const foot = [tip[0] - dx * head, tip[1] - dy * head] as const;
  const side = head * 0.55;
  const color = lit ? seriesColors[0]! : "currentColor";
  const opacity = lit || none ? 1 : 0.55;
  return (
    `<g opacity="${opacity}"><path d="M${from.join(" ")}L${foot.join(" ")}" fill="none" stroke="${color}" stroke-width="${lit ? 5 : 2.5}"/>` +
    `<path d="M${tip.join(" ")}L${foot[0] - dy * side} ${foot[1] + dx * side}L${foot[0] + dy * side} ${foot[1] - dx * side}Z" fill="${color}"/></g>`
  );
}

function labelOf(active: readonly string[], title: string | undefined): string {
  const lit = active.length === 0 ? "" : ` Lit: ${active.join(", ")}.`;
  return `${title === undefined ? "" : `${title}. `}The loop of agent, world, rule and trainer.${lit}`;
}

function loopText(isLit: (part: LoopPart) => boolean, title: string | undefined): string {
  const named = (part: LoopPart): string => (isLit(part) ? `[${part.toUpperCase()}]` : part);
  const [agent, world, rule, trainer] = parts.map(named);
  return [
    ...(title === undefined ? [] : [title]),
    `${agent} --tokens--> ${world} --observation--> ${agent}, many turns`,
    `${world} --trajectories and rewards--> ${rule} --gradient--> ${trainer} --new policy--> ${agent}`,
  ].join("\n");
}
