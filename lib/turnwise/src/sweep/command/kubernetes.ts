import { jobName, quoted, removeLock, type ArrayJob } from "./slurm";

export interface KubernetesJob extends ArrayJob {
  /** Container image that has `turnwise` on its PATH. */
  readonly image: string;
  /** PersistentVolumeClaim that holds the plan and takes the results; all pods write to it. */
  readonly claim: string;
}

const FOLDER = "/sweep";

/**
 * An Indexed Job whose pod of index i runs shard (i + 1)/n; a pod that is replaced goes on where its results end.
 *
 * Source: Kubernetes documentation, "Jobs", section "Completion mode", `JOB_COMPLETION_INDEX`; API batch/v1.
 */
export function kubernetesJob(job: KubernetesJob): Readonly<Record<string, unknown>> {
  const { tasks, workers, plan, image, claim } = job;
  const line = [
    "shard=$((JOB_COMPLETION_INDEX + 1))",
    removeLock(plan, "$shard", tasks),
    `exec turnwise sweep ${quoted(plan)} --workers ${workers} --shard "$shard/${tasks}"`,
  ].join("\n");
  const container = {
    name: "sweep",
    image,
    command: ["sh", "-c", line],
    workingDir: FOLDER,
    resources: { requests: { cpu: String(workers) } },
    volumeMounts: [{ name: "sweep", mountPath: FOLDER }],
  };
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name: jobName(job.name) },
    spec: {
      completionMode: "Indexed",
      completions: tasks,
      parallelism: tasks,
      // Tasks that are moved from node to node use up no tries of the others.
      backoffLimitPerIndex: 6,
      // Two pods of one index would write one file.
      podReplacementPolicy: "Failed",
      template: {
        spec: {
          restartPolicy: "Never",
          containers: [container],
          volumes: [{ name: "sweep", persistentVolumeClaim: { claimName: claim } }],
        },
      },
    },
  };
}
