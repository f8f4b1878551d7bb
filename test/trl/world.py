"""Episodes of a world that `npx turnwise serve` serves, played side by side through OpenEnv's own client."""

import asyncio
import json
import urllib.request

from openenv import GenericEnvClient


class World:
    """A session of the server for each episode that is played at the same time."""

    def __init__(self, url):
        with urllib.request.urlopen(f"{url}/schema") as answer:
            spec = json.load(answer)["action"]["x-turnwise"]
        self.words = spec["vocabulary"]
        self.turn_length = spec["maxTokens"]
        # The words that a call allows at each of its places.
        self.syntax = [[self.words[token] for token in place] for place in spec["syntax"]]
        self._url = url
        self._loop = asyncio.new_event_loop()
        self._clients = []

    def reset(self, starts):
        """Begins an episode in as many sessions as there are starts, each {seed, member, episode_id}."""
        while len(self._clients) < len(starts):
            self._clients.append(GenericEnvClient(base_url=self._url))
        return self._all([(i, "reset", start) for i, start in enumerate(starts)])

    def step(self, texts):
        """Takes a turn in the sessions that `texts` names by their numbers."""
        return dict(zip(texts, self._all([(i, "step", {"text": text}) for i, text in texts.items()])))

    def close(self):
        self._all([(i, "close", None) for i in range(len(self._clients))])
        self._loop.close()

    def _all(self, calls):
        async def one(place, name, given):
            client = self._clients[place]
            if name == "step":
                return await client.step(given)
            return await (client.reset(**given) if name == "reset" else client.close())

        async def together():
            return await asyncio.gather(*(one(*call) for call in calls))

        return self._loop.run_until_complete(together())


def play(world, starts, act):
    """
    Plays an episode from each start until all have ended.

    `act` gets the histories of those that go on, lists of ("world" or "agent", text), and gives the text of each one's next turn.
    """
    histories = [[("world", result.observation["text"])] for result in world.reset(starts)]
    rewards = [[] for _ in starts]
    running = list(range(len(starts)))
    while running:
        texts = dict(zip(running, act([histories[i] for i in running], running)))
        for i, result in world.step(texts).items():
            histories[i] += [("agent", texts[i]), ("world", result.observation["text"])]
            rewards[i].append(result.reward)
            if result.done:
                running.remove(i)
    return histories, rewards
