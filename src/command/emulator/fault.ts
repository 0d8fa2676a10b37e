// `wm emulator fault`: makes the next responses of a running emulator fail, be late, be cut off or never come.

import { choice, number, object, optional, text } from '../../contract/schema.ts';
import { usageError } from '../../failure.ts';
import type { Column } from '../../terminal/table.ts';
import { command } from '../command.ts';
import { booleanFlag, integerFlag, textFlag, valueFlag } from '../flag.ts';
import {
  controlFlags,
  formatEmulatorCommand,
  readList,
  readRawList,
  sendControlRequest,
} from './control-request.ts';
import { durationFlag } from './duration.ts';

const count = number('count');
const fault = object('fault', {
  request: text('request'),
  times: count,
  status: optional(count),
  error: optional(text('error')),
  body: optional(text('body')),
  delayMs: optional(count),
  cutAfter: optional(count),
  when: optional(text('moment')),
});
type PendingFault = ReturnType<typeof fault.validate>;

const pipeColumns: readonly Column<PendingFault>[] = [
  { title: 'request', cell: (one) => one.request },
  { title: 'times', cell: (one) => String(one.times) },
  {
    title: 'what',
    cell: ({ status, error, body, delayMs, cutAfter }) =>
      [
        status === undefined ? '' : `${status}${error === undefined ? '' : ` ${error}`}`,
        body === undefined ? '' : 'a custom body',
        delayMs === undefined ? '' : `delayed by ${delayMs} ms`,
        cutAfter === undefined ? '' : `cut after ${cutAfter} bytes`,
      ]
        .filter(Boolean)
        .join(', ') || 'no response',
  },
  { title: 'when', cell: (one) => one.when ?? '' },
];

export default command({
  sendsRequests: true,
  changes: 'the emulator',
  examples: [
    {
      description: 'Make the next two updates fail and change nothing',
      command: 'wm emulator fault updateTask --status 503 --times 2',
    },
    {
      description: 'Rotate the tokens, but lose the response',
      command: 'wm emulator fault token --cut-after 0 --when after',
    },
    {
      description: 'Respond to a token request without a host',
      command: `wm emulator fault token --body '{"access_token":"a","token_type":"bearer","expires_in":3600}'`,
    },
    { description: 'List the pending faults', command: 'wm emulator fault' },
    { description: 'Remove all faults', command: 'wm emulator fault --clear' },
  ],
  details: `REQUEST is the name of an operation (updateTask, createWebhook, getAccount...), or authorize, token, convert or any.`,
  pipeColumns,
  arguments: { request: { help: 'the request to make fail', optional: true } },
  flags: {
    status: integerFlag('STATUS', 'Respond with this status (default with --body: 200)', 200, 599),
    error: textFlag('CODE', 'Respond with this error code'),
    body: { ...textFlag('TEXT', 'Respond with this body: text, @FILE, or -'), acceptsFile: true },
    contentType: textFlag(
      'TYPE',
      'The content type of the body (default: application/json for JSON, else text/plain)',
    ),
    retryAfter: integerFlag('SECONDS', 'Respond with this Retry-After header', 0, 86_400),
    delay: durationFlag('Delay the response by this much'),
    cutAfter: integerFlag(
      'BYTES',
      'Close the connection after this many bytes of the response',
      0,
      1_000_000,
    ),
    silence: booleanFlag('Never respond'),
    times: integerFlag('N', 'Make this many responses fail (default: 1)', 1, 1_000_000),
    when: valueFlag(
      choice('moment', ['before', 'after']),
      'MOMENT',
      'Fail before or after the request takes effect: before or after',
    ),
    clear: booleanFlag('Remove all faults'),
    ...controlFlags,
  },
  async run({ arguments: { request: operation }, flags }, context) {
    const { url, delay, clear, ...others } = flags;
    const { status, error, body, contentType, retryAfter, cutAfter, silence, when, times } = others;
    const requested = {
      status,
      error,
      body,
      contentType,
      retryAfter,
      cutAfter,
      silence,
      when,
      times,
      delayMs: delay,
    };
    const given = Object.fromEntries(Object.entries(requested).filter(([, one]) => one !== undefined));
    const hasEffect = [status, body, delay, cutAfter, silence].some((one) => one !== undefined);
    if (operation === undefined ? Object.keys(given).length > 0 : !hasEffect) {
      throw usageError(
        operation === undefined ? 'Missing: REQUEST' : `No failure given for ${operation}`,
        `For example: ${formatEmulatorCommand('fault updateTask --status 503', url, context.world)}`,
      );
    }
    const response = await sendControlRequest(
      context,
      url,
      clear
        ? { method: 'DELETE', path: '/faults' }
        : operation === undefined
          ? { method: 'GET', path: '/faults' }
          : { method: 'POST', path: '/faults', body: { request: operation, ...given } },
    );
    if (response === undefined) return;
    const records = readList(response, 'faults', fault);
    await context.report.list({ columns: pipeColumns, records, raw: readRawList(response, 'faults') });
    if (records.length === 0) await context.report.info('No pending faults.');
  },
});
