// Sends operations to one account. Adds the token, refreshes it once after a 401, retries where that is safe, and tells a failure
// from an unknown outcome.

import type { Method, Operation } from '#contract/operation.ts';
import type { ArgumentsOf, Parameters } from '#contract/parameter.ts';
import { readScopes, writeScopes } from '#contract/scope.ts';
import { Failure, type Hint, toFailure } from '#failure.ts';
import type { Clock, HttpFault, HttpRequest, HttpResponse, Secrets, TimeLimit, World } from '#world/world.ts';
import type { ChangeTracker } from './change-tracker.ts';
import type { SignIn } from './forbidden-hint.ts';
import { limitQuery, type PathArguments, prepareRequest, toForm, type WireRequest } from './request.ts';
import { exceedsTimeout, mayHaveChanged, outcomeUnknown, requestFailure } from './request-failure.ts';
import {
  type ApiResponse,
  arrivedResponse,
  isRateLimited,
  isTransient,
  type ReadingOptions,
  readResponse,
  requireShown,
  responseFailure,
} from './response.ts';
import { responseHint } from './response-hint.ts';
import { decideRetry } from './retry.ts';

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
  /** Called with each change. */
  readonly changeTracker?: ChangeTracker;
  /**
   * Set if the HTTP client itself waits for rate limits: returns why it stopped waiting. The session then does not retry a rate
   * limit.
   */
  readonly rateLimitGiveUpReason?: () => string | undefined;
  /** Called before a wait that a rate limit asks for, in milliseconds. */
  readonly onRateLimit?: (waitMs: number) => void;
  readonly reading?: ReadingOptions;
  /** The longest query in bytes. */
  readonly queryLimit?: number | undefined;
  /** Returns a whole command for hints: `whoami` becomes `wm whoami --profile work`. */
  readonly commandLine?: (words: string) => string;
}

/** A request that is not an operation of the contract. */
export interface RawRequest extends Omit<WireRequest, 'body'> {
  readonly body?: string | Uint8Array;
  /** The method that the service applies: a GET may name another method in a parameter. */
  readonly effect: Method;
}

export interface RawResponse {
  readonly response: HttpResponse;
  /** Present for a status other than 2xx. */
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

/**
 * Reading a response takes up to seven times its size in memory. The largest valid record, a task with a million escaped
 * characters, is below 20 MB. If several records together exceed the limit, the caller requests fewer.
 */
const maxResponseBytes = 32 * 1024 * 1024;

/**
 * Creates a session. Sends nothing before {@link Session.send}.
 * @see [RFC 6750 §2.1](https://www.rfc-editor.org/rfc/rfc6750#section-2.1) for the `Authorization` header
 */
export function createSession(
  world: Pick<World, 'http' | 'clock' | 'random'>,
  credentials: Credentials,
  options: SessionOptions,
): Session {
  const { changeTracker, commandLine = (words: string) => `wm ${words}` } = options;

  async function exchange(
    access: Access,
    request: SentRequest,
    timeoutMs: number,
  ): Promise<HttpResponse | HttpFault> {
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
    return arrived ?? outcome;
  }

  /** Returns the same error without secrets. */
  function redacted(error: unknown): unknown {
    return error instanceof Failure && options.secrets ? error.redacted(options.secrets.redact) : error;
  }

  async function sendJob<R>(job: Job<R>, timeoutMs: number): Promise<R> {
    let time: RemainingTime | undefined;
    try {
      const access = await credentials.access();
      // Starts here: waiting for another process to refresh the token has its own time limit.
      time = new RemainingTime(world.clock, timeoutMs);
      return await sendWithRetries(job, access, time);
    } catch (error) {
      throw redacted(error);
    } finally {
      time?.end();
    }
  }

  async function sendWithRetries<R>(job: Job<R>, firstAccess: Access, time: RemainingTime): Promise<R> {
    const { operation, parameters } = job;
    let { request } = job;
    const isChange = operation.method !== 'GET';
    let access = firstAccess;
    let refreshed = false;
    /** True once a change may have been made without a response that says so. */
    let outcomeIsUnknown = false;

    for (let attempt = 1; ; attempt++) {
      if (isChange) changeTracker?.onSend(request);
      const outcome = await exchange(access, request, Math.max(1, Math.ceil(time.remainingMs())));
      outcomeIsUnknown ||= isChange && mayHaveChanged(outcome);
      if (isChange && !outcomeIsUnknown) changeTracker?.onUnchanged();
      const response = 'fault' in outcome ? undefined : outcome;
      const wasRateLimited = response !== undefined && isRateLimited(response);
      if (response && !wasRateLimited) {
        if (response.status === 401 && !refreshed) {
          refreshed = true;
          const rejected = access;
          const refreshedAccess = await time
            .pauseDuring(() => credentials.refresh(rejected))
            .catch((error: unknown) => {
              throw outcomeIsUnknown ? outcomeUnknown(request, toFailure(error)) : error;
            });
          if (refreshedAccess) {
            access = refreshedAccess;
            attempt--;
            continue;
          }
        }
        const form = isTooLong(response.status) ? job.toForm() : undefined;
        if (form) {
          request = form;
          attempt--;
          continue;
        }
        // An earlier attempt deleted it, and its response was lost.
        if (response.status === 404 && operation.method === 'DELETE' && outcomeIsUnknown)
          return job.deleted(response);
        if (!isTransient(response.status)) {
          return job.read(response, outcomeIsUnknown, (failure) =>
            responseHint(failure, { operation, parameters, credentials, commandLine }),
          );
        }
      }

      if (options.rateLimitGiveUpReason && wasRateLimited)
        throw requestFailure(request, outcome, outcomeIsUnknown, { why: options.rateLimitGiveUpReason() });

      const decision = decideRetry({
        method: operation.method,
        attempt,
        outcome,
        remainingMs: time.remainingMs(),
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
  }

  async function track<R>(tracker: ChangeTracker, request: SentRequest, send: () => Promise<R>): Promise<R> {
    try {
      const response = await send();
      tracker.onSuccess(request);
      return response;
    } catch (error) {
      if (error instanceof Failure && error.code === 'outcome_unknown') tracker.onUnknown(request);
      else tracker.onUnchanged();
      throw error;
    }
  }

  return {
    async sendRaw(request) {
      const { effect: method, target } = request;
      const scopes = method === 'GET' ? readScopes : writeScopes;
      const job = new RawJob({ method, path: target.split('?')[0] ?? '', scopes }, request);
      const send = () => sendJob(job, options.timeoutMs);
      return changeTracker && method !== 'GET' ? track(changeTracker, request, send) : send();
    },
    async send(operation, path, parameters, timeoutMs = options.timeoutMs, prepared) {
      let request = prepared;
      try {
        request = limitQuery(request ?? prepareRequest(operation, path, parameters), options.queryLimit);
      } catch (error) {
        throw redacted(error);
      }
      const job = new OperationJob(operation, request, parameters, options.reading);
      if (!changeTracker || operation.method === 'GET') return sendJob(job, timeoutMs);
      return track(changeTracker, request, () => sendJob(job, timeoutMs));
    },
  };
}

type HintOf = (failure: Failure) => Hint | undefined;
type SentRequest = Omit<WireRequest, 'body'> & Pick<HttpRequest, 'body'>;

/** A request, and how to handle its final response. */
interface Job<R> {
  readonly operation: Pick<Operation, 'method' | 'path' | 'scopes'>;
  readonly request: SentRequest;
  readonly parameters: Readonly<Record<string, unknown>>;
  read(response: HttpResponse, outcomeIsUnknown: boolean, hintOf: HintOf): R;
  /** Moves the parameters to a form, because the server rejected the query as too long. `undefined` if it cannot. */
  toForm(): SentRequest | undefined;
  /** Returns the result for a record that an earlier attempt deleted. */
  deleted(response: HttpResponse): R;
}

type SentOperation<R> = Job<R>['operation'] &
  Pick<Operation<never, R>, 'kind' | 'alsoKind' | 'record' | 'parametersIn'>;

/**
 * @see [RFC 9110 §15.5.15](https://www.rfc-editor.org/rfc/rfc9110#section-15.5.15)
 * @see [RFC 6585 §5](https://www.rfc-editor.org/rfc/rfc6585#section-5)
 */
const isTooLong = (status: number) => status === 414 || status === 431;

/** Classes: closures would be created again for every row of a bulk run. */
class OperationJob<R> implements Job<ApiResponse<R>> {
  readonly operation: SentOperation<R>;
  request: WireRequest;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly #reading: ReadingOptions | undefined;

  constructor(
    operation: SentOperation<R>,
    request: WireRequest,
    parameters: Readonly<Record<string, unknown>>,
    reading: ReadingOptions | undefined,
  ) {
    this.operation = operation;
    this.request = request;
    this.parameters = parameters;
    this.#reading = reading;
  }

  read(response: HttpResponse, outcomeIsUnknown: boolean, hintOf: HintOf): ApiResponse<R> {
    try {
      const result = readResponse(this.operation, response, this.#reading);
      const [record] = result.raw;
      if (record && this.operation.parametersIn === 'query' && typeof this.request.body === 'string')
        requireShown(this.parameters, record, response);
      return result;
    } catch (thrown) {
      const failure = toFailure(thrown);
      // A rejection says nothing about earlier attempts, and an unreadable 2xx may come from another server.
      const isUnreadable = this.operation.method !== 'GET' && response.status < 300;
      if (outcomeIsUnknown || isUnreadable) throw outcomeUnknown(this.request, failure);
      throw failure.with({ hint: hintOf(failure) });
    }
  }

  toForm(): WireRequest | undefined {
    const form = toForm(this.request);
    if (form) this.request = form;
    return form;
  }

  deleted(): ApiResponse<R> {
    return { records: [], raw: [] };
  }
}

class RawJob implements Job<RawResponse> {
  readonly operation: Job<RawResponse>['operation'];
  readonly request: RawRequest;
  readonly parameters = {};

  constructor(operation: Job<RawResponse>['operation'], request: RawRequest) {
    this.operation = operation;
    this.request = request;
  }

  read(response: HttpResponse, outcomeIsUnknown: boolean, hintOf: HintOf): RawResponse {
    if (response.status >= 200 && response.status < 300) return { response };
    const failure = responseFailure(response);
    if (outcomeIsUnknown) throw outcomeUnknown(this.request, failure);
    return { response, failure: failure.with({ hint: hintOf(failure) }) };
  }

  toForm(): undefined {}

  deleted(response: HttpResponse): RawResponse {
    return { response };
  }
}

/** A time limit that starts again after the process was frozen. */
class RemainingTime {
  readonly #clock: Pick<Clock, 'limit'>;
  #limit: TimeLimit;

  constructor(clock: Pick<Clock, 'limit'>, timeoutMs: number) {
    this.#clock = clock;
    this.#limit = clock.limit(timeoutMs);
  }

  remainingMs(): number {
    return this.#limit.remainingMs();
  }

  /** Does not count the time of `work`. */
  async pauseDuring<T>(work: () => Promise<T>): Promise<T> {
    const remainingMs = this.#limit.remainingMs();
    this.#limit.cancel();
    try {
      return await work();
    } finally {
      this.#limit = this.#clock.limit(remainingMs);
    }
  }

  end(): void {
    this.#limit.cancel();
  }
}
