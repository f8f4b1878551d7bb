"""Writes openrlhf.tfevents of this folder: the values of openrlhf.jsonl through a real SummaryWriter, as OpenRLHF does.

python3 -m venv .turnwise/events && .turnwise/events/bin/pip install tensorboardX==2.6.5
.turnwise/events/bin/python datasets/logs/write_events.py
"""

import json
import shutil
import tempfile
from pathlib import Path

from tensorboardX import SummaryWriter

here = Path(__file__).parent
with tempfile.TemporaryDirectory() as folder:
    writer = SummaryWriter(folder)
    writer.add_text("train/generated_samples", "one", 1, walltime=1)
    for line in (here / "openrlhf.jsonl").read_text().splitlines():
        values = json.loads(line)
        step = values.pop("train/global_step")
        for name, value in values.items():
            writer.add_scalar(name, value, step, walltime=step)
    writer.close()
    shutil.copy(next(Path(folder).glob("events.*")), here / "openrlhf.tfevents")
