// How a command's request leaves: sent, or only shown, as --dry-run and --curl ask. What is shown never holds a token or
// a secret, and needs neither a sign-in nor a network.

import type { Answer } from '../client/answer.ts';
import type { PathArguments, WireRequest } from '../client/request.ts';
import { prepare } from '../client/session.ts';
import type { Operation } from '../contract/operation.ts';
import type { ArgumentsOf, Parameters } from '../contract/parameter.ts';
import { chosenProfile, knownBaseUrl } from '../login/account.ts';
import { defaultProfile } from '../login/profile.ts';
import type { Context } from './context.ts';

/** Where a secret would stand, the variable that holds it. */
const secretVariable = '$WM_WEBHOOK_SECRET';
const unknownBaseUrl = 'https://$WM_HOST/api/v4';

/** The answer, or nothing where the request was only shown. */
export async function send<P extends Parameters, R>(
  context: Context,
  operation: Operation<P, R>,
  path: PathArguments,
  given: ArgumentsOf<P>,
): Promise<Answer<R> | undefined> {
  if (await showInstead(context, operation, path, given)) return undefined;
  const session = await context.session();
  return session.send(operation, path, given);
}

/** Shows the request where --dry-run or --curl asked for that; true where it did. */
export async function showInstead<P extends Parameters>(
  context: Context,
  operation: Operation<P>,
  path: PathArguments,
  given: ArgumentsOf<P>,
): Promise<boolean> {
  const { common, report } = context;
  if (!common.dryRun && !common.curl) return false;
  const secrets = Object.keys(operation.parameters).filter(
    (name) => operation.parameters[name]?.secret && given[name] !== undefined,
  );
  const open = Object.fromEntries(Object.entries(given).filter(([name]) => !secrets.includes(name)));
  // Only secrets were taken out, so the rest still fits.
  const request = prepare(operation, path, open as ArgumentsOf<P>);
  const url = ((await knownBaseUrl(context.world, context.account)) ?? unknownBaseUrl) + request.target;
  if (common.curl) await report.line(await curl(context, request, url, secrets));
  else await show(context, request, url, secrets);
  return true;
}

async function show(
  context: Context,
  request: WireRequest,
  url: string,
  secrets: readonly string[],
): Promise<void> {
  const { report } = context;
  const headers = { Authorization: 'Bearer $WM_TOKEN', ...request.headers };
  const pairs = [
    ...(request.body === undefined ? [] : [request.body]),
    ...secrets.map((name) => `${name}=${secretVariable}`),
  ];
  const body = pairs.length === 0 ? null : pairs.join('&');
  if (report.wantsJson) return report.json({ method: request.method, url, headers, body });
  const lines = [
    `${request.method} ${url}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === null ? [] : ['', body]),
  ];
  await report.line(lines.join('\n'));
  await report.say('Nothing was sent.');
}

async function curl(
  { account, world }: Context,
  request: WireRequest,
  url: string,
  secrets: readonly string[],
): Promise<string> {
  const token = account.token === undefined ? `$(wm auth token --profile ${await profile()})` : '$WM_TOKEN';
  // The one that was chosen may be another tomorrow; so it is named.
  async function profile(): Promise<string> {
    return (await chosenProfile(world, account))?.name ?? account.profile ?? defaultProfile;
  }
  const parts = [
    'curl --fail-with-body -sS',
    ...(request.method === 'GET' ? [] : [`-X ${request.method}`]),
    url.startsWith(unknownBaseUrl) ? doubleQuoted(url) : singleQuoted(url),
    `-H "Authorization: Bearer ${token}"`,
    ...(request.body === undefined ? [] : [`--data-raw ${singleQuoted(request.body)}`]),
    ...secrets.map((name) => `--data-urlencode "${name}=${secretVariable}"`),
  ];
  return parts.join(' \\\n  ');
}

function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** For a text whose only dollar sign is the variable's: everything else in a URL is encoded. */
function doubleQuoted(text: string): string {
  return `"${text}"`;
}
