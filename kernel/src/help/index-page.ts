import { displaySymbol } from "../display/bundle.js";
import { escapeHtml } from "../display/html.js";
import type { MimeBundle } from "../protocol/message.js";

/** A line of the index. */
export interface IndexEntry {
  readonly group: string;
  readonly name: string;
  /** One line about it. */
  readonly about: string;
}

const ownTitles: Readonly<Record<string, string>> = { functions: "Functions and classes" };

const intro = 'help("name") describes any of these.';

/**
 * Script for typing: it hides lines without the text, and opens groups with a line that has it. It stands in the input
 * itself, so that a page that allows no scripts shows the plain index.
 */
const search =
  "const w=this.value.toLowerCase();" +
  "for(const d of this.closest('figure').querySelectorAll('details')){let n=0;" +
  "for(const l of d.querySelectorAll('tr')){const on=l.textContent.toLowerCase().includes(w);l.hidden=!on;n+=on}" +
  "d.hidden=n===0;d.open=w!==''&&n>0}";

/** All names that `help` answers to, by group, with a field that searches them. */
export class IndexPage {
  private readonly titles: Readonly<Record<string, string>>;

  constructor(
    readonly entries: readonly IndexEntry[],
    /** The titles of groups, in their order. */
    titles: Readonly<Record<string, string>> = {},
  ) {
    this.titles = { ...titles, ...ownTitles };
  }

  toString(): string {
    const parts = this.groups().map(([group, entries]) => {
      const names = entries.map(({ name }) => name).join(", ");
      return `${this.titles[group] ?? group} (${entries.length})\n  ${names}`;
    });
    return [intro, ...parts].join("\n\n");
  }

  [displaySymbol](): MimeBundle {
    const left = 'style="text-align:left;vertical-align:top"';
    const parts = this.groups().map(([group, entries]) => {
      const rows = entries.map(
        ({ name, about }) =>
          `<tr><td ${left}><code>${escapeHtml(name)}</code></td><td ${left}>${escapeHtml(about)}</td></tr>`,
      );
      return (
        `<details><summary style="cursor:pointer;display:list-item">${escapeHtml(this.titles[group] ?? group)} (${entries.length})</summary>` +
        `<table><tbody>${rows.join("")}</tbody></table></details>`
      );
    });
    const field = `<input type="search" placeholder="search names and texts" aria-label="Search the index" style="width:22em;margin:.4em 0" oninput="${escapeHtml(search)}">`;
    return {
      "text/html": `<figure style="margin:0"><figcaption>${escapeHtml(intro)}</figcaption>${field}${parts.join("")}</figure>`,
      "text/plain": this.toString(),
    };
  }

  private groups(): [string, readonly IndexEntry[]][] {
    return [...new Set([...Object.keys(this.titles), ...this.entries.map(({ group }) => group)])]
      .map((group): [string, readonly IndexEntry[]] => [
        group,
        this.entries.filter((entry) => entry.group === group),
      ])
      .filter(([, entries]) => entries.length > 0);
  }
}

/** The names of the entries whose line has the text in it; a text of two letters would be in all of them. */
export function mentionedIn(text: string, entries: readonly IndexEntry[], most = 6): string[] {
  const wanted = text.trim().toLowerCase();
  if (wanted.length < 3) return [];
  return entries
    .filter(({ about }) => about.toLowerCase().includes(wanted))
    .slice(0, most)
    .map(({ name }) => name);
}
