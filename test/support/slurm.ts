import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { skip } from "./needs.js";
import { patient } from "./patient.js";

const programs = ["munged", "slurmctld", "slurmd", "sbatch", "squeue"];
const environment = { ...process.env, PATH: `${process.env.PATH ?? ""}:/usr/sbin:/usr/local/sbin` };

/** A Slurm of one node that runs as this user, with all of its files in one folder. */
export interface Slurm {
  /** Runs one of Slurm's own commands to its end. */
  run(command: string, args: string[], o: { cwd: string }): { code: number | null; output: string };
  stop(): Promise<void>;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => {
        resolve(port);
      });
    });
  });
}

async function configure(folder: string): Promise<string> {
  const [host] = os.hostname().split(".");
  const user = os.userInfo().username;
  // Munge's socket must be within everybody's reach.
  fs.chmodSync(folder, 0o755);
  for (const name of ["state", "spool"]) fs.mkdirSync(path.join(folder, name));
  fs.writeFileSync(path.join(folder, "munge.key"), randomBytes(1024), { mode: 0o600 });
  const file = path.join(folder, "slurm.conf");
  const lines = [
    "ClusterName=turnwise",
    `SlurmctldHost=${host!}(127.0.0.1)`,
    ...[`SlurmUser=${user}`, `SlurmdUser=${user}`],
    ...[`SlurmctldPort=${String(await freePort())}`, `SlurmdPort=${String(await freePort())}`],
    ...["AuthType=auth/munge", `AuthInfo=socket=${folder}/munge.socket`, "CredType=cred/munge"],
    ...[`StateSaveLocation=${folder}/state`, `SlurmdSpoolDir=${folder}/spool`],
    ...[`SlurmctldPidFile=${folder}/slurmctld.pid`, `SlurmdPidFile=${folder}/slurmd.pid`],
    // A container has neither control groups of its own nor an accounting database.
    ...["ProctrackType=proctrack/linuxproc", "TaskPlugin=task/none", "JobAcctGatherType=jobacct_gather/none"],
    ...["AccountingStorageType=accounting_storage/none", "MpiDefault=none", "ReturnToService=2"],
    ...["SelectType=select/cons_tres", "SelectTypeParameters=CR_CPU", "SchedulerType=sched/builtin"],
    `NodeName=${host!} NodeAddr=127.0.0.1 CPUs=${String(os.cpus().length)} State=UNKNOWN`,
    "PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP",
  ];
  fs.writeFileSync(file, lines.join("\n") + "\n");
  return file;
}

/** Starts Slurm's daemons, or skips the test where they are not installed. */
export async function startSlurm(context: Mocha.Context, folder: string): Promise<Slurm> {
  const absent = programs.filter((name) => spawnSync("which", [name], { env: environment }).status !== 0);
  if (absent.length > 0)
    skip(context, `needs Slurm (slurm-wlm): no ${absent.join(", ")}`, "sudo apt-get install slurm-wlm munge");
  const env = { ...environment, SLURM_CONF: await configure(folder) };
  const children: ChildProcess[] = [];
  const log = fs.openSync(path.join(folder, "daemons.log"), "a");
  const start = (command: string, args: string[]): void => {
    children.push(spawn(command, args, { env, stdio: ["ignore", log, log] }));
  };
  const run: Slurm["run"] = (command, args, { cwd }) => {
    const { status, stdout, stderr } = spawnSync(command, args, { env, cwd, encoding: "utf8" });
    return { code: status, output: stdout + stderr };
  };
  const stop: Slurm["stop"] = async () => {
    for (const child of children.reverse()) {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      if (child.exitCode === null && child.signalCode === null && child.kill()) await ended;
    }
    fs.closeSync(log);
  };
  const within = (name: string): string => path.join(folder, name);
  start("munged", [
    ...["--foreground", `--key-file=${within("munge.key")}`, `--socket=${within("munge.socket")}`],
    ...[`--pid-file=${within("munge.pid")}`, `--seed-file=${within("munge.seed")}`, "--num-threads=1"],
  ]);
  start("slurmctld", ["-D", "-c"]);
  start("slurmd", ["-D"]);
  for (const started = Date.now(); ; await new Promise((resolve) => setTimeout(resolve, 200))) {
    const { output } = run("sinfo", ["--noheader", "--format=%t"], { cwd: folder });
    if (output.trim() === "idle") return { run, stop };
    if (Date.now() - started < patient(60_000)) continue;
    await stop();
    const said = fs.readFileSync(within("daemons.log"), "utf8").slice(-3000);
    throw new Error(`Waited in vain for Slurm's node: it is ${output.trim()}\n${said}`);
  }
}
