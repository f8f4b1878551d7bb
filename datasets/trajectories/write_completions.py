"""Writes completions_00001.parquet of this folder: the episodes of messages.jsonl as TRL writes its completions, through pandas.

python3 -m venv .turnwise/parquet && .turnwise/parquet/bin/pip install pandas pyarrow
.turnwise/parquet/bin/python datasets/trajectories/write_completions.py
"""

import json
from pathlib import Path

import pandas as pd

here = Path(__file__).parent
episodes = [json.loads(line) for line in (here / "messages.jsonl").read_text().splitlines()]
rewards = pd.Series([e["reward"] for e in episodes])
groups = rewards.groupby([e["group"] for e in episodes])
bare = [[{"role": m["role"], "content": m["content"]} for m in e["messages"]] for e in episodes]
table = {
    "step": [1] * len(episodes),
    "prompt": [chat[:1] for chat in bare],
    "completion": [chat[1:] for chat in bare],
    "exact_reward": rewards.tolist(),
    "advantage": ((rewards - groups.transform("mean")) / (groups.transform("std") + 1e-4)).tolist(),
}
pd.DataFrame(table).to_parquet(here / "completions_00001.parquet")
