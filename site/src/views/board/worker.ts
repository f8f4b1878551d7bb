import { boardRun } from "turnwise-course/internal/worlds/ruleRuns";
import { checkRule } from "turnwise/exact";
import { custom, recipe, type Recipe } from "turnwise/rule";
import type { ScalarGate } from "turnwise/internal/rule/gate/custom";
import { changedRule, fieldsOf } from "./fields";
import type { FromWorker, ToWorker, Wanted } from "./protocol";

interface Scope {
  postMessage(message: FromWorker): void;
  addEventListener(type: "message", heard: (event: { readonly data: ToWorker }) => void): void;
}

const scope = globalThis as unknown as Scope;
const tell = (message: FromWorker): void => scope.postMessage(message);
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const form = "it must be a function of a token, such as ({ ratio, advantage }) => ratio * advantage";

/** The gate that the reader wrote. It runs in this worker alone, which the page can end at any time. */
function gateOf(code: string): ScalarGate {
  let made: unknown;
  try {
    made = new Function(`"use strict"; return (${code}\n);`)();
  } catch (error) {
    throw new SyntaxError(`Cannot read the gate: ${form}, got: ${messageOf(error)}.`, { cause: error });
  }
  if (typeof made !== "function") throw new TypeError(`Cannot use the gate: ${form}, got ${typeof made}.`);
  return { objective: made as ScalarGate["objective"] };
}

function ruleOf({ rule, change, code }: Wanted): Recipe {
  const base = changedRule(rule, change);
  return code === undefined ? base : recipe(base, { gate: custom("yours", gateOf(code)) });
}

async function answer(asked: ToWorker): Promise<void> {
  switch (asked.kind) {
    case "fields":
      tell({ kind: "fields", rule: asked.rule, fields: fieldsOf(asked.rule) });
      return;
    case "check": {
      const { findings } = checkRule(ruleOf(asked.wanted));
      tell({ kind: "checked", findings: findings.map(({ figures: _, ...words }) => words) });
      return;
    }
    case "run": {
      const rule = ruleOf(asked.wanted);
      // Seed by seed, so that an average under way is one of all worlds.
      for (let seed = 0; seed < asked.seeds.length; seed++)
        for (let world = 0; world < asked.worlds.length; world++) {
          const reached = await boardRun(rule, asked.worlds[world]!, asked.seeds[seed]!);
          tell({ kind: "reached", world, seed, reached });
        }
      tell({ kind: "done" });
    }
  }
}

scope.addEventListener("message", ({ data }) => {
  answer(data).catch((error: unknown) => tell({ kind: "problem", problem: messageOf(error) }));
});
