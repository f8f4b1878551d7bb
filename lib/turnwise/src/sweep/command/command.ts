import path from "node:path";
import { parseArgs } from "node:util";
import { currentArgs } from "../../base/currentArgs";
import { replaceFile } from "../../base/host/files/replaceFile";
import { merge } from "../merge";
import { jobsOf, parseShard } from "../plan";
import { SweepError, SweepRun } from "../sweep";
import { followInTerminal } from "../terminal";
import { kubernetesJob } from "./kubernetes";
import { checkTasks, readPlan, resultsFile, type PlanFile } from "./planFile";
import { jobName, quoted, slurmScript, type ArrayJob } from "./slurm";

const sweepUsage = `Usage: turnwise sweep <plan.json> [options]

Runs every job of a plan that has no result yet. The plan holds the options of the function sweep as JSON, such as
{"recipe": ["grpo", "seeUpo"], "env": "LookUp-v0", "updates": 100, "seeds": 20, "metric": "reward/mean"}.

  --shard <i/n>     run part i of n, counted from 1
  --workers <k>     number of threads (default: as many as the machine runs at once); 0: none
  --results <path>  file of the results, as JSON lines (default: next to the plan, plan.jsonl or plan.i-of-n.jsonl)

Instead of running the plan:
  --slurm <n>       write an array job of n tasks that runs it on Slurm
  --kubernetes <n>  write an Indexed Job of n pods that runs it on Kubernetes, with
    --image <name>         the container image, with turnwise on its PATH
    --volume-claim <name>  the PersistentVolumeClaim that holds the plan and receives the results
`;

const mergeUsage = `Usage: turnwise merge <results.jsonl...> [--results <path>]

Merges the results of a sweep's parts, and reports whether a job is missing or occurs twice.

  --results <path>  file for the results of the entire sweep
`;

/** Context that a command needs in addition to its arguments. */
export interface CommandContext {
  /** The words that start `turnwise` on this machine, for use in a job script. */
  readonly program: readonly string[];
  readonly out?: { readonly isTTY?: boolean; write(text: string): unknown };
}

/**
 * `turnwise sweep`: runs a plan, or writes the job by which a cluster's scheduler runs it.
 *
 * @returns the exit code: 0 when all jobs are done, 1 when some failed, 128 + signal when it was stopped
 * @throws {RangeError} if the plan or an option is out of range
 * @throws {TypeError} if an option of the plan has the wrong type
 * @public
 */
export async function sweepCommand(args: readonly string[], context: CommandContext): Promise<number> {
  const { values, positionals } = parseArgs({
    args: currentArgs(args, { file: "results", claim: "volume-claim" }),
    allowPositionals: true,
    options: {
      shard: { type: "string" },
      workers: { type: "string" },
      results: { type: "string" },
      slurm: { type: "string" },
      kubernetes: { type: "string" },
      image: { type: "string" },
      "volume-claim": { type: "string" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  const out = context.out ?? process.stdout;
  if (values.help) {
    out.write(sweepUsage);
    return 0;
  }
  const plan = readPlan(onlyOne(positionals));
  const workers = values.workers === undefined ? undefined : Number(values.workers);
  if (values.slurm !== undefined || values.kubernetes !== undefined) {
    const alone = (["shard", "results"] as const).find((name) => values[name] !== undefined);
    if (alone !== undefined || (values.slurm !== undefined && values.kubernetes !== undefined)) {
      throw new RangeError(
        `Cannot write the job: --slurm or --kubernetes must stand without the other and without --shard and ` +
          `--results, got ${Object.keys(values).join(", ")}.`,
      );
    }
    const job = {
      name: `turnwise-${path.basename(plan.stem)}`,
      workers: checkThreads(workers ?? 1),
      // A task's module is found from the folder in which the sweep runs, so the job runs in this one.
      plan: values.slurm === undefined ? path.basename(plan.file) : path.relative("", plan.file),
    };
    if (values.slurm !== undefined) {
      writeSlurm(plan, { ...job, tasks: checkTasks(plan.plan, values.slurm) }, context, out);
    } else {
      const { image, "volume-claim": claim } = values;
      if (image === undefined || claim === undefined) {
        throw new RangeError("Cannot write the job: --kubernetes must come with --image and --volume-claim.");
      }
      const tasks = checkTasks(plan.plan, values.kubernetes!);
      writeKubernetes(plan, { ...job, tasks, image, claim }, out);
    }
    return 0;
  }
  const shard = values.shard === undefined ? undefined : parseShard(values.shard);
  const file = values.results ?? resultsFile(plan, shard);
  const run = new SweepRun<unknown>({
    plan: plan.plan,
    live: plan.live,
    run: { file, ...(shard ? { shard } : {}), ...(workers === undefined ? {} : { workers }) },
  });
  return await untilEnd(run, file, out);
}

/**
 * `turnwise merge`: joins the results of shards.
 *
 * @throws {RangeError} if a job is missing or there twice, or if the files belong to different plans
 * @public
 */
export function mergeCommand(
  args: readonly string[],
  out: { write(text: string): unknown } = process.stdout,
): number {
  const { values, positionals } = parseArgs({
    args: currentArgs(args, { file: "results" }),
    allowPositionals: true,
    options: { results: { type: "string" }, help: { type: "boolean", short: "h", default: false } },
  });
  if (values.help) {
    out.write(mergeUsage);
    return 0;
  }
  const { results, pruned } = merge(
    positionals,
    values.results === undefined ? {} : { file: values.results },
  );
  const given = pruned.length > 0 ? `, ${pruned.length} settings were pruned` : "";
  const where = values.results === undefined ? "" : `; written to ${values.results}`;
  out.write(`${results.length} jobs, none missing, none there twice${given}${where}\n`);
  return 0;
}

async function untilEnd(
  run: SweepRun<unknown>,
  file: string,
  out: NonNullable<CommandContext["out"]>,
): Promise<number> {
  let code = 0;
  const stopper = (stopCode: number) => (): void => {
    code = stopCode;
    void run.stop();
  };
  const [interrupt, terminate] = [stopper(130), stopper(143)];
  process.once("SIGINT", interrupt).once("SIGTERM", terminate);
  followInTerminal(run, out);
  try {
    const { stopped } = await run;
    out.write(
      stopped ? `Stopped; the same command goes on where ${file} ends\n` : `The results are in ${file}\n`,
    );
    return code;
  } catch (error) {
    if (!(error instanceof SweepError)) throw error;
    out.write(`${error.message}\nWhat the others gave is in ${file}; the same command tries these again\n`);
    return 1;
  } finally {
    process.removeListener("SIGINT", interrupt).removeListener("SIGTERM", terminate);
  }
}

function writeSlurm(
  plan: PlanFile,
  job: ArrayJob,
  { program }: CommandContext,
  out: { write(text: string): unknown },
): void {
  const script = `${plan.stem}.slurm`;
  replaceFile(script, slurmScript(job, program, process.cwd()));
  out.write(
    `${jobsOf(plan.plan).length} jobs in ${job.tasks} tasks. Run and join them with:\n` +
      `  sbatch ${quoted(script)}\n${mergeLine(plan, job.tasks)}`,
  );
}

function writeKubernetes(
  plan: PlanFile,
  job: Parameters<typeof kubernetesJob>[0],
  out: { write(text: string): unknown },
): void {
  const manifest = `${plan.stem}.job.json`;
  replaceFile(manifest, `${JSON.stringify(kubernetesJob(job), null, 2)}\n`);
  out.write(
    `${jobsOf(plan.plan).length} jobs in ${job.tasks} pods. With ${job.plan} on the volume of claim ${job.claim}:\n` +
      `  kubectl apply -f ${quoted(manifest)}\n` +
      `  kubectl wait --for=condition=complete --timeout=-1s job/${jobName(job.name)}\n` +
      `and where the volume is mounted:\n${mergeLine({ ...plan, stem: path.basename(plan.stem) }, job.tasks)}`,
  );
}

function mergeLine({ stem }: PlanFile, tasks: number): string {
  return `  turnwise merge ${quoted(stem)}.*-of-${tasks}.jsonl --results ${quoted(`${stem}.jsonl`)}\n`;
}

function onlyOne(positionals: readonly string[]): string {
  if (positionals.length === 1) return positionals[0]!;
  throw new RangeError(
    `Cannot sweep: the plan must be one JSON file, got ${positionals.join(", ") || "none"}.`,
  );
}

function checkThreads(workers: number): number {
  if (Number.isInteger(workers) && workers >= 1) return workers;
  throw new RangeError(`Cannot write the job: --workers must be an integer >= 1, got ${workers}.`);
}
