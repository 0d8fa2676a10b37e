// `wm emulator fault`: makes the next responses of a running emulator fail, come late, break off or never come.

import { choice, number, object, optional, text } from '../../contract/schema.ts';
import { usageError } from '../../failure.ts';
import type { Column } from '../../terminal/table.ts';
import { command } from '../command.ts';
import { toggle, value, wholeNumber, words } from '../flag.ts';
import { controlCall, controlFlags, listIn, rawIn, toSameEmulator } from './control-call.ts';
import { span } from './span.ts';

const count = number('count');
const fault = object('fault', {
  call: text('call'),
  times: optional(count),
  status: optional(count),
  error: optional(text('error')),
  body: optional(text('body')),
  delayMs: optional(count),
  cutAfter: optional(count),
  when: optional(text('moment')),
});
type Waiting = ReturnType<typeof fault.validate>;

const columns: readonly Column<Waiting>[] = [
  { title: 'call', cell: (one) => one.call },
  { title: 'times', cell: (one) => String(one.times ?? 1) },
  {
    title: 'what',
    cell: ({ status, error, body, delayMs, cutAfter }) =>
      [
        status === undefined ? '' : `${status}${error === undefined ? '' : ` ${error}`}`,
        body === undefined ? '' : 'a body of its own',
        delayMs === undefined ? '' : `${delayMs} ms late`,
        cutAfter === undefined ? '' : `cut after ${cutAfter} bytes`,
      ]
        .filter(Boolean)
        .join(', ') || 'silence',
  },
  { title: 'when', cell: (one) => one.when ?? '' },
];

export default command({
  showsRequests: true,
  examples: [
    {
      does: 'The next two updates fail, and change nothing',
      line: 'wm emulator fault updateTask --status 503 --times 2',
    },
    {
      does: 'Tokens rotate, and the response is lost',
      line: 'wm emulator fault token --cut-after 0 --when after',
    },
    {
      does: 'A token response without a host',
      line: `wm emulator fault token --body '{"access_token":"a","token_type":"bearer","expires_in":3600}'`,
    },
    { does: 'Those that have not happened yet', line: 'wm emulator fault' },
    { does: 'Remove them all', line: 'wm emulator fault --clear' },
  ],
  details: `CALL is an operation by its name (updateTask, createWebhook, getAccount...), or authorize, token, convert, any.`,
  columns,
  arguments: { call: { help: 'which request fails', optional: true } },
  flags: {
    status: wholeNumber('STATUS', 'Respond with this status (200 with --body)', 200, 599),
    error: words('WORD', 'The error code in its body'),
    body: { ...words('TEXT', 'The body, instead of an error: text, @FILE, or -'), mayBeFile: true },
    contentType: words(
      'TYPE',
      'The content type of the body (default: application/json if it is JSON, else text/plain)',
    ),
    retryAfter: wholeNumber('SECONDS', 'Send this Retry-After', 0, 86_400),
    delay: span('Delay the response by this much'),
    cutAfter: wholeNumber(
      'BYTES',
      'Break the connection after this many bytes of the response; 0: at once',
      0,
      1_000_000,
    ),
    silence: toggle('Never respond'),
    times: wholeNumber('N', 'How many responses fail (1)', 1, 1_000_000),
    when: value(
      choice('moment', ['before', 'after']),
      'MOMENT',
      'before or after the request has its effect',
    ),
    clear: toggle('Remove all faults'),
    ...controlFlags,
  },
  async run({ arguments: { call }, flags }, context) {
    const { url, delay, clear, ...others } = flags;
    const { status, error, body, contentType, retryAfter, cutAfter, silence, when, times } = others;
    const wish = {
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
    const given = Object.fromEntries(Object.entries(wish).filter(([, one]) => one !== undefined));
    const harm = [status, body, delay, cutAfter, silence].some((one) => one !== undefined);
    if (call === undefined ? Object.keys(given).length > 0 : !harm) {
      throw usageError(
        call === undefined ? 'Which request is to fail?' : `What is to happen to ${call}?`,
        `As in: ${toSameEmulator('fault updateTask --status 503', url, context.world)}`,
      );
    }
    const answer = await controlCall(
      context,
      url,
      clear
        ? { method: 'DELETE', path: '/faults' }
        : call === undefined
          ? { method: 'GET', path: '/faults' }
          : { method: 'POST', path: '/faults', body: { call, ...given } },
    );
    if (answer === undefined) return;
    const records = listIn(answer, 'faults', fault);
    await context.report.list({ columns, records, raw: rawIn(answer, 'faults') });
    if (records.length === 0) await context.report.info('No faults are waiting.');
  },
});
