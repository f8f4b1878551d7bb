import { createRng } from "../../base/rng";
import type { Action, Env, StepResult, ToolSpec } from "../env";
import { callsOf, isDeclared, isMeant, usageOf, writeCall, type Arguments } from "../tool/declared";
import { wrongTool } from "../tool/wrongTool";
import { fail } from "./fail";

/** A tool with more calls is tried with every value of each argument, and no more calls than that. */
const CALLS = 20;
/** Turns that are drawn at random, and as many that differ from a call in one word. */
const TURNS = 50;

/**
 * Checks that a world understands the tools that it declares: no declared call is malformed, and a turn that begins
 * with none is. A world without declared tools promises nothing about them.
 */
export function checkTools(env: Env): void {
  const { spec } = env;
  const wrong = wrongTool(spec);
  if (wrong) fail(env, ...wrong);
  if (!spec.tools) return;
  const rng = createRng(3).split("checkTools");
  const calls: Action[] = [];
  for (const tool of spec.tools) {
    for (const given of callsOf(tool, CALLS, rng)) calls.push(expectUnderstood(env, tool, given));
  }
  for (let i = 0; i < TURNS; i++) {
    expectNotUnderstood(env, env.actionSpace.sample(rng));
    const call = calls[rng.below(calls.length)]!;
    const [at, word] = [rng.below(call.length), rng.below(spec.vocabulary.length)];
    expectNotUnderstood(env, changed(call, at, word, spec.endToken, spec.maxTokens));
  }
}

function changed(call: Action, at: number, word: number, endToken: number | undefined, most: number): Action {
  const action = call.map((token, place) => (place === at ? word : token));
  const end = action.indexOf(endToken ?? -1);
  if (end >= 0) return action.slice(0, end + 1);
  return endToken !== undefined && action.length < most ? [...action, endToken] : action;
}

function first(env: Env, action: Action): StepResult {
  env.reset({ seed: 0 });
  return env.step(action);
}

/** Whether the world says that it cannot read the turn; where it does not say so in `info.call`, by its text. */
function isMalformed([{ text }, , , , { call }]: StepResult): boolean {
  return call === undefined ? text.startsWith("error: ") : call === "malformed";
}

function expectUnderstood(env: Env, tool: ToolSpec, given: Arguments): Action {
  const written = writeCall(env.spec, tool, given);
  if ("unread" in written) fail(env, `a call of the tool ${tool.name} cannot be written`, written.unread);
  const result = first(env, written.action);
  if (isMalformed(result)) {
    fail(
      env,
      `spec.tools declares ${textOf(env, written.action)}, which is malformed: ${result[0].text}`,
      `the world must understand every call ${usageOf(tool)}; a call that it refuses has an info.call other than "malformed"`,
    );
  }
  return written.action;
}

function expectNotUnderstood(env: Env, action: Action): void {
  if (isDeclared(env.spec, action)) return;
  const result = first(env, action);
  if (isMalformed(result) || result[0].text.startsWith("error: ")) return;
  // An answer in no form that is declared may be a wrong answer.
  const [, , terminated, , { call, success }] = result;
  if (isMeant(env.spec, action) && call === "answer" && terminated && success === false) return;
  const calls = env.spec.tools!.map(usageOf).join(", ");
  fail(
    env,
    `the world understands ${textOf(env, action)}, which no tool of spec.tools declares`,
    `declare it beside ${calls}, or answer it with info.call "malformed" or a text that begins with "error: "`,
  );
}

const textOf = ({ spec }: Env, action: Action): string =>
  `"${action.map((token) => spec.vocabulary[token]!).join(" ")}"`;
