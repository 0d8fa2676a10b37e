// `wm emulator requests`: what came in at a running emulator; with --expect, a check for shell tests.

import { command } from '#cli/command.ts';
import type { Context } from '#cli/context.ts';
import {
  booleanFlag,
  entriesFlag,
  type Flag,
  integerFlag,
  type ParsedFlags,
  textFlag,
} from '#cli/flags/flag.ts';
import {
  formatValue,
  number,
  object,
  optional,
  readLeniently,
  text,
  ValidationError,
} from '#contract/schema.ts';
import { Failure, usageError } from '#failure.ts';
import type { Column } from '#terminal/table.ts';
import { type Expectation, findUnmet } from '../http/unmet-expectations.ts';
import {
  formatEmulatorCommand,
  listFlags,
  readList,
  readRawList,
  reportList,
  sendControlRequest,
  withQuery,
} from './control-request.ts';

function parseExpectation(entry: unknown): Expectation {
  const [, name, count] = /^(\w+)=(\d{1,9})$/.exec(String(entry)) ?? [];
  if (name === undefined)
    throw new ValidationError(formatValue(entry), 'is not of the form NAME=COUNT, as in updateTask=1');
  return { name, count: Number(count) };
}

const expectFlag: Flag<readonly Expectation[]> = entriesFlag(
  parseExpectation,
  'NAME=COUNT',
  'Print nothing; exit with status 10 unless there were exactly so many requests of this operation',
);

const plain = text('text');
const logged = object('request', {
  number: number('number'),
  date: plain,
  operation: plain,
  method: plain,
  path: plain,
  query: plain,
  status: optional(number('status')),
  error: optional(plain),
  reason: optional(plain),
  injected: optional(plain),
});
export type LoggedRequest = ReturnType<typeof logged.validate>;

const counts = object('requests', { removed: number('count'), last: number('number') });
const countsIn = (response: unknown) => readLeniently(counts, response);

const pipeColumns: readonly Column<LoggedRequest>[] = [
  { title: 'number', cell: (one) => String(one.number) },
  { title: 'date', cell: (one) => one.date },
  { title: 'method', cell: (one) => one.method },
  { title: 'path', cell: ({ path, query }) => (query === '' ? path : `${path}?${query}`) },
  { title: 'operation', cell: (one) => one.operation },
  { title: 'status', cell: (one) => (one.status === undefined ? 'none' : String(one.status)) },
  {
    title: 'reason',
    cell: ({ error, reason, injected }) =>
      [injected === undefined ? '' : `a ${injected}`, error ?? '', reason ?? ''].filter(Boolean).join(': '),
  },
];

const rows = ['requests', logged, pipeColumns] as const;

const flags = {
  operation: textFlag('NAME,...', 'Only these operations, such as updateTask or token'),
  rejected: booleanFlag('Only those with an error response, which the last column explains'),
  since: integerFlag('NUMBER', 'Only those after the request with this number', 0, 999_999_999_999),
  follow: booleanFlag('Then print each request that comes in, until you press Ctrl-C', { short: 'f' }),
  expect: expectFlag,
  clear: booleanFlag('Remove all requests from the log'),
  ...listFlags,
} as const;

export default command({
  sendsRequests: true,
  changes: 'the emulator',
  examples: [
    { description: 'Show what a program sends, as it sends it', command: 'wm emulator requests --follow' },
    {
      description: 'Show why requests were rejected',
      command: 'wm emulator requests --rejected',
    },
    {
      description: 'In a test: exit with status 10 unless there was exactly one update and no new task',
      command: 'wm emulator requests --expect updateTask=1 --expect createTask=0',
    },
    { description: 'Before each test', command: 'wm emulator requests --clear' },
  ],
  details: `Lists what came in since the start, a reset or --clear, the oldest first; at least the latest 1,000. --json has
headers and bodies too, each up to 4,000 characters. Tokens, codes and secrets are not in it, and neither are control requests, nor
what is not HTTP. The operation is the name that \`wm emulator fault\` takes; stub for what a stub responded to, none for what the
emulator does not have.

--expect NAME=COUNT counts the requests that the other flags leave, whatever their responses; any=COUNT counts all of them.`,
  pipeColumns,
  arguments: {},
  flags,
  async run({ flags: given }, context) {
    const { clear, expect, follow, long, since = 0 } = given;
    assertCombinable(given);
    if (clear) {
      const response = await sendControlRequest(context, given.url, { method: 'DELETE', path: '/requests' });
      if (response !== undefined) await context.report.info('The log of requests is empty.');
      return;
    }
    const response = await read(context, given, since);
    if (response === undefined) return;
    if (follow) await followRequests(context, given, response);
    else if (expect === undefined) await reportList(context, response, rows, { none: 'No requests.', long });
    else {
      assertMet(context, given, expect, response);
      await context.report.info('As expected.');
    }
  },
});

type Given = ParsedFlags<typeof flags>;

function assertCombinable({ clear, expect, follow, operation, rejected, since }: Given): void {
  if (clear && [expect, follow, operation, rejected, since].some((one) => one !== undefined))
    throw usageError('--clear cannot be combined with other flags: it removes all requests');
  if (expect !== undefined && follow) throw usageError('--expect cannot be combined with --follow');
  if (expect !== undefined && operation !== undefined)
    throw usageError(
      '--expect cannot be combined with --operation',
      'Leave --operation out: --expect names them.',
    );
}

function read(
  context: Context,
  { url, operation, rejected, expect }: Given,
  since: number,
): Promise<unknown> {
  // The emulator knows the names: a misspelt one would count nothing.
  const names = operation ?? (expect && [...new Set(expect.map(({ name }) => name))].join(','));
  const query = new URLSearchParams({
    ...(since > 0 && { since: String(since) }),
    ...(names && { operation: names }),
    ...(rejected && { rejected: 'true' }),
  });
  return sendControlRequest(context, url, { method: 'GET', path: withQuery('/requests', query) });
}

/** @throws {Failure} `check_failed` if a count differs. */
function assertMet(
  context: Context,
  { url }: Given,
  expected: readonly Expectation[],
  response: unknown,
): void {
  const { removed } = countsIn(response);
  if (removed > 0)
    throw new Failure('other', {
      message: `The requests cannot be counted: ${removed} are no longer in the log`,
      hint: `Count fewer: clear the log before the test (${formatEmulatorCommand(context, 'requests --clear', url)}), or give --since.`,
    });
  const unmet = findUnmet(expected, readList(response, 'requests', logged));
  if (unmet.length === 0) return;
  throw new Failure('check_failed', {
    message: unmet.join('; '),
    hint: `To see the requests: ${formatEmulatorCommand(context, 'requests', url)}`,
  });
}

const followMs = 250;

async function followRequests(context: Context, given: Given, first: unknown): Promise<void> {
  const { world, report } = context;
  const show = (response: unknown) =>
    report.each({
      columns: pipeColumns,
      records: readList(response, 'requests', logged),
      raw: readRawList(response, 'requests'),
    });
  await show(first);
  context.beginFollowing();
  let last = countsIn(first).last;
  while (!world.streams.output.isReaderGone) {
    await world.clock.sleep(followMs);
    const response = await read(context, given, last);
    const now = countsIn(response).last;
    // Another emulator counts from the start.
    if (now < last) last = 0;
    else {
      await show(response);
      last = now;
    }
  }
}
