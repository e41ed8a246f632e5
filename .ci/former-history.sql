-- The history as the first version wrote it: its four migrations, with one row or more in each table.
-- .ci/test-deb starts the agent on it. Do not change it when the schema changes.
PRAGMA journal_mode = WAL;
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO grdb_migrations VALUES ('donations'), ('engagements'), ('resume points'), ('settings');
CREATE TABLE word (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
CREATE TABLE action (
    id INTEGER PRIMARY KEY, application INTEGER NOT NULL, kind TEXT NOT NULL,
    parameters TEXT NOT NULL, UNIQUE (application, kind, parameters));
CREATE INDEX action_kind ON action (kind);
CREATE TABLE donation (
    id INTEGER PRIMARY KEY, action INTEGER NOT NULL REFERENCES action, date INTEGER NOT NULL,
    trigger INTEGER, device INTEGER, hour INTEGER, weekday INTEGER, identifier TEXT,
    "group" INTEGER);
CREATE INDEX donation_action ON donation (action);
CREATE INDEX donation_date ON donation (date);
CREATE TABLE engagement (
    id INTEGER PRIMARY KEY, suggestion TEXT NOT NULL, application INTEGER NOT NULL,
    kind TEXT NOT NULL, outcome TEXT NOT NULL, date INTEGER NOT NULL, trigger INTEGER,
    device INTEGER, hour INTEGER, weekday INTEGER);
CREATE INDEX engagement_date ON engagement (date);
CREATE TABLE resumePoint (
    device TEXT NOT NULL, application TEXT NOT NULL, item TEXT, info TEXT NOT NULL,
    pausedByDisconnect INTEGER NOT NULL, date INTEGER NOT NULL,
    PRIMARY KEY (device, application)) WITHOUT ROWID;
CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE mutedPair (
    trigger TEXT NOT NULL, application TEXT NOT NULL, date INTEGER NOT NULL,
    PRIMARY KEY (trigger, application)) WITHOUT ROWID;

-- Rows of the last days, since the agent removes old ones. Dates are milliseconds since 1970.
INSERT INTO word VALUES (1, 'org.example.Player'), (2, 'device:00:11:22:33:44:55'), (3, '00:11:22:33:44:55');
INSERT INTO action VALUES (1, 1, 'playMedia', '{"item":"episode-7","title":"Precious"}');
INSERT INTO donation VALUES
    (1, 1, (unixepoch() - 172800) * 1000, 2, 3, 9, 2, 'play-1', NULL),
    (2, 1, (unixepoch() - 86400) * 1000, 2, 3, 9, 3, 'play-2', NULL);
INSERT INTO engagement VALUES
    (1, 's1', 1, 'media', 'accepted', (unixepoch() - 86400) * 1000, 2, 3, 9, 3);
INSERT INTO resumePoint VALUES
    ('00:11:22:33:44:55', 'org.example.Player', 'episode-7',
     '{"artists":[],"length":3600000000,"position":61000000,"title":"Precious"}', 1, (unixepoch() - 86400) * 1000);
INSERT INTO setting VALUES ('enabled', '1'), ('retentionDays', '30');
INSERT INTO mutedPair VALUES ('device:00:11:22:33:44:55', 'org.example.Radio', (unixepoch() - 86400) * 1000);
