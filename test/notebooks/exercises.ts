// Uses internals of turnwise-kernel/runner.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { startKernel, type ExecuteResult, type KernelClient } from "turnwise-kernel";
import { readNotebook, type Cell, type Notebook } from "turnwise-kernel/dist/runner/notebook.js";
import { solutions } from "../support/courseFiles.js";
import { patient } from "../support/patient.js";
import { root } from "../support/paths.js";
import { wrongAnswers } from "./nbgrader/wrongAnswers.js";

export const exercisesFolder: string = join(root, "notebooks", "exercises");

const notebooksIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".ipynb"))
    .map((name) => name.replace(/\.ipynb$/, ""))
    .sort();

/** The names of the exercises, without `.ipynb`. */
export const names: readonly string[] = notebooksIn(exercisesFolder);
export const solved: readonly string[] = [...solutions.keys()];

export const stubOf = (name: string): Notebook => readNotebook(join(exercisesFolder, `${name}.ipynb`));
export const solutionOf = (name: string): Notebook => readNotebook(solutions.get(name)!);

export const cellOf = ({ cells }: Notebook, id: string): Cell => cells.find((cell) => cell.id === id)!;

/** The name under which the library checks an exercise. */
export const checkOf = (name: string): string | undefined =>
  /checkExercise\("(\w+)"/.exec(cellOf(solutionOf(name), "check").source)?.[1];

/** A notebook with another answer; the cells keep their order and all else. */
export function answered(notebook: Notebook, source: (given: string) => string): Notebook {
  const cells = notebook.cells.map((cell) =>
    cell.id === "answer" ? { ...cell, source: source(cell.source) } : cell,
  );
  return { ...notebook, cells };
}

const emptyBody = '  // Write your code here.\n  throw new Error("no code yet");';

/** The answer cell of a stub with the wrong answer of an exercise. */
export const wrongAnswer =
  (name: string) =>
  (given: string): string =>
    given.replace(emptyBody, `  ${wrongAnswers[name]![0]}`);

/** What a wrong answer is told. */
export const toldWrong = (name: string): string => wrongAnswers[name]![1];

/** What an answer that throws "no code yet" is told. */
function toldEmpty(name: string): string {
  const exercise = checkOf(name)!;
  // The stub of oneKnob throws before the check is called: its argument is the answer's result.
  if (exercise === "oneKnob") return "no code yet";
  if (exercise === "echoTrap") return "echoTrap: the alarm throws with 1 records: no code yet";
  if (exercise === "verifier") return "verifier: the verifier throws: no code yet";
  return `${exercise}: the answer throws on the plainest input: no code yet`;
}

/** Declares the tests that run exercises: stub, solution and wrong answer of each. */
export function describeRuns(some: readonly string[]): void {
  let kernel: KernelClient;
  before(async function () {
    this.timeout(60_000);
    // One kernel for all: a cell may declare a name again, and starting one for each would take a minute.
    kernel = await startKernel({ cwd: exercisesFolder, startTimeoutMs: patient(30_000) });
  });
  after(() => kernel.shutdown());

  /** Runs the code cells in order; the last one is the check. */
  async function run(notebook: Notebook): Promise<ExecuteResult> {
    const code = notebook.cells.filter(({ cell_type }) => cell_type === "code");
    for (const cell of code.slice(0, -1)) {
      const { status, error } = await kernel.execute(cell.source);
      assert.equal(status, "ok", error?.evalue);
    }
    return kernel.execute(code.at(-1)!.source);
  }

  const refused = (result: ExecuteResult, sentence: string): void => {
    assert.equal(result.status, "error");
    assert.equal(result.error?.evalue, sentence);
    const streams = result.outputs.filter(({ output_type }) => output_type === "stream");
    assert.deepEqual(streams, []);
  };

  for (const name of some) {
    it(`${name}: the stub fails with one sentence and leaves stderr silent`, async () => {
      refused(await run(stubOf(name)), toldEmpty(name));
    });

    it(`${name}: a wrong answer is told one sentence that names the mistake`, async () => {
      refused(await run(answered(stubOf(name), wrongAnswer(name))), toldWrong(name));
    });

    it(`${name}: the solution passes without a result that a grader could take for points`, async () => {
      const result = await run(solutionOf(name));
      assert.equal(result.status, "ok", result.error?.evalue);
      assert.deepEqual(
        result.outputs.map(({ output_type }) => output_type),
        ["stream"],
      );
    });
  }
}

/** Exercises that stand for all in the quick tests: a function of a group, of tokens, and of records of a run. */
export const someExercises: readonly string[] = ["01-group-advantage", "05-clip", "11-read-the-alarm"];
