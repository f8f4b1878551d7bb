/** A prediction as a notebook's Markdown states it. */
export interface Prediction {
  /** Name under which a reader's choice is kept. */
  readonly key: string;
  /** First line of its quote in the text. */
  readonly from: number;
  /** First line below its quote. */
  readonly to: number;
  /** Markdown of the question, without "Predict.". */
  readonly question: string;
  /** Choices with their Markdown; none where the reader answers in words. */
  readonly options: readonly { readonly letter: string; readonly text: string }[];
  /** Whether each choice is an item or a line of its own. */
  readonly list: boolean;
  /** Markdown below the choices. */
  readonly after: string;
}

/** A prediction and the cells that wait for it. */
export interface Fold extends Prediction {
  readonly cell: number;
  readonly end: number;
  readonly section: string | undefined;
}

export function predictionsOf(markdown: string): Prediction[];
export function foldsOf(cells: readonly { readonly type: string; readonly source: string }[]): Fold[];
