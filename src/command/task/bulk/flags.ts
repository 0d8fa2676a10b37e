// The flags of `wm task update` that are about many rows at once.

import { formatValue, ValidationError } from '../../../contract/schema.ts';
import { booleanFlag, type Flag, integerFlag, type ParsedFlags, textFlag } from '../../flag.ts';

export const maxConcurrency = 64;
export const defaultConcurrency = 8;

const perMinute: Flag<number> = {
  help: 'Send at most so many requests: 400 or 400/min, 5/s, 10000/h',
  placeholder: 'N/min',
  parse(given) {
    const text = given.at(-1) ?? given[0];
    const [, count = '', unit = 'min'] = /^(\d{1,7})(?:\/(s|sec|m|min|h|hour))?$/.exec(text) ?? [];
    const number = Number(count) * (unit.startsWith('s') ? 60 : unit.startsWith('h') ? 1 / 60 : 1);
    if (!(number > 0)) throw new ValidationError(formatValue(text), 'is not a rate: 400/min, 5/s or 10000/h');
    return number;
  },
};

/** A rate limit that lasts longer is waited out by --resume. */
export const defaultMaxWaitMs = 15 * 60 * 1000;

const unitMs = { s: 1000, m: 60_000, h: 3_600_000 } as const;

/** In milliseconds. */
const maxWait: Flag<number> = {
  help: 'Wait at most so long for a rate limit (15m); then stop, to be continued with --resume',
  placeholder: 'DURATION',
  parse(given) {
    const text = given.at(-1) ?? given[0];
    const [, count, unit = 's'] = /^(\d{1,7})([smh])?$/.exec(text) ?? [];
    if (count === undefined || !(unit === 's' || unit === 'm' || unit === 'h'))
      throw new ValidationError(formatValue(text), 'is not a duration: 90s (or 90), 15m, 2h');
    return Number(count) * unitMs[unit];
  },
};

export const bulkFlags = {
  from: textFlag('FILE', 'Update a row for each in FILE (- for standard input): CSV or NDJSON, see below'),
  resume: booleanFlag('Continue a run that ended early, or start one where there is nothing to continue'),
  restart: booleanFlag('Discard the journal of a run that ended early, and send every row again'),
  journal: textFlag('FILE', 'Keep the journal of the run in FILE instead of the state folder'),
  errors: textFlag('FILE', 'Write the rows that failed or are invalid to FILE, to be fixed and sent again'),
  concurrency: integerFlag('N', `Send at most N requests at once (${defaultConcurrency})`, 1, maxConcurrency),
  rate: perMinute,
  maxWait,
} as const;

type Given = ParsedFlags<typeof bulkFlags>;
/** Each by its name, so that none is forgotten on the way. */
export type BulkFlags = { readonly [K in keyof Given]-?: Given[K] | undefined };
