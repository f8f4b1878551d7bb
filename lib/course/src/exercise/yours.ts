import { expectFresh, NotYet } from "../shared/exercise/verdict";
import { problemOf, type Piece, type PieceFunction } from "../shared/exercise/piece";
import { pieces, type PieceName, type Pieces } from "./pieces";

/** The names that `yours` knows. */
export const pieceNames = Object.keys(pieces) as readonly PieceName[];

/**
 * A line of the lesson that you write: prints whether it is right, and returns it if it is.
 *
 * Otherwise it returns the lesson's own, so that the cells below run either way. It never uses an earlier answer.
 *
 * @throws {RangeError} if no line has this name
 * @example
 * import { yours } from "turnwise-course";
 * const clipped = yours("clipped", (ratio, advantage) => ratio * advantage);
 * clipped(2, 1); // => 0
 */
export function yours<Name extends PieceName>(
  name: Name,
  answer: (...args: Parameters<Pieces[Name]>) => unknown,
): Pieces[Name] {
  if (!Object.hasOwn(pieces, name)) {
    throw new RangeError(
      `Cannot check your line: the name must be one of ${pieceNames.join(", ")}, got "${String(name)}".`,
    );
  }
  const piece = pieces[name] as unknown as Piece<PieceFunction>;
  const problem = staleness(name) ?? problemOf(piece, answer);
  if (problem === undefined) {
    console.log(`${name}: right. The cells below use your line.`);
    return answer as unknown as Pieces[Name];
  }
  console.log(`${name}: not yet. ${capital(problem)} Until then, the cells below use the lesson's own line.`);
  return piece.ours as unknown as Pieces[Name];
}

/** Says that the line uses a name whose cell has failed since. */
function staleness(name: string): string | undefined {
  try {
    expectFresh(name);
    return undefined;
  } catch (error) {
    if (error instanceof NotYet) return error.message.slice(name.length + 2);
    throw error;
  }
}

const capital = (words: string): string => words[0]!.toUpperCase() + words.slice(1);
