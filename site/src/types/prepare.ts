import { CellTypes } from "turnwise-kernel/internal/types/cell-types";
import type { TypeRequest } from "turnwise-kernel/internal/types/messages";
import { useHost } from "turnwise-kernel/internal/types/host";
import { browserHost } from "./host.js";
import { folderOf } from "../shared/folder.js";
import { scope } from "./scope.js";
import { unchecked } from "./unchecked.js";

// The worker that prepares the first cells, until TypeScript as a whole is there: it parses, and checks no types.

class NeedsAll extends Error {}

/** Nothing is checked here, so no file is looked for. */
const none = { read: () => undefined, list: () => undefined };

let types: CellTypes | undefined;

scope.onmessage = ({ data }) => {
  if ("start" in data) {
    const folder = folderOf(data.start.location);
    useHost(
      browserHost(folder, none, { files: {}, builtins: {} }, () => {
        throw new NeedsAll();
      }),
    );
    types = new CellTypes(folder, { createEngine: () => unchecked });
    scope.postMessage({ t: "ready" });
  } else if ("source" in data) return;
  else scope.postMessage(answerTo(data));
};

function answerTo(request: TypeRequest): Parameters<typeof scope.postMessage>[0] {
  const { id } = request;
  try {
    const answer = types!.answer(request);
    types!.afterAnswer();
    return { t: "answer", id, answer };
  } catch (error) {
    // What only TypeScript's printer can turn into JavaScript, such as an enum, waits for the worker that has it.
    if (error instanceof NeedsAll) return { t: "answer", id, answer: undefined };
    return { t: "failure", id, failure: (error as Error).stack ?? String(error) };
  }
}
