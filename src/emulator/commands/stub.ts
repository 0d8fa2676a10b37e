// `wm emulator stub`: a response of your own to requests that a running emulator does not have.

import { command } from '#cli/command.ts';
import { booleanFlag, integerFlag } from '#cli/flags/flag.ts';
import { number, object, optional, text } from '#contract/schema.ts';
import { usageError } from '#failure.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { Column } from '#terminal/table.ts';
import {
  anyValue,
  controlFlags,
  formatEmulatorCommand,
  reportList,
  sendInjection,
} from './control-request.ts';
import { injectedBodyFlags, toInjectedBody } from './injected-body-flags.ts';

const stub = object('stub', {
  request: text('request'),
  status: optional(number('status')),
  body: optional(text('body')),
  json: anyValue,
  count: optional(number('count')),
});
type Stub = ReturnType<typeof stub.validate>;

const pipeColumns: readonly Column<Stub>[] = [
  { title: 'request', cell: (one) => one.request },
  { title: 'status', cell: (one) => String(one.status ?? 200) },
  { title: 'count', cell: (one) => (one.count === undefined ? 'always' : String(one.count)) },
  { title: 'body', cell: ({ body, json }) => (json === undefined ? (body ?? '') : JSON.stringify(json)) },
];

export default command({
  sendsRequests: true,
  changes: 'the emulator',
  examples: [
    {
      description: 'Respond to requests for approvals',
      command: `wm emulator stub GET '/tasks/{id}/approvals' --json-body '{"kind":"approvals","data":[]}'`,
    },
    {
      description: 'Respond twice with what is in a file',
      command: 'wm emulator stub POST /approvals --json-body @approval.json --count 2',
    },
    { description: 'Reject a request', command: "wm emulator stub DELETE '/approvals/*' --status 403" },
    { description: 'List the stubs', command: 'wm emulator stub' },
    { description: 'Remove all stubs', command: 'wm emulator stub --clear' },
  ],
  details: `PATH is what follows /api/v4, or a whole path that begins with /api/ or /oauth2/. In it, * and {id} stand for one
segment, ** for anything. METHOD may be any. Of several stubs that match, the latest responds; it checks neither token nor
parameters.

A stub responds only to what the emulator does not have. To replace a response of the emulator, use \`wm emulator fault\`.`,
  pipeColumns,
  arguments: {
    method: { help: 'the method, or any', optional: true },
    path: { help: 'the path, which may contain * and {id}', optional: true },
  },
  flags: {
    status: integerFlag('STATUS', 'Respond with this status (default: 200)', 200, 599),
    ...injectedBodyFlags,
    count: integerFlag('N', 'Respond to this many requests (default: always)', 1, 1_000_000),
    clear: booleanFlag('Remove all stubs'),
    ...controlFlags,
  },
  async run({ arguments: { method, path }, flags }, context) {
    const { url, clear, status, count, ...rest } = flags;
    const given = { ...omitUndefined({ status }), ...toInjectedBody(rest), ...omitUndefined({ count }) };
    const example = (words: string) => `For example: ${formatEmulatorCommand(context, words, url)}`;
    if (clear && (method !== undefined || Object.keys(given).length > 0))
      throw usageError('--clear cannot be combined with a stub: it removes all of them');
    if (method !== undefined && path === undefined)
      throw usageError('Missing: PATH', example('stub GET /approvals --status 200'));
    if (method === undefined && Object.keys(given).length > 0)
      throw usageError('Missing: METHOD and PATH', example('stub GET /approvals --status 200'));
    const body = method === undefined ? undefined : { request: `${method.toUpperCase()} ${path}`, ...given };
    const response = await sendInjection(context, flags, '/stubs', body);
    if (response === undefined) return;
    await reportList(context, response, ['stubs', stub, pipeColumns], { none: 'No stubs.' });
  },
});
