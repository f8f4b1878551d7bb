import type { TextSetting } from "../shared/settings";
import type { Catalog } from "./catalog";
import { readRuns, runsText, type Run } from "./runs";

/** GRPO with eight passes and long steps, without and with its clip. */
const firstRuns: readonly Run[] = [
  { rule: "grpo", changes: { epochs: 8, learningRate: 0.2, gate: "unclipped" } },
  { rule: "grpo", changes: { epochs: 8, learningRate: 0.2 } },
];

/** Settings of the playground's page. */
export const settingsFor = (catalog: Catalog) =>
  ({
    world: {
      kind: "text",
      initial: "LookUp-v0",
      read: (text: string) => catalog.worlds.find(({ id }) => id === text)?.id,
      write: (value: string) => value,
    } satisfies TextSetting<string>,
    updates: { kind: "number", initial: 200, values: [50, 100, 200, 300, 500, 1000] },
    runs: {
      kind: "text",
      initial: firstRuns,
      read: (text: string) => readRuns(text, catalog),
      write: runsText,
    } satisfies TextSetting<readonly Run[]>,
  }) as const;
