// The rows of failure.ts: docs/exit-statuses.md lists each code beside its exit status, and the columns do not contradict each other or
// what the rest of `wm` makes of them.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { outcomeOfFailure } from '#bulk/row.ts';
import { exitStatuses } from '#cli/exit-statuses.ts';
import {
  commandHint,
  errorMessage,
  Failure,
  failureMeanings,
  isFailureCode,
  joinHints,
  toFailure,
} from '#failure.ts';
import { readFailureTables } from '#test/support/failure-tables.ts';
import { allExitStatuses } from '#test/witness/errors.ts';

const codes = Object.keys(failureMeanings).filter(isFailureCode);

test('docs/exit-statuses.md lists every code of --json with its exit status, and nothing else', async () => {
  const page = await readFile('docs/exit-statuses.md', 'utf8');
  const listed = [...page.matchAll(/^\| (\d+) +\| ([^|]*)\|/gm)].map(([, status, names = '']) => ({
    exit: Number(status),
    codes: [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name).toSorted(),
  }));
  const exits = [...new Set(codes.map((code) => failureMeanings[code].exit))].toSorted((a, b) => a - b);
  const ours = exits.map((exit) => ({
    exit,
    codes: codes.filter((code) => failureMeanings[code].exit === exit).toSorted(),
  }));
  assert.deepEqual(
    listed.filter(({ exit }) => exit !== 0).toSorted((a, b) => a.exit - b.exit),
    ours,
    'Correct docs/exit-statuses.md',
  );
  assert.deepEqual(
    listed.find(({ exit }) => exit === 0),
    { exit: 0, codes: [] },
  );
});

test('docs/exit-statuses.md and wm help describe each exit status the same way', async () => {
  const page = await readFile('docs/exit-statuses.md', 'utf8');
  for (const [status, meaning] of Object.entries(exitStatuses))
    assert.match(
      page,
      new RegExp(`^\\| ${status} +\\| [^|]*\\| ${meaning} *\\|$`, 'm'),
      `docs/exit-statuses.md says something else of exit status ${status}: ${meaning}`,
    );
});

test('the codes use every known exit status, and no other', () => {
  const exits = new Set([0, ...codes.map((code) => failureMeanings[code].exit)]);
  assert.deepEqual(
    [...exits].toSorted((a, b) => a - b),
    allExitStatuses,
  );
});

test('an exit status that promises no change has only codes that promise it', () => {
  for (const code of codes) {
    const { exit, changed } = failureMeanings[code];
    if (exit >= 2 && exit <= 7) assert.equal(changed, 'no', code);
    if (exit === 9) assert.equal(changed, 'unknown', code);
  }
});

test('docs/decisions/failures.md says what each kind of command does after each code', async () => {
  const ours = codes.map((code) => {
    const { exitStatus, reactions } = new Failure(code, { message: '' });
    return [`\`${code}\``, [String(exitStatus), reactions.bulk, reactions.watch, reactions.listen]];
  });
  assert.deepEqual([...(await readFailureTables()).codes], ours);
});

test('a copy still cannot be fixed by waiting, unless it has another code', () => {
  const failure = new Failure('network', { message: 'm', retry: 'later' });
  assert.equal(failure.reactions.bulk, 'end');
  assert.equal(failure.with({ message: 'other' }).reactions.bulk, 'end');
  assert.equal(failure.redacted(() => '***').reactions.bulk, 'end');
  assert.equal(failure.with({ code: 'server' }).reactions.bulk, 'wait');
  assert.equal(failure.with({ retry: 'soon' }).reactions.bulk, 'wait');
});

test('the reaction of a bulk run to each code', () => {
  const ours = Object.fromEntries(
    codes.map((code) => {
      const outcome = outcomeOfFailure(new Failure(code, { message: '' }));
      return [code, outcome.kind === 'not-sent' && outcome.isFatal ? 'not-sent, fatal' : outcome.kind];
    }),
  );
  assert.deepEqual(ours, {
    usage: 'invalid',
    read_only: 'not-sent, fatal',
    rejected: 'failed',
    forbidden: 'failed',
    sign_in_needed: 'not-sent, fatal',
    not_found: 'failed',
    rate_limited: 'not-sent, fatal',
    network: 'not-sent',
    too_large: 'failed',
    server: 'not-sent',
    part_failed: 'not-sent, fatal',
    outcome_unknown: 'unknown',
    check_failed: 'not-sent, fatal',
    interrupted: 'not-sent, fatal',
    terminated: 'not-sent, fatal',
    hung_up: 'not-sent, fatal',
    token_store: 'not-sent, fatal',
    bad_response: 'failed',
    other: 'not-sent, fatal',
    internal: 'not-sent, fatal',
  });
});

test('a copy with other details keeps the rest', () => {
  const cause = new Error('cause');
  const details = { message: 'm', why: 'w', hint: 'h', errorCode: 'c', httpStatus: 400, cause };
  const failure = new Failure('rejected', details);
  const copy = failure.with({ message: 'other' });
  assert.deepEqual(
    { ...copy, message: copy.message, cause: copy.cause },
    { ...failure, message: 'other', cause },
  );
  assert.equal(failure.with({ code: 'server' }).code, 'server');
  assert.equal(copy.sentence, 'other: w');
  assert.equal(
    failure.redacted((text) => text),
    failure,
  );
  const redacted = failure.redacted((text) => text.toUpperCase());
  assert.deepEqual(redacted.toJSON(), {
    error: { code: 'C', message: 'M: W', hint: 'H', httpStatus: 400, next: undefined },
  });
  const withNext = failure.with({ hint: joinHints(['look', commandHint('see: ', 'wm whoami', '.')]) });
  assert.equal(withNext.hint, 'look\nsee: wm whoami.');
  assert.equal(withNext.with({ message: 'other' }).next, 'wm whoami');
  assert.equal(withNext.with({ hint: 'no command' }).next, undefined);
  assert.equal(withNext.redacted((text) => text.replace('whoami', '***')).next, 'wm ***');
  assert.equal(redacted.cause, cause);
});

test('any thrown value has a message', () => {
  assert.equal(errorMessage(new RangeError('too much')), 'too much');
  assert.equal(errorMessage('a text'), 'a text');
  assert.equal(errorMessage(undefined), 'undefined');
});

test('a thrown value becomes a failure: of a file, or an internal error', () => {
  const systemError = (syscall: unknown, code: unknown, path?: string) =>
    Object.assign(new Error('as the system said'), {
      syscall,
      code,
      ...(path === undefined ? {} : { path }),
    });
  for (const [thrown, code, sentence] of [
    [systemError('open', 'ENOENT', '/a'), 'other', 'Cannot open /a: it does not exist (ENOENT)'],
    [systemError('write', 'ENOSPC'), 'other', 'Cannot write a file: no space is left on the disk (ENOSPC)'],
    // A process that cannot be started is no file, and neither is a code that we know nothing of.
    [systemError('spawn', 'ENOENT', '/a'), 'internal', 'Error: as the system said'],
    [systemError('open', 'ENOPE', '/a'), 'internal', 'Error: as the system said'],
    [systemError('open', 'constructor', '/a'), 'internal', 'Error: as the system said'],
    [systemError('open', 2, '/a'), 'internal', 'Error: as the system said'],
    [systemError(3, 'ENOENT', '/a'), 'internal', 'Error: as the system said'],
    [new TypeError('x is not a function'), 'internal', 'TypeError: x is not a function'],
    ['a text', 'internal', 'a text'],
    [undefined, 'internal', 'undefined'],
  ] as const) {
    const failure = toFailure(thrown);
    assert.deepEqual([failure.code, failure.sentence], [code, sentence]);
    assert.equal(failure.cause, thrown);
  }
  const failure = new Failure('usage', { message: 'm' });
  assert.equal(toFailure(failure), failure);
});
