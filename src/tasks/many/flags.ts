// The flags of `wm task update` for bulk runs.

import {
  booleanFlag,
  entriesFlag,
  type Flag,
  integerFlag,
  lastOf,
  type ParsedFlags,
  textFlag,
} from '#cli/flags/flag.ts';
import { invalidValue } from '#contract/schema.ts';

export const maxConcurrency = 64;
export const defaultConcurrency = 8;

/** Logging the previous values reads each task, so a longer file is logged only with --undoable. */
export const mostUndoableRows = 1000;

const perMinute: Flag<number> = {
  help: 'Limit the request rate: 400 or 400/min, 5/s, 10000/h',
  placeholder: 'RATE',
  parse(texts) {
    const text = lastOf(texts);
    const [, count = '', unit = 'min'] = /^(\d{1,7})(?:\/(s|sec|m|min|h|hour))?$/.exec(text) ?? [];
    const number = Number(count) * (unit.startsWith('s') ? 60 : unit.startsWith('h') ? 1 / 60 : 1);
    if (!(number > 0)) throw invalidValue(text, 'is not a rate: 400/min, 5/s or 10000/h');
    return number;
  },
};

/** After a longer wait the run stops, and --resume continues it. */
export const defaultMaxWaitMs = 15 * 60 * 1000;

const unitMs = { s: 1000, m: 60_000, h: 3_600_000 } as const;

/** In milliseconds. */
export const maxWaitFlag: Flag<number> = {
  help: 'Wait at most this long for a rate limit, then stop; --resume continues the run (default: 15m)',
  placeholder: 'DURATION',
  parse(texts) {
    const text = lastOf(texts);
    const [, count, unit = 's'] = /^(\d{1,7})([smh])?$/.exec(text) ?? [];
    if (count === undefined || !(unit === 's' || unit === 'm' || unit === 'h'))
      throw invalidValue(text, 'is not a duration: 90s (or 90), 15m, 2h');
    return Number(count) * unitMs[unit];
  },
};

/** For input without rows or ids. */
export const allowEmptyHint = 'If that is right, add --allow-empty.';

export const bulkFlags = {
  from: {
    ...textFlag(
      'FILE',
      'Update tasks from the rows of FILE (- for standard input), CSV or NDJSON: see --help files',
    ),
    readsInput: true,
  },
  ids: {
    ...textFlag('FILE', 'Update the tasks whose ids are in FILE, one a line (- for standard input)'),
    readsInput: true,
  },
  columns: entriesFlag(
    (entry) => String(entry),
    'NAME',
    'Take only these columns of the file; without it, wm takes only the id of whole records',
  ),
  ignoreColumn: entriesFlag(
    (entry) => String(entry),
    'NAME',
    'Skip these columns of the file, or members of its objects',
  ),
  allowEmpty: booleanFlag('Exit with 0 where there is nothing to update: no rows, or no ids'),
  resume: booleanFlag(
    'Continue a run that ended early; if there is none, or the rows have changed, start a new one',
  ),
  restart: booleanFlag('Discard the journal of a run that ended early, and send every row again'),
  journal: textFlag('FILE', 'Write the journal of the run to FILE instead of the state folder'),
  errors: textFlag('FILE', 'Write the rows that failed or are invalid to FILE, to fix and send again'),
  concurrency: integerFlag(
    'N',
    `Send at most N requests at once (default: ${defaultConcurrency})`,
    1,
    maxConcurrency,
  ),
  rate: perMinute,
  maxWait: maxWaitFlag,
} as const;

export type BulkFlags = ParsedFlags<typeof bulkFlags>;
