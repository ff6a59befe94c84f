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
  high TEXT NOT NULL,             -- the accepted version with most words since the baseline
  attempts INTEGER NOT NULL DEFAULT 0,
  alert TEXT NOT NULL DEFAULT '', -- id of the alert that latched it, '' while it is open
  answered INTEGER NOT NULL DEFAULT 0, -- journal entry of a person's last answer
  disk_words INTEGER NOT NULL DEFAULT -1,
  mark_words INTEGER NOT NULL DEFAULT -1,
  mark_kept INTEGER NOT NULL DEFAULT -1,  -- words of the mark that survive on the disk
  high_words INTEGER NOT NULL DEFAULT -1,
  high_kept INTEGER NOT NULL DEFAULT -1,
  base_words INTEGER NOT NULL DEFAULT -1,
  base_kept INTEGER NOT NULL DEFAULT -1,
  mark_away TEXT NOT NULL DEFAULT '',     -- units of the mark that stood in other artifacts when it was made
  high_away TEXT NOT NULL DEFAULT '',     -- the same of the high version
  accepted INTEGER NOT NULL DEFAULT 0,    -- journal entry of the last version that a person made or accepted
  grown INTEGER NOT NULL DEFAULT 0,       -- words accepted as growth since the mark
  UNIQUE (root, path)
);

-- What a session last read or wrote of an artifact.
CREATE TABLE IF NOT EXISTS seen (
  session TEXT NOT NULL,
  artifact INTEGER NOT NULL REFERENCES artifacts(id),
  sha TEXT NOT NULL,
  at REAL NOT NULL,
  PRIMARY KEY (session, artifact)
) WITHOUT ROWID;

-- Units (paragraphs, items) that came to an artifact by a change, so that text moved there is known.
CREATE TABLE IF NOT EXISTS arrivals (
  unit TEXT NOT NULL,             -- sha256 of its words
  artifact INTEGER NOT NULL REFERENCES artifacts(id),
  at REAL NOT NULL,
  PRIMARY KEY (unit, artifact)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS arrivals_by_time ON arrivals (at);

-- Units of one artifact that another holds: whoever would take them away answers to the floors of both.
CREATE TABLE IF NOT EXISTS carried (
  origin INTEGER NOT NULL REFERENCES artifacts(id),
  holder INTEGER NOT NULL REFERENCES artifacts(id),
  seq INTEGER NOT NULL,           -- journal entry since which; -1: released
  units TEXT NOT NULL,            -- sha256 of the snapshot with the units
  PRIMARY KEY (origin, holder, seq)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS carried_by_holder ON carried (holder);

-- Proposals refused, with a hash of the facts they were refused under.
CREATE TABLE IF NOT EXISTS refusals (
  artifact INTEGER NOT NULL REFERENCES artifacts(id),
  proposal TEXT NOT NULL,
  facts TEXT NOT NULL,
  at REAL NOT NULL,
  rules TEXT NOT NULL,
  PRIMARY KEY (artifact, proposal, facts)
) WITHOUT ROWID;

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
CREATE INDEX IF NOT EXISTS journal_of_trips ON journal (artifact, seq) WHERE kind='trip';
CREATE INDEX IF NOT EXISTS journal_of_grants ON journal (seq) WHERE kind='grant';

-- Commits that have begun and have no outcome yet.
CREATE TABLE IF NOT EXISTS intents (
  id INTEGER PRIMARY KEY,
  artifact INTEGER NOT NULL UNIQUE REFERENCES artifacts(id),
  change_set TEXT NOT NULL,       -- commits that belong together are finished or undone together
  old TEXT NOT NULL,
  new TEXT NOT NULL,              -- '' for a delete
  target TEXT NOT NULL,           -- the new path of a rename, else ''
  after TEXT NOT NULL,            -- JSON: the artifact's columns once it is done
  journal INTEGER NOT NULL
);

-- Alerts and held proposals: what waits for a person.
-- state: open, waiting, approved, edited, rejected, escalated, expired, answered
CREATE TABLE IF NOT EXISTS cases (
  id TEXT PRIMARY KEY,
  at REAL NOT NULL,
  artifact INTEGER NOT NULL REFERENCES artifacts(id),
  kind TEXT NOT NULL,             -- trip, staged or hold
  state TEXT NOT NULL,
  change_set TEXT NOT NULL,
  disk TEXT NOT NULL,             -- sha on disk when it was proposed
  proposal TEXT NOT NULL,         -- sha of the proposed bytes, '' for a delete
  target TEXT NOT NULL DEFAULT '',-- the new path of a rename, else ''
  data TEXT NOT NULL,             -- JSON: findings, session, source, staging …
  answered_at REAL,
  answered_by TEXT NOT NULL DEFAULT ''
);
CREATE INDEX IF NOT EXISTS cases_by_state ON cases (state, at);

-- What a person permits ahead of time.
CREATE TABLE IF NOT EXISTS grants (
  id TEXT PRIMARY KEY,
  at REAL NOT NULL,
  pattern TEXT NOT NULL,          -- a path or a glob below the project
  rules TEXT NOT NULL,            -- JSON list of rule names
  uses INTEGER NOT NULL,          -- uses left
  expires REAL NOT NULL,
  root INTEGER NOT NULL REFERENCES roots(id)
);

-- Agents' turns: from a person's prompt until the agent is done. While one is open, a change of the disk that
-- Stet did not make is judged and not taken for a person's.
CREATE TABLE IF NOT EXISTS turns (
  id INTEGER PRIMARY KEY,
  root INTEGER NOT NULL REFERENCES roots(id),
  session TEXT NOT NULL,
  opened_at REAL NOT NULL,
  expires REAL NOT NULL,          -- a turn that a dead session left open ends here
  refs TEXT NOT NULL,             -- sha of the snapshot with git's refs as they stood, '' without git
  background INTEGER NOT NULL DEFAULT 0,
  closed_at REAL
);
CREATE INDEX IF NOT EXISTS turns_open ON turns (root) WHERE closed_at IS NULL;

-- Commits that came to be while an agent's turn was open: what only they hold is nobody's but the agent's.
CREATE TABLE IF NOT EXISTS made (root INTEGER NOT NULL, id TEXT NOT NULL, PRIMARY KEY (root, id)) WITHOUT ROWID;

-- Questions that a runtime puts to a person, and the held proposals that they are about.
CREATE TABLE IF NOT EXISTS asked (
  call TEXT NOT NULL,             -- hash of the session and the runtime's id of the tool call
  held TEXT NOT NULL,             -- id of the case
  at REAL NOT NULL,
  PRIMARY KEY (call, held)
) WITHOUT ROWID;

-- Guarded files as they were when last found to be what `artifacts.disk` says: none of them need be read again.
CREATE TABLE IF NOT EXISTS manifests (
  root INTEGER PRIMARY KEY REFERENCES roots(id),
  files BLOB NOT NULL             -- see firewall/agents/memory.py
);
CREATE INDEX IF NOT EXISTS artifacts_there ON artifacts (root, path) WHERE disk<>'';

-- Settings that keep the guard in place, as a person left them.
CREATE TABLE IF NOT EXISTS kept (
  root INTEGER NOT NULL REFERENCES roots(id),
  path TEXT NOT NULL,             -- absolute, or below the project
  sha TEXT NOT NULL,              -- '' where there is no file
  keys TEXT NOT NULL DEFAULT '',  -- JSON list of the keys that matter; '' for the whole file
  mode INTEGER NOT NULL DEFAULT 420,
  registered INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (root, path)
) WITHOUT ROWID;

-- What a session has been shown of a file: spans of lines, as of journal entry `seq`.
CREATE TABLE IF NOT EXISTS coverage (
  session TEXT NOT NULL,
  artifact INTEGER NOT NULL REFERENCES artifacts(id),
  seq INTEGER NOT NULL,
  spans TEXT NOT NULL,            -- JSON list of [first, last]
  total INTEGER NOT NULL,
  at REAL NOT NULL,
  PRIMARY KEY (session, artifact)
) WITHOUT ROWID;

-- Tool calls whose failure was counted as an attempt: two events may tell of one. `call` is a hash with the session.
CREATE TABLE IF NOT EXISTS counted (call TEXT PRIMARY KEY, at REAL NOT NULL) WITHOUT ROWID;

-- Refusals as a runtime's call was answered, for as long as another hook may ask about the same call.
CREATE TABLE IF NOT EXISTS told (
  call TEXT PRIMARY KEY,          -- hash of session, event, the runtime's id of the call and all that it is given
  at REAL NOT NULL,
  times INTEGER NOT NULL,         -- how often it was given again
  answer TEXT NOT NULL            -- JSON
) WITHOUT ROWID;

-- How many rows were written ever, to all tables but blobs, journal and this one: triggers count, one for each way to
-- write to each table (renewing.py). `signed` is the last count as Stet left it, with which tables had rows and what
-- there was of tables, indexes and triggers (database.py); the count only grows.
CREATE TABLE IF NOT EXISTS writes (
  id INTEGER PRIMARY KEY CHECK (id=1),
  n INTEGER NOT NULL,
  signed TEXT NOT NULL
);
INSERT INTO writes SELECT 1, 0, '' WHERE NOT EXISTS (SELECT 1 FROM writes);
CREATE TRIGGER IF NOT EXISTS writes_grow BEFORE UPDATE OF n ON writes WHEN NEW.n<>OLD.n+1
  BEGIN SELECT RAISE(ABORT, 'the count of what is written only grows'); END;
CREATE TRIGGER IF NOT EXISTS writes_stay BEFORE DELETE ON writes
  BEGIN SELECT RAISE(ABORT, 'the count of what is written stays'); END;
CREATE TRIGGER IF NOT EXISTS writes_once BEFORE INSERT ON writes WHEN EXISTS (SELECT 1 FROM writes)
  BEGIN SELECT RAISE(ABORT, 'the count of what is written is there'); END;
