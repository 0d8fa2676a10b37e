// A session sends operations to one account of the service: it adds the token, renews it once if the service refuses
// it, repeats what may be repeated, and tells a failure from an outcome that nobody knows.

import type { Operation } from '../contract/operation.ts';
import type { ArgumentsOf, Parameters } from '../contract/parameter.ts';
import { ValidationError } from '../contract/schema.ts';
import { Failure, usageError } from '../failure.ts';
import type { Clock, HttpFault, HttpResponse, Secrets, World } from '../world/world.ts';
import type { ChangeTracker } from './change-tracker.ts';
import type { SignIn } from './forbidden-hint.ts';
import { buildRequest, type PathArguments, type WireRequest } from './request.ts';
import { exceedsTimeout, mayHaveChanged, outcomeUnknown, requestFailure } from './request-failure.ts';
import { type ApiResponse, isRateLimited, isTransient, readResponse } from './response.ts';
import { responseHint } from './response-hint.ts';
import { decideRetry } from './retry.ts';

/** A token and the address it is good for. */
export interface Access {
  readonly token: string;
  /** `https://<host>/api/v4` */
  readonly baseUrl: string;
}

export interface Credentials {
  /** A token that is good now, as far as its age tells. */
  access(): Promise<Access>;
  /** Another one after the service refused this; nothing where there is nothing to renew with. */
  refresh(rejected: Access): Promise<Access | undefined>;
  /** What to do where the service refuses these, if it is not to sign in. */
  readonly rejectedHint?: string;
  /** Absent for a permanent token. */
  readonly signIn?: SignIn;
}

export interface SessionOptions {
  /** For one call, its repetitions included. */
  readonly timeoutMs: number;
  readonly userAgent: string;
  /** Hears of every exchange: method, address, status, milliseconds. Never of a header or a body. */
  readonly trace?: (line: string) => void;
  /** Learns each token, and takes what must not be shown out of every failure: some go into files. */
  readonly secrets?: Secrets;
  /** Hears of every change. */
  readonly changeTracker?: ChangeTracker;
  /**
   * For a network that waits out rate limits itself: why it did not wait any longer. What it hands on is then not sent
   * again.
   */
  readonly rateLimitGiveUpReason?: () => string | undefined;
  /** A command of `wm` in full, as hints print it: `whoami` becomes `wm whoami --profile work`. */
  readonly commandLine?: (words: string) => string;
}

export interface Session {
  /** Throws a {@link Failure}: `outcome_unknown` where a change was sent and no response tells whether it was made. */
  send<P extends Parameters, R>(
    operation: Operation<P, R>,
    path: PathArguments,
    parameters: ArgumentsOf<P>,
    /** In milliseconds: shorter than the session's own, for what is not worth that wait. */
    timeoutMs?: number,
  ): Promise<ApiResponse<R>>;
}

/**
 * A response is read into memory whole, and takes up to seven times its size there. The largest legal record, a task with a
 * description of a million characters, each of them escaped, stays below 20 MB; who asks for several records that
 * exceed it together asks again for fewer.
 */
const maxResponseBytes = 32 * 1024 * 1024;

/** Builds a request for a caller that may only print it: a value that does not fit is a usage error. */
export function prepareRequest<P extends Parameters>(
  operation: Operation<P>,
  path: PathArguments,
  parameters: ArgumentsOf<P>,
): WireRequest {
  try {
    return buildRequest(operation, path, parameters);
  } catch (error) {
    if (error instanceof ValidationError) throw usageError(error.message);
    throw error;
  }
}

export function createSession(
  world: Pick<World, 'http' | 'clock' | 'random'>,
  credentials: Credentials,
  options: SessionOptions,
): Session {
  const { changeTracker, commandLine = (words: string) => `wm ${words}` } = options;

  function exchange(access: Access, request: WireRequest, leftMs: number): Promise<HttpResponse | HttpFault> {
    options.secrets?.add(access.token);
    const url = access.baseUrl + request.target;
    const headers: Record<string, string> = {
      authorization: `Bearer ${access.token}`,
      accept: 'application/json',
      'user-agent': options.userAgent,
    };
    for (const name in request.headers) headers[name] ??= request.headers[name] ?? '';
    const { method, body } = request;
    const exchanged = world.http.send(
      body === undefined ? { method, url, headers } : { method, url, headers, body },
      { timeoutMs: leftMs, maxBytes: maxResponseBytes },
    );
    return options.trace ? traced(`${method} ${url}`, exchanged, options.trace) : exchanged;
  }

  async function traced(
    name: string,
    exchanged: Promise<HttpResponse | HttpFault>,
    trace: (line: string) => void,
  ): Promise<HttpResponse | HttpFault> {
    const started = world.clock.monotonic();
    const outcome = await exchanged;
    const result = 'fault' in outcome ? `${outcome.fault} (${outcome.detail})` : outcome.status;
    trace(`${name} -> ${result} in ${Math.round(world.clock.monotonic() - started)} ms`);
    return outcome;
  }

  async function sendWithTimeout<P extends Parameters, R>(
    operation: Operation<P, R>,
    build: () => WireRequest,
    parameters: ArgumentsOf<P>,
    timeoutMs = options.timeoutMs,
  ): Promise<ApiResponse<R>> {
    const request = build();
    const access = await credentials.access();
    // From here: waiting for another process to renew has a limit of its own.
    const time = createRemainingTime(world.clock, timeoutMs);
    try {
      return await sendWithRetries(operation, request, parameters, access, time);
    } finally {
      time.end();
    }
  }

  async function sendWithRetries<P extends Parameters, R>(
    operation: Operation<P, R>,
    request: WireRequest,
    parameters: ArgumentsOf<P>,
    firstAccess: Access,
    time: RemainingTime,
  ): Promise<ApiResponse<R>> {
    const isChange = operation.method !== 'GET';
    let access = firstAccess;
    let refreshed = false;
    /** True once a change may have reached the service without its answer reaching us. */
    let outcomeIsUnknown = false;

    for (let attempt = 1; ; attempt++) {
      if (isChange) changeTracker?.onSend(request);
      const outcome = await exchange(access, request, Math.max(1, Math.ceil(time.remainingMs())));
      outcomeIsUnknown ||= isChange && mayHaveChanged(outcome);
      if (isChange && !outcomeIsUnknown) changeTracker?.onUnchanged();
      if (!('fault' in outcome) && !isRateLimited(outcome)) {
        if (outcome.status === 401 && !refreshed) {
          refreshed = true;
          const rejected = access;
          const next = await time.pauseDuring(() => credentials.refresh(rejected));
          if (next) {
            access = next;
            attempt--;
            continue;
          }
        }
        // Deleted by the try before, whose answer was lost.
        if (outcome.status === 404 && operation.method === 'DELETE' && outcomeIsUnknown)
          return { records: [], raw: [] };
        if (!isTransient(outcome.status)) {
          return readFinalResponse(operation, request, outcome, outcomeIsUnknown, (failure) =>
            responseHint(failure, { operation, parameters, credentials, commandLine }),
          );
        }
      }

      if (options.rateLimitGiveUpReason && !('fault' in outcome) && isRateLimited(outcome))
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
        throw requestFailure(
          request,
          outcome,
          outcomeIsUnknown,
          waitMs === undefined ? undefined : exceedsTimeout(waitMs),
        );
      }
      await world.clock.sleep(decision.afterMs);
    }
  }

  async function sendTracked<P extends Parameters, R>(
    changeTracker: ChangeTracker,
    operation: Operation<P, R>,
    build: () => WireRequest,
    parameters: ArgumentsOf<P>,
  ): Promise<ApiResponse<R>> {
    const request = build();
    try {
      const answer = await sendWithTimeout(operation, () => request, parameters);
      changeTracker.onSuccess(request);
      return answer;
    } catch (error) {
      if (error instanceof Failure && error.code === 'outcome_unknown') changeTracker.onUnknown(request);
      else changeTracker.onUnchanged();
      throw error;
    }
  }

  return {
    send(operation, path, parameters, timeoutMs) {
      // Built inside, so that a value that does not fit is a rejection.
      const build = () => prepareRequest(operation, path, parameters);
      const settled =
        changeTracker && operation.method !== 'GET'
          ? sendTracked(changeTracker, operation, build, parameters)
          : sendWithTimeout(operation, build, parameters, timeoutMs);
      return settled.catch((error: unknown) => {
        throw error instanceof Failure && options.secrets ? error.redacted(options.secrets.redact) : error;
      });
    },
  };
}

interface RemainingTime {
  /** Milliseconds; after a freeze, all of them again. */
  remainingMs(): number;
  /** What `work` takes does not count. */
  pauseDuring<T>(work: () => Promise<T>): Promise<T>;
  end(): void;
}

function createRemainingTime(clock: Pick<Clock, 'limit'>, timeoutMs: number): RemainingTime {
  let limit = clock.limit(timeoutMs);
  return {
    remainingMs: () => limit.leftMs(),
    async pauseDuring(work) {
      const leftMs = limit.leftMs();
      limit.cancel();
      try {
        return await work();
      } finally {
        limit = clock.limit(leftMs);
      }
    },
    end: () => limit.cancel(),
  };
}

/** Reads an answer after which nothing more is sent. */
function readFinalResponse<R>(
  operation: Pick<Operation<never, R>, 'kind' | 'record' | 'method'>,
  request: WireRequest,
  answer: HttpResponse,
  uncertain: boolean,
  hintOf: (failure: Failure) => string | undefined,
): ApiResponse<R> {
  try {
    return readResponse(operation, answer);
  } catch (error) {
    // A refusal tells nothing of the try before; and who answers 2xx in another form may not be the service.
    const unread = operation.method !== 'GET' && answer.status < 300;
    if (error instanceof Failure && (uncertain || unread)) throw outcomeUnknown(request, error);
    throw error instanceof Failure ? error.with({ hint: hintOf(error) }) : error;
  }
}
