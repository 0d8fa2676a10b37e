// `wm emulator stub`: a response of your own to requests that a running emulator does not have, or with a certain query or body.

import { command } from '#cli/command.ts';
import { booleanFlag, type Flag, integerFlag } from '#cli/flags/flag.ts';
import type { Column } from '#terminal/table.ts';
import { headerLine, type Stub, stubSchema } from '../http/injections.ts';
import { controlFlags, reportList, sendInjection } from './control-request.ts';
import { injectedBodyFlags, jsonFlag, toInjectedBody } from './json-flags.ts';

const pipeColumns: readonly Column<Stub>[] = [
  { title: 'request', cell: ({ request }) => request },
  {
    title: 'status',
    cell: (stub) => (stub.responses ?? [stub]).map(({ status = 200 }) => status).join(', '),
  },
  { title: 'count', cell: ({ count = 'always' }) => String(count) },
  { title: 'body', cell: ({ body, json }) => (json === undefined ? (body ?? '') : JSON.stringify(json)) },
];

/** Repeated, one line each: a value may have commas. */
const headerFlag: Flag<readonly string[]> = {
  help: 'Respond with this header (repeat it for more)',
  placeholder: 'NAME:VALUE',
  repeats: true,
  parse: (lines) => lines.map((line) => headerLine.validate(line)),
};

export default command({
  sendsRequests: true,
  changes: 'the emulator',
  examples: {
    'Respond to requests for approvals': `wm emulator stub GET '/tasks/{id}/approvals' --json-body '{"kind":"approvals","data":[]}'`,
    'Respond twice with the content of a file':
      'wm emulator stub POST /approvals --json-body @approval.json --count 2',
    'Respond to a parameter that the emulator does not know': `wm emulator stub GET '/tasks?customRoles=*' --json-body '{"kind":"tasks","data":[]}'`,
    'Respond to one title only': `wm emulator stub POST '/folders/*/tasks' --with-body '{"title":"Taken"}' --status 403`,
    'Respond with 503, then always with a list': `wm emulator stub GET /approvals --responses '[{"status":503},{"json":{"kind":"approvals","data":[]}}]'`,
    'Reject a request': "wm emulator stub DELETE '/approvals/*' --status 403",
    'List the stubs': 'wm emulator stub',
    'Remove all stubs': 'wm emulator stub --clear',
  },
  details: `PATH is what follows /api/v4, or a full path that begins with /api/ or /oauth2/. In it, * and {id} stand for one
segment, ** for anything. METHOD may be any. After a question mark it may name parameters of the query, with a value or *; a
blank is written %20, and the other parameters of a request do not matter. Of several stubs that match, the latest responds; it checks
neither token nor parameters. With a STATUS of 400 or more and no body, it responds with the usual error.

A stub without a query or --with-body responds only to requests that the emulator does not have. To replace any response of
the emulator, use \`wm emulator fault\`.

Each entry of --responses may have status, json, body, contentType, headers, retryAfter and delayMs. The last one stays.`,
  pipeColumns,
  arguments: {
    method: { help: 'the method, or any', optional: true },
    path: { help: 'the path, which may contain * and {id}', optional: true },
  },
  flags: {
    withBody: jsonFlag('Only requests whose body, JSON or a form, has these members'),
    status: integerFlag('STATUS', 'Respond with this status (default: 200)', 200, 599),
    ...injectedBodyFlags,
    header: headerFlag,
    responses: jsonFlag('Respond with these one after the other, a JSON list'),
    count: integerFlag('N', 'Respond to this many requests (default: always)', 1, 1_000_000),
    clear: booleanFlag('Remove all stubs'),
    ...controlFlags,
  },
  async run({ arguments: { method, path }, flags }, context) {
    const { withBody, status, responses, count, header: headers, ...rest } = flags;
    const request = method === undefined ? undefined : `${method.toUpperCase()} ${path}`;
    const stub = { request, withBody, status, headers, responses, ...toInjectedBody(rest), count };
    const missing = method === undefined ? 'Missing: METHOD and PATH' : 'Missing: PATH';
    const problem = path === undefined ? missing : undefined;
    const example = 'GET /approvals --status 200';
    const response = await sendInjection(context, flags.clear, 'stub', stub, problem, example);
    await reportList(context, response, ['stubs', stubSchema, pipeColumns], { none: 'No stubs.' });
  },
});
