import { Drawing } from "../drawing";
import { blocksOf, drawBlock, fewestLetters, type Block } from "./blocks";
import type { Row, Scene, Turn } from "./episodes";
import { drawLegend } from "./legend";
import { lookOf, type Look } from "./look";
import { yOfRatio } from "./pieces";
import { line, shortened, text, widthOf } from "./shapes";
import { plainNumber, sceneText, totalText } from "./words";

/** Nothing is drawn below: a picture must fit on one screen of a lecture hall. */
const mostHeight = 600;
const mostWidth = 880;
const leastWidth = 700;
const titleHeight = 34;

interface Body {
  readonly content: string;
  readonly width: number;
  readonly height: number;
}

/** The trajectories as a picture. */
export function drawScene(scene: Scene): Drawing {
  const look = lookOf(scene);
  const room = mostHeight - titleHeight - drawLegend(scene, look, { y: 0, width: leastWidth }).height;
  const body = scene.rows.length === 1 ? drawOne(scene, look, room) : drawSeveral(scene, look, room);
  const rest = scene.more > 0 ? `${scene.more} more` : "";
  const head = widthOf(scene.title, 18) + widthOf(rest, 18) + 40;
  const width = Math.ceil(Math.max(body.width, leastWidth, head));
  const legend = drawLegend(scene, look, { y: titleHeight + body.height, width });
  const bold = { size: 18, bold: true } as const;
  const heading =
    text(2, 22, scene.title, bold) +
    (rest === "" ? "" : text(width - 8, 22, rest, { ...bold, anchor: "end" }));
  return new Drawing({
    width,
    height: Math.ceil(titleHeight + body.height + legend.height),
    content: heading + body.content + legend.content,
    label: labelOf(scene),
    text: sceneText(scene),
  });
}

function labelOf({ title, rows, more }: Scene): string {
  const each = rows.map((row) => `${row.name}: ${plural(row.turns.length, "turn")}${totalText(row)}`);
  const one = `${plural(rows[0]!.turns.length, "turn")}${totalText(rows[0]!)}`;
  return `${title}. ${rows.length === 1 ? one : each.join("; ")}${more > 0 ? `; ${more} more` : ""}.`;
}

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

const headOf = ({ number, agent }: Turn, continued: boolean): string =>
  `turn ${number}${agent === undefined ? "" : `, ${agent}`}${continued ? ", goes on" : ""}`;

/** A trajectory in lines of large blocks. */
function drawOne({ rows: [row], tiles }: Scene, look: Look, room: number): Body {
  const { turns, total, truncated } = row!;
  const margin = look.hasRatio ? 38 : 2;
  const most = mostWidth - margin;
  const blocks = turns.flatMap((turn) => blocksOf(turn, look, tiles, most));
  const lines: { block: Block; x: number; width: number }[][] = [];
  let x = Infinity;
  for (const block of blocks) {
    const width = Math.max(block.width, widthOf(headOf(block.turn, block.continued), look.labelFont) + 4);
    if (x + width > mostWidth) {
      lines.push([]);
      x = margin;
    }
    lines.at(-1)!.push({ block, x, width });
    x += width + 12;
  }
  const heads = 20;
  const tops = lines.map((blocks) =>
    heightOf(
      blocks.map(({ block }) => block),
      look,
    ),
  );
  const steps = tops.map((height) => heads + height + 14);
  let [kept, height] = [0, 0];
  while (kept < lines.length && height + steps[kept]! + 30 <= room) height += steps[kept++]!;
  let y = titleHeight;
  let right = 0;
  const content = lines.slice(0, kept).map((placed, i) => {
    const frame = tops[i]!;
    const drawn = placed.map(({ block, x: at, width }) => {
      right = Math.max(right, at + width);
      const head = text(at + 2, y + 14, headOf(block.turn, block.continued), {
        size: look.labelFont,
        opacity: 0.85,
      });
      return head + drawBlock(block, look, { x: at, y: y + heads, width, height: frame, top: 6 });
    });
    const axis = look.hasRatio ? ratioAxis(look, y + heads + 6 + look.cell) : "";
    y += steps[i]!;
    return drawn.join("") + axis;
  });
  const hidden = lines.slice(kept).flat();
  const left = new Set(hidden.map(({ block }) => block.turn.number)).size;
  const end = [
    ...(left > 0 ? [`… ${plural(left, "turn")} more`] : []),
    ...(total === undefined ? [] : [`return ${plainNumber(total, 3)}`]),
    ...(truncated ? ["cut off by a limit"] : []),
  ].join(" · ");
  if (end !== "") content.push(text(margin, y + 16, end, { size: 19, bold: true }));
  return { content: content.join(""), width: right + 2, height: height + (end === "" ? 0 : 30) };
}

/** Maps are higher than cells. */
function heightOf(blocks: readonly Block[], look: Look): number {
  const pictures = blocks.some(({ turn }) => turn.observation.includes("\n"));
  return Math.max(look.cell + look.strip, pictures ? look.mapHeight : 0) + 12;
}

/** Labels of the line and the dashes, at the left; of the dashes only if they are clear of the line. */
function ratioAxis(look: Look, y: number): string {
  const { low, high } = look.clip;
  const clear = (mark: number): boolean => Math.abs(yOfRatio(mark, look, y) - yOfRatio(1, look, y)) >= 12;
  const marks = [low, 1, high].filter((mark) => mark === 1 || (mark > 0 && mark < Infinity && clear(mark)));
  return marks
    .map((mark) =>
      text(33, yOfRatio(mark, look, y) + 5, plainNumber(mark), { size: 13, anchor: "end", opacity: 0.85 }),
    )
    .join("");
}

/** Trajectories as rows of small blocks, one column for each turn. */
function drawSeveral({ rows, tiles }: Scene, given: Look, room: number): Body {
  // Where the legend needs the room, the bars of ratios are lower.
  const row = Math.min(given.cell + given.strip + 6, Math.floor((room - 20) / rows.length));
  const look = { ...given, strip: Math.max(0, row - 6 - given.cell) };
  const names = rows.map(({ name }) => shortened(name, 14));
  const margin = 12 + Math.max(...names.map((name) => widthOf(name, look.labelFont) * 1.1));
  const { columns, blocks, last, end } = columnsOf(rows, look, tiles, margin);
  const step = look.cell + look.strip + 6;
  const top = titleHeight + 18;
  const label = { size: look.labelFont, opacity: 0.85 } as const;
  const heads = [...columns, ...(last ? [last.column] : [])].map(({ x, head }) =>
    text(x + 2, titleHeight + 11, head, label),
  );
  if (rows.some(({ total }) => total !== undefined)) {
    heads.push(text(end + totals - 8, titleHeight + 11, "return", { ...label, anchor: "end" }));
  }
  const content = rows.map((row, r) => {
    const y = top + r * step;
    const middle = y + look.cell / 2 + 7;
    const drawn = columns.map(({ x }, t) => {
      const block = blocks[r]![t];
      if (block === undefined) return "";
      return drawBlock(block, look, { x, y, width: block.width, height: step - 4, top: 2 });
    });
    const lastBlock = last?.blocks[r];
    if (last && lastBlock) {
      const at = { x: last.column.x, y, width: lastBlock.width, height: step - 4, top: 2 };
      drawn.push(drawBlock(lastBlock, look, at));
    }
    const beyond = row.turns.length - columns.length - (lastBlock ? 1 : 0);
    const gap = (last ? last.column.x : end) - beyondWidth + 4;
    const left = beyond > 0 ? text(gap, middle, `+${plural(beyond, "turn")}`, label) : "";
    const name = text(margin - 8, middle, names[r]!, { size: look.labelFont, bold: true, anchor: "end" });
    const newGroup = r > 0 && row.group !== rows[r - 1]!.group;
    const rule = newGroup ? line([0, y - 2.5], [end + totals, y - 2.5], { opacity: 0.6 }) : "";
    return rule + name + drawn.join("") + left + totalOf(row, end + totals - 8, middle, look);
  });
  return {
    content: heads.join("") + content.join(""),
    width: end + totals,
    height: 20 + rows.length * step,
  };
}

/** Room for the returns, and for a word about turns that do not fit. */
const totals = 74;
const beyondWidth = 64;

interface Column {
  readonly x: number;
  readonly head: string;
}

interface Columns {
  readonly columns: readonly Column[];
  readonly blocks: readonly (readonly Block[])[];
  /** The last turns of the rows that do not fit, to the right of the number of turns between. */
  readonly last?: { readonly column: Column; readonly blocks: readonly (Block | undefined)[] };
  readonly end: number;
}

/** As many turns as fit side by side: what the world said is shortened before a turn is left out. */
function columnsOf(rows: readonly Row[], look: Look, tiles: Scene["tiles"], margin: number): Columns {
  const turns = Math.max(...rows.map((row) => row.turns.length));
  const right = mostWidth - totals;
  const within = (heard: number): Columns => {
    const small = { ...look, heard };
    const own = rows.map((row) => row.turns.map((turn) => blocksOf(turn, small, tiles, Infinity)[0]!));
    const starts: Column[] = [];
    const ends = [margin];
    for (let t = 0; t < turns; t++) {
      const blocks = own.flatMap((row) => row[t] ?? []);
      const head = columnHead(blocks[0]!.turn, look);
      starts.push({ x: ends[t]!, head });
      ends.push(ends[t]! + columnWidth(blocks, head, look) + 8);
    }
    if (turns < 2 || ends[turns]! - 8 <= right) return { columns: starts, blocks: own, end: ends[turns]! };
    // The turn that pays is usually the last one: leave out turns before it.
    for (let kept = turns - 2; kept > 0; kept--) {
      const last = lastTurns(rows, kept, small, tiles);
      const x = ends[kept]! + beyondWidth;
      const end = x + columnWidth(last.blocks, last.head, look) + 8;
      if (end - 8 > right) continue;
      const column = { x, head: last.head };
      return { columns: starts.slice(0, kept), blocks: own, last: { column, blocks: last.blocks }, end };
    }
    const fit = ends.findLastIndex((end, count) => count > 0 && end - 8 <= right - beyondWidth);
    const kept = Math.max(1, fit);
    return { columns: starts.slice(0, kept), blocks: own, end: ends[kept]! + beyondWidth };
  };
  let best = within(look.heard);
  for (const heard of [8, fewestLetters]) {
    if (best.columns.length === turns) break;
    // Less of what the world said is worth it only where more turns appear.
    const next = within(heard);
    if (countOf(next) > countOf(best)) best = next;
  }
  return best;
}

const countOf = ({ columns, last }: Columns): number => columns.length + (last ? 1 : 0);

const columnWidth = (blocks: readonly (Block | undefined)[], head: string, look: Look): number =>
  Math.max(...blocks.map((block) => block?.width ?? 0), widthOf(head, look.labelFont) + 4);

/** The last turn of each row that has more than `kept`, and a head for them. */
function lastTurns(
  rows: readonly Row[],
  kept: number,
  look: Look,
  tiles: Scene["tiles"],
): { readonly blocks: readonly (Block | undefined)[]; readonly head: string } {
  const turns = rows.map((row) => (row.turns.length > kept ? row.turns.at(-1) : undefined));
  const agents = new Set(turns.flatMap((turn) => (turn === undefined ? [] : [turn.agent])));
  const [agent] = agents;
  const mixed = new Set(agents.size > 1 ? turns.flatMap((turn) => turn?.number ?? []) : []);
  return {
    blocks: turns.map((turn) => turn && blocksOf(turn, { ...look, mixed }, tiles, Infinity)[0]!),
    head: `last turn${agents.size === 1 && agent !== undefined ? `, ${agent}` : ""}`,
  };
}

/** The number of the turn, and who took it where that is the same in all rows. */
function columnHead(turn: Turn, { mixed }: Look): string {
  return headOf(mixed.has(turn.number) ? { ...turn, agent: undefined } : turn, false);
}

function totalOf({ total, truncated }: Row, x: number, y: number, look: Look): string {
  if (total === undefined) return "";
  const number = text(x, y, plainNumber(total), { size: look.font + 2, bold: true, anchor: "end" });
  if (!truncated) return number;
  return number + text(x, y + 12, "cut off", { size: 12, anchor: "end", opacity: 0.85 });
}
