// Sends a command's request, or only prints it, without secrets, a sign-in or a network, for --dry-run and --curl.

import { limitQuery, type PathArguments, prepareRequest, type WireRequest } from '#client/request.ts';
import type { ApiResponse } from '#client/response.ts';
import type { Operation } from '#contract/operation.ts';
import type { ArgumentsOf, Parameters } from '#contract/parameter.ts';
import { defaultProfile } from '#login/profile.ts';
import { findBaseUrl, selectProfile } from '#login/select-account.ts';
import type { Context } from './context.ts';
import { formatCommand, withProfile } from './format-command.ts';
import { alwaysQuoteForPosix } from './shell-quote.ts';

const secretVariable = '$WM_WEBHOOK_SECRET';
const unknownBaseUrl = 'https://$WM_HOST/api/v4';

/** The response; undefined if the request was only printed. */
export async function send<P extends Parameters, R>(
  context: Context,
  operation: Operation<P, R>,
  path: PathArguments,
  parameters: ArgumentsOf<P>,
): Promise<ApiResponse<R> | undefined> {
  if (await printIfDryRun(context, operation, [{ path, parameters }])) return undefined;
  // Rejects an invalid value before the user has to sign in.
  const request = prepareRequest(operation, path, parameters);
  const session = await context.session();
  return session.send(operation, path, parameters, undefined, request);
}

/** For --dry-run and --curl: prints the requests of one operation; with --json one object per line. False without these flags. */
export async function printIfDryRun<P extends Parameters>(
  context: Context,
  operation: Operation<P>,
  requests: readonly { readonly path: PathArguments; readonly parameters: ArgumentsOf<P> }[],
): Promise<boolean> {
  if (!context.isDryRun) return false;
  const format = await createRequestFormatter(context);
  await printDryRun(
    context,
    requests.map(({ path, parameters }) => format(operation, path, parameters)),
  );
  return true;
}

export async function printDryRun(
  { common, report }: Pick<Context, 'common' | 'report'>,
  requests: readonly string[],
  nothing = 'nothing was sent',
): Promise<undefined> {
  for (const request of requests) await report.line(request);
  if (!common.curl && !report.wantsJson) await report.info(`Dry run: ${nothing}.`);
}

export type RequestFormatter = <P extends Parameters>(
  operation: Operation<P>,
  path: PathArguments,
  parameters: ArgumentsOf<P>,
) => string;

/** Formats requests as curl commands, as lines of JSON, or as HTTP messages. */
export async function createRequestFormatter(context: Context): Promise<RequestFormatter> {
  const format = await createWireFormatter(context);
  return (operation, path, parameters) =>
    format(limitQuery(prepareRequest(operation, path, parameters), context.common.queryLimit));
}

/** Formats a complete request, with variables in place of its secrets. */
export async function createWireFormatter(context: Context): Promise<(request: WireRequest) => string> {
  const { account, common, report, world } = context;
  const base = (await findBaseUrl(world, account)) ?? unknownBaseUrl;
  const token = await findToken(context);
  return (complete) => {
    const { request, secrets } = takeSecrets(complete);
    const url = base + request.target;
    return common.curl
      ? formatCurl(request, url, token, secrets)
      : formatRequest(request, url, token, secrets, report.wantsJson);
  };
}

/** How a pair with a secret is shown: `secret=$WM_WEBHOOK_SECRET`, also in JSON. Undefined for any other. */
function shownSecret(pair: string): string | undefined {
  const [[name = '', value = ''] = []] = new URLSearchParams(pair);
  const withoutLogin = value.replace(/((?:^|")https?:\/*)[^/?#"]*@/gi, '$1$$WM_HOOK_LOGIN@');
  const shown = /secret$/i.test(name)
    ? secretVariable
    : withoutLogin.replace(/("secret":")(?:[^"\\]|\\.)+/g, `$1$${secretVariable}`);
  return shown === value ? undefined : `${name}=${shown}`;
}

function takeSecrets(request: WireRequest) {
  const [path = '', query = ''] = request.target.split(/\?(.*)/s);
  const { body = '', ...bodyless } = request;
  const form = typeof body === 'string' ? body.split('&') : [];
  const secrets = [...query.split('&'), ...form].flatMap((pair) => shownSecret(pair) ?? []);
  if (secrets.length === 0) return { request, secrets };
  const rest = (pairs: readonly string[]) =>
    pairs.filter((pair) => shownSecret(pair) === undefined).join('&');
  const target = [path, rest(query.split('&'))].filter(Boolean).join('?');
  return { request: { ...bodyless, target, ...(rest(form) === '' ? {} : { body: rest(form) }) }, secrets };
}

function formatRequest(
  request: WireRequest,
  url: string,
  token: string,
  secrets: readonly string[],
  json: boolean,
): string {
  const headers = { Authorization: `Bearer ${token}`, ...request.headers };
  const pairs = [...(request.body === undefined ? [] : [bodyText(request.body)]), ...secrets];
  const body = pairs.length === 0 ? null : pairs.join('&');
  if (json) return JSON.stringify({ method: request.method, url, headers, body });
  return [
    `${request.method} ${url}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === null ? [] : ['', body]),
  ].join('\n');
}

/** Names a file as curl does. */
function bodyText(body: NonNullable<WireRequest['body']>): string {
  return typeof body === 'string' ? body : `@${body.path}`;
}

/** The shell expression for the token, from the variable or from the profile. */
async function findToken(context: Context): Promise<string> {
  const { account, common, world } = context;
  const selected = await selectProfile(world, account);
  // Without a sign-in, the host is a variable too.
  if (account.token !== undefined || (selected === undefined && !common.curl)) return '$WM_TOKEN';
  // Names the profile, since the selected one may change later.
  const profile = selected?.name ?? account.profile ?? defaultProfile;
  return `$(${formatCommand(withProfile(context, profile), 'auth token')})`;
}

function formatCurl(request: WireRequest, url: string, token: string, secrets: readonly string[]): string {
  const headers = Object.entries(request.headers).map(([name, value]) =>
    // curl sends this content type by default.
    value === formType ? [] : `-H ${alwaysQuoteForPosix(`${headerNames[name] ?? name}: ${value}`)}`,
  );
  const parts = [
    'curl --fail-with-body -sS',
    ...(request.method === 'GET' ? [] : [`-X ${request.method}`]),
    // Its variable has the only dollar sign, since everything else is encoded.
    url.startsWith(unknownBaseUrl) ? `"${url}"` : alwaysQuoteForPosix(url),
    `-H "Authorization: Bearer ${token}"`,
    ...headers.flat(),
  ];
  const secretParts = secrets.map(
    (pair) => `--data-urlencode "${pair.replace(/["`\\]|\$(?!WM_)/g, '\\$&')}"`,
  );
  const line = (...last: readonly string[]) => [...parts, ...last].join(' \\\n  ');
  const { body } = request;
  if (body === undefined) return line(...secretParts);
  if (typeof body !== 'string') return line(`--data-binary ${alwaysQuoteForPosix(bodyText(body))}`);
  if (body.length <= maxArgumentLength)
    return line(`--data-raw ${alwaysQuoteForPosix(body)}`, ...secretParts);
  // Systems limit the length of an argument. curl strips the line break from data that it reads.
  return `${line(...secretParts, "--data @- <<'END'")}\n${body}\nEND`;
}

const headerNames: Readonly<Record<string, string>> = { 'content-type': 'Content-Type' };
const formType = 'application/x-www-form-urlencoded';
const maxArgumentLength = 100_000;
