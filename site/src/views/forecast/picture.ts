import { h, type ComponentChild } from "preact";
import { ranges } from "./packedPool";
import type { SignalName } from "./signals";
import type { Move } from "./words";
import { curveNames, type CurveName, type PoolRun } from "./run";

/** Updates that are shown, and room for those after them. */
const SHOWN = 60;
const AFTER = 40;
const PANEL = 74;
const GAP = 12;
const TOP = 8;
const BOTTOM = 24;
const LEFT = 8;
const RIGHT = 8;

const titles: Readonly<Record<CurveName, string>> = {
  success: "success",
  equal: "groups with equal rewards",
  std: "std of rewards",
  gradient: "gradient norm, by magnitude",
};

/** The curve in which each signal shows. */
const curveOf: Readonly<Record<SignalName, CurveName>> = {
  success: "success",
  equal: "equal",
  std: "std",
  spike: "gradient",
};

/** The four curves of a run, one below the other; what moved, and what came after, is drawn once the answer is known. */
export function picture(
  run: PoolRun,
  moves: readonly Move[],
  isAnswered: boolean,
  width: number,
  description: string,
): ComponentChild {
  const height = TOP + curveNames.length * (PANEL + GAP) + BOTTOM;
  const xOf = (i: number): number => LEFT + (i / (SHOWN + AFTER - 1)) * (width - LEFT - RIGHT);
  const now = xOf(SHOWN - 0.5);
  const first = run.last - SHOWN + 1;
  const end = height - BOTTOM;
  return h(
    "svg",
    {
      viewBox: `0 0 ${width} ${height}`,
      role: "img",
      "aria-label": description,
      style: { height: `${height}px` },
    },
    [
      h("rect", { class: "ahead", x: now, y: 0, width: width - now, height: end }),
      ...curveNames.flatMap((name, row) => {
        const top = TOP + row * (PANEL + GAP);
        const yOf = (share: number): number => top + PANEL - share * (PANEL - 20);
        const all = run.curves[name];
        const shown = all.slice(0, SHOWN);
        const after = isAnswered ? all.slice(SHOWN - 1) : [];
        const lineOf = (values: readonly number[], from: number): string =>
          values
            .map((value, i) => `${i === 0 ? "M" : "L"}${xOf(from + i).toFixed(1)} ${yOf(value).toFixed(1)}`)
            .join("");
        return [
          h("line", { class: "base", x1: LEFT, x2: width - RIGHT, y1: yOf(0), y2: yOf(0) }),
          h("text", { x: LEFT, y: top + 12, class: "name" }, titles[name]),
          h("text", { x: width - RIGHT, y: top + 12, class: "range" }, rangeOf(name)),
          h("path", { class: "curve", d: lineOf(shown, 0) }),
          ...(isAnswered ? moves : [])
            .filter((move) => curveOf[move.name] === name)
            .map(({ at }) =>
              h("circle", { class: "moved", cx: xOf(at - first), cy: yOf(all[at - first]!), r: 5 }),
            ),
          after.length > 1 && h("path", { class: "curve after", d: lineOf(after, SHOWN - 1) }),
        ];
      }),
      h("line", { class: "now", x1: now, x2: now, y1: 0, y2: end }),
      isAnswered
        ? run.onset !== null && h("text", { class: "fell", x: now + 6, y: TOP + 12 }, "it falls")
        : h("text", { class: "asked", x: (now + width) / 2, y: end / 2 + 14 }, "?"),
      h("text", { class: "tick", x: LEFT, y: height - 7 }, `update ${first}`),
      h("text", { class: "tick middle", x: now, y: height - 7 }, String(run.last)),
      isAnswered &&
        h("text", { class: "tick end", x: width - RIGHT, y: height - 7 }, String(run.last + AFTER)),
    ],
  );
}

const rangeOf = (name: CurveName): string => {
  const [low, high] = ranges[name];
  return name === "gradient" ? `1e${low} to ${10 ** high}` : `${low} to ${high}`;
};
