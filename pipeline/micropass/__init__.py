"""The micro-pass: a style fix that changes one sentence and nothing else."""

from pipeline.micropass.loop import Edit, Polished, polish
from pipeline.micropass.record import FolderRecorder, MemoryRecorder, Record, Recorder

__all__ = ["Edit", "FolderRecorder", "MemoryRecorder", "Polished", "Record", "Recorder", "polish"]
