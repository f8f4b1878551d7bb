import { Drawing, neutralColor, seriesColors } from "turnwise/internal/plot/index";
import { text } from "turnwise/internal/plot/trajectory/shapes";
import type { CoursePoint, WorldCurves } from "./curves";
import { twinWorlds } from "./worlds";

const width = 720;
const sides = { left: 44, right: width - 14 };
const panelHeight = 130;
const titleHeight = 22;
const keyHeight = 26;
const [keptColor, lostColor, changeColor] = [seriesColors[0]!, seriesColors[1]!, seriesColors[2]!];

interface Look {
  readonly color: string;
  readonly width: number;
  readonly opacity?: number;
  readonly dash?: string;
}

const looks = {
  kept: { color: keptColor, width: 1.5, opacity: 0.8 },
  lost: { color: lostColor, width: 1.5, opacity: 0.9 },
  healthy: { color: neutralColor, width: 3, dash: "6 4" },
  change: { color: changeColor, width: 3 },
} as const satisfies Readonly<Record<string, Look>>;

/** Success of the twin over its updates, a panel for each world: every run of the run's own setting, next to the healthy settings. */
export function twinPicture(curves: readonly WorldCurves[], hasChange: boolean): Drawing | undefined {
  const drawn = curves.filter(({ own }) => own.some(({ course }) => course.length > 0));
  if (drawn.length === 0) return undefined;
  const height = keyHeight + drawn.length * panelHeight;
  return new Drawing({
    width,
    height,
    content: key(hasChange) + drawn.map((one, i) => panel(one, keyHeight + i * panelHeight)).join(""),
    label: `Success of the twin. ${drawn.map(inWords).join("; ")}`,
    text: drawn.map(inWords).join("\n"),
  });
}

const inWords = ({ world, own, healthy }: WorldCurves): string => {
  const ends = own.flatMap(({ course }) => course.slice(-1).map(({ success }) => success));
  const healthyEnd = healthy.at(-1);
  return (
    `${twinWorlds[world].title}: ${own.filter(({ lost }) => lost).length} of ${own.length} runs lost, ` +
    `ends ${Math.min(...ends).toFixed(2)} to ${Math.max(...ends).toFixed(2)}` +
    (healthyEnd === undefined ? "" : `, healthy settings ${healthyEnd.success.toFixed(2)}`)
  );
};

function key(hasChange: boolean): string {
  const entries: (readonly [keyof typeof looks, string])[] = [
    ["kept", "a run that stays"],
    ["lost", "a run that is lost"],
    ["healthy", "healthy settings, mean"],
    ...(hasChange ? [["change", "the change that helps most, mean"] as const] : []),
  ];
  let x = sides.left;
  return entries
    .map(([name, words]) => {
      const at = x;
      x += 34 + 7 * words.length + 12;
      return stroke(`M${at} 12H${at + 26}`, looks[name]) + text(at + 32, 16, words, { size: 13 });
    })
    .join("");
}

function panel({ world, own, healthy, change }: WorldCurves, top: number): string {
  const courses = [...own.map(({ course }) => course), healthy, change];
  const last = Math.max(1, ...courses.flat().map(({ update }) => update));
  const [from, to] = [top + titleHeight, top + panelHeight - 20];
  const path = (course: readonly CoursePoint[]): string =>
    course
      .map(({ update, success }, i) => {
        const x = sides.left + (update / last) * (sides.right - sides.left);
        const y = to - Math.min(1, Math.max(0, success)) * (to - from);
        return `${i === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`;
      })
      .join("");
  const line = (course: readonly CoursePoint[], look: Look): string =>
    course.length === 0 ? "" : stroke(path(course), look);
  return (
    text(sides.left, top + 14, `${twinWorlds[world].title}: success`, { size: 13, bold: true }) +
    `<path d="M${sides.left} ${from}V${to}H${sides.right}" fill="none" stroke="currentColor" stroke-opacity=".4"/>` +
    text(sides.left - 6, from + 8, "1", { size: 12, anchor: "end", opacity: 0.8 }) +
    text(sides.left - 6, to, "0", { size: 12, anchor: "end", opacity: 0.8 }) +
    own.map(({ course, lost }) => line(course, lost ? looks.lost : looks.kept)).join("") +
    line(change, looks.change) +
    // Above the change, which may do as well.
    line(healthy, looks.healthy) +
    text(sides.right, to + 14, `update ${last}`, { size: 12, anchor: "end", opacity: 0.8 })
  );
}

const stroke = (path: string, { color, width: thick, opacity = 1, dash }: Look): string =>
  `<path d="${path}" fill="none" stroke="${color}" stroke-width="${thick}" stroke-linejoin="round" stroke-linecap="round"` +
  `${opacity === 1 ? "" : ` stroke-opacity="${opacity}"`}${dash === undefined ? "" : ` stroke-dasharray="${dash}"`}/>`;
