/** Job that a scheduler runs. */
export interface ArrayJob {
  /** Name of the job; letters, digits and "-" of it are kept. */
  readonly name: string;
  /** Number of tasks that share the plan. */
  readonly tasks: number;
  /** Threads, and so processor cores, of each task. */
  readonly workers: number;
  /** The plan, as the task finds it from its folder. */
  readonly plan: string;
}

/** A task that a scheduler runs again finds the lock of its first try, whose process the scheduler has ended. */
export function removeLock(plan: string, shard: string, of: number): string {
  return `rm -f ${quoted(plan.replace(/\.json$/, "."))}"${shard}-of-${of}.jsonl.lock"`;
}

/**
 * A batch script whose array task i of n runs shard i/n; a task that is requeued goes on where its results end.
 *
 * Source: manual page sbatch(1) of Slurm, section "Job Array Support", and `--array`, `--requeue`, `--open-mode`.
 *
 * @param program the words of the command line that start `turnwise` on every node
 */
export function slurmScript(job: ArrayJob, program: readonly string[], folder: string): string {
  const { tasks, workers, plan } = job;
  return [
    "#!/bin/sh",
    `#SBATCH --job-name=${jobName(job.name)}`,
    `#SBATCH --array=1-${tasks}`,
    "#SBATCH --ntasks=1",
    `#SBATCH --cpus-per-task=${workers}`,
    `#SBATCH --chdir=${directive(folder)}`,
    `#SBATCH --output=${directive(`${plan.replace(/\.json$/, "")}.%a-of-${tasks}.log`)}`,
    "#SBATCH --open-mode=append",
    "#SBATCH --requeue",
    "",
    removeLock(plan, "$SLURM_ARRAY_TASK_ID", tasks),
    `exec ${[...program, "sweep", plan].map(quoted).join(" ")} --workers ${workers} --shard "$SLURM_ARRAY_TASK_ID/${tasks}"`,
    "",
  ].join("\n");
}

/** A name that Slurm and Kubernetes (RFC 1123 label) accept. */
export function jobName(name: string): string {
  const kept = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 40)
    .replace(/^-+|-+$/g, "");
  return kept === "" ? "sweep" : kept;
}

/** One word of a shell's command line. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** A value of an #SBATCH line, which ends at a blank unless quoted. */
function directive(value: string): string {
  if (/^[^\s"'\\#]+$/.test(value)) return value;
  return `"${value.replace(/["\\]/g, "\\$&")}"`;
}
