import { displaySymbol, type MimeBundle } from "../base/display";

/** A Vega-Lite 5 specification; JupyterLab 4 renders no later version. */
export interface VegaLiteSpec {
  readonly $schema: string;
  /** What screen readers say in place of the chart. */
  readonly description: string;
  readonly [key: string]: unknown;
}

export const vegaLiteSchema = "https://vega.github.io/schema/vega-lite/v5.json";
/** The media type by which Jupyter knows a Vega-Lite spec. */
export const vegaLiteMime = "application/vnd.vegalite.v5+json";

/** A chart that displays itself in any kernel that knows `Symbol.for("Jupyter.display")`. */
export class Chart {
  constructor(
    readonly spec: VegaLiteSpec,
    /** What readers without graphics get. */
    readonly summary: string,
  ) {}

  /** The chart as a Vega-Lite spec. */
  toSpec(): VegaLiteSpec {
    return this.spec;
  }

  /** What a notebook shows in its place. */
  [displaySymbol](): MimeBundle {
    return { [vegaLiteMime]: this.spec, "text/plain": this.summary };
  }
}
