"""Plays episodes with OpenEnv's own clients and grades a replay with its own graders; both are told as JSON."""

import json
import sys
from types import SimpleNamespace

from openenv import GenericEnvClient
from openenv.core.mcp_client import MCPToolClient
from openenv.validation.graders.runtime import ObservationSchemaGrader, RewardWellFormedGrader, StateContractGrader
from openenv.validation.runtime.collector import collect_runtime_evidence
from openenv.validation.runtime.contracts import RuntimePlan, RuntimeReset

url, token = sys.argv[1], sys.argv[2]
episodes = json.load(sys.stdin)
headers = {"Authorization": f"Bearer {token}"} if token else None


def played():
    rows = []
    with GenericEnvClient(base_url=url, headers=headers).sync() as env:
        for episode in episodes:
            result = env.reset(seed=episode["seed"], episode_id=f"episode {episode['seed']}")
            seen, rewards = [result.observation["text"]], []
            for text in episode["texts"]:
                result = env.step({"text": text})
                seen.append(result.observation["text"])
                rewards.append(result.reward)
            state = env.state()
            rows.append({
                "seed": episode["seed"], "texts": episode["texts"], "seen": seen, "rewards": rewards,
                "done": result.done, "steps": state["step_count"], "name": state["episode_id"],
            })
    return rows


def tools():
    with MCPToolClient(base_url=url, headers=headers).sync() as env:
        env.reset(seed=episodes[0]["seed"])
        listed = env.list_tools()
        names = [tool.name for tool in listed]
        first, *words = episodes[0]["texts"][0].split(" ")
        arguments = next(tool.input_schema["properties"] for tool in listed if tool.name == first)
        result = env.call_tool(first, **dict(zip(arguments, words)))
        return {"names": names, "text": result["content"][0]["text"], "reward": result["structuredContent"]["reward"]}


def graded():
    episode = episodes[0]
    plan = RuntimePlan(
        plan_schema_version="1",
        reset=RuntimeReset(episode_id="graded", seed=episode["seed"]),
        actions=[{"text": text} for text in episode["texts"]],
    )
    evidence = collect_runtime_evidence(url, plan, episode_timeout_s=60)
    subject = SimpleNamespace(
        runtime_evidence=evidence,
        manifest=SimpleNamespace(reward=SimpleNamespace(range=(-10, 10))),
    )
    graders = [RewardWellFormedGrader(), ObservationSchemaGrader(), StateContractGrader()]
    return {grader.check_id: [grader.run(subject).status.value, *grader.run(subject).evidence] for grader in graders}


print(json.dumps({"played": played(), "tools": tools(), "graded": {} if token else graded()}))
