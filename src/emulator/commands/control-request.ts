// Sends one control request of a `wm emulator` command to a running emulator: finds its address, and explains an error response. With
// --dry-run and --curl it prints the request instead.

import type { Context } from '#cli/context.ts';
import { flagWords, formatCommand, formatCommandWith, type RepeatContext } from '#cli/format-command.ts';
import { alwaysQuoteForPosix } from '#cli/shell-quote.ts';
import { isJsonObject, JsonDepthError, parseJson } from '#contract/json.ts';
import { readLeniently, replaceError, type Schema } from '#contract/schema.ts';
import { commandHint, Failure, type Hint, usageError } from '#failure.ts';
import { tlsProblem } from '#tls-problems.ts';
import type { HttpFault } from '#world/world.ts';
import { warningHeader } from '../http/response.ts';

type Members = Readonly<Record<string, unknown>>;

/** Without `method`: POST if the body has a member, otherwise GET. */
export interface ControlCall {
  /** Below /_emulator: see control/routes.ts. */
  readonly path: `/${string}`;
  readonly method?: 'POST' | 'DELETE';
  /** Members that are false or undefined are not sent. */
  readonly query?: Members;
  readonly body?: Members;
  /** The response comes after the pending deliveries, and each to a dead receiver takes its full time limit. */
  readonly waitsForDeliveries?: boolean | undefined;
}

/** An hour: enough for some thousand deliveries to dead receivers. */
const deliveriesMs = 3_600_000;

const addressHint =
  'Give --url or set WM_EMULATOR_URL. `wm emulator start` prints the address; `wm emulator exec` sets the variable.';

const urlFlagOf = ({ commandLine }: RepeatContext) => commandLine.rawFlags.get('url')?.at(-1);

function resolveOrigin(context: Context): string {
  const address = urlFlagOf(context) ?? context.world.environment['WM_EMULATOR_URL'];
  if (address === undefined) throw usageError('No emulator given', addressHint);
  if (!URL.canParse(address) || !['127.0.0.1', '[::1]', 'localhost'].includes(new URL(address).hostname))
    throw usageError(
      `${address} is not the address of an emulator`,
      'The address has the form http://127.0.0.1:PORT.',
    );
  return new URL(address).origin;
}

/** The emulator's response; undefined with --dry-run and --curl. Throws a {@link Failure}. */
export async function sendControlRequest(context: Context, call: ControlCall): Promise<unknown> {
  const { world, report, common } = context;
  const { path, query = {}, body = {}, waitsForDeliveries } = call;
  const isEmpty = Object.values(body).every((member) => member === undefined);
  const { method = isEmpty ? 'GET' : 'POST' } = call;
  const timeoutMs = waitsForDeliveries && common.timeout === undefined ? deliveriesMs : context.timeoutMs;
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value) parameters.set(name, String(value));
  const url = `${resolveOrigin(context)}/_emulator${path}${parameters.size === 0 ? '' : `?${parameters}`}`;
  const text = method === 'POST' ? JSON.stringify(body) : undefined;
  if (common.curl) {
    const data = text === undefined ? '' : ` -d ${alwaysQuoteForPosix(text)}`;
    const flags = method === 'DELETE' ? '-sS -X DELETE' : '-sS';
    await report.line(`curl ${flags} ${alwaysQuoteForPosix(url)}${data}`);
    return undefined;
  }
  if (common.dryRun) {
    if (report.wantsJson) await report.json({ method, url, body: text === undefined ? null : body });
    else await report.line([`${method} ${url}`, ...(text === undefined ? [] : ['', text])].join('\n'));
    return undefined;
  }
  const headers: Record<string, string> = text === undefined ? {} : { 'Content-Type': 'application/json' };
  const request = { method, url, headers, ...(text !== undefined && { body: text }) };
  const response = await world.http.send(request, { timeoutMs, maxBytes: 64 * 1024 * 1024 });
  if ('fault' in response) throw noResponse(context, response, url, timeoutMs);
  const warning = response.headers[warningHeader.toLowerCase()];
  if (warning !== undefined) await report.warn(`wm: ${warning}`);
  const decoded = replaceError(
    SyntaxError,
    () => parseJson(new TextDecoder().decode(response.body)),
    (error) =>
      notAnEmulator(error instanceof JsonDepthError ? `its response is ${error.message}` : undefined),
  );
  const { status } = response;
  if (status === 200) return decoded;
  const why =
    isJsonObject(decoded) && 'errorDescription' in decoded ? String(decoded['errorDescription']) : undefined;
  throw new Failure(status === 404 ? 'not_found' : status === 400 ? 'rejected' : 'other', {
    message: why ?? `The emulator responded with ${status}`,
    hint: status === 400 ? 'See --help.' : listHint(context, why),
    httpStatus: status,
  });
}

function noResponse(
  context: Context,
  { fault, detail: why, tlsCode }: HttpFault,
  url: string,
  timeoutMs: number,
): Failure {
  const failure = (message: string, hint: string) =>
    new Failure(fault === 'too-large' ? 'too_large' : 'network', { message, why, hint });
  if (fault === 'too-large')
    return failure(
      `The response from ${url} is too large`,
      `To discard its data and restore the sample: ${formatEmulatorCommand(context, 'reset')}`,
    );
  const tls = tlsProblem(tlsCode);
  if (tls && !tls.hint.includes('--ca'))
    return failure(`Cannot establish a trusted connection to ${url}`, tls.hint);
  if (fault === 'tls')
    return failure(
      "The emulator's certificate is not trusted",
      'Trust the file that `wm emulator start --tls` prints: --ca FILE or NODE_EXTRA_CA_CERTS=FILE.',
    );
  if (fault === 'timeout')
    return failure(
      `The emulator at ${url} did not respond within ${timeoutMs / 1_000} s`,
      'It may still be at work. To wait longer: --timeout SECONDS.',
    );
  const { port, protocol } = new URL(url);
  const isPlain = fault === 'reset' && protocol === 'http:';
  const https = isPlain ? 'After `start --tls`, its URL begins with https:. ' : '';
  const flags = [...flagWords('--port', port || undefined), ...(protocol === 'https:' ? ['--tls'] : [])];
  const start = formatCommandWith(context, 'emulator start', [], ...flags);
  return failure(`No emulator responds at ${url}`, `${https}To start one: ${start}`);
}

/** A hint's command to the same emulator. */
export function formatEmulatorCommand(context: RepeatContext, words: string): string {
  return formatCommandWith(context, `emulator ${words}`, [], ...flagWords('--url', urlFlagOf(context)));
}

/** The command that lists the ids of a kind of record, by the first word of the emulator's error. */
function listHint(context: Context, why = ''): Hint | undefined {
  const [kind] = why.split(' ', 1);
  if (kind === 'Webhook')
    return commandHint('To list the webhooks: ', formatCommand(context, 'webhook list'));
  const users = formatEmulatorCommand(context, 'user');
  if (kind === 'User') return commandHint('To list the users: ', users);
  if (kind === 'Account') return commandHint('To list the users with their accounts: ', users);
  if (kind !== 'Task' && kind !== 'Folder') return undefined;
  const before = 'wm emulator start prints the ids of the samples. To restore the samples: ';
  return commandHint(before, formatEmulatorCommand(context, 'reset'));
}

function notAnEmulator(why: string | undefined): Failure {
  const message = 'The server at that address is not an emulator';
  return new Failure('bad_response', { message, why, hint: addressHint });
}

/** How many records the request changed: a number, or `true` where there is nothing to count. */
export function readCount(response: unknown, name: string): number {
  const count = isJsonObject(response) ? response[name] : undefined;
  if (typeof count !== 'number' && count !== true) throw notAnEmulator(`its response has no ${name}`);
  return Number(count);
}

/** The records of a list in a response, also as the emulator sent them. */
export function readList<T>(response: unknown, name: string, schema: Schema<T>) {
  const list = isJsonObject(response) ? response[name] : undefined;
  if (!Array.isArray(list)) throw notAnEmulator(`its response has no ${name}`);
  const raw: readonly unknown[] = list;
  return { raw, records: raw.map((record) => readLeniently(schema, record)) };
}
