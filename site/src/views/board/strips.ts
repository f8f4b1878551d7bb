import { h, type ComponentChild } from "preact";

/** A row of dots: a score of every rule. */
export interface Strip {
  readonly name: string;
  readonly others: readonly { readonly title: string; readonly score: number }[];
  readonly base: number;
  readonly own: number | undefined;
}

const WIDTH = 440;
const SIDE = 14;
const STEP = 58;
const BOTTOM = 34;
const LEAST = -1;

const xOf = (score: number): number =>
  SIDE + ((Math.min(1, Math.max(LEAST, score)) - LEAST) / (1 - LEAST)) * (WIDTH - 2 * SIDE);

/** Every rule as a dot in each world, the rule before the change as a ring, the changed one as a large dot. */
export function strips(all: readonly Strip[], description: string): ComponentChild {
  const height = all.length * STEP + BOTTOM;
  const ticks = [
    { at: -1, text: "worse", anchor: "start" },
    { at: 0, text: "random policy", anchor: "middle" },
    { at: 1, text: "best policy", anchor: "end" },
  ];
  return h(
    "svg",
    { class: "strips", viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": description },
    [
      ...ticks.map(({ at, text, anchor }) =>
        h("g", null, [
          h("line", { class: "grid", x1: xOf(at), x2: xOf(at), y1: 8, y2: height - BOTTOM + 6 }),
          h("text", { x: xOf(at), y: height - 10, "text-anchor": anchor }, text),
        ]),
      ),
      ...all.map(({ name, others, base, own }, row) => {
        const y = row * STEP + 42;
        return h("g", null, [
          h("text", { class: "strip", x: SIDE, y: y - 17 }, name),
          h("line", { class: "zero", x1: SIDE, x2: WIDTH - SIDE, y1: y, y2: y }),
          ...others.map(({ title, score }) =>
            h("circle", { class: "other", cx: xOf(score), cy: y, r: 4 }, h("title", null, title)),
          ),
          h("circle", { class: "base", cx: xOf(base), cy: y, r: 7 }),
          own !== undefined && h("circle", { class: "own", cx: xOf(own), cy: y, r: 7 }),
        ]);
      }),
    ],
  );
}
