// How a request that brought no usable answer is told: what it was, whether a change may have been made all the same,
// and what to do about it.

import { Failure } from '../failure.ts';
import type { HttpFault, HttpResponse } from '../world/world.ts';
import type { WireRequest } from './request.ts';
import { isRateLimited, isTransient, responseFailure } from './response.ts';

/** A request for a person: without its query, which holds what was typed. */
export function requestName({ method, target }: WireRequest): string {
  return `${method} ${target.split('?')[0]}`;
}

/** Whether a change may have been made although no good answer came. */
export function mayHaveChanged(outcome: HttpResponse | HttpFault): boolean {
  if ('fault' in outcome) return outcome.sent;
  return (isTransient(outcome.status) && !isRateLimited(outcome)) || redirectsAfterProcessing(outcome.status);
}

/** Many lead on to what to read once they have done the work. 307 and 308 say that it is to be asked for elsewhere. */
function redirectsAfterProcessing(status: number): boolean {
  return status >= 300 && status < 400 && status !== 307 && status !== 308;
}

export function outcomeUnknown(request: WireRequest, cause: Failure): Failure {
  return new Failure('outcome_unknown', {
    message: `${requestName(request)} was sent, and no response tells whether it was done`,
    why: cause.sentence,
    hint: 'Read the record before you send it again.',
    httpStatus: cause.httpStatus,
    cause,
  });
}

/** A single --timeout can be no longer. */
const longestTimeoutSeconds = 86_400;

/** Why a single request does not wait as long as the service asks, and what to do instead. */
export function exceedsTimeout(waitMs: number): { why: string; hint: string } {
  const wait = Math.ceil(waitMs / 1000);
  const longer = wait + 30 > longestTimeoutSeconds ? '' : `, or give it longer: --timeout ${wait + 30}`;
  return {
    why: `the service asks to wait ${wait} s, which is longer than what is left of the time limit`,
    hint: `Run it again in ${wait} s${longer}`,
  };
}

/** After the last attempt. `limited`: why a rate limit was not waited out, and what to do about it. */
export function requestFailure(
  request: WireRequest,
  outcome: HttpResponse | HttpFault,
  outcomeIsUnknown: boolean,
  rateLimit?: { readonly why?: string | undefined; readonly hint?: string },
): Failure {
  const cause = 'fault' in outcome ? failureFromFault(outcome) : responseFailure(outcome);
  if (outcomeIsUnknown) return outcomeUnknown(request, cause);
  // A read changes nothing, so that to say so would only make a person wonder.
  if (request.method !== 'GET' && cause.meaning.retry === 'soon')
    return cause.with({ hint: `Nothing was changed. ${cause.hint ?? ''}`.trimEnd() });
  return rateLimit && cause.code === 'rate_limited' ? cause.with(rateLimit) : cause;
}

const faultMessages: Readonly<Record<HttpFault['fault'], string>> = {
  'connection-refused': 'Nothing listens at this address',
  unreachable: 'The host cannot be reached',
  tls: 'No trusted connection to the host',
  proxy: 'The proxy did not connect',
  'address-not-allowed': 'The address is not allowed',
  timeout: 'No response in time',
  reset: 'The connection broke',
  'too-large': 'The response is too large',
  malformed: 'The response is not HTTP',
  aborted: 'Interrupted',
};

/** A fault of the network as a Failure. What it means for a change is the caller's to say. */
export function failureFromFault(fault: HttpFault): Failure {
  if (fault.fault === 'too-large')
    return new Failure('too_large', { message: faultMessages[fault.fault], why: fault.detail });
  const hint =
    faultHints[fault.fault] ?? 'Check the connection, HTTPS_PROXY and the host, then run it again.';
  return new Failure('network', {
    message: faultMessages[fault.fault],
    why: fault.detail,
    hint,
  });
}

const faultHints: Partial<Record<HttpFault['fault'], string>> = {
  tls: 'Behind a company proxy, trust its certificate: --ca FILE, or NODE_EXTRA_CA_CERTS=FILE.',
  timeout: 'Give it longer with --timeout SECONDS, or try again.',
};
