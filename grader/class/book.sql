-- book.sql - the tables of a gradebook, version 1; see book.h. Compiled into the program.

-- One row: what the gradebook's key makes of its name, so that another key is noticed.
CREATE TABLE key (
    seal TEXT NOT NULL
);

CREATE TABLE student (
    id        TEXT PRIMARY KEY,
    name      TEXT NOT NULL,
    email     TEXT NOT NULL,
    section   TEXT NOT NULL,
    canvas_id TEXT NOT NULL,
    sis_id    TEXT NOT NULL,
    sis_login TEXT NOT NULL,
    listed    INTEGER NOT NULL
);

CREATE TABLE source (
    sha256 TEXT PRIMARY KEY,
    text   BLOB NOT NULL
);

CREATE TABLE hand_in (
    student TEXT NOT NULL,
    lesson  TEXT NOT NULL,
    file    TEXT NOT NULL,
    key     TEXT NOT NULL,
    problem TEXT NOT NULL,
    remark  TEXT NOT NULL,
    seen    TEXT NOT NULL, -- '': not among the files of the latest run
    seal    TEXT NOT NULL,
    PRIMARY KEY (student, lesson)
);

CREATE TABLE attempt (
    number  INTEGER PRIMARY KEY AUTOINCREMENT,
    student TEXT NOT NULL,
    lesson  TEXT NOT NULL,
    file    TEXT NOT NULL,
    key     TEXT NOT NULL,
    sha256  TEXT NOT NULL,
    verdict TEXT NOT NULL,
    final   INTEGER NOT NULL, -- 0: says nothing of the submission, and is judged again
    device  TEXT NOT NULL,
    seed    TEXT NOT NULL,
    sandbox TEXT NOT NULL,
    grader  TEXT NOT NULL,
    host    TEXT NOT NULL,
    toolkit TEXT NOT NULL,
    started TEXT NOT NULL,
    record  TEXT NOT NULL,
    seal    TEXT NOT NULL
);
CREATE INDEX attempt_of ON attempt (student, lesson, key);

CREATE TABLE decision (
    number  INTEGER PRIMARY KEY AUTOINCREMENT,
    student TEXT NOT NULL,
    lesson  TEXT NOT NULL,
    points  TEXT NOT NULL, -- '' takes earlier decisions back
    reason  TEXT NOT NULL,
    who     TEXT NOT NULL,
    made    TEXT NOT NULL,
    seal    TEXT NOT NULL
);

CREATE TABLE notice (
    student TEXT NOT NULL,
    file    TEXT NOT NULL,
    what    TEXT NOT NULL
);

CREATE TRIGGER attempt_stays BEFORE UPDATE ON attempt
BEGIN SELECT RAISE(ABORT, 'an attempt is never changed'); END;
CREATE TRIGGER attempt_is_kept BEFORE DELETE ON attempt
BEGIN SELECT RAISE(ABORT, 'an attempt is never deleted'); END;
CREATE TRIGGER decision_stays BEFORE UPDATE ON decision
BEGIN SELECT RAISE(ABORT, 'a decision is never changed'); END;
CREATE TRIGGER decision_is_kept BEFORE DELETE ON decision
BEGIN SELECT RAISE(ABORT, 'a decision is never deleted'); END;
