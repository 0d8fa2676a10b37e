// `wm emulator requests`: lists the requests that a running emulator received; with --expect, checks their number in a test.

import type { Context } from '#cli/context.ts';
import { booleanFlag, entriesFlag, integerFlag, type ParsedFlags, textFlag } from '#cli/flags/flag.ts';
import { invalidValue, number, object, readLeniently, type TypeOf } from '#contract/schema.ts';
import { Failure, usageError } from '#failure.ts';
import type { Column } from '#terminal/table.ts';
import { describeNoted, type Expectation, findUnmet } from '../http/check-requests.ts';
import { requestSchema } from '../http/request-log.ts';
import { controlCommand, listOf } from './control-command.ts';
import { type ControlCall, formatEmulatorCommand, readList, sendControlRequest } from './control-request.ts';

function parseExpectation(entry: unknown): Expectation {
  const [, name, count] = /^(\w+)=(\d{1,9})$/.exec(String(entry)) ?? [];
  if (name === undefined) throw invalidValue(entry, 'is not of the form NAME=COUNT, as in updateTask=1');
  return { name, count: Number(count) };
}

const counts = object('requests', { removed: number('count'), last: number('number') });
const countsIn = (response: unknown) => readLeniently(counts, response);

const pipeColumns: readonly Column<TypeOf<typeof requestSchema>>[] = [
  { title: 'number', cell: (request) => String(request.number) },
  { title: 'date', cell: ({ date }) => date },
  { title: 'method', cell: ({ method }) => method },
  { title: 'path', cell: ({ path, query }) => (query === '' ? path : `${path}?${query}`) },
  { title: 'operation', cell: ({ operation }) => operation },
  { title: 'status', cell: ({ status = 'none' }) => String(status) },
  {
    title: 'reason',
    cell: ({ error, reason, injected }) =>
      [injected && `a ${injected}`, error, reason].filter(Boolean).join(': '),
  },
  { title: 'ignored or assumed', cell: describeNoted },
];

const listOr = (none: string) => listOf('requests', requestSchema, pipeColumns, none, true);

const requestFlags = {
  operation: textFlag('NAME,...', 'Only these operations, such as updateTask or token'),
  rejected: booleanFlag('Only requests with an error response, which the column reason explains'),
  ignored: booleanFlag('Only requests of which something was ignored, or that an assumption decided'),
  since: integerFlag('NUMBER', 'Only requests after this number', 0, 999_999_999_999),
  follow: booleanFlag('Then print each request as it arrives, until you press Ctrl-C', { short: 'f' }),
  expect: entriesFlag(
    parseExpectation,
    'NAME=COUNT',
    'Print nothing; exit with status 10 unless there were exactly COUNT requests of this operation',
  ),
  clear: booleanFlag('Remove all requests from the log'),
} as const;

export default controlCommand({
  examples: {
    'Show what a program sends, as it sends it': 'wm emulator requests --follow',
    'Show why requests were rejected': 'wm emulator requests --rejected',
    'Show of which requests something was ignored, or only assumed': 'wm emulator requests --ignored',
    'In a test: exit with status 10 unless there was exactly one update and no new task':
      'wm emulator requests --expect updateTask=1 --expect createTask=0',
    'Before each test': 'wm emulator requests --clear',
  },
  details: `Lists the requests since the start, a reset or --clear, oldest first: at least the latest 1,000. --json includes headers
and bodies, each up to 4,000 characters. Tokens, codes and secrets are redacted. Control requests, and data that is not HTTP, are not
listed. The operation is the name that \`wm emulator fault\` takes; stub if a stub responded, none for an operation that the
emulator does not have.

--expect NAME=COUNT counts the requests that match the other flags, whatever their responses; any=COUNT counts all of them.`,
  flags: requestFlags,
  ...listOr('No requests.'),
  call({ flags }) {
    const { clear, expect, follow, operation, rejected, ignored, since } = flags;
    if (clear && [expect, follow, operation, rejected, ignored, since].some((flag) => flag !== undefined))
      throw usageError('--clear cannot be combined with other flags: it removes all requests');
    if (expect !== undefined && follow) throw usageError('--expect cannot be combined with --follow');
    if (expect !== undefined && operation !== undefined)
      throw usageError('--expect cannot be combined with --operation', 'Leave it out: --expect names them.');
    return clear ? { path: '/requests', method: 'DELETE' } : callOf(flags);
  },
  async print(response, context, input) {
    const { clear, expect, follow, ignored } = input.flags;
    if (clear) return context.report.info('The log of requests is empty.');
    if (follow) return followRequests(context, input.flags, response);
    if (expect !== undefined) {
      assertMet(context, expect, response);
      return context.report.info('As expected.');
    }
    const none = ignored ? 'Nothing was ignored or only assumed of any request.' : 'No requests.';
    await listOr(none).print(response, context, input);
  },
});

type RequestFlags = ParsedFlags<typeof requestFlags>;

function callOf({ operation, rejected, ignored, expect, since }: RequestFlags): ControlCall {
  // The emulator validates the names: a misspelt one would count nothing.
  const names = operation ?? (expect && [...new Set(expect.map(({ name }) => name))].join(','));
  return { path: '/requests', query: { since, operation: names, rejected, ignored } };
}

/** @throws {Failure} `check_failed` if a count differs. */
function assertMet(context: Context, expected: readonly Expectation[], response: unknown): void {
  const { removed } = countsIn(response);
  if (removed > 0)
    throw new Failure('other', {
      message: `The requests cannot be counted: ${removed} are no longer in the log`,
      hint: `Count fewer: clear the log before the test (${formatEmulatorCommand(context, 'requests --clear')}), or give --since.`,
    });
  const unmet = findUnmet(expected, readList(response, 'requests', requestSchema).records);
  if (unmet.length === 0) return;
  throw new Failure('check_failed', {
    message: unmet.join('; '),
    hint: `To see the requests: ${formatEmulatorCommand(context, 'requests')}`,
  });
}

const followMs = 250;

async function followRequests(context: Context, flags: RequestFlags, first: unknown): Promise<void> {
  const { world, report } = context;
  const show = (response: unknown) =>
    report.each({ columns: pipeColumns, ...readList(response, 'requests', requestSchema) });
  await show(first);
  context.beginFollowing();
  let last = countsIn(first).last;
  while (!world.streams.output.isReaderGone) {
    await world.clock.sleep(followMs);
    const response = await sendControlRequest(context, callOf({ ...flags, since: last }));
    const latest = countsIn(response).last;
    // Another emulator was started: it counts from the start.
    if (latest >= last) await show(response);
    last = latest < last ? 0 : latest;
  }
}
