import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { doctor, type DoctorReport } from "turnwise-practice";
import { removeTemporaryFolders, temporaryFolder } from "../../../support/command.js";
import { learning, ramp, verlLog } from "./runs.js";

function fileOf(records: readonly object[], name = "rollouts.jsonl"): string {
  const file = path.join(temporaryFolder(), name);
  fs.writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  return file;
}

const noise = (step: number): number => Math.sin(12.9898 * step) * Math.cos(78.233 * step);
const cause = (report: DoctorReport, name: string) => report.causes.find((one) => one.name === name);
const said = (report: DoctorReport, name: string): string => cause(report, name)?.evidence.join("; ") ?? "";
const records = <T>(of: (n: number) => T): T[] => Array.from({ length: 8 }, (_, n) => of(n));
/** Ids of an answer of 4 to 7 tokens, before its end. */
const idsOf = (n: number): number[] => Array.from({ length: 4 + (n % 4) }, (_, i) => 100 + 10 * n + i);
const logProbs = (n: number, length: number, gap: number): number[] =>
  Array.from({ length }, (_, i) => -0.5 + 0.4 * noise(i + 31 * n) + gap * noise(i + 17 * n + 3));
const task = (n: number) => ({ group: `task ${Math.floor(n / 4)}`, reward: n % 2 });

describe("doctor() on tokens", () => {
  after(removeTemporaryFolders);

  it("finds padding after the end of answers, whichever token fills them up", async () => {
    const padded = (end: number, pad: number, mask: boolean) =>
      records((n) => {
        const answer = [...idsOf(n), end];
        const completion_ids = [...answer, ...Array.from({ length: 10 - answer.length }, () => pad)];
        return {
          ...task(n),
          completion_ids,
          // One that ends where the answer does, or one of all tokens.
          completion_mask: completion_ids.map((_, i) => Number(mask || i < answer.length)),
        };
      });
    for (const [end, pad] of [
      [7, 0],
      [7, 7],
    ] as const) {
      const report = await doctor(fileOf(padded(end, pad, true)));
      assert.equal(report.causes[0]!.name, "padding-trained", `${end}, ${pad}`);
      // Answers of 5 to 8 tokens, end included, are filled up to 10: 5 + 4 + 3 + 2, twice.
      assert.match(said(report, "padding-trained"), /^28 of 80 tokens/);
      assert.equal(cause(await doctor(fileOf(padded(end, pad, false))), "padding-trained"), undefined);
    }
    const text = records((n) => ({
      input: "q",
      output: `yes${n}<|im_end|><|endoftext|><|endoftext|>`,
      score: n % 2,
      step: 1,
    }));
    assert.match(said(await doctor(fileOf(text)), "padding-trained"), /^16 of 24 tokens/);
    // A policy that repeats one token is no batch that is filled up.
    const loops = records((n) => ({
      ...task(n),
      completion_ids: [...idsOf(n), ...Array.from({ length: 6 + n }, () => 55)],
    }));
    assert.equal(cause(await doctor(fileOf(loops)), "padding-trained"), undefined);
  });

  it("finds log-probs, masks and ids that are off by one token", async () => {
    const of = (shift: number) =>
      records((n) => {
        const response_ids = [...idsOf(n), 7];
        const trainer = logProbs(n, response_ids.length + 2, 0.002);
        return {
          ...task(n),
          response_ids,
          response_mask: response_ids.map(() => 1),
          rollout_log_probs: logProbs(n, response_ids.length + 2, 0).slice(1, -1),
          old_log_probs: trainer.slice(1 + shift, trainer.length - 1 + shift),
        };
      });
    for (const [shift, where] of [
      [1, "after"],
      [-1, "before"],
    ] as const) {
      const report = await doctor(fileOf(of(shift)));
      assert.equal(report.causes[0]!.name, "misaligned-tokens");
      assert.match(said(report, "misaligned-tokens"), new RegExp(`0\\.00 at the one ${where} it`));
    }
    assert.equal(cause(await doctor(fileOf(of(0))), "misaligned-tokens"), undefined);
    // Engines that are merely apart agree no better one token further on.
    const apart = of(0).map((one, n) => ({
      ...one,
      old_log_probs: one.old_log_probs.map((value, i) => value - 0.3 * Math.abs(noise(i + 5 * n))),
    }));
    assert.equal(cause(await doctor(fileOf(apart)), "misaligned-tokens"), undefined);
    const long = records((n) => ({
      ...task(n),
      response_ids: idsOf(n),
      logprobs: logProbs(n, idsOf(n).length + 1, 0),
    }));
    assert.match(
      said(await doctor(fileOf(long)), "misaligned-tokens"),
      /5 log-probs of the engine for 4 tokens/,
    );
    const late = records((n) => ({
      ...task(n),
      prompt_ids: [1, 2, 3],
      input_ids: [1, 2, 3, ...idsOf(n)],
      loss_mask: [
        0,
        0,
        0,
        0,
        ...idsOf(n)
          .slice(1)
          .map(() => 1),
      ],
    }));
    assert.match(said(await doctor(fileOf(late)), "misaligned-tokens"), /second token of the answer/);
    const ids = records((n) => ({
      ...task(n),
      completion_ids: [...idsOf(n), 7],
      trainer_ids: [...idsOf(n).slice(1), 7, 0],
    }));
    assert.match(
      said(await doctor(fileOf(ids)), "misaligned-tokens"),
      /the trainer's token 0 \(101\) is the engine's token 1/,
    );
  });

  it("names where the trainer's tokens leave the engine's", async () => {
    const drifted = records((n) => ({
      ...task(n),
      prompt_ids: [1, 2],
      completion_ids: [11, 12, 13, 14, 7],
      // 13 and 14 are one token once they are tokenized again.
      input_ids: n === 3 ? [1, 2, 11, 12, 99, 7] : [1, 2, 11, 12, 13, 14, 7],
    }));
    const report = await doctor(fileOf(drifted));
    assert.equal(report.causes[0]!.name, "other-tokens");
    assert.match(
      said(report, "other-tokens"),
      /^1 of 8 answers .*: 3 leaves the engine's at token 2 of 5, where the engine sampled 13 and the trainer has 99$/,
    );
    const content = (tokens: string[]) => tokens.map((token) => ({ token, logprob: -1 }));
    const chats = records((n) => ({
      ...task(n),
      messages: [
        { role: "user", content: "q" },
        {
          role: "assistant",
          content: '{"a": 1}',
          logprobs: { content: content(n === 2 ? ['{"a', '":', "2", "}"] : ['{"a":', " 1", "}"]) },
        },
      ],
    }));
    assert.match(
      said(await doctor(fileOf(chats)), "other-tokens"),
      /1 of 8 turns .*2 leaves it at token 2 \("2"\), where the message has "1\}"/,
    );
  });

  it("reads the names that trainers give to tokens, and turns by their mask", async () => {
    const report = await doctor(
      fileOf(
        records((n) => ({
          tokens: [1, 2, 3, 4, 5, 6, 7, 8],
          response_length: 6,
          loss_mask: [1, 1, 0, 0, 1, 1],
          rollout_log_probs: [-1, -1, 0, 0, -1, -1],
          status: n === 0 ? "truncated" : "completed",
          ...task(n),
        })),
      ),
    );
    const { census } = report.parts.view.rollouts[0]!;
    assert.deepEqual(
      [census.title, census.turns, census.truncated, census.groups],
      ["token records", 2, 1 / 8, 2],
    );
    assert.equal(census.mask.isStored, true);
  });

  it("tells a KL that is wrongly below 0 from one that scatters", async () => {
    const run = async (kl: (step: number) => number, fall?: readonly [number, number]) => {
      const file = path.join(temporaryFolder(), "log.jsonl");
      fs.writeFileSync(
        file,
        verlLog(
          160,
          learning((step) => ({ "critic/kl": kl(step) }), fall),
        ),
      );
      return doctor(file);
    };
    const scatters = await run((step) => 0.001 + 0.004 * noise(step));
    assert.equal(cause(scatters, "negative-kl"), undefined);
    assert.match(String(scatters), /below 0 in \d+% of\s+steps.*which\s+is\s+normal/s);
    // Small, and below 0 at nearly every step: no noise.
    const low = await run((step) => -0.02 + 0.004 * noise(step));
    assert.match(said(low, "negative-kl"), /-0\.02 as a mean over the run, and below 0 in 100% of steps/);
    const reversed = await run((step) => ramp(step, [60, 110], 0, -1.5) + 0.002 * noise(step), [110, 125]);
    assert.equal(reversed.causes[0]!.name, "negative-kl");
    assert.match(said(reversed, "negative-kl"), /pays for leaving/);
    const foreign = await run((step) => -0.3 + 0.01 * noise(step));
    assert.doesNotMatch(said(foreign, "negative-kl"), /pays for leaving/);
  });
});
