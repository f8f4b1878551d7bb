/** Cuts text into lines, from pieces that may end in the middle of one, or of a letter. */
export class Lines {
  readonly #decoder = new TextDecoder();
  #rest = "";

  push(piece: Uint8Array | string): string[] {
    const text = typeof piece === "string" ? piece : this.#decoder.decode(piece, { stream: true });
    const lines = (this.#rest + text).split(/\r?\n/);
    this.#rest = lines.pop()!;
    return lines;
  }

  end(): string[] {
    const last = this.#rest + this.#decoder.decode();
    this.#rest = "";
    return last === "" ? [] : [last];
  }
}
