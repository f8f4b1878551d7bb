"""Plays episodes by generated clients in the packages of their trainers; told as JSON: for each world, {client: [{seen, rewards, total}]}.

Standard input holds a list of worlds: {"url", "clients": {name: module}, "class": name, "methods": {tool: name in Python},
"episodes": [{seed, member, calls: [{tool, arguments}]}]}; the modules lie in the folder that is the only argument.
"""

import asyncio
import importlib
import importlib.machinery
import json
import os
import sys
import threading
import types
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

sys.path.insert(0, sys.argv[1])
os.environ["VF_STATE_SECRET"] = "secret"


def openenv(module, episode):
    client = getattr(module, asked["class"] + "Client")
    with client(base_url=os.environ["TURNWISE_URL"]).sync() as env:
        result = env.reset(seed=episode["seed"], member=episode["member"])
        seen, rewards = [result.observation.text], []
        for call in episode["calls"]:
            result = getattr(env, method_of(call))(**arguments_of(call))
            seen.append(result.observation.text)
            rewards.append(result.reward)
        assert result.done and env.state().step_count == len(rewards)
    return seen, rewards, sum(rewards)


def trl(module, episode):
    import inspect

    from transformers.utils import get_json_schema

    environment = getattr(module, asked["class"])()
    # TRL takes every other public function of the class for a tool, and its schema from transformers.
    tools = {
        name: getattr(environment, name)
        for name, _ in inspect.getmembers(type(environment), predicate=inspect.isfunction)
        if name not in ("reset", "get_reward") and not name.startswith("_")
    }
    schemas["trl"] = [get_json_schema(tool)["function"] for tool in tools.values()]
    row = module.rows(1, episode["seed"])[0]
    seen, rewards = [environment.reset(**row, member=episode["member"])], []
    for call in episode["calls"]:
        before = environment.get_reward()
        seen.append(tools[method_of(call)](**arguments_of(call)))
        rewards.append(environment.get_reward() - before)
    return seen, rewards, environment.get_reward()


def skyrl(module, episode):
    import skyrl_gym
    from skyrl_gym.envs import register
    from skyrl_gym.envs.registration import registry

    row = module.rows(1, episode["seed"])[0]
    if row["env_class"] not in registry:
        register(id=row["env_class"], entry_point=f"{module.__name__}:{asked['class']}")
    schemas["skyrl"] = module.TOOLS
    extras = {**row, "member": episode["member"], "max_turns": len(episode["calls"]) + 5}
    env = skyrl_gym.make(row["env_class"], env_config={}, extras=extras)
    prompt = row["prompt"]
    messages, _ = env.init(prompt)
    seen, rewards = [messages[-1]["content"][len(prompt[-1]["content"]):]], []
    for call in episode["calls"]:
        said = {"name": method_of(call), "arguments": call["arguments"]}
        out = env.step(f"I think.\n<tool_call>{json.dumps(said)}</tool_call>")
        seen.append(out["metadata"]["text"])
        rewards.append(out["reward"])
    assert out["done"]
    env.close()
    return seen, rewards, sum(rewards)


class Channel(BaseHTTPRequestHandler):
    """The state that verifiers' host and its tool server share, as the interception server of a rollout keeps it."""

    state = b"{}"

    def do_GET(self):
        self.answer(Channel.state)

    def do_PUT(self):
        Channel.state = self.rfile.read(int(self.headers["Content-Length"]))
        self.answer(b"{}")

    def answer(self, body):
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def verifiers(module, episode):
    from mcp.server.mcpserver import MCPServer

    name = asked["class"]
    taskset_class = vf_loader(module.__name__)
    config = getattr(module, name + "Config")(num_tasks=1, first_seed=episode["seed"])
    (task,) = list(taskset_class(config))
    server = ThreadingHTTPServer(("127.0.0.1", 0), Channel)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    os.environ["VF_STATE_URL"] = f"http://127.0.0.1:{server.server_port}/state"
    state = getattr(module, name + "State")

    async def play():
        trace = types.SimpleNamespace(
            **{"state": state(), "rewards": {}, "metrics": {}},
            record_reward=lambda key, value, weight=1.0: paid.append(value * weight),
        )
        paid = []
        first = task.data.prompt[len(module.INSTRUCTIONS):]
        # The session of the task, begun as the member that the test asks for.
        module.Session._members = iter([episode["member"]])
        await task.setup(trace, None)
        mcp = MCPServer("world")
        (tools,) = taskset_class.toolsets(config)
        tools.register(mcp)
        schemas["verifiers"] = [
            {"name": tool.name, "description": tool.description, "parameters": tool.input_schema}
            for tool in await mcp.list_tools()
        ]
        Channel.state = trace.state.model_dump_json().encode()
        seen, rewards = [first], []
        for call in episode["calls"]:
            before = trace.state.total
            result = await mcp.call_tool(method_of(call), arguments_of(call))
            assert not result.is_error, result
            seen.append(result.content[0].text)
            trace.state = state.model_validate_json(Channel.state)
            rewards.append(trace.state.total - before)
        assert all([await stop(trace) for stop in task.hooks("stop")])
        await task.finalize(trace, None)
        await task.score(trace)
        return seen, rewards, sum(paid)

    try:
        return asyncio.run(play())
    finally:
        server.shutdown()


def vf_loader(name):
    """The taskset as `eval <name>` finds it."""
    from verifiers.v1.taskset import Taskset
    from verifiers.v1.utils.loaders import _plugin_class, import_taskset

    return _plugin_class(import_taskset(name), Taskset, "taskset")


def verl(module_name, episode):
    """The released `_call_tool` of verl's agent loop; its package is entered without Ray and PyTorch, which the rest imports."""
    loop = verl_loop()
    module = importlib.import_module(module_name)
    tools = {tool.schema["function"]["name"]: tool for tool in module.TOOLS}
    made = {name: tool(config={"type": "native"}, tool_schema=None) for name, tool in tools.items()}
    schemas["verl"] = [tool.tool_schema.model_dump(exclude_unset=True)["function"] for tool in made.values()]
    (row,) = module.rows(1, episode["seed"])
    kwargs = row["extra_info"]["tools_kwargs"]
    for given in kwargs.values():
        given["create_kwargs"]["member"] = episode["member"]
    agent = types.SimpleNamespace(
        **{"tools": made, "max_tool_response_length": 10_000, "tool_response_truncate_side": "right"}
    )

    class Data:
        tools_kwargs = kwargs

    data = Data()

    async def play():
        seen, rewards = [row["prompt"][0]["content"][len(module.INSTRUCTIONS):]], []
        for call in episode["calls"]:
            named = types.SimpleNamespace(
                name=method_of(call), arguments=json.dumps(call["arguments"]), tool_call_id=None
            )
            response, reward, _ = await loop.ToolAgentLoop._call_tool(agent, named, kwargs, data)
            seen.append(response.text)
            rewards.append(reward)
        return seen, rewards

    seen, rewards = asyncio.run(play())
    extra = {**row["extra_info"], "tool_rewards": rewards}
    return seen, rewards, module.compute_score(row["data_source"], "", "", extra)


def verl_loop():
    """The module of the agent loop, with stand-ins for what its first lines import and its calls of tools do not use."""
    if "verl" not in sys.modules:
        (spec,) = [importlib.machinery.PathFinder.find_spec("verl")]
        enter = lambda name, path: sys.modules.setdefault(name, package(name, path))
        folder = spec.submodule_search_locations[0]
        for name in ["verl", "verl.tools", "verl.experimental", "verl.experimental.agent_loop"]:
            enter(name, folder + name.removeprefix("verl").replace(".", "/"))
        same = lambda x, **_: x
        stand_in("verl.utils", {})
        stand_in("verl.utils.rollout_trace", {"rollout_trace_op": same})
        stand_in("verl.utils.profiler", {"simple_timer": same})
        stand_in("verl.workers", {})
        stand_in("verl.workers.rollout", {})
        stand_in("verl.workers.rollout.replica", {"TokenOutput": object})
        loops = {"AgentLoopBase": object, "AgentLoopOutput": object, "ToolListWrap": object}
        stand_in("verl.experimental.agent_loop.agent_loop", {**loops, "register": lambda _: same})
        parsers = {"FunctionCall": object, "ToolParser": object}
        stand_in("verl.experimental.agent_loop.tool_parser", parsers)
        stand_in("torch", {"Tensor": object})
        stand_in("PIL", {"Image": types.SimpleNamespace(Image=object)})
    return importlib.import_module("verl.experimental.agent_loop.tool_agent_loop")


def package(name, path):
    module = types.ModuleType(name)
    module.__path__ = [path]
    return module


def stand_in(name, members):
    module = package(name, "")
    module.__dict__.update(members)
    sys.modules[name] = module


def method_of(call):
    """The name that Python has for the tool."""
    return asked["methods"][call["tool"]]


def arguments_of(call):
    return call["arguments"]


players = {"openenv": openenv, "trl": trl, "skyrl": skyrl, "verifiers": verifiers, "verl": verl}
worlds = json.load(sys.stdin)
played = [{} for _ in worlds]
schemas = {}
# verl comes last, as its stand-ins stay.
for client in sorted(worlds[0]["clients"], key=lambda name: name == "verl"):
    for asked, world in zip(worlds, played):
        os.environ["TURNWISE_URL"] = asked["url"]
        name = asked["clients"][client]
        module = name if client == "verl" else importlib.import_module(name)
        schemas = {}
        rows = []
        for episode in asked["episodes"]:
            seen, rewards, total = players[client](module, episode)
            rows.append({"seen": seen, "rewards": rewards, "total": total})
        names = sorted(schema["name"] for schema in schemas.get(client, []))
        world[client] = {"rows": rows, "tools": names, "schemas": schemas.get(client, [])}
sys.stdout.write("\n" + json.dumps(played) + "\n")
