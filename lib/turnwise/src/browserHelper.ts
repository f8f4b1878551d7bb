/** The start of a worker that helps large networks: a page's script calls this and nothing else, so that it stays small. */
import { help } from "./tensor/fused/threads/help";
import type { Duty } from "./tensor/fused/threads/helpers/helper";

/** Waits for its duty, and then does parts of tasks until the page ends it. */
export function serveHelp(scope: object = globalThis): void {
  (scope as { onmessage: unknown }).onmessage = ({ data }: { readonly data: Duty }): void => help(data);
}
