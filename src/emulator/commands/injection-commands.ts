// `wm emulator fault` and `wm emulator stub`: what a user injects into a running emulator.

import type { Context } from '#cli/context.ts';
import { durationFlag } from '#cli/flags/entry-flags.ts';
import * as flag from '#cli/flags/flag.ts';
import { choice } from '#contract/schema.ts';
import { usageError } from '#failure.ts';
import { describeEffect, faultSchema, headerLine, stubSchema } from '../http/injections.ts';
import { controlCommand, incomplete, jsonFlag, listOf } from './control-command.ts';
import type { ControlCall } from './control-request.ts';

const injectedBodyFlags = {
  jsonBody: jsonFlag('Respond with this JSON', '; --body takes any text'),
  body: { ...flag.textFlag('TEXT', 'Respond with this body: text, @FILE, or -'), acceptsFile: true },
  contentType: flag.textFlag(
    'TYPE',
    'The content type of the body (default: application/json for JSON, else text/plain)',
  ),
  retryAfter: flag.integerFlag('SECONDS', 'Respond with this Retry-After header', 0, 86_400),
  delay: durationFlag('Delay the response by this much'),
} as const;

function toInjectedBody(flags: flag.ParsedFlags<typeof injectedBodyFlags>) {
  const { jsonBody: json, body, contentType, retryAfter, delay: delayMs } = flags;
  return { body, json, contentType, retryAfter, delayMs };
}

/** Lists faults or stubs, adds one, or removes all. `problem`: what the injection lacks. */
function inject(
  context: Context,
  clear: boolean | undefined,
  kind: 'fault' | 'stub',
  injection: Readonly<Record<string, unknown>>,
  problem: string | undefined,
  example: string,
): ControlCall {
  const path = `/${kind}s` as const;
  const isEmpty = Object.values(injection).every((member) => member === undefined);
  if (isEmpty) return { path, ...(clear && { method: 'DELETE' }) };
  if (clear) throw usageError(`--clear cannot be combined with a ${kind}: it removes all of them`);
  if (problem !== undefined) throw incomplete(context, problem, `${kind} ${example}`);
  return { path, body: injection };
}

/** Repeated, one line each: a value may have commas. */
const headerFlag: flag.Flag<readonly string[]> = {
  help: 'Respond with this header (repeat it for more)',
  placeholder: 'NAME:VALUE',
  repeats: true,
  parse: (lines) => lines.map((line) => headerLine.validate(line)),
};

export const injectionCommands = {
  fault: controlCommand({
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
    arguments: { request: { help: 'the request to make fail', optional: true } },
    firstFlags: ['status', 'error', 'jsonBody', 'delay', 'cutAfter', 'silence', 'count', 'when', 'clear'],
    flags: {
      status: flag.integerFlag('STATUS', 'Respond with this status (default with a body: 200)', 200, 599),
      error: flag.textFlag('CODE', 'Respond with this error code'),
      ...injectedBodyFlags,
      cutAfter: flag.integerFlag(
        'BYTES',
        'Close the connection after this many bytes of the response',
        0,
        1_000_000,
      ),
      silence: flag.booleanFlag('Never respond'),
      emptyPage: flag.booleanFlag(
        'Add an empty page to the last one of a list; the page after it is rejected',
      ),
      count: {
        ...flag.integerFlag('N', 'Make this many responses fail (default: 1; also: --times)', 1, 1_000_000),
        alias: 'times',
      },
      when: flag.valueFlag(
        choice('moment', ['before', 'after']),
        'MOMENT',
        'Fail before or after the request takes effect: before or after',
      ),
      clear: flag.booleanFlag('Remove all faults'),
    },
    call({ arguments: { request }, flags }, context) {
      const { status, error, cutAfter, silence, emptyPage, when, count: times, ...rest } = flags;
      const own = { request, status, error, cutAfter, silence, emptyPage, when, times };
      const fault = { ...own, ...toInjectedBody(rest) };
      const { body, json, delayMs, retryAfter } = fault;
      // An error or a Retry-After alone is incomplete too; the emulator says what it needs.
      const effects = [status, error, body, json, retryAfter, delayMs, cutAfter, silence, emptyPage];
      const missing = effects.some((effect) => effect !== undefined)
        ? undefined
        : `No failure given for ${request}`;
      const problem = request === undefined ? 'Missing: REQUEST' : missing;
      return inject(context, flags.clear, 'fault', fault, problem, 'updateTask --status 503');
    },
    ...listOf(
      'faults',
      faultSchema,
      [
        { title: 'request', cell: ({ request }) => request },
        { title: 'times', cell: ({ times }) => String(times) },
        { title: 'what', cell: describeEffect },
        { title: 'when', cell: ({ when = '' }) => when },
      ],
      'No pending faults.',
    ),
  }),
  stub: controlCommand({
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
    arguments: {
      method: { help: 'the method, or any', optional: true },
      path: { help: 'the path, which may contain * and {id}', optional: true },
    },
    flags: {
      withBody: jsonFlag('Only requests whose body, JSON or a form, has these members'),
      status: flag.integerFlag('STATUS', 'Respond with this status (default: 200)', 200, 599),
      ...injectedBodyFlags,
      header: headerFlag,
      responses: jsonFlag('Respond with these one after the other, a JSON list'),
      count: flag.integerFlag('N', 'Respond to this many requests (default: always)', 1, 1_000_000),
      clear: flag.booleanFlag('Remove all stubs'),
    },
    call({ arguments: { method, path }, flags }, context) {
      const { withBody, status, responses, count, header: headers, ...rest } = flags;
      const request = method === undefined ? undefined : `${method.toUpperCase()} ${path}`;
      const stub = { request, withBody, status, headers, responses, ...toInjectedBody(rest), count };
      const missing = method === undefined ? 'Missing: METHOD and PATH' : 'Missing: PATH';
      const problem = path === undefined ? missing : undefined;
      return inject(context, flags.clear, 'stub', stub, problem, 'GET /approvals --status 200');
    },
    ...listOf(
      'stubs',
      stubSchema,
      [
        { title: 'request', cell: ({ request }) => request },
        {
          title: 'status',
          cell: (stub) => (stub.responses ?? [stub]).map(({ status = 200 }) => status).join(', '),
        },
        { title: 'count', cell: ({ count = 'always' }) => String(count) },
        {
          title: 'body',
          cell: ({ body, json }) => (json === undefined ? (body ?? '') : JSON.stringify(json)),
        },
      ],
      'No stubs.',
    ),
  }),
} as const;
