// `wm emulator stub`: a response of your own to requests that a running emulator does not have.

import { command } from '#cli/command.ts';
import { booleanFlag, integerFlag } from '#cli/flags/flag.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { Column } from '#terminal/table.ts';
import { type Stub, stubSchema } from '../http/injections.ts';
import { controlFlags, reportList, sendInjection } from './control-request.ts';
import { injectedBodyFlags, toInjectedBody } from './injected-body-flags.ts';

const pipeColumns: readonly Column<Stub>[] = [
  { title: 'request', cell: ({ request }) => request },
  { title: 'status', cell: ({ status = 200 }) => String(status) },
  { title: 'count', cell: ({ count = 'always' }) => String(count) },
  { title: 'body', cell: ({ body, json }) => (json === undefined ? (body ?? '') : JSON.stringify(json)) },
];

export default command({
  sendsRequests: true,
  changes: 'the emulator',
  examples: {
    'Respond to requests for approvals': `wm emulator stub GET '/tasks/{id}/approvals' --json-body '{"kind":"approvals","data":[]}'`,
    'Respond twice with the content of a file':
      'wm emulator stub POST /approvals --json-body @approval.json --count 2',
    'Reject a request': "wm emulator stub DELETE '/approvals/*' --status 403",
    'List the stubs': 'wm emulator stub',
    'Remove all stubs': 'wm emulator stub --clear',
  },
  details: `PATH is what follows /api/v4, or a full path that begins with /api/ or /oauth2/. In it, * and {id} stand for one
segment, ** for anything. METHOD may be any. Of several stubs that match, the latest responds; it checks neither token nor
parameters.

A stub responds only to requests that the emulator does not have. To replace a response of the emulator, use \`wm emulator fault\`.`,
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
    const { status, count, ...rest } = flags;
    const request = method === undefined ? undefined : `${method.toUpperCase()} ${path}`;
    const stub = {
      ...omitUndefined({ request, status }),
      ...toInjectedBody(rest),
      ...omitUndefined({ count }),
    };
    const missing = method === undefined ? 'Missing: METHOD and PATH' : 'Missing: PATH';
    const problem = path === undefined ? missing : undefined;
    const example = 'GET /approvals --status 200';
    const response = await sendInjection(context, flags, 'stub', stub, problem, example);
    await reportList(context, response, ['stubs', stubSchema, pipeColumns], { none: 'No stubs.' });
  },
});
