import { displaySymbol, type MimeBundle } from "./display";
import { escapeHtml } from "./escapeHtml";

/** A line of code that goes on from what a card shows. */
export interface NextStep {
  readonly code: string;
  /** Purpose, in a few words. */
  readonly does: string;
}

/** Parts of a card, as plain data. */
export interface CardParts {
  readonly title: string;
  readonly about?: string | undefined;
  /** A picture below the title, as HTML that suits light and dark pages, and as text for terminals. */
  readonly picture?: { readonly html: string; readonly text: string } | undefined;
  /** Heading above the columns. */
  readonly head?: readonly string[];
  readonly rows?: readonly (readonly string[])[];
  /** A sentence below the rows. */
  readonly note?: string | undefined;
  readonly next?: readonly NextStep[];
}

/** An object as a notebook shows it, in place of its internals: a title, a picture, a table and what you can do next. */
export class Card implements CardParts {
  readonly title: string;
  readonly about: string | undefined;
  readonly picture: CardParts["picture"];
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly note: string | undefined;
  readonly next: readonly NextStep[];

  constructor({ title, about, picture, head = [], rows = [], note, next = [] }: CardParts) {
    this.title = title;
    this.about = about;
    this.picture = picture;
    this.head = head;
    this.rows = rows;
    this.note = note;
    this.next = next;
  }

  toString(): string {
    const table = this.head.length > 0 ? [this.head, ...this.rows] : this.rows;
    const onward = this.next.map(({ code, does }) => `${does}: ${code}`);
    return [this.title, this.about, this.picture?.text, ...aligned(table), this.note, ...onward]
      .filter((line) => line !== undefined && line !== "")
      .join("\n");
  }

  /** MIME bundle that a notebook displays for this object. */
  [displaySymbol](): MimeBundle {
    const head = this.head.map((text) => `<th scope="col" ${left}>${escapeHtml(text)}</th>`).join("");
    const body = this.rows.map((cells) => `<tr>${cells.map(cellHtml).join("")}</tr>`).join("");
    const table =
      this.rows.length === 0
        ? ""
        : `<table style="margin:.4em 0">${head === "" ? "" : `<thead><tr>${head}</tr></thead>`}<tbody>${body}</tbody></table>`;
    const onward = this.next.map(
      ({ code, does }) =>
        `<div style="margin:.15em 0">${escapeHtml(does)}: <code>${escapeHtml(code)}</code></div>`,
    );
    const about = this.about === undefined ? "" : `<div>${escapeHtml(this.about)}</div>`;
    const note = this.note === undefined ? "" : `<div>${escapeHtml(this.note)}</div>`;
    return {
      "text/html":
        `<figure style="margin:0"><figcaption><strong>${escapeHtml(this.title)}</strong>${about}</figcaption>` +
        `${this.picture?.html ?? ""}${table}${note}${onward.join("")}</figure>`,
      "text/plain": this.toString(),
    };
  }
}

/** A card of a title, a picture, a table and what you can do next. */
export function card(parts: CardParts): Card {
  return new Card(parts);
}

const left = 'style="text-align:left;vertical-align:top"';

function cellHtml(text: string, column: number): string {
  return column === 0
    ? `<th scope="row" ${left}>${escapeHtml(text)}</th>`
    : `<td ${left}>${escapeHtml(text)}</td>`;
}

function aligned(table: readonly (readonly string[])[]): string[] {
  const widths = (table[0] ?? []).map((_, c) => Math.max(...table.map((row) => row[c]?.length ?? 0)));
  return table.map((row) =>
    row
      .map((text, c) => text.padEnd(widths[c] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
