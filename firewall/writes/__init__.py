"""Persistence: every write is a proposal, judged by pure rules, committed atomically or refused."""
