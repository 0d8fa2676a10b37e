// Sends a command's request, or only prints it for --dry-run and --curl. Printing never shows a token or a secret, and
// needs neither a sign-in nor a network.

import type { PathArguments, WireRequest } from '#client/request.ts';
import type { ApiResponse } from '#client/response.ts';
import { prepareRequest } from '#client/session.ts';
import type { Operation } from '#contract/operation.ts';
import type { ArgumentsOf, Parameters } from '#contract/parameter.ts';
import { defaultProfile } from '#login/profile.ts';
import { findBaseUrl, selectProfile } from '#login/select-account.ts';
import type { Context } from './context.ts';
import { formatCommand, withProfile } from './format-command.ts';
import { alwaysQuoteForPosix } from './shell-quote.ts';

/** Where a secret would stand, the variable that holds it. */
const secretVariable = '$WM_WEBHOOK_SECRET';
const unknownBaseUrl = 'https://$WM_HOST/api/v4';

/** The answer, or nothing where the request was only shown. */
export async function send<P extends Parameters, R>(
  context: Context,
  operation: Operation<P, R>,
  path: PathArguments,
  given: ArgumentsOf<P>,
): Promise<ApiResponse<R> | undefined> {
  if (await printIfDryRun(context, operation, path, given)) return undefined;
  // An invalid value is an error before anyone has to sign in.
  const request = prepareRequest(operation, path, given);
  const session = await context.session();
  return session.send(operation, path, given, undefined, request);
}

/** Shows the request where --dry-run or --curl asked for that; true where it did. */
export async function printIfDryRun<P extends Parameters>(
  context: Context,
  operation: Operation<P>,
  path: PathArguments,
  given: ArgumentsOf<P>,
): Promise<boolean> {
  return printEachIfDryRun(context, operation, [path], given);
}

/** The same for several requests of one kind: with --json one object per line, as for one. */
export async function printEachIfDryRun<P extends Parameters>(
  context: Context,
  operation: Operation<P>,
  paths: readonly PathArguments[],
  given: ArgumentsOf<P>,
): Promise<boolean> {
  const requests = paths.map((path) => ({ path, parameters: given }));
  return printAllIfDryRun(context, operation, requests);
}

/** The same for requests that differ in their parameters too. */
export async function printAllIfDryRun<P extends Parameters>(
  context: Context,
  operation: Operation<P>,
  requests: readonly { readonly path: PathArguments; readonly parameters: ArgumentsOf<P> }[],
): Promise<boolean> {
  const { common, report } = context;
  if (!common.dryRun && !common.curl) return false;
  const textOf = await createRequestFormatter(context);
  for (const { path, parameters } of requests) await report.line(textOf(operation, path, parameters));
  if (!common.curl && !report.wantsJson) await report.info('Dry run: nothing was sent.');
  return true;
}

export type RequestFormatter = <P extends Parameters>(
  operation: Operation<P>,
  path: PathArguments,
  given: ArgumentsOf<P>,
) => string;

/** How requests are shown: as curl commands, as one line of JSON each, or as they go onto the wire. */
export async function createRequestFormatter(context: Context): Promise<RequestFormatter> {
  const format = await createWireFormatter(context);
  return (operation, path, given) => {
    const secrets = Object.keys(operation.parameters).filter(
      (name) => operation.parameters[name]?.secret && given[name] !== undefined,
    );
    const open = secrets.length === 0 ? given : omit(given, secrets);
    return format(prepareRequest(operation, path, open), secrets);
  };
}

/** The same for a request that is built already. `secrets`: parameters that are left out, and stand there as variables. */
export async function createWireFormatter(
  context: Context,
): Promise<(request: WireRequest, secrets: readonly string[]) => string> {
  const { account, common, report, world } = context;
  const base = (await findBaseUrl(world, account)) ?? unknownBaseUrl;
  const token = await findToken(context);
  return (request, secrets) => {
    const url = base + request.target;
    return common.curl
      ? formatCurl(request, url, token, secrets)
      : formatRequest(request, url, token, secrets, report.wantsJson);
  };
}

/** Only secrets are taken out, so the rest still fits. */
function omit<T extends object>(given: T, secrets: readonly string[]): T {
  return Object.fromEntries(Object.entries(given).filter(([name]) => !secrets.includes(name))) as T;
}

function formatRequest(
  request: WireRequest,
  url: string,
  token: string,
  secrets: readonly string[],
  json: boolean,
): string {
  const headers = { Authorization: `Bearer ${token}`, ...request.headers };
  const pairs = [
    ...(request.body === undefined ? [] : [bodyText(request.body)]),
    ...secrets.map((name) => `${name}=${secretVariable}`),
  ];
  const body = pairs.length === 0 ? null : pairs.join('&');
  if (json) return JSON.stringify({ method: request.method, url, headers, body });
  return [
    `${request.method} ${url}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === null ? [] : ['', body]),
  ].join('\n');
}

/** A file is named, as curl names it. */
function bodyText(body: NonNullable<WireRequest['body']>): string {
  return typeof body === 'string' ? body : `@${body.path}`;
}

/** What a shell replaces by the token: of the variable, or of the profile. */
async function findToken(context: Context): Promise<string> {
  const { account, common, world } = context;
  const selected = account.token === undefined ? await selectProfile(world, account) : undefined;
  // Without a sign-in, the host is a variable as well.
  if (account.token !== undefined || (selected === undefined && !common.curl)) return '$WM_TOKEN';
  // The one that was chosen may be another tomorrow; so it is named.
  const profile = selected?.name ?? account.profile ?? defaultProfile;
  return `$(${formatCommand(withProfile(context, profile), 'auth token')})`;
}

function formatCurl(request: WireRequest, url: string, token: string, secrets: readonly string[]): string {
  const headers = Object.entries(request.headers).map(([name, value]) =>
    // By itself curl says that a body is a form.
    value === formType ? [] : `-H ${alwaysQuoteForPosix(`${headerNames[name] ?? name}: ${value}`)}`,
  );
  const parts = [
    'curl --fail-with-body -sS',
    ...(request.method === 'GET' ? [] : [`-X ${request.method}`]),
    url.startsWith(unknownBaseUrl) ? doubleQuoted(url) : alwaysQuoteForPosix(url),
    `-H "Authorization: Bearer ${token}"`,
    ...headers.flat(),
  ];
  const secretParts = secrets.map((name) => `--data-urlencode "${name}=${secretVariable}"`);
  const line = (...last: readonly string[]) => [...parts, ...last].join(' \\\n  ');
  const { body } = request;
  if (body === undefined) return line(...secretParts);
  if (typeof body !== 'string') return line(`--data-binary ${alwaysQuoteForPosix(bodyText(body))}`);
  if (body.length <= maxArgumentLength)
    return line(`--data-raw ${alwaysQuoteForPosix(body)}`, ...secretParts);
  // A longer argument no system takes; what curl reads of a file it takes without the line's end.
  return `${line(...secretParts, "--data @- <<'END'")}\n${body}\nEND`;
}

/** As people write it. */
const headerNames: Readonly<Record<string, string>> = { 'content-type': 'Content-Type' };
const formType = 'application/x-www-form-urlencoded';
const maxArgumentLength = 100_000;

/** For a text whose only dollar sign is the variable's: everything else in a URL is encoded. */
function doubleQuoted(text: string): string {
  return `"${text}"`;
}
