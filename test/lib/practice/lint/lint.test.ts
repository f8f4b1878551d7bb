import assert from "node:assert/strict";
import { findings, lint, type FindingId, type LintReport } from "turnwise-practice";

const verl = (...flags: string[]): string =>
  `python3 -m verl.trainer.main_ppo \\\n  algorithm.adv_estimator=grpo actor_rollout_ref.rollout.n=8 \\\n  ${flags.join(" \\\n  ")}\n`;
const trl = (...lines: string[]): string => `num_generations: 8\n${lines.join("\n")}\n`;
const python = (...args: string[]): string => `args = GRPOConfig(num_generations=8, ${args.join(", ")})\n`;
const openRlhf = (...flags: string[]): string =>
  `python -m openrlhf.cli.train_ppo_ray --rollout.n_samples_per_prompt 8 ${flags.join(" ")}\n`;
const skyRl = (...flags: string[]): string =>
  `uv run -m skyrl.train.entrypoints.main_base generator.n_samples_per_prompt=8 ${flags.join(" ")}\n`;
const prime = (text: string): string => `max_steps = 10\n\n[orchestrator]\n${text}\n`;

const actor = "actor_rollout_ref.actor";
const gspo = `${actor}.policy_loss.loss_mode=gspo`;
const twoSteps = "data.train_batch_size=256 actor_rollout_ref.actor.ppo_mini_batch_size=128";
const oneStep = "data.train_batch_size=256 actor_rollout_ref.actor.ppo_mini_batch_size=256";

/** Configurations in which each finding is seen, in the syntax of the trainers that have it. */
const seen: Readonly<Record<FindingId, readonly string[]>> = {
  "adapter-not-sent": [
    verl(
      "actor_rollout_ref.model.lora_rank=32",
      "actor_rollout_ref.hybrid_engine=False",
      "async_training.staleness_threshold=0.5",
    ),
    verl("actor_rollout_ref.model.lora.rank=32", "actor_rollout_ref.hybrid_engine=False"),
    "swift rlhf --rlhf_type grpo --num_generations 8 --vllm_enable_lora true --multi_turn_scheduler turns\n",
    "swift rlhf --rlhf_type grpo --num_generations 8 --vllm_enable_lora true --resume_from_checkpoint v0/checkpoint-20\n",
  ],
  "fused-kernels-split": [
    verl(
      "data.image_key=images",
      "actor_rollout_ref.model.use_fused_kernels=True",
      `${actor}.ulysses_sequence_parallel_size=2`,
    ),
  ],
  "micro-batch-too-large": [
    // 16 tasks of 8 rollouts on 8 GPUs are 16 rollouts each.
    verl(
      `${actor}.ppo_mini_batch_size=16`,
      `${actor}.ppo_micro_batch_size_per_gpu=32`,
      "trainer.n_gpus_per_node=8",
    ),
    verl(`${actor}.ppo_mini_batch_size=16`, `${actor}.ppo_micro_batch_size=256`, "trainer.nnodes=1"),
  ],
  "idle-clip": [
    verl(oneStep),
    trl("loss_type: grpo"),
    skyRl("trainer.train_batch_size=64", "trainer.policy_mini_batch_size=64"),
    openRlhf("--algo.advantage.estimator group_norm --rollout.batch_size 64 --train.batch_size 512"),
  ],
  "kl-twice": [
    verl(`${actor}.use_kl_loss=True`, "algorithm.use_kl_in_reward=True"),
    skyRl("trainer.algorithm.use_kl_in_reward=true"),
  ],
  "k1-in-loss": [
    verl(`${actor}.use_kl_loss=True`, `${actor}.kl_loss_type=kl`),
    openRlhf("--algo.kl.use_loss --algo.kl.estimator k1"),
    skyRl("trainer.algorithm.kl_estimator_type=k1"),
  ],
  "std-of-small-costs": [
    verl("algorithm.use_kl_in_reward=True"),
    trl("reward_weights: [1.0, 0.1]"),
    skyRl("trainer.algorithm.use_kl_in_reward=true"),
  ],
  "group-of-one": [
    verl("actor_rollout_ref.rollout.n=1"),
    '{"algorithm.adv_estimator": "grpo"}',
    openRlhf("--algo.advantage.estimator group_norm --rollout.n_samples_per_prompt 1"),
    skyRl("generator.n_samples_per_prompt=1"),
  ],
  "small-group": [verl("actor_rollout_ref.rollout.n=2"), "num_generations: 2\nbeta: 0.0\n"],
  "batch-baseline": [
    verl("algorithm.adv_estimator=reinforce_plus_plus"),
    openRlhf("--algo.advantage.estimator reinforce"),
  ],
  "truncated-sampling": [
    verl("actor_rollout_ref.rollout.top_p=0.9"),
    trl("top_p: 0.95", "top_k: 50", "min_p: 0.05"),
    python("top_p=0.9"),
    skyRl("generator.sampling_params.top_k=20"),
    prime("group_size = 8\n\n[orchestrator.sampling]\ntop_p = 0.9"),
  ],
  "low-temperature": [
    verl("actor_rollout_ref.rollout.temperature=0.6"),
    trl("temperature: 0.5"),
    prime("group_size = 8\n\n[orchestrator.sampling]\ntemperature = 0.6"),
  ],
  "high-temperature": [
    verl("actor_rollout_ref.rollout.temperature=1.5"),
    skyRl("generator.sampling_params.temperature=1.4"),
  ],
  "many-steps": [
    verl("data.train_batch_size=1024", `${actor}.ppo_mini_batch_size=64`),
    trl("num_iterations: 12"),
    openRlhf("--rollout.batch_size 1024 --train.batch_size 128"),
    skyRl("trainer.train_batch_size=1024", "trainer.policy_mini_batch_size=64"),
  ],
  "token-mean-long-failures": [verl("data.max_response_length=8192"), python("max_completion_length=4096")],
  "length-bias": [
    verl(`${actor}.loss_agg_mode=seq-mean-token-mean`),
    trl("loss_type: grpo"),
    openRlhf("--actor.loss_agg_mode seq-mean-token-mean"),
    skyRl("trainer.algorithm.loss_reduction=sequence_mean"),
  ],
  "truncated-as-failures": [
    verl(oneStep),
    trl("beta: 0.0"),
    skyRl("trainer.epochs=1"),
    openRlhf("--train.max_epochs 1"),
  ],
  "short-answers": [verl(oneStep), trl("beta: 0.0"), python("max_completion_length=64")],
  "context-too-short": [
    verl(
      "actor_rollout_ref.rollout.max_model_len=1024",
      "data.max_prompt_length=512",
      "data.max_response_length=1024",
    ),
    trl("vllm_max_model_length: 1024", "max_completion_length: 2048"),
  ],
  "fixed-reference": [trl("beta: 0.04"), verl(`${actor}.use_kl_loss=True`), skyRl("trainer.epochs=1")],
  "sequence-bounds-on-tokens": [
    verl(`${actor}.clip_ratio_low=3e-4`, `${actor}.clip_ratio_high=4e-4`),
    trl("epsilon: 3e-4", "epsilon_high: 4e-4"),
    openRlhf("--actor.eps_clip 0.0003"),
    skyRl("trainer.algorithm.eps_clip_low=0.0003", "trainer.algorithm.eps_clip_high=0.0004"),
  ],
  "token-bounds-on-sequences": [
    verl(gspo),
    trl("importance_sampling_level: sequence"),
    openRlhf("--actor.policy_loss_type gspo"),
    skyRl("trainer.algorithm.policy_loss_type=gspo"),
  ],
  "no-dual-clip": [
    trl("num_iterations: 2"),
    openRlhf("--rollout.batch_size 64 --train.batch_size 128"),
    skyRl("trainer.policy_mini_batch_size=512"),
  ],
  "unbounded-steps": [
    verl(`${actor}.policy_loss.loss_mode=gpg`, twoSteps),
    trl("num_iterations: 2", "epsilon: 1.0", "epsilon_high: 1.0e+9"),
  ],
  "wide-clip": [
    verl(`${actor}.clip_ratio_high=0.8`, twoSteps),
    trl("num_iterations: 2", "epsilon_high: 0.9"),
  ],
  "tool-tokens-trained": [verl(`${actor}.state_masking=False`), verl("enable_response_mask=False")],
  "stale-prefix-cache": [
    trl("use_vllm: true", "vllm_device: auto"),
    trl("use_vllm: true", "vllm_enable_prefix_caching: true"),
  ],
  "loss-needs-steps": [
    '{"learning_rate": 4e-5, "group_size": 8, "groups_per_batch": 64, "loss_fn": "dro", "num_substeps": 1}\n',
  ],
  "forced-tokens": [
    trl("repetition_penalty: 1.1"),
    verl("actor_rollout_ref.rollout.repetition_penalty=1.05"),
    'from trl import PPOConfig\nconfig = PPOConfig(ppo_epochs=4, batch_size=64)\ngen_kwargs = {"min_new_tokens": 10, "top_p": 1.0}\n',
  ],
  "stale-without-correction": [
    verl("async_training.staleness_threshold=0.5"),
    openRlhf("--train.async_enable"),
    skyRl("trainer.fully_async.max_staleness_steps=4"),
    "max_async_level = 8\n\n[orchestrator]\ngroup_size = 8\n",
  ],
  "engine-without-correction": [
    verl("actor_rollout_ref.rollout.name=sglang"),
    trl("use_vllm: true", "vllm_importance_sampling_correction: false"),
    openRlhf("--vllm.num_engines 4"),
    skyRl("generator.backend=vllm"),
  ],
  "quantized-rollouts": [verl("actor_rollout_ref.rollout.quantization=fp8")],
  "large-entropy-bonus": [
    verl(`${actor}.entropy_coeff=0.01`),
    trl("entropy_coef: 0.02"),
    openRlhf("--actor.entropy_coef 0.01"),
    skyRl("trainer.algorithm.use_entropy_loss=true"),
  ],
  "large-kl": [
    verl(`${actor}.use_kl_loss=True`, `${actor}.kl_loss_coef=0.5`),
    trl("beta: 0.2"),
    openRlhf("--algo.kl.init_coef 0.1"),
    skyRl("trainer.algorithm.kl_loss_coef=0.2"),
  ],
  "no-anchor": [
    verl(oneStep),
    trl("beta: 0.0"),
    skyRl("trainer.algorithm.use_kl_loss=false"),
    openRlhf("--algo.kl.init_coef 0"),
  ],
  "high-learning-rate": [
    verl(`${actor}.optim.lr=1e-5`),
    trl("learning_rate: 5.0e-5"),
    openRlhf("--actor.adam.lr 2e-5"),
    skyRl("trainer.policy.optimizer_config.lr=1e-4"),
    prime("group_size = 8\n\n[trainer.optim]\nlr = 3e-5"),
  ],
  "no-gradient-clip": [
    verl(`${actor}.grad_clip=1000`),
    trl("max_grad_norm: 0.0"),
    prime("group_size = 8\n\n[trainer.optim]\nmax_norm = 0"),
  ],
  "bf16-weights": [verl(`${actor}.fsdp_config.model_dtype=bf16`), trl("torch_dtype: bfloat16")],
  "equal-groups-stay": [
    verl(oneStep),
    trl("beta: 0.0"),
    openRlhf("--algo.advantage.estimator rloo"),
    skyRl("trainer.epochs=1"),
  ],
  "endless-filter": [
    verl("algorithm.filter_groups.enable=True"),
    openRlhf("--algo.dynamic_filtering_enable"),
  ],
  "token-discount": [
    verl("algorithm.adv_estimator=gae", "algorithm.gamma=0.99"),
    openRlhf("--algo.advantage.estimator reinforce --algo.advantage.gamma 0.9"),
    skyRl("trainer.algorithm.advantage_estimator=gae", "trainer.algorithm.gamma=0.99"),
  ],
  "short-lambda": [verl("algorithm.adv_estimator=gae", "algorithm.lam=0.95")],
  "cold-critic": [verl("algorithm.adv_estimator=gae"), skyRl("trainer.algorithm.advantage_estimator=gae")],
  "summed-tokens": [verl(`${actor}.loss_agg_mode=seq-mean-token-sum`), trl("loss_type: luspo")],
  "indivisible-batch": [
    verl("data.train_batch_size=100", `${actor}.ppo_mini_batch_size=64`),
    trl("generation_batch_size: 100"),
    openRlhf("--rollout.batch_size 100 --train.batch_size 128"),
    skyRl("trainer.train_batch_size=100", "trainer.policy_mini_batch_size=30"),
    prime("batch_size = 100\ngroup_size = 8"),
  ],
  "shadowed-clip": [verl(`${actor}.clip_ratio=0.1`)],
  "idle-coefficient": [
    verl(`${actor}.kl_loss_coef=0.01`),
    skyRl("trainer.algorithm.use_kl_loss=false", "trainer.algorithm.kl_loss_coef=0.01"),
    skyRl("trainer.algorithm.entropy_loss_coef=0.01"),
  ],
  "unsloth-environment-mask": [
    "from unsloth import FastLanguageModel\nargs = GRPOConfig(num_generations=8)\ntrainer = GRPOTrainer(model=m, args=args, rollout_func=play)\n",
  ],
  "frozen-adapter": [
    'model = PeftModel.from_pretrained(base, "adapter")\nargs = GRPOConfig(num_generations=8)\ntrainer = GRPOTrainer(model, args=args)\n',
  ],
  "plain-prompts": [
    'd = d.map(lambda x: {"prompt": x["question"]})\nargs = GRPOConfig(num_generations=8)\ntrainer = GRPOTrainer(m, args=args)\n',
  ],
  "liger-drops-correction": [trl("use_vllm: true", "use_liger_kernel: true")],
  "inverted-state-mask": [
    "training:\n  mask_state: true\n  n_rollout: 8\noptimization:\n  adv_estimator: grpo\n",
  ],
  "reward-stops-at-tools": [
    verl("algorithm.adv_estimator=reinforce_plus_plus", "actor_rollout_ref.rollout.multi_turn.enable=True"),
  ],
  "kl-of-tool-tokens": [
    verl(
      "algorithm.adv_estimator=reinforce_plus_plus",
      "algorithm.use_kl_in_reward=True",
      "actor_rollout_ref.rollout.multi_turn.enable=True",
    ),
  ],
  "low-learning-rate": [
    trl("learning_rate: 5.0e-7", "lora_r: 16"),
    verl("actor_rollout_ref.model.lora_rank=32", `${actor}.optim.lr=1e-6`),
    openRlhf("--actor.adam.lr 1e-9"),
  ],
  "negative-coefficient": [
    verl(`${actor}.use_kl_loss=True`, `${actor}.kl_loss_coef=-0.001`),
    verl("algorithm.use_kl_in_reward=True", "algorithm.kl_ctrl.kl_coef=-0.01"),
    trl("beta: -0.04"),
  ],
  "sleeping-engine": [trl("use_vllm: true", "vllm_enable_sleep_mode: true")],
  "misspelled-setting": [verl(`+${actor}.clip_ratio_hihg=0.28`), trl("num_iteration: 4")],
};

const has = ({ found }: LintReport, id: FindingId): boolean => found.some((one) => one.id === id);

describe("lint()", () => {
  for (const [id, texts] of Object.entries(seen) as [FindingId, readonly string[]][]) {
    it(`sees ${id} in each trainer's syntax, and what it says to write removes it`, async () => {
      for (const text of texts) {
        const report = await lint(text);
        const found = report.found.find((one) => one.id === id);
        assert.ok(found, `${id} in ${text}\n${String(report)}`);
        assert.ok(
          found.instead.length > 0 ||
            found.advice !== undefined ||
            id === "fixed-reference" ||
            id === "no-anchor",
        );
        if (found.change.length === 0) continue;
        const changed = await lint(changedText(text, found.instead), { for: report.trainer });
        assert.ok(!has(changed, id), `${found.instead.join(" ")} must remove ${id} from ${text}`);
      }
    });
  }

  it("has a why, a source and a lesson for every finding, and at least thirty of them", () => {
    const all = Object.values(findings);
    assert.ok(all.length >= 30);
    for (const { why, source, lesson } of all) {
      assert.match(why, /\.$/);
      assert.ok(source.length > 0);
      assert.match(lesson, /^\d\d-/);
    }
  });

  it("finds little in a sound configuration, and lists what it cannot decide with the reason", async () => {
    const report = await lint(
      verl(
        "data.train_batch_size=256",
        `${actor}.ppo_mini_batch_size=128`,
        "data.max_response_length=2048",
        `${actor}.use_kl_loss=True`,
        "algorithm.rollout_correction.rollout_is=token",
        "algorithm.filter_groups.enable=True",
        "algorithm.filter_groups.max_num_gen_batches=10",
        "algorithm.norm_adv_by_std_in_grpo=False",
      ),
    );
    // No reference that moves and no overlong shaping: verl has a setting for neither one's absence.
    assert.deepEqual(
      report.found.map(({ id }) => id),
      ["fixed-reference", "truncated-as-failures"],
    );
    const open = report.undecided.map(({ id }) => id);
    assert.deepEqual(open, ["context-too-short", "token-mean-long-failures", "tool-tokens-trained"]);
    for (const { why } of report.undecided) assert.ok(why.length > 10);
  });

  it("accounts for every finding: seen, absent, not decided, or not arising", async () => {
    for (const text of [
      verl(oneStep),
      trl("beta: 0.0"),
      prime("group_size = 8"),
      skyRl("trainer.epochs=1"),
    ]) {
      const { found, clear, undecided, inapplicable } = await lint(text);
      const all = [
        ...found.map(({ id }) => id),
        ...clear,
        ...[...undecided, ...inapplicable].map(({ id }) => id),
      ];
      assert.deepEqual(all.sort(), Object.keys(findings).sort());
    }
  });

  it("decides nothing that needs the rule where the rule is none that is read", async () => {
    // verl-agent's estimator has no rule here; its group size is another setting.
    const report = await lint(
      "python3 -m verl.trainer.main_ppo algorithm.adv_estimator=hiper env.rollout.n=8 actor_rollout_ref.rollout.top_p=0.8\n",
    );
    assert.equal(report.rule, undefined);
    assert.match(report.unread!, /adv_estimator must be one of .* "hiper"/);
    assert.ok(has(report, "truncated-sampling"));
    assert.ok(report.undecided.some(({ id, why }) => id === "kl-twice" && why.includes("could not be read")));
    assert.ok(!report.clear.includes("kl-twice"));
  });

  it("counts the rollouts of a task where a framework repeats it in a loop of its own", async () => {
    const report = await lint(
      "python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo actor_rollout_ref.rollout.n=1 actor_rollout_ref.rollout.n_agent=5\n",
    );
    assert.ok(report.clear.includes("group-of-one"));
  });

  it("does not take a value that only a shell knows for the default", async () => {
    const report = await lint(verl("actor_rollout_ref.rollout.temperature=$TEMPERATURE"));
    const open = report.undecided.find(({ id }) => id === "low-temperature");
    assert.match(open!.why, /depends on what runs the configuration/);
  });

  it("does not take the defaults of a configuration that is written out in full for settings without effect", async () => {
    const full = verl(
      `${actor}.use_kl_loss=False`,
      `${actor}.kl_loss_coef=0.001`,
      "algorithm.use_kl_in_reward=False",
      "algorithm.kl_ctrl.kl_coef=0.001",
    );
    assert.ok(!has(await lint(full), "idle-coefficient"));
    // Both are meant, and both on would charge the KL twice.
    const both = await lint(verl(`${actor}.kl_loss_coef=0.02`, "algorithm.kl_ctrl.kl_coef=0.02"));
    assert.deepEqual(both.found.find(({ id }) => id === "idle-coefficient")?.instead, [
      `${actor}.use_kl_loss=True`,
      "algorithm.kl_ctrl.kl_coef=0",
    ]);
  });

  it("reports REINFORCE with several rollouts of a task as a choice, not as an error", async () => {
    for (const text of [
      openRlhf("--algo.advantage.estimator reinforce --rollout.n_samples_per_prompt 8"),
      "python3 -m openrlhf.cli.train_ppo_ray --advantage_estimator reinforce --n_samples_per_prompt 8\n",
      verl("algorithm.adv_estimator=reinforce_plus_plus"),
    ]) {
      const report = await lint(text);
      assert.deepEqual(
        report.found.filter(({ severity }) => severity === "error").map(({ id }) => id),
        [],
      );
      assert.equal(report.found.find(({ id }) => id === "batch-baseline")?.severity, "note");
    }
    const one = await lint("python3 -m openrlhf.cli.train_ppo_ray --advantage_estimator reinforce\n");
    assert.ok(one.clear.includes("batch-baseline"));
  });

  it("refuses what is no trainer's", async () => {
    await assert.rejects(lint('{"foo": 1}'), /Cannot read a configuration: it must have names of a rule/);
  });
});

/** A configuration with settings written at its end, in its own form. */
function changedText(text: string, instead: readonly string[]): string {
  const set = instead.filter((one) => !one.startsWith("leave out"));
  const out = instead
    .filter((one) => one.startsWith("leave out"))
    .map((one) => one.slice("leave out ".length));
  if (text.startsWith("{")) {
    const pairs = set.map((one) => one.split("="));
    return JSON.stringify({ ...(JSON.parse(text) as object), ...Object.fromEntries(pairs) });
  }
  if (text.includes("GRPOConfig(")) {
    const names = set.map((one) => one.split("=")[0]!);
    const kept = names.reduce((all, name) => all.replace(new RegExp(`${name}=[^,)]*`), "seed=1"), text);
    return kept.replace(/\)\n$/, `, ${set.join(", ")})\n`);
  }
  if (/^(max_steps|max_async_level) =/.test(text)) {
    // Keys of a section stand in it.
    return set.reduce((all, one) => {
      const [name, value] = one.split(" = ");
      const key = name!.split(".").at(-1)!;
      return all.replace(new RegExp(`^${key} = .*$`, "m"), `${key} = ${value}`);
    }, text);
  }
  if (/^num_generations:/.test(text)) {
    const names = set.map((one) => one.split(":")[0]!);
    const lines = text.split("\n").filter((line) => !names.includes(line.split(":")[0]!));
    return [...lines, ...set, ""].join("\n");
  }
  const left = out.reduce((all, name) => all.replace(`${name}`, ""), text.trimEnd());
  return `${left} ${set.join(" ")}\n`;
}
