"""SkyRL, prime-rl and ATPO: their own losses and advantages, rows are trajectories; and how Skywork-OR1 steers the entropy."""

import asyncio
from collections import defaultdict
from types import SimpleNamespace

import numpy
import torch

from batches import EVEN


def skyrl(source, add, verl):
    utils = source.module("skyrl/backends/skyrl_train/utils/ppo_utils.py")
    utils.torch.randperm = torch.arange  # the candidates of Clip-Cov in their order, as for verl
    p = "skyrl/backends/skyrl_train/utils/ppo_utils.py"
    options = SimpleNamespace(
        eps_clip_low=0.2,
        eps_clip_high=0.2,
        clip_cov=SimpleNamespace(clip_ratio=0.2, clip_cov_lb=0.1, clip_cov_ub=0.6),
        kl_cov=SimpleNamespace(kl_cov_frac=0.2, ppo_kl_coef=1.0),
    )

    def advantage(run, name):
        return getattr(utils, name)(run.outcome(), run.by_trajectory(run.mask), run.groups())[0]

    def loss(run, a, name, config):
        flat = run.by_trajectory
        # The trainer divides the advantages by the number of tokens before the loss adds up.
        value, _ = getattr(utils, name)(flat(run.logp), flat(run.old), a, config, flat(run.mask))
        return value / run.N

    def case(name, by, form, config=options):
        def compute(run):
            a = advantage(run, by)
            return a.reshape(run.batch.shape), loss(run, a, form, config)

        add(f"SkyRL: {name}", source, EVEN, [source.at(getattr(utils, by)), source.at(getattr(utils, form))], compute)

    grpo = "compute_grpo_outcome_advantage"
    case("Clip-Cov", grpo, "compute_policy_loss_clip_cov")
    case("KL-Cov", grpo, "compute_policy_loss_kl_cov")

    def positive(run):
        run.returns = run.returns.abs()
        a = advantage(run, "compute_maxrl_advantage")
        return a.reshape(run.batch.shape), loss(run, a, "compute_policy_loss_kl_cov", options)

    add("SkyRL: MaxRL", source, EVEN, [source.at(utils.compute_maxrl_advantage)], positive)
    return {
        "maxrl": source.line(p, "scores[i] = (scores[i] - id2mean[index[i]]) / (id2mean[index[i]] + epsilon)"),
        "sum": source.line(p, "return (loss * loss_mask).sum()"),
    }


def prime(source, add):
    losses = source.module("src/prime_rl/trainer/rl/loss.py")
    p = "src/prime_rl/trainer/rl/loss.py"
    settings = SimpleNamespace(dppo_mask_high=0.2, dppo_mask_low=0.2, adv_tau=1.0, kl_tau=1e-3)

    def compute(run):
        means = torch.stack([run.returns[[j for j in range(run.N) if run.groups()[j] == g]].mean() for g in run.groups()])
        a = (run.returns - means)[:, None, None] * run.mask
        rows = lambda x: list(run.by_trajectory(x))
        value, _ = losses.compute_loss(
            rows(run.logp),
            rows(run.old),
            None,
            rows(a),
            [row > 0 for row in rows(run.mask)],
            None,
            None,
            None,
            lambda given: losses.default_loss_fn(given, settings),
            int(run.mask.sum()),
            1,
            1,
        )
        return a, value

    add("prime-rl: DPPO", source, EVEN, [source.at(losses.compute_loss), source.at(losses.default_loss_fn)], compute)

    def itself(run):
        """The policy after a demonstration is the reference, and the present one has sampled: the first step on a batch."""
        rows = lambda x: list(run.by_trajectory(x))
        weights = rows(run.mask)
        value, _ = losses.compute_loss(
            rows(run.logp),
            rows(run.old),
            rows(run.ref),
            rows(torch.zeros(run.batch.shape)),
            [row > 0 for row in weights],
            [torch.zeros_like(row) for row in weights],
            None,
            weights,
            None,
            1,
            1,
            int(run.mask.sum()),
        )
        return (run.ref - run.old) * run.mask, value

    add("prime-rl: OPSD", source, EVEN, [source.at(losses.compute_loss), source.at(losses.ref_kl_loss_fn)], itself, "logProb")

    algo = "src/prime_rl/orchestrator/algo"
    rae, base, routing = (source.module(f"{algo}/{name}.py") for name in ["rae", "base", "routing"])
    rae.iter_trainable_traces, rae.assign_advantages = base.iter_trainable_traces, routing.assign_advantages

    def by_agent(run):
        """A trace is what one agent wrote in one trajectory: it is credited as a whole, and its baseline moves afterwards."""
        algorithm = SimpleNamespace(decay=0.95, baselines=defaultdict(float))
        episodes, nodes = [], {}
        for n in range(run.N):
            names = run.batch.agent[n]
            for t in range(len(names)):
                mask = run.mask[n, t].tolist()
                nodes[n, t] = SimpleNamespace(mask=[m == 1 for m in mask], token_ids=mask, advantages=None)
            traces = [
                SimpleNamespace(
                    has_error=False,
                    agent=SimpleNamespace(name=name, trainable=True),
                    nodes=[nodes[n, t] for t in range(len(names)) if names[t] == name],
                    reward=run.returns[n].item(),
                    id=f"{n} {name}",
                )
                for name in dict.fromkeys(names)
            ]
            episodes.append(SimpleNamespace(traces=traces))
        asyncio.run(rae.RAEAlgorithm.score_group(algorithm, episodes))
        a = torch.zeros(run.batch.shape)
        for (n, t), node in nodes.items():
            if node.advantages:
                a[n, t][run.mask[n, t] == 1] = torch.tensor(node.advantages)
        return a, (a * run.logp * run.mask).sum()

    tree = source.module(f"{algo}/hierarchical_grpo.py")
    tree.iter_trainable_traces, tree.assign_advantages = base.iter_trainable_traces, routing.assign_advantages

    def by_tree(run):
        """An episode is a tree: its first turn the proposer's, whom the mean of the attempts is paid; each trajectory an attempt."""
        a = torch.zeros(run.batch.shape)
        stem, groups = run.batch.tree, run.groups()
        algorithm = SimpleNamespace(episode_agents={"solver"})

        def trace(name, turns, reward):
            nodes = []
            for n, t in turns:
                mask = run.mask[n, t].tolist()
                nodes.append(SimpleNamespace(mask=[m == 1 for m in mask], token_ids=mask, advantages=None, at=(n, t)))
            agent = SimpleNamespace(name=name, trainable=True)
            return SimpleNamespace(has_error=False, agent=agent, nodes=nodes, reward=reward, id=name)

        for group in dict.fromkeys(groups):
            episodes = []
            for trunk in dict.fromkeys(stem[n] for n in range(run.N) if groups[n] == group):
                leaves = [n for n in range(run.N) if stem[n] == trunk]
                reward = sum(run.returns[n].item() for n in leaves) / len(leaves)
                later = lambda n: [(n, t) for t in range(1, run.batch.turn_count[n])]
                traces = [trace("proposer", [(n, 0) for n in leaves], reward)]
                traces += [trace("solver", later(n), run.returns[n].item()) for n in leaves]
                # An attempt that ended with the proposal counts among the others.
                for one in (one for one in traces if not one.nodes):
                    one.nodes.append(SimpleNamespace(mask=[True], token_ids=[0], at=None))
                episodes.append(SimpleNamespace(traces=traces, id=str(trunk)))
            asyncio.run(tree.HierarchicalGRPOAlgorithm.score_group(algorithm, episodes))
            for node in (node for episode in episodes for one in episode.traces for node in one.nodes):
                if node.at and node.advantages:
                    a[node.at][run.mask[node.at] == 1] = torch.tensor(node.advantages)
        flat = lambda x: list(run.by_trajectory(x))
        weights = (None, None, None, lambda given: losses.default_loss_fn(given, settings), int(run.mask.sum()), 1, 1)
        masks = [row > 0 for row in flat(run.mask)]
        value, _ = losses.compute_loss(flat(run.logp), flat(run.old), None, flat(a), masks, *weights)
        return a, value

    calls = [source.at(tree.HierarchicalGRPOAlgorithm.score_group), source.at(losses.default_loss_fn)]
    add("prime-rl: hierarchical GRPO", source, ["fours"], calls, by_tree)

    add("prime-rl: RAE", source, EVEN, [source.at(rae.RAEAlgorithm.score_group)], by_agent)
    return {"tau": source.line(p, "per_token_loss = -pg_loss + loss_config.kl_tau * kl_loss", "def default_loss_fn")}


def answered(source):
    """A trajectory of two tokens of the policy and three that the environment answered: ECHO's loss, and its gradient."""
    losses = source.module("src/prime_rl/trainer/rl/loss.py")
    settings = SimpleNamespace(dppo_mask_high=0.2, dppo_mask_low=0.2, adv_tau=1.0, kl_tau=1e-3)
    given = {"logProb": [-0.7, -1.3, -1.0, -2.0, -3.5], "mask": [1, 1, 0, 0, 0], "advantage": [0.5, -0.25, 0, 0, 0], "coef": 0.1}
    logp = torch.tensor(given["logProb"], dtype=torch.float64, requires_grad=True)
    mask = torch.tensor(given["mask"], dtype=torch.float64)
    value, _ = losses.compute_loss(
        [logp],
        [logp.detach()],
        None,
        [torch.tensor(given["advantage"], dtype=torch.float64)],
        [mask > 0],
        [mask],
        [given["coef"] * (1 - mask)],
        None,
        lambda inputs: losses.default_loss_fn(inputs, settings),
        2,
        3,
        1,
    )
    (gradient,) = torch.autograd.grad(value, logp)
    return {**given, "loss": value.item(), "gradient": gradient.tolist()}


def skywork(source):
    """The weight of the entropy bonus after each update, and whether it is paid in the next, by the entropies of these."""
    algos = source.module("verl/trainer/ppo/core_algos.py")
    settings = {"target": 0.5, "step": 0.1, "min": 0.0, "max": 0.25}
    entropies = [0.4, 0.3, 0.2, 0.6, 0.5, 0.9, 0.45, 0.1]
    control = algos.EntController(0.0, settings["max"], settings["min"], settings["step"], settings["target"], True)
    seen = []
    for entropy in entropies:
        control.update(entropy)
        seen.append({"coef": control.value, "paid": bool(control.entropy_loss_enabled)})
    return {"settings": settings, "entropies": entropies, "states": seen}


def tree_of(source):
    """AT2PO's search tree: how a node is made, and how the values of all of them are filled in from the returns of the leaves."""
    p = "verl/workers/rollout/vllm_rollout/vllm_rollout_with_tools_tree_offline.py"
    search = source.module(p)
    normalized, where = source.statements(p, "generate_sequences", "epsilon = 1e-6", "for root in root_nodes")

    def node(name, parent=None, surprise=0.0, leaf=False):
        made = search.ToolTreeNode("tree", name, [], [], [], parent_node=parent, is_leaf=leaf, entropy=surprise)
        if parent is not None:
            parent.add_child(made)
        return made

    def fill(root, mode):
        leaves = len(root.get_all_leaves())
        exec(normalized, {"root_nodes": [root], "samples_per_tree": leaves, "np": numpy, "logger": search.logger})
        root.compute_value_from_children(mode=mode)

    return node, fill, [where, source.at(search.ToolTreeNode.compute_value_from_children)]


def atpo(source, add):
    """AT2PO's values and loss where nobody left another: each prompt's tree has a chain for each trajectory."""
    algos = source.module("verl/trainer/ppo/core_algos.py")
    node, fill, calls = tree_of(source)

    def advantage(run):
        roots = {group: node("root") for group in run.groups()}
        nodes = {}
        for n in range(run.N):
            at = roots[run.groups()[n]]
            for t in range(run.batch.turn_count[n]):
                surprise = -run.old[n, t][run.mask[n, t] == 1].mean().item()
                at = nodes[n, t] = node(f"{n} {t}", at, surprise, t + 1 == run.batch.turn_count[n])
            at.value = run.returns[n].item()
        for root in roots.values():
            fill(root, "child_softmax")
        a = torch.zeros(run.batch.shape)
        for (n, t), one in nodes.items():
            a[n, t] = one.value
        return a * run.mask

    def compute(run):
        a = advantage(run)
        # The loss tells turns apart by the gaps between them: a turn has none within it here, and one behind it.
        order = torch.argsort(-run.mask, dim=2, stable=True)
        row = lambda x: torch.nn.functional.pad((x * run.mask).gather(2, order), (0, 1)).reshape(run.N, -1)
        mask = row(torch.ones_like(run.mask))
        value, _ = algos.compute_policy_loss_gspo_turn(row(run.old), row(run.logp), row(a), mask, cliprange_low=3e-3, cliprange_high=4e-3)
        return a, value

    add("ATPO: AT2PO", source, EVEN, [*calls, source.at(algos.compute_policy_loss_gspo_turn), source.at(algos.agg_loss)], compute)
    return {}


def grown(source):
    """The values of each turn of six trajectories, some of which left others at a turn: [n, t]."""
    turns = [3, 2, 4, 3, 4, 1]
    fork = [None, None, [0, 1], [0, 2], [2, 2], None]
    returns = [1.0, 0.0, 0.25, 0.5, 1.0, -0.25]
    surprise = [[0.3, 0.9, 0.2], [0.7, 0.1], [0.3, 0.4, 0.8, 0.6], [0.3, 0.9, 1.1], [0.3, 0.4, 0.5, 1.5], [0.2]]
    node, fill, _ = tree_of(source)

    def values(mode):
        root, paths = node("root"), []
        for n, count in enumerate(turns):
            path = paths[fork[n][0]][: fork[n][1]] if fork[n] else []
            for t in range(len(path), count):
                path.append(node(f"{n} {t}", path[-1] if path else root, surprise[n][t], t + 1 == count))
            path[-1].value = returns[n]
            paths.append(path)
        fill(root, mode)
        return [[one.value for one in path] for path in paths]

    described = {"turns": turns, "fork": fork, "returns": returns, "surprise": surprise}
    return {**described, "surpriseWeighed": values("child_softmax"), "evenlyWeighed": values("child_mean")}
