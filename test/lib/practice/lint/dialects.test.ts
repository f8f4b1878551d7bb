import assert from "node:assert/strict";
import { lint, readFlags, type ConfiguredTrainer } from "turnwise-practice";

/** A small configuration of each trainer, what it is taken for, its group size, and a setting as the trainer writes it. */
const configurations: Readonly<
  Record<string, { text: string; title: string; groupSize: number; writes?: RegExp }>
> = {
  "ms-swift": {
    text: "swift rlhf \\\n  --rlhf_type grpo \\\n  --train_type full \\\n  --num_generations 4 \\\n  --learning_rate 5e-5\n",
    title: "ms-swift",
    groupSize: 4,
    writes: /^--learning_rate 0\.000001$/,
  },
  unsloth: {
    text: "from unsloth import FastLanguageModel\nfrom trl import GRPOConfig\nargs = GRPOConfig(num_generations=6, learning_rate=5e-5)\n",
    title: "Unsloth (TRL)",
    groupSize: 6,
    writes: /^learning_rate=0\.000001$/,
  },
  "open-r1": {
    text: "num_generations: 16\ncosine_min_value_wrong: 0.0\ncosine_max_len: 1000\nreward_funcs: [accuracy]\nlearning_rate: 5.0e-5\n",
    title: "open-r1 (TRL)",
    groupSize: 16,
    writes: /^learning_rate: 0\.000001$/,
  },
  "open-instruct": {
    text: "python open_instruct/grpo_fast.py \\\n  --num_samples_per_prompt_rollout 16 \\\n  --num_mini_batches 1 \\\n  --learning_rate 5e-5 \\\n  --beta 0.0\n",
    title: "open-instruct",
    groupSize: 16,
    writes: /^--learning_rate 0\.000001$/,
  },
  "search-r1": {
    text: "python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo actor_rollout_ref.rollout.n_agent=5 data.max_obs_length=500 actor_rollout_ref.actor.optim.lr=1e-4\n",
    title: "Search-R1 (verl)",
    groupSize: 1,
    writes: /^actor_rollout_ref\.actor\.optim\.lr=/,
  },
  "verl-agent": {
    text: "python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo env.env_name=Webshop env.rollout.n=8 actor_rollout_ref.actor.optim.lr=1e-4\n",
    title: "verl-agent",
    groupSize: 1,
    writes: /^actor_rollout_ref\.actor\.optim\.lr=/,
  },
  ragen: {
    text: "es_manager:\n  train:\n    group_size: 16\nagent_proxy:\n  max_turn: 5\nalgorithm:\n  adv_estimator: grpo\n",
    title: "RAGEN",
    groupSize: 1,
  },
  "ragen-2025-03": {
    text: "training:\n  n_rollout: 16\n  no_think_rl: false\noptimization:\n  adv_estimator: grpo\n  actor_lr: 1.0e-4\n",
    title: "RAGEN before May 2025",
    groupSize: 16,
    writes: /^optimization\.actor_lr=/,
  },
  rllm: {
    text: "python3 -m rllm.trainer.verl.train_agent_ppo algorithm.adv_estimator=grpo actor_rollout_ref.rollout.n=8 agent.max_steps=5 actor_rollout_ref.actor.optim.lr=1e-4\n",
    title: "rLLM (verl)",
    groupSize: 8,
    writes: /^actor_rollout_ref\.actor\.optim\.lr=/,
  },
  "agent-lightning": {
    text: "python -m agentlightning.verl algorithm.adv_estimator=grpo actor_rollout_ref.rollout.n=4 agentlightning.port=9999 actor_rollout_ref.actor.optim.lr=1e-4\n",
    title: "Agent-Lightning (verl)",
    groupSize: 4,
    writes: /^actor_rollout_ref\.actor\.optim\.lr=/,
  },
  easyr1: {
    text: "data:\n  rollout_batch_size: 512\n  max_response_length: 1024\nalgorithm:\n  adv_estimator: grpo\n  use_kl_loss: true\n  kl_coef: 0.01\nworker:\n  actor:\n    global_batch_size: 128\n    optim:\n      lr: 1.0e-4\n  rollout:\n    n: 5\n",
    title: "EasyR1",
    groupSize: 5,
    writes: /^worker\.actor\.optim\.lr=/,
  },
  "nemo-rl": {
    text: "grpo:\n  num_prompts_per_step: 32\n  num_generations_per_prompt: 16\nloss_fn:\n  reference_policy_kl_penalty: 0.0\n  ratio_clip_max: 0.28\npolicy:\n  train_global_batch_size: 512\n  optimizer:\n    kwargs:\n      lr: 1.0e-4\n",
    title: "NeMo RL",
    groupSize: 16,
    writes: /^policy\.optimizer\.kwargs\.lr=/,
  },
  areal: {
    text: "gconfig:\n  n_samples: 4\n  max_new_tokens: 1024\nactor:\n  eps_clip: 0.4\n  kl_ctl: 0.0\n  ppo_n_minibatches: 4\n  optimizer:\n    lr: 1.0e-4\ntrain_dataset:\n  batch_size: 256\n",
    title: "AReaL",
    groupSize: 4,
    writes: /^actor\.optimizer\.lr=/,
  },
  roll: {
    text: "rollout_batch_size: 64\nnum_return_sequences_in_group: 8\nadv_estimator: grpo\nuse_pg_clip_range: true\npg_clip_high: 0.28\nactor_train:\n  training_args:\n    learning_rate: 1.0e-4\n",
    title: "ROLL",
    groupSize: 8,
    writes: /^actor_train\.training_args\.learning_rate=/,
  },
  "cosmos-rl": {
    text: '[train]\noptm_lr = 1e-4\n[train.train_policy]\ntype = "grpo"\nmu_iterations = 1\nkl_beta = 0.0\n[rollout]\nn_generation = 8\n',
    title: "cosmos-rl",
    groupSize: 8,
    writes: /^train\.optm_lr=/,
  },
  "mlx-lm-lora": {
    text: "train_mode: grpo\ngroup_size: 8\nbatch_size: 2\nsteps_per_report: 10\nimportance_sampling_level: token\nlearning_rate: 1.0e-3\nlora_parameters:\n  rank: 16\n",
    title: "mlx-lm-lora",
    groupSize: 8,
    writes: /^learning_rate: 0\.0/,
  },
  "trl-ppo": {
    text: "from trl import PPOConfig\nconfig = PPOConfig(\n    learning_rate=1e-4,\n    batch_size=256,\n    mini_batch_size=16,\n    ppo_epochs=4,\n    init_kl_coef=0.2,\n)\n",
    title: "TRL's PPO",
    groupSize: 1,
    writes: /^learning_rate=0\.0/,
  },
  oat: {
    text: "python train_zero.py --critic_type grpo --oracle_type reward --vllm_gpu_ratio 0.35 --num_samples 8 --learning_rate 1e-4 --train_batch_size 128 --generate_max_length 3000 --beta 0\n",
    title: "oat",
    groupSize: 8,
    writes: /^--learning-rate 0\.0/,
  },
  slime: {
    text: "python3 train.py --advantage-estimator gspo --n-samples-per-prompt 8 --rollout-batch-size 32 --global-batch-size 256 --rm-type math --num-rollout 3000 --lr 1e-4\n",
    title: "slime",
    groupSize: 8,
    writes: /^--lr 0\.00/,
  },
  miles: {
    text: "python3 train.py --advantage-estimator grpo --n-samples-per-prompt 8 --rollout-batch-size 32 --use-miles-router --rm-type math --max-weight-staleness 2 --lr 1e-4\n",
    title: "miles",
    groupSize: 8,
    writes: /^--lr 0\.00/,
  },
};

describe("lint() of trainers that another one's reader reads", () => {
  for (const [name, { text, title, groupSize, writes }] of Object.entries(configurations)) {
    it(`knows ${name} by its names, and writes in them`, async () => {
      const report = await lint(text);
      assert.equal(report.dialect, name);
      assert.equal(report.title, title);
      assert.match(report.names.why, /names? of |run by/);
      const read = await readFlags(text);
      assert.equal(read.framework, title);
      assert.equal(read.groupSize, groupSize);
      const rate = report.found.find(({ id }) => id === "high-learning-rate");
      if (writes !== undefined) assert.match(rate!.instead[0]!, writes);
      for (const { instead, evidence } of report.found) {
        if (
          [
            "ragen-2025-03",
            "easyr1",
            "nemo-rl",
            "areal",
            "roll",
            "cosmos-rl",
            "slime",
            "miles",
            "trl-ppo",
            "oat",
          ].includes(name)
        ) {
          assert.ok(!instead.join(" ").includes("actor_rollout_ref"), instead.join(" "));
        }
        assert.ok(evidence.length > 0);
      }
      const said = await lint(text, { for: name as ConfiguredTrainer });
      assert.equal(said.title, title);
    });
  }

  it("takes one name that two trainers have for the one that the rest is of", async () => {
    const report = await lint(
      "python -m openrlhf.cli.train_ppo_ray --advantage_estimator rloo --n_samples_per_prompt 8 --eps_clip 0.2 --dynamic_sample\n",
    );
    assert.equal(report.trainer, "openrlhf");
    assert.equal(report.dialect, undefined);
  });

  it("assumes what Unsloth sets itself, and its adapter's rank", async () => {
    const program = (given: string, adapter = ""): string =>
      `from unsloth import FastLanguageModel\nfrom trl import GRPOConfig\n${adapter}args = GRPOConfig(${given})\n`;
    const ids = async (text: string): Promise<string[]> => (await lint(text)).found.map(({ id }) => id);
    const adapter = "model = FastLanguageModel.get_peft_model(model, lora_alpha=16)\n";
    const bare = await lint(program("num_generations=4", adapter));
    assert.equal(bare.subject.number("klLossCoef"), 0.001);
    assert.equal(bare.subject.number("loraRank"), 16);
    assert.ok(!bare.found.some(({ id }) => id === "no-anchor" || id === "high-learning-rate"));
    assert.ok((await ids(program("beta=0.0", adapter))).includes("no-anchor"));
    assert.ok((await ids(program("num_generations=4"))).includes("truncated-as-failures"));
    assert.ok(
      !(await ids(program("loss_type='dapo'"))).includes("truncated-as-failures"),
      "it masks them itself",
    );
    const plainTrl = program("num_generations=4").replace("from unsloth import FastLanguageModel\n", "");
    assert.ok((await ids(plainTrl)).includes("no-anchor"), "TRL charges none");
  });

  it("knows an adapter of ms-swift by its kind of training", async () => {
    const rate = async (kind: string): Promise<boolean> =>
      (
        await lint(`swift rlhf --rlhf_type grpo ${kind} --num_generations 4 --learning_rate 5e-5\n`)
      ).found.some(({ id }) => id === "high-learning-rate");
    assert.ok(await rate("--train_type full"));
    for (const kind of ["--train_type lora", "--tuner_type lora", ""]) assert.ok(!(await rate(kind)), kind);
  });

  it("reads ROLL's estimators by what normalizes them, and its groups of environments", async () => {
    const roll = (...lines: string[]): string =>
      ["rollout_batch_size: 64", "dual_clip_loss: true", "pg_clip: 0.2", ...lines].join("\n");
    const grouped = await lint(
      roll(
        "adv_estimator: reinforce",
        "num_return_sequences_in_group: 8",
        "norm_mean_type: group",
        "norm_std_type: group",
      ),
    );
    assert.equal(grouped.rule!.advantage.kind, "mean");
    assert.notEqual(grouped.rule!.scale.kind, "none");
    const agents = await lint(
      roll(
        "adv_estimator: grpo",
        "train_env_manager:\n  group_size: 4",
        "actor_infer:\n  generating_args:\n    max_new_tokens: 1024",
      ),
    );
    assert.equal(agents.subject.number("groupSize"), 4);
    assert.ok(!agents.found.some(({ id }) => id === "group-of-one" || id === "short-answers"));
    assert.equal(agents.subject.shown("groupSize"), "train_env_manager.group_size=4");
    // What cannot be read is named as the configuration has it.
    const { unread } = await lint(roll("adv_estimator: raft", "num_return_sequences_in_group: 8"));
    assert.match(unread!, /ROLL: adv_estimator must be one of /);
  });

  it("takes NeMo RL's context for the limit of its answers, and knows its dynamic sampling and adapters", async () => {
    const nemo = (more: string): Promise<Awaited<ReturnType<typeof lint>>> =>
      lint(
        `grpo:\n  num_prompts_per_step: 32\n  num_generations_per_prompt: 16\n${more}policy:\n  max_total_sequence_length: 4096\n  optimizer:\n    kwargs:\n      lr: 2.0e-5\n  dtensor_cfg:\n    lora_cfg:\n      enabled: true\n      dim: 16\n`,
      );
    const plain = await nemo("");
    assert.equal(plain.subject.number("maxResponse"), 4096);
    assert.ok(!plain.found.some(({ id }) => id === "short-answers" || id === "high-learning-rate"));
    const equal = plain.found.find(({ id }) => id === "equal-groups-stay")!;
    assert.deepEqual(equal.instead, ["grpo.use_dynamic_sampling=True"]);
    const sampled = await nemo("  use_dynamic_sampling: true\n");
    assert.ok(!sampled.found.some(({ id }) => id === "equal-groups-stay" || id === "endless-filter"));
  });

  it("knows that open-instruct leaves out groups of equal rewards, and can update its reference", async () => {
    const script = (more: string): string =>
      `python open_instruct/grpo_fast.py --num_samples_per_prompt_rollout 16 --num_mini_batches 1 --beta 0.01 ${more}\n`;
    const ids = async (more: string): Promise<string[]> =>
      (await lint(script(more))).found.map(({ id }) => id);
    const plain = await lint(script(""));
    assert.ok(!plain.found.some(({ id }) => id === "equal-groups-stay"));
    const fixed = plain.found.find(({ id }) => id === "fixed-reference")!;
    assert.match(fixed.evidence, /ref_policy_update_freq=null \(default\)/);
    assert.deepEqual(fixed.instead, ["--ref_policy_update_freq 200"]);
    assert.ok(!(await ids("--ref_policy_update_freq 100")).includes("fixed-reference"));
    assert.ok((await ids("--filter_zero_std_samples False")).includes("equal-groups-stay"));
  });

  it("reads slime's flags, whose batches count rollouts", async () => {
    const script = (more: string): string =>
      `GRPO_ARGS=(\n  --advantage-estimator grpo\n  --eps-clip 0.2\n  --eps-clip-high 0.28\n  # --use-tis\n)\npython3 train.py --rollout-batch-size 32 --n-samples-per-prompt 8 \${GRPO_ARGS[@]} ${more}\n`;
    // 32 tasks of 8 rollouts are 256: one step of 256, or four of 64.
    for (const [more, steps] of [
      ["--global-batch-size 256", 1],
      ["--global-batch-size 64", 4],
      ["--num-steps-per-rollout 2", 2],
      ["--rollout-max-response-len 8192", 1],
    ] as const) {
      const { recipe, groupSize, framework } = await readFlags(script(`--rm-type math ${more}`));
      assert.deepEqual([framework, groupSize, recipe.update.minibatches], ["slime", 8, steps], more);
      assert.equal(recipe.aggregate.kind, "sequenceMeanTokenMean");
      assert.equal(recipe.gate.kind, "clip", "no dual clip unless it is given");
    }
    const idle = await lint(script("--rm-type math --global-batch-size 256"));
    const many = await lint(script("--rm-type math --global-batch-size 16"));
    assert.deepEqual(
      many.found.find(({ id }) => id === "many-steps")?.instead,
      ["--global-batch-size 64"],
      "four steps, in rollouts as slime counts them",
    );
    assert.equal(idle.undecided.find(({ id }) => id === "short-answers")?.why.includes("not given"), true);
    const k1 = await lint(script("--rm-type math --use-kl-loss --kl-loss-coef 0.01"));
    assert.ok(
      k1.found.some(({ id }) => id === "k1-in-loss"),
      "slime's default estimate is k1",
    );
    const { recipe: corrected } = await readFlags(
      script(
        "--rm-type math --use-tis --tis-clip 3 --disable-grpo-std-normalization --calculate-per-token-loss",
      ),
    );
    assert.deepEqual(corrected.correction, { kind: "truncate", level: "token", high: 3 });
    assert.deepEqual([corrected.scale.kind, corrected.aggregate.kind], ["none", "tokenMean"]);
  });

  it("does not take vllm_mode for another trainer's", async () => {
    const vllm = await lint("num_generations: 8\nuse_vllm: true\nvllm_mode: server\n");
    assert.equal(vllm.title, "TRL", "vllm_mode is TRL's, too");
  });

  it("assumes a trainer's own defaults, and names them as such", async () => {
    // ms-swift charges beta .04 where nothing is given; TRL 1.16 charges nothing.
    const swift = await lint("swift rlhf --rlhf_type grpo --num_generations 8\n");
    assert.ok(swift.found.some(({ id, evidence }) => id === "fixed-reference" && evidence.includes("0.04")));
    const plain = await lint("num_generations: 8\nuse_vllm: true\n");
    assert.ok(plain.found.some(({ id }) => id === "no-anchor"));
    // Search-R1's fork charges a KL in the reward unless it is in the loss.
    const search = await lint(configurations["search-r1"]!.text);
    assert.ok(search.clear.includes("no-anchor"));
  });

  it("assumes the defaults of a release that is asked for", async () => {
    const text = "num_generations: 8\nuse_vllm: true\n";
    const rule = async (release?: string) => {
      const { recipe, version } = await readFlags(text, release === undefined ? {} : { release });
      return { version, kl: recipe.regularizer.klReference?.coef ?? 0, aggregate: recipe.aggregate.kind };
    };
    assert.deepEqual(await rule(), { version: "1.16.0", kl: 0, aggregate: "tokenMean" });
    assert.deepEqual(await rule("0.15"), {
      version: "release 0.15",
      kl: 0.04,
      aggregate: "sequenceMeanTokenMean",
    });
    assert.deepEqual(await rule("0.19.1"), { version: "release 0.19.1", kl: 0, aggregate: "tokenMean" });
    const low = (await lint(text, { release: "0.17" })).found.find(({ id }) => id === "low-temperature");
    assert.equal(low, undefined, "0.9 is not low");
    await assert.rejects(
      lint(text, { release: "0.22" }),
      /release: it must be one of 0\.14, 0\.15, .*1\.16\.0 for trl, got "0\.22"\.$/,
    );
    await assert.rejects(
      lint(text, { for: "ms-swif" as never }),
      /must be one of trl, .*miles, got "ms-swif"\.\nDid you mean "ms-swift"\?$/,
    );
  });

  it("EasyR1's words for its loss and for its mean are verl's", async () => {
    const of = async (...flags: string[]) =>
      lint(
        `python3 -m verl.trainer.main data.rollout_batch_size=512 worker.rollout.n=5 algorithm.adv_estimator=grpo ${flags.join(" ")}\n`,
      );
    const gspo = await of(
      "worker.actor.loss_type=gspo_token",
      "worker.actor.loss_avg_mode=seq",
      "worker.actor.clip_ratio_low=3e-4",
      "worker.actor.clip_ratio_high=4e-4",
    );
    assert.deepEqual(
      [gspo.rule!.ratio.level, gspo.rule!.aggregate.kind],
      ["trajectory", "sequenceMeanTokenMean"],
    );
    assert.ok(!gspo.found.some(({ id }) => id === "sequence-bounds-on-tokens"));
    assert.match((await of("worker.actor.loss_type=gpso")).unread!, /loss_mode must be one of .*got "gpso"/);
  });

  it("EasyR1 is told by its command where a script leaves the rest to the file that it names", async () => {
    const { title } = await lint(
      "python3 -m verl.trainer.main config=examples/config.yaml data.max_response_length=4096 worker.actor.model.model_path=a\n",
    );
    assert.equal(title, "EasyR1");
    const verl = await lint("python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo\n");
    assert.equal(verl.title, "verl");
  });

  it("verl-agent's estimator is GiGPO's, with its weight and its scale", async () => {
    const of = async (...flags: string[]) =>
      (
        await lint(
          `python3 -m verl.trainer.main_ppo algorithm.adv_estimator=gigpo env.env_name=webshop env.rollout.n=8 ${flags.join(" ")}\n`,
        )
      ).rule!;
    const rule = await of("algorithm.gamma=0.95", "algorithm.gigpo.step_advantage_w=0.5");
    assert.deepEqual(
      [
        rule.advantage.kind,
        Object.entries(rule.advantage)
          .filter(([name]) => /weight|gamma/.test(name))
          .sort(),
      ],
      [
        "gigpo",
        [
          ["gamma", 0.95],
          ["weight", 0.5],
        ],
      ],
    );
    assert.notDeepEqual((await of("algorithm.gigpo.mode=mean_std_norm")).scale, rule.scale);
  });

  it("a value that hydra still misses is none", async () => {
    const report = await lint(
      "actor_rollout_ref:\n  rollout:\n    name: ???\n    n: 8\nalgorithm:\n  adv_estimator: grpo\n",
    );
    assert.ok(report.found.length > 0);
    assert.doesNotMatch(JSON.stringify(report.found), /\?\?\?/);
  });

  it("a coefficient of a KL in the reward misleads nobody where the loss charges one", async () => {
    const of = async (...flags: string[]) =>
      lint(
        `python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo actor_rollout_ref.rollout.n=8 algorithm.kl_ctrl.kl_coef=0.01 ${flags.join(" ")}\n`,
      );
    const has = (report: Awaited<ReturnType<typeof of>>): boolean =>
      report.found.some(({ id }) => id === "idle-coefficient");
    assert.ok(has(await of()));
    assert.ok(!has(await of("actor_rollout_ref.actor.use_kl_loss=True")));
  });
});
