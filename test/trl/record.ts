import fs from "node:fs";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { make } from "turnwise";
import { recordFolder, seeds, setting, world } from "./setting.js";
import type { OwnLine } from "./ownRun.js";

/** An episode as TRL's rollouts met it on the server. */
export interface PlayedEpisode {
  /** The seed of the training. */
  readonly run: number;
  readonly update: number;
  /** What the episode was begun with. */
  readonly seed: number;
  readonly member: number;
  readonly episode_id: string;
  readonly turns: readonly string[];
  /** What the server paid for each turn. */
  readonly rewards: readonly number[];
}

const jsonl = (lines: readonly unknown[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join("");
const parsed = <X>(text: string): X[] =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as X);
const stored = (name: string): Buffer => fs.readFileSync(path.join(recordFolder, name));

export const storedEpisodes = (): PlayedEpisode[] =>
  parsed(gunzipSync(stored("episodes.jsonl.gz")).toString("utf8"));
export const storedOwn = (): OwnLine[] => parsed(stored("own.jsonl").toString("utf8"));

/** What an environment of this process pays for the turns of an episode. */
export function replayed({ seed, member, turns }: PlayedEpisode, env = make(world)): number[] {
  const { vocabulary } = env.spec;
  env.reset({ seed, member });
  return turns.map((text) => env.step(text.split(" ").map((word) => vocabulary.indexOf(word)))[1]);
}

/** Writes the record from what the training runs left, a folder for each seed. */
export function writeRecord(runs: readonly string[], own: readonly OwnLine[]): void {
  fs.mkdirSync(recordFolder, { recursive: true });
  const write = (name: string, data: string | Buffer): void =>
    fs.writeFileSync(path.join(recordFolder, name), data);
  const read = (i: number, name: string): string => fs.readFileSync(path.join(runs[i]!, name), "utf8");
  const episodes = runs.flatMap((_, i) =>
    parsed<object>(read(i, "episodes.jsonl")).map((episode) => ({ run: seeds[i]!, ...episode })),
  );
  write("episodes.jsonl.gz", gzipSync(jsonl(episodes), { level: 9 }));
  const { log_history } = JSON.parse(read(0, "trainer_state.json")) as { log_history: object[] };
  write("log.jsonl", jsonl(log_history));
  write("own.jsonl", jsonl(own));
  const facts = runs.map((_, i) => JSON.parse(read(i, "facts.json")) as object);
  write("facts.json", `${JSON.stringify(facts, undefined, 1)}\n`);
  for (const update of [1, setting.updates]) {
    const name = `completions_${String(update).padStart(5, "0")}.parquet`;
    write(name, fs.readFileSync(path.join(runs[0]!, "completions", name)));
  }
}
