"""A world that OpenEnv's own server plays: guess a number from 0 to 3. It prints its address and runs until it is killed."""

import socket

import uvicorn
from openenv.core.env_server import Action, Environment, Observation, State, create_app


class Guess(Action):
    number: int


class Told(Observation):
    told: str


class Guessing(Environment):
    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self):
        super().__init__()
        self._secret = 0
        self._steps = 0

    def reset(self, seed=None, episode_id=None, **kwargs):
        self._secret = (seed or 0) % 4
        self._steps = 0
        return Told(told="guess", done=False, reward=None)

    def step(self, action, timeout_s=None, **kwargs):
        self._steps += 1
        if action.number == self._secret:
            return Told(told="right", done=True, reward=1.0)
        return Told(told="higher" if action.number < self._secret else "lower", done=False, reward=None)

    @property
    def state(self):
        return State(episode_id=None, step_count=self._steps)


listening = socket.socket()
listening.bind(("127.0.0.1", 0))
# Who connects before the server runs waits.
listening.listen(64)
print(f"http://127.0.0.1:{listening.getsockname()[1]}", flush=True)
app = create_app(Guessing, Guess, Told, env_name="guessing", max_concurrent_envs=64)
uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listening])
