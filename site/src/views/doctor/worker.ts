import { examine } from "./examine";
import type { Answer, Examination } from "./messages";

/** The part of a worker's scope that is used, with the reading at once that only workers have. */
interface Scope {
  readonly FileReaderSync: new () => { readAsArrayBuffer(piece: Blob): ArrayBuffer };
  onmessage: ((event: { readonly data: Examination }) => void) | null;
  postMessage(answer: Answer): void;
}

const scope = globalThis as unknown as Scope;

/** Time between two reports of progress. */
const PAUSE_MS = 100;
let toldAt = -Infinity;

scope.onmessage = ({ data }) => {
  const reader = new scope.FileReaderSync();
  void examine(
    data,
    (piece) => new Uint8Array(reader.readAsArrayBuffer(piece)),
    (answer) => {
      if (answer.kind === "progress" && performance.now() - toldAt < PAUSE_MS) return;
      toldAt = performance.now();
      scope.postMessage(answer);
    },
  );
};
