/**
 * Our updates in a process of its own, asked in lines of JSON as the peers in Python are: so that other numbers of threads, no
 * native kernels and other versions of Node are measured in the same run.
 */
import { createInterface } from "node:readline";
import { repeat } from "./repeat.js";
import { work, type Kind, type Work } from "./work.js";

interface Question {
  readonly kind: Kind;
  readonly samples: number;
  readonly repetitions: number;
}

const works = new Map<string, Work>();

createInterface({ input: process.stdin }).on("line", (line) => {
  const { kind, samples, repetitions } = JSON.parse(line) as Question;
  const name = `${kind} ${samples}`;
  const own = works.get(name) ?? work(kind, samples, "wasm");
  works.set(name, own);
  process.stdout.write(`${JSON.stringify(repeat(own, repetitions))}\n`);
});
