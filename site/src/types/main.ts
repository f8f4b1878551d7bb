import ts from "typescript";
import { answerTo } from "turnwise-kernel/internal/types/answer";
import { CellTypes } from "turnwise-kernel/internal/types/cell-types";
import { useHost } from "turnwise-kernel/internal/types/host";
import { LanguageServiceEngine } from "turnwise-kernel/internal/types/language-service";
import type { TypeRequest } from "turnwise-kernel/internal/types/messages";
import type { Packed } from "turnwise-kernel/internal/types/packed";
import { browserHost } from "./host.js";
import { folderOf } from "../shared/folder.js";
import { scope, type TypesStart } from "./scope.js";
import { Sources, type SourceNews } from "./sources.js";

// The worker with TypeScript as a whole. What is asked before the declarations have come waits for them.

const waiting: TypeRequest[] = [];
const told: SourceNews[] = [];
let hear = (news: SourceNews): void => void told.push(news);
let types: CellTypes | undefined;

scope.onmessage = ({ data }) => {
  if ("start" in data)
    start(data.start).catch((error: unknown) => {
      // As an error of the worker it reaches the page, which can do without.
      setTimeout(() => {
        throw error;
      });
    });
  else if ("source" in data) hear(data.source);
  else if (types) answer(types, data);
  else waiting.push(data);
};

async function start(o: TypesStart): Promise<void> {
  const found = await fetch(o.declarations ?? "declarations.json");
  if (!found.ok) throw new Error(`Cannot load the types: no ${found.url}, status ${found.status}.`);
  const folder = folderOf(o.location);
  const sources = new Sources(o.base);
  hear = (news) => sources.hear(news);
  told.splice(0).forEach(hear);
  useHost(browserHost(folder, sources, (await found.json()) as Packed, ts.transpileModule));
  types = new CellTypes(folder, {
    createEngine: () => new LanguageServiceEngine(folder, {}),
  });
  scope.postMessage({ t: "ready" });
  for (const request of waiting) answer(types, request);
  types.warmUp();
}

function answer(types: CellTypes, request: TypeRequest): void {
  scope.postMessage(answerTo(types, request));
  types.afterAnswer();
}
