import type { KernelClient } from "turnwise-kernel";
import { hangingCheck, runawayCallback } from "./held.js";

/**
 * The step of the interrupt ladder that stopped a cell, as its error message tells: "check" if it had not begun, "new session" if
 * it had to be ended with all variables, after a warning.
 */
export type Step = "mark" | "signal" | "termination" | "check" | "new session";

/** One thing that a cell may be busy with when it is interrupted. */
export interface Row {
  title: string;
  /** The cell; `ticks` counts what must stop, `a`, `w`, `optimizer`, `model` and `xs` are TensorFlow.js's. */
  code: string;
  /** The first step that can stop it; a machine too slow for that one within 300 ms needs the termination. */
  step: Step;
  /** Run first, where the cell cannot begin: brings about what it waits for. */
  hold?: (kernel: KernelClient) => Promise<void>;
}

/** Run once before the rows; `tf` is TensorFlow.js's place in the library. */
export const setupWith = (tf: string): string => `import { tf } from '${tf}'
import * as layers from '@tensorflow/tfjs-layers'
await tf.ready()
let kept = 42; let ticks = 0; const log: string[] = []
const a = tf.ones([40, 40]); const big = tf.ones([3000, 3000])
const w = tf.variable(tf.ones([4])); const optimizer = tf.train.adam(0.01)
const loss = () => tf.sum(tf.square(w)) as tf.Scalar
const model = layers.sequential({ layers: [layers.layers.dense({ units: 8, inputShape: [4], activation: 'relu' }), layers.layers.dense({ units: 1 })] }) as any
model.compile({ optimizer: tf.train.sgd(0.01), loss: 'meanSquaredError' })
const xs = tf.ones([64, 4]), ys = tf.ones([64, 1])`;

/** What a kernel for training must be able to stop. */
export const rows: readonly Row[] = [
  { title: "while (true) {}", code: "while (true) {}", step: "mark" },
  {
    title: "the same inside try/catch/finally",
    code: "try { while (true) {} } catch (e) { log.push('caught'); throw e } finally { log.push('finally') }",
    step: "mark",
  },
  { title: "await 0; while (true) {}", code: "await 0; while (true) {}", step: "mark" },
  {
    title: "a loop after a timer",
    code: "await new Promise(r => setTimeout(r, 5)); while (true) {}",
    step: "mark",
  },
  { title: "await new Promise(() => {})", code: "await new Promise(() => {})", step: "mark" },
  {
    title: "an async timer loop",
    code: "for (;;) { ticks++; await new Promise(r => setTimeout(r, 1)) }",
    step: "mark",
  },
  { title: "a loop of microtasks", code: "for (;;) { ticks++; await 0 }", step: "mark" },
  {
    title: "a setImmediate loop",
    code: "await new Promise(() => { const f = () => { ticks++; setImmediate(f) }; f() })",
    step: "mark",
  },
  {
    title: "a regular expression that backtracks",
    code: "/^(a+)+$/.test('a'.repeat(40) + 'b')",
    step: "termination",
  },
  {
    title: "Atomics.wait",
    code: "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)",
    step: "termination",
  },
  {
    title: "a loop over a Float32Array",
    code: "{ const f = new Float32Array(1000); for (let i = 0; i < 1e12; i++) f[i % 1000] += i }",
    step: "termination",
  },
  {
    title: "a loop over an array behind an await",
    code: "const z = new Float64Array(8); await 0; (function spin() { for (let i = 0; i < 1e15; i++) z[i & 7] = i })()",
    step: "termination",
  },
  {
    title: "execSync('sleep 8')",
    code: "require('node:child_process').execSync('sleep 8')",
    step: "signal",
  },
  {
    title: "TensorFlow.js: a loop of matMul in tidy",
    code: "tf.tidy(() => { for (;;) tf.matMul(a, a) })",
    step: "mark",
  },
  {
    title: "TensorFlow.js: one matMul of 3000 x 3000",
    code: "tf.tidy(() => tf.matMul(big, big))",
    step: "termination",
  },
  {
    title: "TensorFlow.js: an async optimizer loop",
    code: "for (;;) { ticks++; optimizer.minimize(loss); await tf.nextFrame() }",
    step: "mark",
  },
  {
    title: "TensorFlow.js: model.fit",
    code: "await model.fit(xs, ys, { epochs: 1e6, verbose: 0, callbacks: { onBatchEnd: () => { ticks++ } } })",
    step: "mark",
  },
  {
    title: "a cell behind a callback of an earlier one that does not return",
    code: "await new Promise(() => {})",
    step: "mark",
    hold: runawayCallback("while (true) {}"),
  },
  {
    title: "a cell whose type check does not end",
    code: "ticks++",
    step: "check",
    hold: hangingCheck,
  },
];

/** One for each step, and of the ways in which a cell waits or computes. */
export const typical: readonly Row[] = rows.filter(({ title }) =>
  [
    "the same inside try/catch/finally",
    "an async timer loop",
    "a regular expression that backtracks",
    "execSync('sleep 8')",
    "TensorFlow.js: a loop of matMul in tidy",
    "a cell behind a callback of an earlier one that does not return",
    "a cell whose type check does not end",
  ].includes(title),
);

/** What the table does not have. */
export const more: readonly Row[] = [
  {
    title: "a loop of promise callbacks without await",
    code: "await new Promise(() => { const f = (): any => { ticks++; return Promise.resolve().then(f) }; f() })",
    step: "mark",
  },
  {
    title: "deep recursion without loops",
    code: "function fib(n: number): number { return n < 2 ? n : fib(n - 1) + fib(n - 2) }\nfib(60)",
    step: "termination",
  },
  {
    title: "a child process that ends by itself when it is told",
    code: "require('node:child_process').execSync('trap \"exit 3\" INT; while :; do sleep .05; done')",
    step: "signal",
  },
  {
    title: "spawnSync('sleep', ['8']), which throws nothing and ends the cell",
    code: "require('node:child_process').spawnSync('sleep', ['8'])",
    step: "mark",
  },
  {
    title: "an async generator",
    code: "async function* g() { for (;;) { ticks++; yield await new Promise(r => setTimeout(r, 1)) } }\nfor await (const _ of g()) ;",
    step: "mark",
  },
  {
    title: "several loops at once",
    code: "await Promise.all([1, 2, 3].map(async () => { for (;;) { ticks++; await new Promise(r => setTimeout(r, 1)) } }))",
    step: "mark",
  },
  {
    title: "a cell behind a callback over an array that does not return",
    code: "await new Promise(() => {})",
    step: "mark",
    hold: runawayCallback("for (let i = 0; i < 1e15; i++) z[i & 7] = i"),
  },
  {
    title: "a matMul inside scopes, a gradient and an await",
    code: "await 0; tf.tidy(() => tf.grads((x: any) => tf.sum(tf.matMul(big, big)).mul(x))([tf.scalar(1)]))",
    step: "termination",
  },
];
