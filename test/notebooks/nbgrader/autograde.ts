// Uses internals of turnwise-kernel/cli, turnwise-kernel/runner.
import assert from "node:assert/strict";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { run } from "turnwise-kernel/bootstrap/command.cjs";
import { writeKernelspec } from "turnwise-kernel/dist/cli/kernelspec.js";
import { readNotebook, stringifyNotebook, type Notebook } from "turnwise-kernel/dist/runner/notebook.js";
import { solutions } from "../../support/courseFiles.js";
import { patient } from "../../support/patient.js";
import { root } from "../../support/paths.js";
import { answered, cellOf, names, solutionOf, wrongAnswer } from "../exercises.js";

export const students = ["right", "wrong", "empty"] as const;
export type Student = (typeof students)[number];

export interface Grade {
  readonly student: Student;
  readonly name: string;
  readonly points: string;
  /** The line that the check printed, or the sentence of its error. */
  readonly said: string;
}

export const readme: string = join(root, "lib", "course", "README.md");

/** A course of nbgrader in a folder, as the teachers' README says. */
export class Course {
  constructor(
    private readonly folder: string,
    private readonly python: string,
  ) {}

  private at(...parts: string[]): string {
    return join(this.folder, ...parts);
  }

  private async inPython(...args: string[]): Promise<string> {
    const { code, output } = await run(this.python, args, {
      cwd: this.folder,
      env: {
        ...process.env,
        // nbgrader calls alembic by its name.
        PATH: [dirname(this.python), process.env.PATH].join(delimiter),
        JUPYTER_PATH: this.at("share"),
        HOME: this.folder,
        PYTHONWARNINGS: "ignore",
      },
      timeoutMs: patient(500_000),
    });
    assert.equal(code, 0, output);
    return output;
  }

  /** An exercise as students get it. */
  released(name: string): Notebook {
    return readNotebook(this.at("release", "exercises", `${name}.ipynb`));
  }

  /** Generates the assignment from the solutions, with the configuration of the README. */
  async generate(): Promise<void> {
    writeKernelspec(this.at("share"), "turnwise");
    for (const [name, file] of solutions) cpSync(file, this.at("source", "exercises", `${name}.ipynb`));
    const config = /<!-- nbgrader_config\.py -->\s+```python\n([^]*?)```/;
    writeFileSync(this.at("nbgrader_config.py"), config.exec(readFileSync(readme, "utf8"))![1]!);
    await this.inPython("-m", "nbgrader", "generate_assignment", "exercises", "--create");
  }

  submit(student: Student, name: string): void {
    const solution = cellOf(solutionOf(name), "answer").source;
    const answers = { right: () => solution, wrong: wrongAnswer(name), empty: (given: string) => given };
    const folder = this.at("submitted", student, "exercises");
    mkdirSync(folder, { recursive: true });
    const notebook = answered(this.released(name), answers[student]);
    writeFileSync(join(folder, `${name}.ipynb`), stringifyNotebook(notebook));
  }

  /** Grades all that was submitted. */
  async grade(): Promise<Grade[]> {
    await this.inPython("-m", "nbgrader", "autograde", "exercises", "--create");
    const output = await this.inPython(join(root, "test", "notebooks", "nbgrader", "grades.py"));
    const read = JSON.parse(/^grades: (.*)$/m.exec(output)![1]!) as [
      Student,
      string,
      number,
      number,
      string,
    ][];
    return read
      .map(([student, name, score, most, said]) => ({
        ...{ student, name, said },
        points: `${String(score)} of ${String(most)}`,
      }))
      .sort((a, b) => names.indexOf(a.name) - names.indexOf(b.name));
  }
}
