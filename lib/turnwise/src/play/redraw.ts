import { displaySymbol, liveSymbol, type MimeBundle } from "../base/display";

/** Redraws the parts of the playground that are on the page. */
export class Redraw {
  readonly #listeners = new Set<() => void>();

  subscribe(notify: () => void): () => void {
    this.#listeners.add(notify);
    return () => this.#listeners.delete(notify);
  }

  now(): void {
    for (const notify of this.#listeners) notify();
  }
}

/** An object that displays itself and is drawn again at every redraw. */
export function view(redraw: Redraw, { html, text }: { html(): string; text(): string }): object {
  const bundle = (): MimeBundle => ({ "text/html": html(), "text/plain": text() });
  return { [displaySymbol]: bundle, [liveSymbol]: (notify: () => void) => redraw.subscribe(notify) };
}
