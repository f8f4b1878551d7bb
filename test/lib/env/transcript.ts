import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Action, Env, Observation } from "turnwise";
import { root } from "../../support/paths";

const folder = path.join(root, "test", "lib", "env", "transcripts");

export interface Seen {
  readonly observations: readonly Observation[];
  readonly actions: readonly Action[];
}

/** An agent that reads what was seen so far and writes a turn. */
export type Agent = (seen: Seen) => Action;

/** One episode as text that a person can read and diff. */
export function transcript(env: Env, title: string, seed: number, agent: Agent): string {
  const names = [...env.spec.vocabulary, ...env.spec.observationVocabulary];
  const write = (tokens: readonly number[]): string => tokens.map((token) => names[token]).join(" ");
  const [first, { taskId }] = env.reset({ seed });
  const lines = [`# ${env.spec.id}, ${title}, seed ${seed}, task ${String(taskId)}`];
  const observations = [first];
  const actions: Action[] = [];
  const show = (observation: Observation): void => {
    lines.push(`sees    ${write(observation.tokens)}`, `        ${observation.text}`);
  };
  show(first);
  for (;;) {
    const action = agent({ observations, actions });
    const [observation, reward, terminated, truncated, info] = env.step(action);
    lines.push(`writes  ${write(action)}`);
    show(observation);
    lines.push(`reward  ${Number(reward.toFixed(6))}  ${JSON.stringify(info)}`);
    observations.push(observation);
    actions.push(action);
    if (!terminated && !truncated) continue;
    return [...lines, ...env.render().split("\n"), ""].join("\n");
  }
}

/**
 * Asserts that a text equals its golden file under transcripts/.
 *
 * `npm run build && UPDATE_TRANSCRIPTS=1 npx mocha "build/test/lib/env/**\/*.test.js"` rewrites the files; read the
 * diff before committing it.
 */
export function expectGolden(name: string, text: string): void {
  const file = path.join(folder, `${name}.txt`);
  if (process.env["UPDATE_TRANSCRIPTS"]) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, text);
  }
  assert.ok(existsSync(file), `${file} is missing: write it with UPDATE_TRANSCRIPTS=1`);
  assert.equal(text, readFileSync(file, "utf8"));
}

/** Asserts that a world's test has written an episode for people to read. */
export function expectTranscript(id: string): void {
  assert.ok(
    existsSync(path.join(folder, `${id}.txt`)),
    `Cannot show ${id}: its test must write transcripts/${id}.txt with expectGolden.`,
  );
}
