-- Every check of a learner, in order.
CREATE TABLE attempt (
    number INTEGER PRIMARY KEY,
    lesson TEXT NOT NULL,           -- "03_divergence"
    file TEXT NOT NULL,             -- another file than the exercise, as typed; '' for the exercise
    only_part INTEGER NOT NULL,     -- one launcher of several was checked: that is no progress
    worth INTEGER NOT NULL,         -- points, doubled, and 1 for gold
    source TEXT NOT NULL,           -- what was checked; '' if it had changed meanwhile
    record TEXT NOT NULL            -- check/record.h
);
CREATE INDEX attempt_of_lesson ON attempt (lesson, number);
