import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { curveKeyPair } from "zeromq";
import { channels, writeConnectionFile, type ConnectionInfo } from "../protocol/connection.js";

/** A Unix socket path may have about 100 bytes; the longest suffix is `/k-5`. */
const longestSocketFolder = 90;

/** A kernel process with its connection file in a folder of its own. */
export class KernelProcess {
  readonly info: ConnectionInfo;
  readonly connectionFile: string;
  /** The last 64 KiB that the process wrote on its own stderr, which hold the reason for a failed start. */
  stderr = "";
  private child: ChildProcess | undefined;
  private exited: Promise<void> = Promise.resolve();
  private readonly removeAtExit = (): void => {
    this.kill();
    this.cleanUp();
  };

  private constructor(
    private readonly folder: string,
    info: ConnectionInfo,
    private readonly argv: readonly string[],
    private readonly o: { cwd: string; env?: NodeJS.ProcessEnv },
  ) {
    this.info = info;
    this.connectionFile = join(folder, "connection.json");
  }

  /** Prepares the connection file; `launch` starts the process. */
  static async prepare(
    argv: readonly string[],
    o: { cwd: string; env?: NodeJS.ProcessEnv; transport?: "tcp" | "ipc"; encrypted?: boolean },
  ): Promise<KernelProcess> {
    const folder = mkdtempSync(join(tmpdir(), "turnwise-"));
    const socketsFit = process.platform !== "win32" && folder.length <= longestSocketFolder;
    // Unix sockets cannot lose a race for a port number, so they are the default where they exist.
    const transport = o.transport ?? (socketsFit ? "ipc" : "tcp");
    const ports = transport === "ipc" ? [1, 2, 3, 4, 5] : await freePorts(channels.length);
    const info: ConnectionInfo = {
      transport,
      ip: transport === "ipc" ? join(folder, "k") : "127.0.0.1",
      shell_port: ports[0]!,
      iopub_port: ports[1]!,
      stdin_port: ports[2]!,
      control_port: ports[3]!,
      hb_port: ports[4]!,
      key: randomBytes(16).toString("hex"),
      signature_scheme: "hmac-sha256",
    };
    if (o.encrypted) {
      const { publicKey, secretKey } = curveKeyPair();
      Object.assign(info, { curve_publickey: publicKey, curve_secretkey: secretKey });
    }
    const prepared = new KernelProcess(folder, info, argv, o);
    writeConnectionFile(prepared.connectionFile, info);
    return prepared;
  }

  get pid(): number {
    return this.child?.pid ?? -1;
  }

  get running(): boolean {
    return this.child !== undefined && this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Description of how the process ended, for an error message. */
  get ending(): string {
    const how = this.child?.signalCode ?? `exit code ${this.child?.exitCode ?? "none"}`;
    return this.stderr.trim() === "" ? how : `${how}\n${this.stderr.trim()}`;
  }

  /** Starts the process, or starts it again. `onExit` is called at every end, wanted or not. */
  launch(onExit: () => void): void {
    const [command, ...args] = this.argv.map((arg) => arg.replace("{connection_file}", this.connectionFile));
    this.stderr = "";
    const child = spawn(command!, args, {
      cwd: this.o.cwd,
      env: this.o.env ?? process.env,
      stdio: ["ignore", "ignore", "pipe"],
    });
    this.child = child;
    child.stderr.on("data", (chunk: Buffer) => {
      this.stderr = (this.stderr + chunk.toString("utf8")).slice(-65_536);
    });
    this.exited = new Promise((resolve) => {
      const done = (error?: unknown): void => {
        if (error instanceof Error) this.stderr += error.message;
        resolve();
        onExit();
      };
      child.once("close", () => done());
      child.once("error", done);
    });
    process.once("exit", this.removeAtExit);
  }

  /** True if the process ended within the time. */
  async waitForExit(timeoutMs: number): Promise<boolean> {
    if (!this.running) return true;
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), timeoutMs);
    });
    const result = await Promise.race([this.exited.then(() => true), timeout]);
    clearTimeout(timer);
    return result;
  }

  kill(signal: NodeJS.Signals = "SIGKILL"): void {
    if (this.running) this.child!.kill(signal);
  }

  /** Removes the connection file and the sockets. */
  cleanUp(): void {
    process.removeListener("exit", this.removeAtExit);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  // All are open at the same time, so that the system hands out different numbers.
  const ports = await Promise.all(
    servers.map(
      (server) =>
        new Promise<number>((resolve, reject) => {
          server.once("error", reject);
          server.listen(0, "127.0.0.1", () => resolve((server.address() as { port: number }).port));
        }),
    ),
  );
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
