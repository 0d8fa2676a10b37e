// A client for programs: typed operations, with the same retries, refresh after a 401 and failures as the commands.

import { followPages, type Page, type PageOptions } from '#client/follow-pages.ts';
import type { ApiResponse } from '#client/response.ts';
import { createSession } from '#client/session.ts';
import { tokenPattern } from '#contract/authorization.ts';
import { formatDidYouMean, nearestWords } from '#contract/did-you-mean.ts';
import { type Operation, type PathParametersOf, pathParametersOf } from '#contract/operation.ts';
import { type OperationName, operations } from '#contract/operations.ts';
import type { ArgumentsOf, Parameters } from '#contract/parameter.ts';
import { formatValue } from '#contract/schema.ts';
import { usageError } from '#failure.ts';
import { apiBaseUrl, parseHost } from '#login/host.ts';
import { version } from '#version.ts';
import { createClientWorld } from '#world/create-client-world.ts';
import { checkOptions } from './check-options.ts';

/** An access token and its host. Contract: Authentication 6. */
export interface ClientAccess {
  readonly token: string;
  /** The host in the token response: `api.example.com`. Only a loopback host has a port: `127.0.0.1:4010`, for the emulator. */
  readonly host: string;
}

export interface ClientOptions {
  /** The credentials for requests. A function is called before each request. */
  readonly access: ClientAccess | (() => ClientAccess | Promise<ClientAccess>);
  /**
   * Called once for a request that the service rejected with 401. The client retries with the result. Without a result, or without
   * this function, the call fails with the code `sign_in_needed`.
   */
  readonly refresh?: (rejected: ClientAccess) => Promise<ClientAccess | undefined>;
  /** The time limit of one call in milliseconds, including retries. Default: 30,000. */
  readonly timeoutMs?: number;
  /** Precedes wm's own name in the User-Agent header: `billing-sync/1.2`. */
  readonly userAgent?: string;
  /** Called with each exchange: method, URL, status and milliseconds. Never with a header or a body. */
  readonly trace?: (line: string) => void;
}

type Operations = typeof operations;
type ParametersOf<N extends OperationName> = Operations[N]['parameters'];
type Ids<N extends OperationName> = PathParametersOf<Operations[N]['path']>;
type RecordOf<N extends OperationName> = Operations[N] extends Operation<Parameters, infer R> ? R : never;

/** `{ taskId: 'IEAA...' }`, or a list if the path takes several ids. */
export type PathOf<N extends OperationName> = {
  readonly [K in keyof Ids<N>]: Ids<N>[K] extends { readonly maxIds: number } ? readonly string[] : string;
};

export interface Client {
  /**
   * Sends one operation: `client.send('updateTask', { taskId }, { status: 'Completed' })`. Retries reads and idempotent changes.
   * @throws {Failure} `usage` for an invalid value, before sending; `outcome_unknown` if no response says whether the change was
   * made; otherwise a code of docs/exit-statuses.md.
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

const optionTypes = {
  ...({ access: 'any', refresh: 'function', timeoutMs: 'number' } as const),
  ...({ userAgent: 'string', trace: 'function' } as const),
};
const pageOptionTypes = { pageSize: 'number', limit: 'number', timeoutMs: 'number' } as const;

/**
 * Creates a client. Sends nothing before the first call. Uses HTTPS_PROXY and NO_PROXY like the commands.
 * @throws {Failure} `usage` for an unknown or invalid option.
 */
export function createClient(options: ClientOptions): Client {
  checkOptions('createClient', optionTypes, options, usageError);
  const { access, refresh, timeoutMs = defaultTimeoutMs, userAgent, trace } = options;
  const world = createClientWorld();
  /** The session takes URLs; callers have hosts. */
  const hosts = new Map<string, string>();
  const toSessionAccess = (access: unknown) => {
    const { token, host } = parseAccess(access);
    const baseUrl = apiBaseUrl(parseHost(host, 'access.host'));
    hosts.set(baseUrl, host);
    return { token, baseUrl };
  };
  const session = createSession(
    world,
    {
      access: async () => toSessionAccess(typeof access === 'function' ? await access() : access),
      async refresh({ token, baseUrl }) {
        const refreshed = await refresh?.({ token, host: hosts.get(baseUrl) ?? '' });
        return refreshed ? toSessionAccess(refreshed) : undefined;
      },
    },
    {
      timeoutMs,
      userAgent: [userAgent, `wm/${version}`].filter(Boolean).join(' '),
      secrets: world.secrets,
      ...(trace ? { trace } : {}),
    },
  );
  // Each row of the table is an operation with its own parameters and record, which the name decides.
  const findOperation = <N extends OperationName>(name: N, path: object, parameters: object) => {
    const operation: Operation<Parameters, unknown> = operations[name];
    checkNames(name, operation, path, parameters);
    return operation as Operation<ParametersOf<N>, RecordOf<N>>;
  };
  return {
    send: async (name, path, parameters = {}) =>
      session.send(findOperation(name, path, parameters), path, parameters),
    async *pages(name, path, parameters = {}, options = {}) {
      checkOptions<PageOptions>('pages', pageOptionTypes, options, usageError);
      yield* followPages(session, findOperation(name, path, parameters), path, parameters, options);
    },
  };
}

/** Checks what a compiler would: that the operation, each id in its path and each parameter exists. */
function checkNames(name: string, operation: Operation | undefined, path: object, parameters: object): void {
  if (operation === undefined || !Object.hasOwn(operations, name))
    throw unknownName(`${formatValue(name)} is not an operation`, name, Object.keys(operations));
  const ids = Object.keys(pathParametersOf(operation.path));
  for (const id of ids)
    if (!Object.hasOwn(path, id))
      throw usageError(`${name} needs ${id}`, `Give { ${id} } before the parameters.`);
  for (const id of Object.keys(path))
    if (!ids.includes(id)) throw unknownName(`${formatValue(id)} is not in the path of ${name}`, id, ids);
  const knownNames = operation.takesFile ? ['file'] : Object.keys(operation.parameters);
  for (const parameter of Object.keys(parameters))
    if (!knownNames.includes(parameter))
      throw unknownName(`${formatValue(parameter)} is not a parameter of ${name}`, parameter, knownNames);
}

function unknownName(message: string, word: string, knownNames: readonly string[]) {
  return usageError(message, formatDidYouMean(nearestWords(word, knownNames)));
}

/** Checks the access of a program without types. Never quotes an invalid token, because most of it may be a real one. */
function parseAccess(access: unknown): ClientAccess {
  if (typeof access !== 'object' || access === null)
    throw usageError('access is not an object', 'Give { token, host }, or a function that returns it.');
  const { token, host }: { readonly token?: unknown; readonly host?: unknown } = access;
  if (typeof token !== 'string' || !tokenPattern.test(token))
    throw usageError(
      'access.token is not a token, or contains a character that is not allowed in one',
      'Check it for spaces and line breaks.',
    );
  if (typeof host !== 'string') throw usageError('access.host is not a string', "Give the token's host.");
  return { token, host };
}
