import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { doctor, lint, readTrajectories, type StoredTrajectory } from "turnwise-practice";
import { removeTemporaryFolders, temporaryFolder } from "../../../support/command.js";

function folder(files: Readonly<Record<string, string>>): string {
  const made = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(made, name)), { recursive: true });
    fs.writeFileSync(path.join(made, name), text);
  }
  return made;
}

async function all(source: string): Promise<StoredTrajectory[]> {
  const found: StoredTrajectory[] = [];
  for await (const one of readTrajectories(source)) found.push(one);
  return found;
}

/** An episode as rLLM's logger writes it: two steps, of which the second's chat holds the first's. */
function episode(task: number, rollout: number, reward: number, end = "env_done"): string {
  const chat = [
    { role: "user", content: `task ${task}` },
    { role: "assistant", content: "look it up" },
    { role: "tool", content: "3" },
    { role: "assistant", content: `it is ${rollout}` },
  ];
  const step = (upTo: number, said: string) => ({
    observation: "",
    thought: "",
    action: said,
    reward: 0,
    done: upTo === 4,
    model_response: said,
    chat_completions: chat.slice(0, upTo),
  });
  return JSON.stringify(
    {
      training_step: 12,
      episode_id: `t${task}:${rollout}`,
      task: { question: `task ${task}` },
      is_correct: reward > 0,
      termination_reason: end,
      trajectories: [
        { name: "agent", uid: "u", reward, steps: [step(2, "look it up"), step(4, `it is ${rollout}`)] },
      ],
    },
    null,
    2,
  );
}

describe("doctor() on rLLM's episodes", () => {
  after(removeTemporaryFolders);

  const episodes = (of: (task: number, rollout: number) => string) =>
    Object.fromEntries(
      Array.from({ length: 12 }, (_, i) => {
        const [task, rollout] = [Math.floor(i / 4), i % 4];
        return [
          `episodes/train_step_12_epoch_0/episode_hash${task}_idt${task}_${rollout}.json`,
          of(task, rollout),
        ];
      }),
    );

  it("takes a folder of them for one file, whose rollouts of a task are a group", async () => {
    const made = folder(episodes((task, rollout) => episode(task, rollout, task === 0 ? 0 : rollout % 2)));
    const report = await doctor(made);
    assert.equal(report.files.length, 1);
    assert.match(report.files[0]!.title, /episodes of rLLM/);
    const { census } = report.parts.view.rollouts[0]!;
    assert.deepEqual(
      [census.trajectories, census.groups, census.alone, census.mixed, census.step, census.turns],
      [12, 3, 0, 2, 12, 2],
    );
    assert.ok(!report.causes.some(({ name }) => name === "mixed-groups"));
    const [one] = await all(path.join(made, "episodes/train_step_12_epoch_0"));
    assert.equal(one!.turns[1]!.observation, "3");
    assert.deepEqual(one!.turns[1]!.tokens, ["it", " is", " 0"]);
  });

  it("says how they ended, and takes the tokens that a step has", async () => {
    const cut = episodes((task, rollout) => episode(task, rollout, 0, "max_turns_exceeded"));
    const report = await doctor(folder(cut));
    assert.equal(report.parts.view.rollouts[0]!.census.truncated, 1);
    const ids = {
      id: "t:1",
      is_correct: true,
      termination_reason: null,
      trajectories: [
        {
          name: "solver",
          reward: null,
          steps: [
            {
              observation: "2 + 2?",
              model_response: "4",
              reward: 0,
              response_ids: [7, 8],
              logprobs: [-0.1, -0.2],
            },
          ],
        },
        {
          name: "judge",
          reward: 0.5,
          steps: [{ observation: "is it 4?", model_response: "yes", reward: 0 }],
        },
      ],
    };
    const [solver, judge] = await all(JSON.stringify(ids));
    assert.deepEqual(solver!.turns[0]!.tokens, [7, 8]);
    assert.deepEqual(solver!.turns[0]!.rolloutLogProb, [-0.1, -0.2]);
    // Without a reward of its own, or of its steps, it has its episode's.
    assert.deepEqual([solver!.reward, judge!.reward], [1, 0.5]);
    assert.deepEqual([solver!.group, judge!.group], ["t:solver", "t:judge"]);
    // Files of that name that hold something else are named as what they are not.
    const other = folder({ "episode_1.json": "{}", "args.yaml": "num_generations: 8\nbeta: 0.0\n" });
    assert.match((await doctor(other)).parts.foreign[0]!.why, /no episodes of rLLM/);
  });
});

describe("doctor() on configurations below others", () => {
  after(removeTemporaryFolders);

  it("cuts off what stands around a trainer's names, and writes changes with it", async () => {
    const sections = await lint(
      "project: x\nmodel:\n  name: m\ngrpo:\n  num_generations: 8\n  beta: 0.4\n  max_completion_length: 64\noptim:\n  learning_rate: 1.0e-6\n",
    );
    assert.equal(sections.trainer, "trl");
    const large = sections.found.find(({ id }) => id === "large-kl")!;
    assert.match(large.evidence, /charged 0\.4 times/);
    assert.deepEqual(large.instead, ["grpo.beta: 0.001"]);
    assert.equal(sections.subject.number("learningRate"), 1e-6);
    const nested = await lint(
      JSON.stringify({
        job: { config: { algorithm: { adv_estimator: "grpo" }, actor_rollout_ref: { rollout: { n: 1 } } } },
      }),
    );
    assert.equal(nested.trainer, "verl");
    assert.ok(nested.found.some(({ id }) => id === "group-of-one"));
    // One name may be anybody's.
    await assert.rejects(lint("optics:\n  lens:\n    beta: 0.4\n"), /must have names of a rule/);
  });

  it("lays a file over those that its defaults name, as deep as they go, and says which are missing", async () => {
    const files = {
      "base/grpo.yaml":
        "grpo:\n  num_generations_per_prompt: 1\n  num_prompts_per_step: 32\nloss_fn:\n  ratio_clip_min: 0.2\n  reference_policy_kl_penalty: 0.3\n",
      "recipes/mid.yaml":
        "defaults: ../base/grpo.yaml\ngrpo:\n  num_generations_per_prompt: 16\nloss_fn:\n  ratio_clip_max: 0.3\n",
      "recipes/run.yaml":
        "defaults:\n  - mid.yaml # the recipe\n  - _self_\nloss_fn:\n  ratio_clip_max: 0.4\n",
    };
    const made = folder(files);
    // The others are found from the one that names them.
    const report = await doctor(path.join(made, "recipes/run.yaml"));
    const { lint: found, of } = report.parts.configs[0]!;
    assert.deepEqual(
      of!.map((one) => path.basename(one)),
      ["run.yaml", "mid.yaml", "grpo.yaml"],
    );
    assert.deepEqual(
      [
        found.subject.number("groupSize"),
        found.subject.number("clipHigh"),
        found.subject.number("klLossCoef"),
      ],
      [16, 0.4, 0.3],
    );
    assert.doesNotMatch(String(report), /was not found/);
    const alone = await doctor(folder({ "run.yaml": files["recipes/mid.yaml"] }));
    assert.match(String(alone).replace(/\s+/g, " "), /inherits from grpo\.yaml, which was not found/);
  });

  it("reads ROLL's GiGPO by its own names", async () => {
    const { rule, unread } = await lint(
      "adv_estimator: gigpo\nstep_reward_weight: 0.5\nepisode_reward_weight: 2.0\nstep_reward_gamma: 0.9\nnum_return_sequences_in_group: 8\nrollout_batch_size: 128\nreward_normalization:\n  grouping: traj_group_id\n  method: mean_std\n",
    );
    assert.equal(unread, undefined);
    assert.deepEqual(rule!.advantage, { kind: "gigpo", weight: 0.25, gamma: 0.9, allowSingleton: false });
    const plain = await lint(
      "adv_estimator: gigpo\nnum_return_sequences_in_group: 8\nrollout_batch_size: 128\npg_clip: 0.2\n",
    );
    assert.deepEqual(plain.rule!.advantage, { kind: "gigpo", weight: 1, gamma: 0.95, allowSingleton: false });
  });

  it("takes ms-swift's gdpo for parts that are scaled by themselves, and blames a part without a number for a NaN", async () => {
    const log = Array.from({ length: 30 }, (_, i) =>
      JSON.stringify({ step: i + 1, loss: 0, grad_norm: "NaN", reward: 0.4, reward_std: 0.3 }),
    ).join("\n");
    const of = (scale: string) =>
      doctor(
        folder({
          "log.jsonl": log,
          "train.sh": `swift rlhf --rlhf_type grpo --num_generations 8 --reward_funcs a b --scale_rewards ${scale}\n`,
        }),
      );
    const parts = await of("gdpo");
    assert.match(parts.causes[0]!.evidence.join(" "), /None or NaN for a single answer/);
    assert.match(parts.causes[0]!.advice!, /--scale_rewards group/);
    assert.doesNotMatch((await of("group")).causes[0]!.evidence.join(" "), /None or NaN/);
  });
});
