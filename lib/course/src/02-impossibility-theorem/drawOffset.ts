import { advantageTable } from "turnwise/internal/exact/advantageTable";
import { uniformPolicy } from "turnwise/internal/exact/tablePolicy";
import type { Chart } from "turnwise/internal/plot/chart";
import { heatMap } from "turnwise/internal/plot/heatMap";
import { ladder } from "turnwise/internal/tree/games/index";

/** The advantages of the actions on the last rung of a ladder, by a perfect critic and by the group's mean, and their difference. */
export function drawOffset(): Chart {
  const tree = ladder(3);
  const rung = advantageTable(tree, uniformPolicy(tree)).filter(({ infoState }) => infoState === "rung 3");
  const cells = rung.flatMap(({ action, advantage, expected, offset }) => [
    { row: "perfect critic", column: action, value: advantage },
    { row: "group's mean", column: action, value: expected },
    { row: "difference", column: action, value: offset },
  ]);
  const offsets = [...new Set(rung.map(({ offset }) => offset.toFixed(3)))];
  return heatMap(cells, {
    title:
      offsets.length === 1
        ? `The group's mean is off by ${offsets[0]!} for every action`
        : `The group's mean is off by ${offsets.join(", ")}`,
    subtitle: "expected advantage on the last rung of a ladder",
    columnTitle: "action",
    rowTitle: "advantage",
    scale: "sign",
    cellWidth: 120,
    cellHeight: 46,
    rows: ["perfect critic", "group's mean", "difference"],
  });
}
