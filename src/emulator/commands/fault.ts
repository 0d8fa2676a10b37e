// `wm emulator fault`: makes the next responses of a running emulator fail, be late, be cut off or never come.

import { command } from '#cli/command.ts';
import { booleanFlag, integerFlag, textFlag, valueFlag } from '#cli/flags/flag.ts';
import { choice } from '#contract/schema.ts';
import type { Column } from '#terminal/table.ts';
import { describeEffect, type Fault, faultSchema } from '../http/injections.ts';
import { controlFlags, reportList, sendInjection } from './control-request.ts';
import { injectedBodyFlags, toInjectedBody } from './json-flags.ts';

const pipeColumns: readonly Column<Fault>[] = [
  { title: 'request', cell: ({ request }) => request },
  { title: 'times', cell: ({ times }) => String(times) },
  { title: 'what', cell: describeEffect },
  { title: 'when', cell: ({ when = '' }) => when },
];

export default command({
  sendsRequests: true,
  changes: 'the emulator',
  examples: {
    'Make the next two updates fail and change nothing':
      'wm emulator fault updateTask --status 503 --count 2',
    'Rotate the tokens, but lose the response': 'wm emulator fault token --cut-after 0 --when after',
    'Respond to a token request without a host': `wm emulator fault token --json-body '{"access_token":"a","token_type":"bearer","expires_in":3600}'`,
    'Make the next request below a task fail, such as for its comments':
      "wm emulator fault '/tasks/IEAAAAAQKQAB5BNG/*' --status 500",
    'List the pending faults': 'wm emulator fault',
    'Remove all faults': 'wm emulator fault --clear',
  },
  details: `REQUEST is the name of an operation (updateTask, createWebhook, getAccount...), authorize, token, convert or any. Or it is
a path, with or without a method: 'PUT /tasks/{id}'. The path is what follows /api/v4, or a full path that begins with /api/ or
/oauth2/. In it, * and {id} stand for one segment, ** for anything; after a question mark it may name parameters of the query.`,
  pipeColumns,
  arguments: { request: { help: 'the request to make fail', optional: true } },
  firstFlags: ['status', 'error', 'jsonBody', 'delay', 'cutAfter', 'silence', 'count', 'when', 'clear'],
  flags: {
    status: integerFlag('STATUS', 'Respond with this status (default with a body: 200)', 200, 599),
    error: textFlag('CODE', 'Respond with this error code'),
    ...injectedBodyFlags,
    cutAfter: integerFlag(
      'BYTES',
      'Close the connection after this many bytes of the response',
      0,
      1_000_000,
    ),
    silence: booleanFlag('Never respond'),
    emptyPage: booleanFlag('Add an empty page to the last one of a list; the page after it is rejected'),
    count: {
      ...integerFlag('N', 'Make this many responses fail (default: 1; also: --times)', 1, 1_000_000),
      alias: 'times',
    },
    when: valueFlag(
      choice('moment', ['before', 'after']),
      'MOMENT',
      'Fail before or after the request takes effect: before or after',
    ),
    clear: booleanFlag('Remove all faults'),
    ...controlFlags,
  },
  async run({ arguments: { request }, flags }, context) {
    const { status, error, cutAfter, silence, emptyPage, when, count: times, ...rest } = flags;
    const own = { request, status, error, cutAfter, silence, emptyPage, when, times };
    const fault = { ...own, ...toInjectedBody(rest) };
    const effects = [status, fault.body, fault.json, fault.delayMs, cutAfter, silence, emptyPage];
    const missing = effects.some((effect) => effect !== undefined)
      ? undefined
      : `No failure given for ${request}`;
    const problem = request === undefined ? 'Missing: REQUEST' : missing;
    const example = 'updateTask --status 503';
    const response = await sendInjection(context, flags.clear, 'fault', fault, problem, example);
    await reportList(context, response, ['faults', faultSchema, pipeColumns], { none: 'No pending faults.' });
  },
});
