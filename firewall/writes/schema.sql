-- The ledger: one file a project, outside the tree an agent can delete.
-- Times are seconds since 1970 UTC. Hashes are hex sha256 of bytes; '' means "no file".

CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- Folders that hold this project: the one it was made in, worktrees, clones on this machine.
CREATE TABLE IF NOT EXISTS roots (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  device INTEGER NOT NULL,
  inode INTEGER NOT NULL
);

-- Content-addressed snapshots, zlib-compressed.
CREATE TABLE IF NOT EXISTS blobs (
  sha TEXT PRIMARY KEY,
  size INTEGER NOT NULL,
  data BLOB NOT NULL
);

CREATE TABLE IF NOT EXISTS artifacts (
  id INTEGER PRIMARY KEY,
  root INTEGER NOT NULL REFERENCES roots(id),
  path TEXT NOT NULL,
  disk TEXT NOT NULL,             -- what Stet last saw or wrote
  baseline TEXT NOT NULL,         -- what a person last accepted
  baseline_at REAL NOT NULL,
  mark TEXT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  alert TEXT NOT NULL DEFAULT '', -- id of the alert that latched it, '' while it is open
  UNIQUE (root, path)
);

-- Append-only. Each entry's hash covers the one before it.
CREATE TABLE IF NOT EXISTS journal (
  seq INTEGER PRIMARY KEY,
  at REAL NOT NULL,
  artifact INTEGER,
  kind TEXT NOT NULL,
  old TEXT NOT NULL DEFAULT '',
  new TEXT NOT NULL DEFAULT '',
  session TEXT NOT NULL DEFAULT '',
  source TEXT NOT NULL DEFAULT '',
  data TEXT NOT NULL DEFAULT '{}',
  hash TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS journal_by_artifact ON journal (artifact, seq);

-- Commits that have begun and have no outcome yet.
CREATE TABLE IF NOT EXISTS intents (
  id INTEGER PRIMARY KEY,
  artifact INTEGER NOT NULL UNIQUE REFERENCES artifacts(id),
  old TEXT NOT NULL,
  new TEXT NOT NULL,              -- '' for a delete
  mark TEXT NOT NULL,
  journal INTEGER NOT NULL
);

CREATE TABLE IF NOT EXISTS alerts (
  id TEXT PRIMARY KEY,
  at REAL NOT NULL,
  artifact INTEGER NOT NULL REFERENCES artifacts(id),
  kind TEXT NOT NULL,             -- trip or staged
  state TEXT NOT NULL,            -- open or answered
  proposal TEXT NOT NULL,         -- sha of the refused bytes, '' for a delete
  data TEXT NOT NULL
);
