import type { Tiles } from "../../env/grid/drawGrid";
import type { Turn } from "./episodes";
import type { Look } from "./look";
import { heardPieces, namePiece, ratioLines, rewardPiece, tokenPieces, type Piece } from "./pieces";
import { box, line } from "./shapes";

/** A turn, or as much of it as fits into a line. */
export interface Block {
  readonly turn: Turn;
  readonly pieces: readonly Piece[];
  readonly width: number;
  /** Whether it goes on with a turn that began in the line above. */
  readonly continued: boolean;
}

/** Letters that stay of what the world said, however little room there is: its last word is often the fact. */
export const fewestLetters = 4;

/** Room between the frame of a block and its cells. */
const inside = 6;

/** The turn in blocks no wider than `most`: what the world said is shortened before the turn is broken. */
export function blocksOf(turn: Turn, look: Look, tiles: Tiles | undefined, most: number): Block[] {
  const said = [...namePiece(turn, look), ...tokenPieces(turn, look)];
  const end = rewardPiece(turn, look);
  for (const share of [1, 0.6, 0.3, 0.15]) {
    const heard = heardPieces(turn, { ...look, heard: Math.floor(look.heard * share) }, tiles);
    const pieces = [...heard, ...(heard.length > 0 ? [pause(look)] : []), ...said, ...end];
    const width = widthOfPieces(pieces, look);
    if (width <= most) return [{ turn, pieces, width, continued: false }];
  }
  return broken(
    turn,
    [...heardPieces(turn, { ...look, heard: fewestLetters }, tiles), ...said],
    end,
    look,
    most,
  );
}

/** A turn that is wider than a line; the reward stands with the last token. */
function broken(
  turn: Turn,
  pieces: readonly Piece[],
  end: readonly Piece[],
  look: Look,
  most: number,
): Block[] {
  const parts: Piece[][] = [[]];
  pieces.forEach((piece, i) => {
    const own = i === pieces.length - 1 ? [piece, ...end] : [piece];
    const last = parts.at(-1)!;
    if (last.length > 0 && widthOfPieces([...last, ...own], look) > most) parts.push(own);
    else last.push(...own);
  });
  return parts.map((part, i) => ({ turn, pieces: part, width: widthOfPieces(part, look), continued: i > 0 }));
}

/** Room between what the world said and what the agent answers. */
const pause = ({ gap }: Look): Piece => ({ width: gap, sampled: false, draw: () => "" });

const widthOfPieces = (pieces: readonly Piece[], { gap }: Look): number =>
  pieces.reduce((sum, { width }) => sum + width, 0) + gap * Math.max(0, pieces.length - 1) + 2 * inside;

/** A block whose frame begins at (x, y). `width` and `height` are those of the frame. */
export function drawBlock(
  { pieces, turn }: Block,
  look: Look,
  { x, y, width, height, top }: { x: number; y: number; width: number; height: number; top: number },
): string {
  let at = x + inside;
  const cells: string[] = [];
  let from = Infinity;
  let to = 0;
  for (const piece of pieces) {
    cells.push(piece.draw(at, y + top));
    if (piece.sampled) [from, to] = [Math.min(from, at), at + piece.width];
    at += piece.width + look.gap;
  }
  const frame = box(x, y, width, height, { stroke: "currentColor", strokeOpacity: 0.35, radius: 6 });
  // A new subgoal begins a segment: a thick edge.
  const edge = turn.newSubgoal ? line([x, y + 4], [x, y + height - 4], { width: 5, opacity: 0.8 }) : "";
  const bounds = to > from ? ratioLines(look, from - 2, to + 2, y + top + look.cell) : "";
  return frame + edge + bounds + cells.join("");
}
