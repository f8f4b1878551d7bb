// Uses internals of turnwise/tensor.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import {
  readRecords,
  saveRecords,
  train,
  type Checkpoint,
  type PolicyOptions,
  type TrainRecord,
} from "turnwise";
import { usedKernels } from "turnwise/internal/tensor/fused/index";
import { displaySymbol } from "turnwise/plot";
import { fusedReport, type FusedReport } from "turnwise/tensor";
import { removeTemporaryFolders, temporaryFolder } from "../../support/command.js";

const setting = { env: "LookUp-v0", recipe: "grpo", updates: 2, groups: 2, groupSize: 2, seed: 1 } as const;

async function trained(policy: PolicyOptions): Promise<{ records: TrainRecord[]; checkpoint: Checkpoint }> {
  const run = train({ ...setting, policy });
  const records = [];
  for await (const record of run) records.push(record);
  assert.equal(run.note, undefined);
  return { records, checkpoint: run.checkpoint() };
}

/** The card of a value, as a kernel asks for it. */
function textOf(value: unknown): string {
  const cardOf = (globalThis as unknown as Record<symbol, (value: unknown) => Record<symbol, () => object>>)[
    Symbol.for("turnwise.cards")
  ]!;
  return (cardOf(value)[displaySymbol]!() as Record<string, string>)["text/plain"]!;
}

describe("the kind of compute", () => {
  after(removeTemporaryFolders);

  it("is named by every record and by the checkpoint", async () => {
    const kinds: [policy: PolicyOptions, kind: string][] = [
      [{ kind: "tabular" }, "float64"],
      [{ kind: "logLinear" }, "float64"],
      [{ kind: "gru", compute: "float64" }, "float64"],
      [{ kind: "gru", compute: "wasm" }, fusedReport().kind],
    ];
    for (const [policy, kind] of kinds) {
      const { records, checkpoint } = await trained(policy);
      assert.deepEqual(
        records.map(({ compute }) => compute),
        [kind, kind],
      );
      assert.equal(checkpoint.compute, kind);
    }
  });

  it("comes with the kernels that ran, as the card of the checkpoint shows", async () => {
    const { kernels: used, kind, level } = fusedReport();
    const name = used === "native" ? `native ${level}` : kind;
    const { checkpoint } = await trained({ kind: "gru", compute: "wasm" });
    assert.deepEqual(checkpoint.kernels, { name, bitsOfWasm: kind === "wasm" });
    assert.equal((await trained({ kind: "gru", compute: "float64" })).checkpoint.kernels, undefined);
    assert.equal((await trained({ kind: "tabular" })).checkpoint.kernels, undefined);

    const bits = kind === "wasm" ? "with the bits of" : "whose last bits are not those of";
    assert.ok(textOf(checkpoint).includes(`${name}, ${bits} plain WebAssembly`), textOf(checkpoint));
    // One of before knows neither, goes on all the same, and tells them from then on.
    const { compute: _compute, kernels: _kernels, ...old } = checkpoint;
    assert.doesNotMatch(textOf(old), /WebAssembly/);
    const run = train({ resume: old, updates: 3, policy: { kind: "gru", compute: "wasm" } });
    assert.equal((await run.next()).value!.update, 3);
    assert.deepEqual(run.checkpoint().kernels, { name, bitsOfWasm: kind === "wasm" });
  });

  it("has the bits of plain WebAssembly in native kernels beside it, and not with relaxed SIMD or without", () => {
    const of = (report: Partial<FusedReport>): unknown =>
      usedKernels({ kernels: "wasm", kind: "wasm", reason: "", ...report });
    assert.deepEqual(of({}), { name: "wasm", bitsOfWasm: true });
    assert.deepEqual(of({ kind: "wasm relaxed" }), { name: "wasm relaxed", bitsOfWasm: false });
    assert.deepEqual(of({ kernels: "plain", kind: "plain" }), { name: "plain", bitsOfWasm: false });
    const native = { kernels: "native", level: "arm64" } as const;
    assert.deepEqual(of(native), { name: "native arm64", bitsOfWasm: true });
    assert.deepEqual(of({ ...native, kind: "wasm relaxed" }), { name: "native arm64", bitsOfWasm: false });
  });

  it("comes back from files of records", async () => {
    const { records } = await trained({ kind: "tabular" });
    const folder = temporaryFolder();
    for (const ending of ["csv", "jsonl", "parquet"]) {
      const file = path.join(folder, `records.${ending}`);
      await saveRecords(file, records);
      assert.deepEqual(
        (await readRecords(file)).map(({ compute }) => compute),
        ["float64", "float64"],
        ending,
      );
    }
    assert.match(fs.readFileSync(path.join(folder, "records.csv"), "utf8"), /seconds,compute,/);
  });

  it("may be another one when a run goes on, which the run says", async () => {
    const { checkpoint } = await trained({ kind: "gru", compute: "float64" });
    const other = train({ resume: checkpoint, updates: 3, policy: { kind: "gru", compute: "wasm" } });
    assert.equal(
      other.note,
      `The checkpoint was computed with float64, and the run goes on with ${fusedReport().kind}: the last bits of its ` +
        "numbers differ from those of a run that was never interrupted, and a chaotic run becomes another",
    );
    assert.equal((await other.next()).value!.update, 3);

    const same = train({ resume: checkpoint, updates: 3, policy: { kind: "gru", compute: "float64" } });
    assert.equal(same.note, undefined);
    const { compute: _compute, ...old } = checkpoint;
    assert.equal(
      train({ resume: old, updates: 3, policy: { kind: "gru", compute: "wasm" } }).note,
      undefined,
    );
  });
});
