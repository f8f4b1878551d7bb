import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import type {
  DenoChildProcess,
  DenoCommandOptions,
  DenoCommandOutput,
  DenoCommandStatus,
} from "../deno-system.js";
import { asDeno } from "./deno-errors.js";

type Output = "stdout" | "stderr";
type Pipe = "stdin" | Output;
type Pipes = Pick<DenoCommandOptions, Pipe>;

const outputs = ["stdout", "stderr"] as const;

/** All pipes: where the options say nothing, stdin is null and the outputs are as given. */
const pipesOf = (o: Pipes, output: "piped" | "inherit"): Required<Pipes> => ({
  stdin: o.stdin ?? "null",
  stdout: o.stdout ?? output,
  stderr: o.stderr ?? output,
});

/** `new Deno.Command("ls", { args }).output()`. */
export class Command {
  constructor(
    private readonly command: string | URL,
    private readonly o: DenoCommandOptions = {},
  ) {}

  async output(): Promise<DenoCommandOutput> {
    return this.start("piped").output();
  }

  outputSync(): DenoCommandOutput {
    const pipes = pipesOf(this.o, "piped");
    const { file, args, options } = this.parts(pipes);
    const { status, signal, stdout, stderr, error } = spawnSync(file, args, options);
    if (error) throw asDeno(error);
    show(pipes, { stdout, stderr });
    const bytes = (name: Output, all: Buffer | null): Uint8Array =>
      new Uint8Array(pipes[name] === "piped" ? (all ?? []) : []);
    return { ...ended(status, signal), stdout: bytes("stdout", stdout), stderr: bytes("stderr", stderr) };
  }

  spawn(): DenoChildProcess {
    return this.start("inherit");
  }

  private start(output: "piped" | "inherit"): DenoChildProcess {
    const pipes = pipesOf(this.o, output);
    const { file, args, options } = this.parts(pipes);
    return running(spawn(file, args, options), pipes);
  }

  private parts(pipes: Required<Pipes>): { file: string; args: string[]; options: object } {
    const { args = [], cwd, env, clearEnv = false } = this.o;
    // The cell's own outputs are no files that a child could inherit: they are passed on.
    const mode = (one: string): string => (one === "null" ? "ignore" : "pipe");
    return {
      file: this.command instanceof URL ? fileURLToPath(this.command) : this.command,
      args,
      options: {
        cwd,
        env: { ...(!clearEnv && process.env), ...env },
        stdio: [pipes.stdin === "piped" ? "pipe" : "ignore", mode(pipes.stdout), mode(pipes.stderr)],
      },
    };
  }
}

const ended = (code: number | null, signal: string | null): DenoCommandStatus => ({
  code: code ?? 1,
  success: code === 0,
  signal,
});

function show(pipes: Required<Pipes>, chunks: Partial<Record<Output, Buffer | null>>): void {
  for (const name of outputs)
    if (pipes[name] === "inherit" && chunks[name]) process[name].write(chunks[name]);
}

function running(child: ChildProcess, pipes: Required<Pipes>): DenoChildProcess {
  const status = new Promise<DenoCommandStatus>((resolve, reject) => {
    child.once("error", (error) => reject(asDeno(error) as Error));
    child.once("close", (code, signal) => resolve(ended(code, signal)));
  });
  // Whoever never asks for it is not told.
  status.catch(() => undefined);
  for (const name of outputs)
    if (pipes[name] === "inherit") child[name]?.on("data", (chunk: Buffer) => show(pipes, { [name]: chunk }));
  // At once: Node throws away what nobody has begun to read by the time that a command ends.
  const read = Object.fromEntries(
    outputs
      .filter((name) => pipes[name] === "piped")
      .map((name) => [name, Readable.toWeb(child[name]!) as ReadableStream<Uint8Array>]),
  ) as Partial<Record<Output, ReadableStream<Uint8Array>>>;
  let written: WritableStream<Uint8Array> | undefined;
  const expectPiped = (name: Pipe): void => {
    if (pipes[name] === "piped") return;
    throw new TypeError(`Cannot use ${name}: the option ${name} must be "piped", got "${pipes[name]}".`);
  };
  const outputOf = (name: Output): ReadableStream<Uint8Array> => {
    expectPiped(name);
    return read[name]!;
  };
  const whole = async (name: Output): Promise<Uint8Array> =>
    new Uint8Array(read[name] ? await new Response(read[name]).arrayBuffer() : []);
  return {
    pid: child.pid ?? 0,
    get stdin() {
      expectPiped("stdin");
      return (written ??= Writable.toWeb(child.stdin!) as WritableStream<Uint8Array>);
    },
    get stdout() {
      return outputOf("stdout");
    },
    get stderr() {
      return outputOf("stderr");
    },
    status,
    async output() {
      const [stdout, stderr, end] = await Promise.all([whole("stdout"), whole("stderr"), status]);
      return { ...end, stdout, stderr };
    },
    kill: (signal = "SIGTERM") => void child.kill(signal),
    ref: () => child.ref(),
    unref: () => child.unref(),
  };
}
