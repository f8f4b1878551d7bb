import type ts from "typescript";
import { LanguageServiceEngine } from "turnwise-kernel/dist/types/language-service.js";
import { useNode } from "turnwise-kernel/dist/types/node-host.js";

useNode();

/** A checker of cells in a folder, with what its tsconfig.json asks for unless told otherwise. */
export function checkerIn(folder: string, own?: ts.CompilerOptions): LanguageServiceEngine {
  return new LanguageServiceEngine(folder, own);
}
