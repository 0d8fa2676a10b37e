// A client for programs: the operations of the service, typed, with the retries, the renewal after a 401 and the failures that
// the commands have.

import { followPages, type Page, type PageOptions } from '#client/follow-pages.ts';
import type { ApiResponse } from '#client/response.ts';
import { createSession } from '#client/session.ts';
import { isToken } from '#contract/authorization.ts';
import { formatDidYouMean, nearestWords } from '#contract/did-you-mean.ts';
import { type Operation, type OperationName, operations } from '#contract/operation.ts';
import type { ArgumentsOf, Parameters } from '#contract/parameter.ts';
import { formatValue } from '#contract/schema.ts';
import { usageError } from '#failure.ts';
import { apiBaseUrl, parseHost } from '#login/host.ts';
import { version } from '#version.ts';
import { createClientWorld } from '#world/create-client-world.ts';

/** An access token and the host that it is valid for. Contract: Authentication 6. */
export interface ClientAccess {
  readonly token: string;
  /** As the token response named it: `api.example.com`. Only a loopback host has a port: `127.0.0.1:4010`, for the emulator. */
  readonly host: string;
}

export interface ClientOptions {
  /** What to send requests with. A function is called before each request. */
  readonly access: ClientAccess | (() => ClientAccess | Promise<ClientAccess>);
  /**
   * Called once for a request that the service rejected with 401. The request is sent again with what this returns; without it,
   * and where it returns `undefined`, the call fails with the code `sign_in_needed`.
   */
  readonly refresh?: (rejected: ClientAccess) => Promise<ClientAccess | undefined>;
  /** For one call in milliseconds, its retries included. By default 30,000. */
  readonly timeoutMs?: number;
  /** Put before wm's own name in the User-Agent header: `billing-sync/1.2`. */
  readonly userAgent?: string;
  /** Called with each exchange: method, URL, status and milliseconds. Never with a header or a body. */
  readonly trace?: (line: string) => void;
}

type Operations = typeof operations;
type ParametersOf<N extends OperationName> = Operations[N]['parameters'];
type RecordOf<N extends OperationName> = Operations[N] extends Operation<Parameters, infer R> ? R : never;

/** `{ taskId: 'IEAA...' }`; where a path takes several ids, a list of them. */
export type PathOf<N extends OperationName> = {
  readonly [K in keyof Operations[N]['pathParameters']]: Operations[N]['pathParameters'][K] extends {
    readonly maxIds: number;
  }
    ? readonly string[]
    : string;
};

export interface Client {
  /**
   * Sends one operation: `client.send('updateTask', { taskId }, { status: 'Completed' })`. Reads and idempotent changes are
   * retried; a change whose response was lost is never sent twice where that would create something twice.
   * @throws {Failure} `usage` before anything is sent, for an invalid value; `outcome_unknown` if nobody can tell whether the
   * change was made; otherwise the code that docs/exit-statuses.md lists.
   */
  send<N extends OperationName>(
    name: N,
    path: PathOf<N>,
    parameters?: ArgumentsOf<ParametersOf<N>>,
  ): Promise<ApiResponse<RecordOf<N>>>;
  /** The pages of a list, each requested when it is read. */
  pages<N extends OperationName>(
    name: N,
    path: PathOf<N>,
    parameters?: ArgumentsOf<ParametersOf<N>>,
    options?: PageOptions,
  ): AsyncGenerator<Page<RecordOf<N>>, void, undefined>;
}

const defaultTimeoutMs = 30_000;

/** Creates a client. Nothing is sent before the first call. Proxies follow HTTPS_PROXY and NO_PROXY, as in the commands. */
export function createClient({
  access,
  refresh,
  timeoutMs = defaultTimeoutMs,
  userAgent,
  trace,
}: ClientOptions): Client {
  const world = createClientWorld();
  /** The session knows URLs, the caller hosts. */
  const hosts = new Map<string, string>();
  const toSession = (given: unknown) => {
    const { token, host } = parseAccess(given);
    const baseUrl = apiBaseUrl(parseHost(host, 'access.host'));
    hosts.set(baseUrl, host);
    return { token, baseUrl };
  };
  const session = createSession(
    world,
    {
      access: async () => toSession(typeof access === 'function' ? await access() : access),
      async refresh({ token, baseUrl }) {
        const renewed = await refresh?.({ token, host: hosts.get(baseUrl) ?? '' });
        return renewed ? toSession(renewed) : undefined;
      },
    },
    {
      timeoutMs,
      userAgent: [userAgent, `wm/${version}`].filter(Boolean).join(' '),
      secrets: world.secrets,
      ...(trace ? { trace } : {}),
    },
  );
  // Each row of the table is an operation of some parameters and some record, which the name decides.
  const operationOf = <N extends OperationName>(name: N, path: object, parameters: object) => {
    const operation: Operation<Parameters, unknown> = operations[name];
    checkNames(name, operation, path, parameters);
    return operation as Operation<ParametersOf<N>, RecordOf<N>>;
  };
  return {
    send: async (name, path, parameters = {}) =>
      session.send(operationOf(name, path, parameters), path, parameters),
    async *pages(name, path, parameters = {}, options) {
      yield* followPages(session, operationOf(name, path, parameters), path, parameters, options);
    },
  };
}

/** What a compiler would say of a call: the operation, an id in its path or a parameter that does not exist. */
function checkNames(name: string, operation: Operation | undefined, path: object, parameters: object): void {
  if (operation === undefined || !Object.hasOwn(operations, name))
    throw unknownName(`${formatValue(name)} is not an operation`, name, Object.keys(operations));
  for (const id of Object.keys(operation.pathParameters))
    if (!Object.hasOwn(path, id))
      throw usageError(`${name} needs ${id}`, `Give { ${id} } before the parameters.`);
  const known = operation.takesFile ? ['file'] : Object.keys(operation.parameters);
  for (const given of Object.keys(parameters))
    if (!known.includes(given))
      throw unknownName(`${formatValue(given)} is not a parameter of ${name}`, given, known);
}

function unknownName(message: string, word: string, known: readonly string[]) {
  return usageError(message, formatDidYouMean(nearestWords(word, known)));
}

/** Not every program has a compiler that checked it. What is not a token is not quoted, since most of it may be one. */
function parseAccess(given: unknown): ClientAccess {
  if (typeof given !== 'object' || given === null)
    throw usageError('access is not an object', 'Give { token, host }, or a function that returns it.');
  const { token, host }: { readonly token?: unknown; readonly host?: unknown } = given;
  if (!isToken(token))
    throw usageError(
      'access.token is not a token, or contains a character that is not allowed in one',
      'Check it for spaces and line breaks.',
    );
  if (typeof host !== 'string') throw usageError('access.host is not a string', "Give the token's host.");
  return { token, host };
}
