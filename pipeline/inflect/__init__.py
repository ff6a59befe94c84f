"""English inflection for one replaced word: closed-class tables and small lexicons of our own, all pure.

What is not certain is None, and then the caller declines. No library: those that exist are heavy, or
wrong where it shows ("an URL", "analysi"; see the table in tests/pipeline/test_inflect.py).
"""
