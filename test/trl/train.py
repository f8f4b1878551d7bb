"""
Trains a tiny language model by TRL's GRPOTrainer on a world that turnwise serves, and writes down every episode.

    python train.py URL OUT '{"seed": 0, "updates": 150, ...}'

The model is a Phi of random weights, its words are those of the world. TRL's SFTTrainer teaches it the form of a call first,
from calls drawn at random: which call is worth something, it must find out by GRPO.
"""

import json
import os
import random
import re
import sys
from importlib.metadata import version
from pathlib import Path

os.environ.setdefault("TRL_EXPERIMENTAL_SILENCE", "1")

import torch
from datasets import Dataset
from tokenizers import Tokenizer, models, pre_tokenizers, trainers
from transformers import PhiConfig, PhiForCausalLM, PreTrainedTokenizerFast, TrainerCallback, set_seed
from trl import GRPOConfig, GRPOTrainer, SFTConfig, SFTTrainer

from world import World, play

url, out, setting = sys.argv[1], Path(sys.argv[2]), json.loads(sys.argv[3])
seed, groups, group_size = setting["seed"], setting["groups"], setting["groupSize"]


def random_episodes(world, count, rng, places, quote=0):
    """
    Turns drawn at random, each word from those of its place. Where the world has just said one number, the turn's last word is
    that number with probability `quote`, be it right or wrong: language models that were pre-trained can repeat what they read.
    """

    def turn(history):
        words = [rng.choice(words) for words in places]
        numbers = re.findall(r"\d+", history[-1][1])
        if len(numbers) == 1 and rng.random() < quote:
            words[-1] = numbers[0]
        return " ".join(words)

    histories = []
    for first in range(0, count, 64):
        starts = [{"seed": 10_000_000 + first + i} for i in range(min(64, count - first))]
        histories += play(world, starts, lambda running, _: [turn(history) for history in running])[0]
    return histories


def tokenizer_of(world, texts):
    """A word of the world is a token; so is a word that the world says. The episode's end, "done", ends a text."""
    words = Tokenizer(models.WordLevel(unk_token="<unk>"))
    words.pre_tokenizer = pre_tokenizers.Whitespace()
    words.train_from_iterator([*texts, *world.words], trainers.WordLevelTrainer(special_tokens=["<pad>", "<unk>"]))
    return PreTrainedTokenizerFast(tokenizer_object=words, pad_token="<pad>", unk_token="<unk>", eos_token="done")


def model_of(world, tokenizer):
    """Random weights; the head's bias leaves what only the world says at a probability of about e^-20."""
    model = PhiForCausalLM(
        PhiConfig(
            vocab_size=len(tokenizer),
            hidden_size=setting["width"],
            intermediate_size=4 * setting["width"],
            num_hidden_layers=setting["layers"],
            num_attention_heads=setting["heads"],
            max_position_embeddings=64,
            tie_word_embeddings=True,
            bos_token_id=None,
            eos_token_id=tokenizer.eos_token_id,
            pad_token_id=tokenizer.pad_token_id,
        )
    )
    own = tokenizer.convert_tokens_to_ids(world.words)
    with torch.no_grad():
        model.lm_head.bias.fill_(-20)
        model.lm_head.bias[own] = 0
    return model


def ids_of(tokenizer, history):
    """The tokens of a history, and 1 where the agent wrote one."""
    ids, mask = [], []
    for who, text in history:
        new = tokenizer.encode(text, add_special_tokens=False)
        ids += new
        mask += [int(who == "agent")] * len(new)
    return ids, mask


def teach_calls(model, tokenizer, histories):
    rows = [ids_of(tokenizer, history) for history in histories]
    dataset = Dataset.from_dict({
        "input_ids": [ids for ids, _ in rows],
        "labels": [[token if own else -100 for token, own in zip(ids, mask)] for ids, mask in rows],
    })
    taught = setting["taught"]
    args = SFTConfig(
        output_dir=str(out / "taught"), max_steps=taught["steps"], learning_rate=taught["learningRate"],
        lr_scheduler_type="constant", per_device_train_batch_size=taught["episodesPerStep"], seed=seed,
        use_cpu=True, bf16=False, gradient_checkpointing=False, save_strategy="no", report_to="none", logging_steps=25, disable_tqdm=True,
    )
    trainer = SFTTrainer(model=model, args=args, train_dataset=dataset, processing_class=tokenizer)
    trainer.train()
    return [{"step": line["step"], "loss": line["loss"]} for line in trainer.state.log_history if "loss" in line]


class Rollouts:
    """TRL's rollout function: every turn of the model goes to the server, and what the server says is no token of the model's."""

    def __init__(self, world, tokenizer, file):
        self.world, self.tokenizer, self.file = world, tokenizer, file
        self.groups = 0

    def __call__(self, prompts, trainer):
        starts = []
        for i in range(len(prompts)):
            group, member = self.groups + i // group_size, i % group_size
            start = {"seed": 1_000_000 * (seed + 1) + group, "member": member}
            starts.append({**start, "episode_id": f"run {seed} group {group} member {member}"})
        self.groups += len(prompts) // group_size
        log_probs = [[] for _ in prompts]

        def act(histories, numbers):
            texts = []
            for i, (words, said) in zip(numbers, self.generate(trainer.model, histories)):
                texts.append(" ".join(words))
                log_probs[i] += said
            return texts

        histories, rewards = play(self.world, starts, act)
        for start, history, paid in zip(starts, histories, rewards):
            turns = [text for who, text in history if who == "agent"]
            self.file.write(json.dumps({"update": trainer.state.global_step + 1, **start, "turns": turns, "rewards": paid}) + "\n")
        given = {"prompt_ids": [], "completion_ids": [], "logprobs": [], "env_mask": []}
        for history, said in zip(histories, log_probs):
            (prompt, _), (completion, mask) = ids_of(self.tokenizer, history[:1]), ids_of(self.tokenizer, history[1:])
            left = iter(said)
            given["prompt_ids"].append(prompt)
            given["completion_ids"].append(completion)
            given["env_mask"].append(mask)
            given["logprobs"].append([next(left) if own else 0.0 for own in mask])
        names = [start["episode_id"] for start in starts]
        return {**given, "paid": [sum(paid) for paid in rewards], "episode_id": names}

    def generate(self, model, histories):
        """The words of each next turn and their log-probs."""
        rows = [{"input_ids": ids_of(self.tokenizer, history)[0]} for history in histories]
        batch = self.tokenizer.pad(rows, padding=True, padding_side="left", return_tensors="pt")
        length = self.world.turn_length
        made = model.generate(
            **batch, do_sample=True, temperature=1.0, top_k=0, top_p=1.0, min_new_tokens=length, max_new_tokens=length,
            return_dict_in_generate=True, output_logits=True,
        )
        new = made.sequences[:, -length:]
        log_prob = torch.stack(made.logits, dim=1).log_softmax(-1).gather(-1, new.unsqueeze(-1)).squeeze(-1)
        return [
            (self.tokenizer.convert_ids_to_tokens(row.tolist()), [round(x, 6) for x in said.tolist()])
            for row, said in zip(new, log_prob)
        ]


def world_reward(completions, paid, episode_id, log_extra=None, **_):
    """What the server paid for the episode, and nothing else."""
    if log_extra:
        log_extra("episode_id", episode_id)
    return paid


class Progress(TrainerCallback):
    def on_log(self, args, state, control, logs=None, **_):
        if logs and "reward" in logs:
            print(f"update {state.global_step} of {state.max_steps}: reward {logs['reward']:.3f}", flush=True)


def main():
    torch.set_num_threads(setting["threads"])
    set_seed(seed)
    rng = random.Random(seed)
    world = World(url)
    taught = setting["taught"]
    calls = random_episodes(world, taught["episodes"], rng, world.syntax, taught["quote"])
    anything = random_episodes(world, 256, rng, [world.words] * world.turn_length)
    tokenizer = tokenizer_of(world, [text for history in calls + anything for _, text in history])
    model = model_of(world, tokenizer)
    taught_loss = teach_calls(model, tokenizer, calls)
    args = GRPOConfig(
        output_dir=str(out), seed=seed, max_steps=setting["updates"], learning_rate=setting["learningRate"],
        lr_scheduler_type="constant", max_grad_norm=setting["maxGradNorm"], per_device_train_batch_size=groups * group_size,
        gradient_accumulation_steps=1, num_generations=group_size, num_iterations=1, beta=0.0, loss_type="grpo",
        scale_rewards="group", epsilon=0.2, entropy_coef=setting["entropyCoef"], max_completion_length=32, temperature=1.0, top_k=0, logging_steps=1,
        log_completions=True, num_completions_to_print=1, use_cpu=True, bf16=False, gradient_checkpointing=False,
        save_strategy="no", report_to="none", disable_tqdm=True,
    )
    question = calls[0][0][1]
    with open(out / "episodes.jsonl", "w") as file:
        trainer = GRPOTrainer(
            model=model, reward_funcs=world_reward, args=args, processing_class=tokenizer,
            train_dataset=Dataset.from_dict({"prompt": [question] * groups}),
            rollout_func=Rollouts(world, tokenizer, file), callbacks=[Progress()],
        )
        trainer.train()
    world.close()
    trainer.state.save_to_json(str(out / "trainer_state.json"))
    packages = ["torch", "transformers", "trl", "accelerate", "datasets", "tokenizers", "openenv"]
    facts = {
        **setting,
        "versions": {"python": sys.version.split()[0], **{name: version(name) for name in packages}},
        "parameters": sum(p.numel() for p in model.parameters()),
        "vocabulary": tokenizer.convert_ids_to_tokens(list(range(len(tokenizer)))),
        "taughtLoss": taught_loss,
        "trl": {name: getattr(args, name) for name in [
            "loss_type", "scale_rewards", "beta", "epsilon", "num_iterations", "num_generations", "learning_rate",
            "max_grad_norm", "optim", "adam_beta1", "adam_beta2", "adam_epsilon", "weight_decay", "max_steps",
            "per_device_train_batch_size", "gradient_accumulation_steps",
        ]},
    }
    (out / "facts.json").write_text(json.dumps(facts, default=str))


main()
