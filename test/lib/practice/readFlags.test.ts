import assert from "node:assert/strict";
import { fromVerl, readFlags, toOpenRlhf, toTrl, toVerl } from "turnwise-practice";

const script = String.raw`#!/usr/bin/env bash
set -x
# algorithm.adv_estimator=rloo \
MODEL=$${"{"}MODEL:-some/model-3b}
export EPS_HIGH=$${"{"}EPS_HIGH:-0.28}
bsz=$((2 * 64))
COMMON=(
    algorithm.adv_estimator=grpo   # a comment
    data.train_batch_size=$bsz
)
python3 -m verl.trainer.main_ppo \
    "$${"{"}COMMON[@]}" \
    actor_rollout_ref.model.path=$MODEL \
    actor_rollout_ref.actor.ppo_mini_batch_size=$((bsz / 2)) \
    actor_rollout_ref.actor.clip_ratio_high=$${"{"}EPS_HIGH} \
    actor_rollout_ref.actor.use_kl_loss=False \
    actor_rollout_ref.actor.loss_agg_mode="token-mean" \
    actor_rollout_ref.rollout.n=$GROUP \
    +trainer.note='two words' "$@" 2>&1 | tee $LOG
`.replaceAll("$$", "$");

describe("readFlags()", () => {
  it("reads a launch script: defaults of variables, sums, lists, quotes, comments and continued lines", async () => {
    const read = await readFlags(script);
    assert.equal(read.framework, "verl");
    const { gate, advantage, update } = read.recipe;
    assert.equal(advantage.kind, "mean");
    assert.deepEqual(gate, { kind: "dualClip", clipLow: 0.2, clipHigh: 0.28, dualClip: 3 });
    // 128 prompts in minibatches of 64.
    assert.deepEqual([update.epochs, update.minibatches], [1, 2]);
    assert.deepEqual(read.unused, ["actor_rollout_ref.model.path", "trainer.note"]);
    assert.deepEqual(read.warnings, [
      "the value of actor_rollout_ref.rollout.n depends on the shell that runs the script: its default was taken",
    ]);
    assert.match(String(read), /\nread as a configuration of verl, with the defaults of 0\.9\.1\n/);
  });

  it("takes neither a redirection nor the number before it for the value of a flag", async () => {
    const read = await readFlags(
      "python train.py --num_generations 4 --learning_rate 5e-7 2>&1 | tee run.log\n",
    );
    assert.equal(read.groupSize, 4);
    assert.equal(read.recipe.update.optimizer.learningRate, 5e-7);
    const more = await readFlags(
      "accelerate launch train.py --num_generations 4 --loss_type dr_grpo > run.log 2> err.log &\n",
    );
    assert.deepEqual([more.groupSize, more.unused], [4, []]);
  });

  it("reads the same flags in every form, with numbers and booleans as text, nested or dotted", async () => {
    const wanted = fromVerl({
      "algorithm.adv_estimator": "rloo",
      "actor_rollout_ref.actor.clip_ratio_high": 0.28,
      "actor_rollout_ref.actor.use_kl_loss": true,
      "actor_rollout_ref.rollout.n": 8,
    }).recipe;
    const nested = {
      algorithm: { adv_estimator: "rloo" },
      actor_rollout_ref: { actor: { clip_ratio_high: "0.28", use_kl_loss: "True" }, rollout: { n: "8" } },
    };
    const wandb = Object.fromEntries(
      Object.entries(nested).map(([name, value]) => [name, { desc: null, value }]),
    );
    const forms = {
      JSON: JSON.stringify(nested),
      "JSON of wandb": JSON.stringify({ wandb_version: 1, ...wandb }),
      YAML: "algorithm:\n  adv_estimator: rloo\nactor_rollout_ref:\n  actor: {clip_ratio_high: 0.28, use_kl_loss: true}\n  rollout:\n    n: ${other.n}\nother:\n  n: 8\n",
      "hydra's overrides":
        "- algorithm.adv_estimator=rloo\n- actor_rollout_ref.actor.clip_ratio_high=0.28\n- ++actor_rollout_ref.actor.use_kl_loss=True\n- actor_rollout_ref.rollout.n=8\n",
      "a list in JSON":
        '["algorithm.adv_estimator=rloo", "actor_rollout_ref.actor.clip_ratio_high=.28", "actor_rollout_ref.actor.use_kl_loss=True", "actor_rollout_ref.rollout.n=8"]',
      TOML: "[algorithm]\nadv_estimator = 'rloo'\n[actor_rollout_ref.actor]\nclip_ratio_high = 0.28\nuse_kl_loss = true\n[actor_rollout_ref.rollout]\nn = 8\n",
    };
    for (const [form, text] of Object.entries(forms)) {
      const { recipe, framework, groupSize } = await readFlags(text);
      assert.deepEqual([framework, groupSize, recipe], ["verl", 8, wanted], form);
    }
  });

  it("recognizes each trainer by its names", async () => {
    const of = async (text: string): Promise<unknown[]> => {
      const { framework, recipe, groupSize } = await readFlags(text);
      return [framework, recipe.advantage.kind, recipe.gate.kind, groupSize];
    };
    assert.deepEqual(await of("learning_rate: 1.0e-06\nnum_generations: 4\nbeta: 0.04\nloss_type: bnpo\n"), [
      "TRL",
      "mean",
      "clip",
      4,
    ]);
    assert.deepEqual(
      await of(
        "deepspeed --module openrlhf.cli.train_ppo_ray --advantage_estimator rloo --n_samples_per_prompt 8 --eps_clip_low_high 0.2 0.3\n",
      ),
      ["OpenRLHF", "leaveOneOut", "clip", 8],
    );
    assert.deepEqual(
      await of(
        'uv run -m skyrl.train.entrypoints.main_base \\\n  trainer.algorithm.advantage_estimator="rloo" \\\n  trainer.algorithm.policy_loss_type=dual_clip \\\n  generator.n_samples_per_prompt=5\n',
      ),
      ["SkyRL", "leaveOneOut", "dualClip", 5],
    );
    assert.deepEqual(
      await of("max_steps = 9\n[orchestrator]\ngroup_size = 16\n[trainer.optim]\nlr = 1e-6\n"),
      ["prime-rl", "mean", "dppo", 16],
    );
  });

  it("reads back what it writes for TRL, verl and OpenRLHF", async () => {
    for (const [write, title] of [
      [toTrl, "TRL"],
      [toVerl, "verl"],
      [toOpenRlhf, "OpenRLHF"],
    ] as const) {
      for (const name of ["drGrpo", "dapo", "gspo", "tis", "ppo", "cispo"] as const) {
        const written = write(name);
        const read = await readFlags(String(written));
        assert.equal(read.framework, title, name);
        assert.deepEqual(read.recipe.gate, written.computed.gate, `${title} ${name}`);
        assert.deepEqual(read.recipe.advantage, written.computed.advantage, `${title} ${name}`);
        assert.deepEqual(read.recipe.aggregate, written.computed.aggregate, `${title} ${name}`);
      }
    }
  });

  it("names each argument in Python that is no literal, with its line, and claims nothing of it", async () => {
    const python = [
      "# GRPOConfig(beta=0.9) is what we had",
      "args = GRPOConfig(",
      '    output_dir="out, (1)",  # beta=0.7',
      "    learning_rate=args.lr,",
      "    beta=0.5 * scale(2, [3]),",
      "    num_generations=4, epsilon_high=0.28,",
      "    reward_weights=[1.0, 0.5],",
      "    loss_type='dr_grpo' if long else 'grpo',",
      "    **extra,",
      ")",
      "other = dict(num_iterations=7)",
    ].join("\n");
    const { recipe, groupSize, warnings } = await readFlags(python);
    assert.deepEqual([groupSize, recipe.update.epochs, recipe.regularizer.klReference], [4, 1, null]);
    assert.deepEqual(recipe.gate, { kind: "clip", clipLow: 0.2, clipHigh: 0.28 });
    assert.deepEqual(
      warnings.filter((text) => text.startsWith("could not")),
      [
        "could not be read: learning_rate = args.lr, line 4: its default was taken",
        "could not be read: beta = 0.5 * scale(2, [3]), line 5: its default was taken",
        "could not be read: loss_type = 'dr_grpo' if long else 'grpo', line 8: its default was taken",
        "could not be read: **extra, line 9: any setting may be in it",
      ],
    );
  });

  it("takes nothing for granted that a script sets in an if, a case, a function or after a test", async () => {
    const launch = (setting: string): string =>
      `KL=0.001\nEXTRA=()\n${setting}\npython3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo actor_rollout_ref.actor.kl_loss_coef=$KL \\\n  actor_rollout_ref.actor.use_kl_loss=True actor_rollout_ref.rollout.n=8 "\${EXTRA[@]}"\n`;
    const unknown = async (setting: string): Promise<string[]> =>
      (await readFlags(launch(setting))).warnings.flatMap(
        (text) => /^the value of (\S+) depends/.exec(text)?.slice(1) ?? [],
      );
    assert.deepEqual(await unknown(""), []);
    for (const setting of [
      'if [ "$1" = big ]; then KL=0.1; fi',
      'if [[ -n "$BIG" ]]; then\n  KL=0.1\nelse\n  KL=0.2\nfi',
      'case "$1" in\n  big) KL=0.1 ;;\n  *) KL=0.2 ;;\nesac',
      "big() {\n  KL=0.1\n}",
      "function big { KL=0.1; }",
      '[ "$1" = big ] && KL=0.1',
      "for run in 1 2; do KL=0.1; done",
    ]) {
      assert.deepEqual(await unknown(setting), ["actor_rollout_ref.actor.kl_loss_coef"], setting);
    }
    assert.deepEqual(await unknown('if [ "$1" = same ]; then KL=0.001; fi'), []);
    assert.deepEqual(await unknown('if [ "$1" = other ]; then OTHER=1; fi\nKL=0.1'), []);
    assert.deepEqual(
      await unknown('if [ "$1" = big ]; then EXTRA+=(actor_rollout_ref.actor.clip_ratio_high=0.3); fi'),
      ["actor_rollout_ref.actor.clip_ratio_high"],
    );
  });

  it("reads --no_flag and --no-flag as false, and leaves names alone that begin so themselves", async () => {
    const of = async (flag: string): Promise<unknown[]> => {
      const { recipe, unused } = await readFlags(
        `python grpo.py --num_generations 8 --beta 0.1 ${flag} --epsilon 0.2\n`,
      );
      return [recipe.regularizer.klReference?.correction, unused];
    };
    assert.deepEqual(await of(""), ["importanceWeighted", []]);
    assert.deepEqual(await of("--no_use_bias_correction_kl"), ["none", []]);
    assert.deepEqual(await of("--no-use-bias-correction-kl"), ["none", []]);
    const plain = await readFlags(
      "python -m openrlhf.cli.train_ppo_ray --advantage_estimator reinforce --n_samples_per_prompt 8 --no_advantage_std_norm\n",
    );
    assert.ok(plain.without.some(({ flag }) => flag === "algo.advantage.no_std_norm"));
  });

  it("says of an off-policy mask that it drops nothing only where the trainer samples itself", async () => {
    const flags = "num_generations: 8\nloss_type: grpo\noff_policy_mask_threshold: 0.5\n";
    assert.match(
      String(await readFlags(flags)),
      /the off-policy mask drops nothing, as the trainer samples itself/,
    );
    const engine = await readFlags(`${flags}use_vllm: true\n`);
    assert.equal(engine.recipe.gate.kind, "offPolicyMask");
    assert.deepEqual(engine.warnings, [
      "one step is taken from each batch, so every ratio is 1: nothing is clipped; the off-policy mask still drops trajectories, as it measures from the engine that sampled",
    ]);
    assert.deepEqual((await readFlags(`${flags}num_iterations: 2\n`)).warnings, []);
  });

  it("tells that a KL is charged twice, and that the clip does nothing in the only step on a batch", async () => {
    const actor = "actor_rollout_ref.actor";
    const flags = {
      "algorithm.adv_estimator": "grpo",
      "algorithm.use_kl_in_reward": true,
      [`${actor}.use_kl_loss`]: true,
      "data.train_batch_size": 128,
      [`${actor}.ppo_mini_batch_size`]: 128,
    };
    const { warnings } = await readFlags(JSON.stringify(flags));
    assert.equal(warnings.length, 2);
    assert.match(
      warnings[0]!,
      /^a KL to the reference is charged twice: with coefficient 0\.001 in the reward, and 0\.001 in the loss/,
    );
    assert.match(warnings[1]!, /^one step is taken from each batch, .* the logged clip ratio is always 0$/);
    const reused = await readFlags(
      JSON.stringify({ ...flags, [`${actor}.ppo_epochs`]: 2, "algorithm.use_kl_in_reward": false }),
    );
    assert.deepEqual(reused.warnings, []);
  });

  it("names the row by its advantage first: a leave-one-out with a clip that is higher is no other rule", async () => {
    const { recipe } = await readFlags(
      '{"algorithm.adv_estimator": "rloo", "actor_rollout_ref.actor.clip_ratio_high": 0.28, "actor_rollout_ref.rollout.n": 8}',
    );
    assert.ok(["rloo", "loop"].includes(recipe.name), recipe.name);
  });

  it("refuses what is no trainer's, with its names, and a trainer that it does not know, with the nearest", async () => {
    const nonsense = '{"foo": 1, "bar": {"baz": 2}}';
    await assert.rejects(readFlags(nonsense), {
      name: "RangeError",
      message:
        "Cannot read a configuration: it must have names of a rule of TRL, verl, OpenRLHF, SkyRL or prime-rl, got foo, bar.baz.",
    });
    await assert.rejects(readFlags(nonsense, { for: "verl" }), /names of a rule of verl, got foo/);
    await assert.rejects(
      readFlags("learning_rate: 1e-6\nnum_train_epochs: 1\n"),
      RangeError,
      "a fine-tuning",
    );
    await assert.rejects(readFlags("num_generations: 8\n", { for: "tlr" as never }), /Did you mean "trl"\?/);
    await assert.rejects(readFlags("loss_type: gpro\nnum_generations: 8\n"), /Did you mean "grpo"\?/);
    await assert.rejects(readFlags("{}"), /it has none/);
    for (const text of ["", "hello\n", "a: [1\nb: }\n", "[1, 2]", "3"]) {
      await assert.rejects(readFlags(text), { name: "TypeError" }, text);
    }
    // Names of objects' own are names like any other.
    await assert.rejects(readFlags('{"__proto__": {"num_generations": 4}, "constructor": 1}'), RangeError);
  });
});
