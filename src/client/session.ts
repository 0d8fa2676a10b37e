// Sends operations to one account: adds the token, refreshes it once, retries where safe, and knows an unknown outcome.

import type { Method, Operation } from '#contract/operation.ts';
import type { ArgumentsOf, Parameters } from '#contract/parameter.ts';
import { readScopes, writeScopes } from '#contract/scope.ts';
import { Failure, toFailure } from '#failure.ts';
import type { HttpRequest, HttpResponse, Secrets, World } from '#world/world.ts';
import { differenceOf, findUnexpected, idsIn, requireShown } from './expected-records.ts';
import {
  limitQuery,
  type PathArguments,
  prepareRequest,
  requestName,
  toForm,
  type WireRequest,
} from './request.ts';
import { decideRetry, exceedsTimeout, outcomeUnknown, requestFailure } from './request-failure.ts';
import {
  type ApiResponse,
  arrivedResponse,
  isFromService,
  isNotFound,
  isRateLimited,
  isSuccess,
  isTransient,
  mayHaveChanged,
  parseJsonObject,
  type ReadingOptions,
  rawFailure,
  readResponse,
  responseFailure,
} from './response.ts';
import { type HintContext, responseHint, type SignIn } from './response-hint.ts';

/** An access token and its base URL. Contract: Authentication 6. */
export interface Access {
  readonly token: string;
  /** `https://<host>/api/v4` */
  readonly baseUrl: string;
}

export interface Credentials {
  /** Returns a token that has not expired, as far as its age shows. Throws a {@link Failure} if there is none. */
  access(): Promise<Access>;
  /** Returns another token after the service rejected this one; `undefined` without a refresh token. */
  refresh(rejected: Access): Promise<Access | undefined>;
  /** What to do if the service rejects these credentials, other than signing in again. */
  readonly rejectedHint?: string;
  /** Absent for a permanent token. */
  readonly signIn?: SignIn;
}

export interface SessionOptions {
  /** The time limit for one operation in milliseconds, including retries. */
  readonly timeoutMs: number;
  readonly userAgent: string;
  /** Called with each exchange: method, URL, status, milliseconds. Never with a header or a body. */
  readonly trace?: (line: string) => void;
  /** Collects each token. Redacts secrets from every failure, because some failures are written to files. */
  readonly secrets?: Secrets;
  /** The session adds each change that it sends. */
  readonly changes?: SentChanges;
  /** Set if the HTTP client waits for rate limits: why it stopped waiting. The session then does not retry them. */
  readonly rateLimitGiveUpReason?: () => string | undefined;
  /** Called before a wait that a rate limit asks for, in milliseconds. */
  readonly onRateLimit?: (waitMs: number) => void;
  readonly reading?: ReadingOptions;
  /** The longest query in bytes. */
  readonly queryLimit?: number | undefined;
  /** Returns a whole command for hints: `whoami` becomes `wm whoami --profile work`. */
  readonly commandLine?: (words: string) => string;
}

/** The changes sent so far, several at once among them, for the message of an interrupted command. Each has a key of its own. */
export type SentChanges = Map<object, SentChange>;

interface SentChange {
  /** Method and path: `PUT /tasks/IEAAA`. */
  readonly request: string;
  /** `unknown` as long as no response says whether the change was made. */
  readonly outcome: 'unknown' | 'done' | 'rejected';
  /** The command that reads the record, or the list of a new one: `wm api GET /tasks/IEAAA`. */
  readonly look: string;
}

/** A request that is not an operation of the contract. */
export interface RawRequest extends Omit<WireRequest, 'body'> {
  readonly body?: string | Uint8Array;
  /** The method that the service applies: a GET may name another method in a parameter. */
  readonly effect: Method;
  /** The body of a success is the bytes of a file. */
  readonly returnsFile?: boolean;
  /** For an operation of the contract: the ids that end its path. */
  readonly ids?: readonly string[] | undefined;
}

export interface RawResponse {
  readonly response: HttpResponse;
  /** Present unless it is a success of the service, with the records that the path names. */
  readonly failure?: Failure;
}

export interface Session {
  /** Sends the request as it is, with the credentials. Throws like {@link Session.send} if no final response arrived. */
  sendRaw(request: RawRequest): Promise<RawResponse>;
  /** Throws a {@link Failure}: `outcome_unknown` if it sent a change, but no response says whether it was made. */
  send<P extends Parameters, R>(
    operation: Operation<P, R>,
    path: PathArguments,
    parameters: ArgumentsOf<P>,
    /** Milliseconds, instead of the session's own time limit. */
    timeoutMs?: number,
    /** The result of {@link prepareRequest} for the same arguments, if the caller has it. */
    prepared?: WireRequest,
  ): Promise<ApiResponse<R>>;
}

/** The largest record is below 20 MB, and reading takes seven times the size. If several records exceed it, the caller requests fewer. */
const maxResponseBytes = 32 * 1024 * 1024;

/** Sends nothing before {@link Session.send}. @see [RFC 6750 §2.1](https://www.rfc-editor.org/rfc/rfc6750#section-2.1) */
export function createSession(
  world: Pick<World, 'http' | 'clock' | 'random'>,
  credentials: Credentials,
  options: SessionOptions,
): Session {
  const { commandLine = (words: string) => `wm ${words}` } = options;

  async function exchange(access: Access, request: SentRequest, timeoutMs: number) {
    options.secrets?.addCredentials(access.token);
    const url = access.baseUrl + request.target;
    const headers = {
      ...request.headers,
      authorization: `Bearer ${access.token}`,
      accept: 'application/json',
      'user-agent': options.userAgent,
    };
    const { method, body } = request;
    const started = world.clock.monotonic();
    const outcome = await world.http.send(
      body === undefined ? { method, url, headers } : { method, url, headers, body },
      { timeoutMs, maxBytes: maxResponseBytes },
    );
    const arrived = 'fault' in outcome ? arrivedResponse(outcome) : undefined;
    if (options.trace) {
      const suffix = arrived ? `, after a complete response with ${arrived.status}` : '';
      const result = 'fault' in outcome ? `${outcome.fault} (${outcome.detail})${suffix}` : outcome.status;
      const ms = Math.round(world.clock.monotonic() - started);
      options.trace(`${method} ${url} -> ${result} in ${ms} ms`);
    }
    return arrived ?? ('fault' in outcome ? { ...outcome, url } : outcome);
  }

  function redacted(error: unknown): unknown {
    return error instanceof Failure && options.secrets ? error.redacted(options.secrets.redact) : error;
  }

  async function sendJob<R>(createJob: () => Job<R>): Promise<R> {
    try {
      const job = createJob();
      const result = await job.read(await sendWithRetries(job, await credentials.access()));
      if (options.changes?.get(job)?.outcome === 'unknown') recordChange(job, 'done');
      return result;
    } catch (error) {
      throw redacted(error);
    }
  }

  function recordChange(job: Job<unknown>, outcome: SentChange['outcome']): void {
    if (job.method === 'GET' || !options.changes) return;
    const request = requestName(job.request);
    const look = commandLine(request.replace(/^\S+/, 'api GET'));
    options.changes.set(job, { request, outcome, look });
  }

  async function sendWithRetries(job: Job<unknown>, firstAccess: Access): Promise<FinalResponse> {
    const { method, timeoutMs, request: firstRequest, toForm } = job;
    let request = firstRequest;
    const isChange = method !== 'GET';
    let access = firstAccess;
    let refreshed = false;
    /** True once a change may have been made without a response that says so. */
    let outcomeIsUnknown = false;
    // Starts here: waiting for another process to refresh the token has its own time limit.
    let limit = world.clock.limit(timeoutMs);

    try {
      for (let attempt = 1; ; attempt++) {
        recordChange(job, 'unknown');
        const outcome = await exchange(access, request, Math.max(1, Math.ceil(limit.remainingMs())));
        const response = 'fault' in outcome ? undefined : outcome;
        if (response && isSuccess(response.status))
          return { response, request, outcomeIsUnknown, isDeleted: false };
        const isForeign = response !== undefined && !isFromService(response, method);
        const form = response && isTooLong(response.status) ? toForm?.(request) : undefined;
        outcomeIsUnknown ||= isChange && form === undefined && (isForeign || mayHaveChanged(outcome));
        if (!outcomeIsUnknown && response) recordChange(job, 'rejected');
        else if (!outcomeIsUnknown) options.changes?.delete(job);
        const wasRateLimited = response !== undefined && isRateLimited(response);
        if (response && !wasRateLimited) {
          if (response.status === 401 && !isForeign && !refreshed) {
            refreshed = true;
            const remainingMs = limit.remainingMs();
            limit.cancel();
            let refreshedAccess: Access | undefined;
            try {
              refreshedAccess = await credentials.refresh(access);
            } catch (error) {
              throw outcomeIsUnknown ? outcomeUnknown(request, toFailure(error)) : error;
            } finally {
              limit = world.clock.limit(remainingMs);
            }
            if (refreshedAccess) {
              access = refreshedAccess;
              attempt--;
              continue;
            }
          }
          if (form) {
            request = form;
            attempt--;
            continue;
          }
          const isDeleted = method === 'DELETE' && outcomeIsUnknown && isNotFound(responseFailure(response));
          if (!isTransient(response.status)) return { response, request, outcomeIsUnknown, isDeleted };
        }

        if (options.rateLimitGiveUpReason && wasRateLimited)
          throw requestFailure(request, outcome, outcomeIsUnknown, { why: options.rateLimitGiveUpReason() });

        const decision = decideRetry({
          method,
          attempt,
          outcome,
          remainingMs: limit.remainingMs(),
          now: world.clock.now(),
          random: world.random(),
        });
        if (!decision.again) {
          const waitMs = decision.waitTooLongMs;
          const rateLimit = waitMs === undefined ? undefined : exceedsTimeout(waitMs);
          throw requestFailure(request, outcome, outcomeIsUnknown, rateLimit);
        }
        if (wasRateLimited) options.onRateLimit?.(decision.afterMs);
        await world.clock.sleep(decision.afterMs);
      }
    } finally {
      limit.cancel();
    }
  }

  function withHint(failure: Failure, request: Pick<HintContext, 'operation' | 'parameters'>): Failure {
    return failure.with({ hint: responseHint(failure, { ...request, credentials, commandLine }) });
  }

  return {
    async sendRaw(request) {
      const { effect: method, target } = request;
      const [path = '', query] = target.split('?');
      const operation = { method, path, scopes: method === 'GET' ? readScopes : writeScopes };
      const parameters = Object.fromEntries(new URLSearchParams(query));
      return sendJob(() => ({
        method,
        request,
        timeoutMs: options.timeoutMs,
        read({ response, outcomeIsUnknown, isDeleted }) {
          const { status } = response;
          const isFile = request.returnsFile === true && isSuccess(status);
          const { ids } = request;
          const failure =
            isDeleted || isFile
              ? undefined
              : (rawFailure(response, method) ??
                (ids && findUnexpected(method, ids, parseJsonObject(response)?.['data'], response)));
          if (!failure) return { response };
          if (outcomeIsUnknown || (isSuccess(status) && method !== 'GET'))
            throw outcomeUnknown(request, failure);
          return { response, failure: withHint(failure, { operation, parameters }) };
        },
      }));
    },
    send(operation, path, parameters, timeoutMs = options.timeoutMs, prepared) {
      const { method, parametersIn } = operation;
      return sendJob(() => ({
        method,
        request: limitQuery(prepared ?? prepareRequest(operation, path, parameters), options.queryLimit),
        timeoutMs,
        toForm,
        async read({ response, request: sent, outcomeIsUnknown, isDeleted }) {
          if (isDeleted) return { records: [], raw: [] };
          try {
            const result = readResponse(operation, response, options.reading);
            const unexpected = findUnexpected(method, idsIn(operation.path, path), result.raw, response);
            // Of several, the caller names the missing ones.
            if (unexpected && unexpected.code !== 'not_found') throw unexpected;
            const [record = {}] = result.raw;
            if (parametersIn === 'query' && typeof sent.body === 'string')
              await requireShown(parameters, record, response);
            return method === 'POST'
              ? { ...result, ...(await differenceOf({ ...parameters, ...path }, record)) }
              : result;
          } catch (thrown) {
            const failure = toFailure(thrown);
            // A rejection says nothing about earlier attempts, and an unreadable 2xx may come from another server.
            const isUnreadable = method !== 'GET' && isSuccess(response.status);
            if (outcomeIsUnknown || isUnreadable) throw outcomeUnknown(sent, failure);
            throw withHint(failure, { operation, parameters });
          }
        },
      }));
    },
  };
}

type SentRequest = Omit<WireRequest, 'body'> & Pick<HttpRequest, 'body'>;

interface Job<R> {
  /** The one that the service applies. */
  readonly method: Method;
  readonly request: SentRequest;
  readonly timeoutMs: number;
  /** Moves the parameters to a form, because the server rejected the query as too long. `undefined` if it cannot. */
  toForm?(request: SentRequest): SentRequest | undefined;
  /** Turns the final response into the result, or throws a {@link Failure}. */
  read(final: FinalResponse): R | Promise<R>;
}

/** A response after which nothing is sent again: a success, or an error. */
interface FinalResponse {
  readonly response: HttpResponse;
  /** As it was sent last. */
  readonly request: SentRequest;
  readonly outcomeIsUnknown: boolean;
  /** A 404, because an earlier attempt deleted the record and its response was lost. */
  readonly isDeleted: boolean;
}

/** @see [RFC 9110 §15.5.15](https://www.rfc-editor.org/rfc/rfc9110#section-15.5.15) and RFC 6585 §5 */
const isTooLong = (status: number) => status === 414 || status === 431;
