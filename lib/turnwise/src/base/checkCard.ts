import { displaySymbol, type MimeBundle } from "./display";
import { escapeHtml } from "./escapeHtml";

/** One line of a card: what was looked at, and what was found. */
export interface CheckRow {
  /** Property that should hold, in a few words. */
  readonly name: string;
  /** Whether it holds; null where it was only measured, or does not apply. */
  readonly ok: boolean | null;
  /** Set where something breaks no promise and yet deserves a look. */
  readonly note?: true;
  /** Measurement, as printed. */
  readonly figure?: string;
  /** Meaning of the result, or advice about it. */
  readonly hint?: string;
}

/** Parts of a card, as plain data. */
export interface CheckCardParts {
  readonly title: string;
  readonly about?: string;
  readonly rows: readonly CheckRow[];
  /** A picture above the rows, as HTML that suits light and dark backgrounds, and as text. */
  readonly picture?: { readonly html: string; readonly text: string };
}

/** The colors of ticks and crosses have a contrast of 3:1 on white and on JupyterLab's dark background. */
const marks = {
  true: { sign: "✓", color: "#009E73", spoken: "holds" },
  false: { sign: "✗", color: "#D55E00", spoken: "does not hold" },
  null: { sign: "·", color: "#808080", spoken: "measured" },
  note: { sign: "!", color: "#C07000", spoken: "look at this" },
} as const;

const markOf = ({ ok, note }: Pick<CheckRow, "ok" | "note">): (typeof marks)[keyof typeof marks] =>
  note ? marks.note : marks[`${ok}`];

/** A card of ticks, figures and hints: what a check has found. */
export class CheckCard {
  readonly title: string;
  readonly about: string | undefined;
  readonly rows: readonly CheckRow[];
  readonly #picture: CheckCardParts["picture"];

  constructor({ title, about, rows, picture }: CheckCardParts) {
    this.title = title;
    this.about = about;
    this.rows = rows;
    this.#picture = picture;
  }

  /** Whether nothing was found wrong. */
  get ok(): boolean {
    return this.rows.every(({ ok }) => ok !== false);
  }

  toString(): string {
    const width = Math.max(...this.rows.map(({ name }) => name.length));
    const lines = this.rows.map(({ name, figure, hint, ...row }) => {
      const first = `${markOf(row).sign} ${name.padEnd(width)}  ${figure ?? ""}`.trimEnd();
      return hint === undefined ? first : `${first}\n  ${" ".repeat(width)}  ${hint}`;
    });
    return [this.title, ...(this.about === undefined ? [] : [this.about]), this.#picture?.text, ...lines]
      .filter((line) => line !== undefined)
      .join("\n");
  }

  /** Plain data: title, rows, and whether all of it holds. */
  toJSON(): { title: string; ok: boolean; about?: string; rows: readonly CheckRow[] } {
    const { title, about, ok, rows } = this;
    return { title, ok, ...(about !== undefined && { about }), rows };
  }

  /** MIME bundle that a notebook displays for this object. */
  [displaySymbol](): MimeBundle {
    const left = 'style="text-align:left;vertical-align:top"';
    const body = this.rows.map(({ name, figure = "", hint, ...row }) => {
      const { sign, color, spoken } = markOf(row);
      const small = hint === undefined ? "" : `<br><small style="opacity:.75">${escapeHtml(hint)}</small>`;
      return (
        `<tr><td ${left}><strong style="color:${color}" aria-label="${spoken}">${sign}</strong></td>` +
        `<td style="text-align:left;vertical-align:top;white-space:nowrap">${escapeHtml(name)}</td><td ${left}>${escapeHtml(figure)}${small}</td></tr>`
      );
    });
    const about = this.about === undefined ? "" : `<div>${escapeHtml(this.about)}</div>`;
    return {
      "text/html":
        `<figure style="margin:0"><figcaption><strong>${escapeHtml(this.title)}</strong>${about}</figcaption>` +
        `${this.#picture?.html ?? ""}<table style="margin:.4em 0"><tbody>${body.join("")}</tbody></table></figure>`,
      "text/plain": this.toString(),
    };
  }
}

/** A card of ticks, figures and hints. */
export function checkCard(parts: CheckCardParts): CheckCard {
  return new CheckCard(parts);
}
