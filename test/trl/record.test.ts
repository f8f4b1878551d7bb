import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { make } from "turnwise";
import { readLog, readTrajectories, type StoredTrajectory } from "turnwise-practice";
import { turnwise } from "../support/command.js";
import { patient } from "../support/patient.js";
import { root } from "../support/paths.js";
import { replayed, storedEpisodes, storedOwn, type PlayedEpisode } from "./record.js";
import { recordFolder, seeds, setting, world } from "./setting.js";

const { updates, groups, groupSize } = setting;
const batch = groups * groupSize;
const log = path.join(recordFolder, "log.jsonl");
const total = (rewards: readonly number[]): number => rewards.reduce((sum, reward) => sum + reward, 0);
const mean = (values: readonly number[]): number => total(values) / values.length;

describe("the record of a training by TRL on a served world", function () {
  this.timeout(patient(30_000));
  let episodes: PlayedEpisode[];
  const of = (run: number, update: number): PlayedEpisode[] =>
    episodes.filter((episode) => episode.run === run && episode.update === update);
  before(() => {
    episodes = storedEpisodes();
  });

  it("holds every episode of every update, whose groups share a start", () => {
    assert.equal(episodes.length, seeds.length * updates * batch);
    assert.equal(
      new Set(episodes.map(({ episode_id }) => episode_id)).size,
      episodes.length,
      "each name once",
    );
    for (let first = 0; first < episodes.length; first += groupSize) {
      const group = episodes.slice(first, first + groupSize);
      assert.equal(new Set(group.map(({ seed }) => seed)).size, 1);
      assert.deepEqual(
        group.map(({ member }) => member),
        Array.from({ length: groupSize }, (_, member) => member),
      );
    }
  });

  it("was paid by the server what an environment here pays for the same turns, bit for bit", () => {
    const env = make(world);
    const wrong = episodes.filter((episode) => {
      const ours = replayed(episode, env);
      return (
        ours.length !== episode.rewards.length || !ours.every((x, i) => Object.is(x, episode.rewards[i]))
      );
    });
    assert.deepEqual(wrong, []);
    const kinds = new Set(episodes.flatMap(({ rewards }) => rewards));
    assert.deepEqual([...kinds].sort(), [-1 / 3, 0, 1], "right, wrong and unpaid turns are among them");
  });

  it("has in TRL's own log the mean of what was paid", () => {
    const { records } = readLog(log);
    const logged = records.filter(({ metrics }) => metrics["reward/mean"] !== undefined);
    assert.equal(logged.length, updates);
    for (const { update, metrics } of logged) {
      const paid = mean(of(seeds[0], update).map(({ rewards }) => total(rewards)));
      // TRL computes in single precision.
      assert.ok(Math.abs(metrics["reward/mean"]! - paid) < 1e-6, `update ${update}`);
    }
  });

  it("is known as a log of TRL, every name of which is read or known not to matter", async () => {
    const read = readLog(log);
    assert.equal(read.framework, "trl");
    assert.deepEqual(read.unknown, []);
    const { alarms, fall, blind } = read.watch();
    assert.deepEqual(
      alarms.map(({ rule, update }) => [rule, update]),
      [
        ["std cliff", 187],
        ["entropy cliff", 189],
      ],
      "sure of itself, as it has learned",
    );
    assert.equal(fall, null);
    assert.ok(blind.includes("engines apart"), "one engine samples and learns");
    const { code, stdout, stderr } = await turnwise(["watch", "--once", log]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^a log of TRL: /);
    assert.match(stdout, /success has not fallen/);
  });

  it("has completions as TRL writes them, with the rewards of the same episodes", async () => {
    for (const update of [1, updates]) {
      const file = path.join(recordFolder, `completions_${String(update).padStart(5, "0")}.parquet`);
      const stored: StoredTrajectory[] = [];
      for await (const one of readTrajectories(file, { groupSize })) stored.push(one);
      const played = of(seeds[0], update);
      assert.deepEqual(
        stored.map(({ reward, extra }) => [reward, extra["step"], extra["episode_id"]]),
        played.map(({ rewards, episode_id }) => [Math.fround(total(rewards)), update, episode_id]),
      );
      const advantages = stored.map(({ turns }) => turns[0]!.advantage![0]!);
      const rewards = stored.map(({ reward }) => reward);
      for (let first = 0; first < batch; first += groupSize) {
        const group = rewards.slice(first, first + groupSize);
        const middle = mean(group);
        const deviation = Math.sqrt(total(group.map((x) => (x - middle) ** 2)) / (groupSize - 1));
        for (const [i, reward] of group.entries()) {
          const ours = (reward - middle) / (deviation + setting.deviationEpsilon);
          assert.ok(Math.abs(ours - advantages[first + i]!) < 1e-5, "TRL's advantage is that of the row");
        }
      }
    }
  });

  it("shows what docs/trl.md says each seed has learned by each trainer", () => {
    const own = storedOwn();
    const late = ({ update }: { readonly update: number }): boolean => update > updates - 20;
    const rows = seeds.map((seed) => {
      const theirs = episodes.filter((episode) => episode.run === seed && late(episode));
      const ours = own.filter((line) => line.seed === seed);
      assert.equal(ours.length, updates);
      const learned = [
        mean(theirs.map(({ rewards }) => total(rewards))),
        mean(ours.filter(late).map(({ metrics }) => metrics["reward/mean"]!)),
      ];
      return `| ${[String(seed).padEnd(4), learned[0]!.toFixed(3), learned[1]!.toFixed(3).padEnd(8)].join(" | ")} |`;
    });
    const page = fs.readFileSync(path.join(root, "docs", "trl.md"), "utf8");
    assert.ok(page.includes(rows.join("\n")), rows.join("\n"));
  });
});
