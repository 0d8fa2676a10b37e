// The effects of an injected fault: the next responses of an operation are replaced, delayed, cut off or never sent, either before
// or after the operation takes effect.

import { serviceErrors } from '#contract/service-error.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { type Fault, hasBody, injectedResponse, retryAfterHeader, whyContradictory } from './injections.ts';
import { jsonResponse, type OutgoingResponse } from './response.ts';

/** Why a fault would have no effect; undefined if it has one. */
export function whyIneffective(fault: Fault): string | undefined {
  const { status, error, retryAfter, delayMs, cutAfter, silence } = fault;
  const hasOwnBody = hasBody(fault);
  if (error !== undefined && hasOwnBody) return 'Give an error or a body, not both';
  if (status === undefined && !hasOwnBody && (error !== undefined || retryAfter !== undefined))
    return 'An error or a Retry-After needs a status';
  const changesResponse = hasOwnBody || [status, delayMs, cutAfter].some((member) => member !== undefined);
  if (silence === true && changesResponse)
    return 'Silence sends no response: leave out the status, body, delay and cut, or the silence';
  const contradiction = whyContradictory(fault);
  if (contradiction !== undefined) return contradiction;
  if (changesResponse || silence === true) return undefined;
  return 'A fault needs a status, a body, a delay, a cut or silence';
}

export const describeEffect = ({
  status,
  error,
  body,
  json,
  retryAfter,
  delayMs,
  cutAfter,
  silence,
}: Omit<Fault, 'request' | 'when'>): string =>
  [
    status === undefined ? '' : `${status}${error === undefined ? '' : ` ${error}`}`,
    body === undefined ? '' : 'a custom body',
    json === undefined ? '' : 'a custom JSON body',
    retryAfter === undefined ? '' : `Retry-After ${retryAfter}`,
    delayMs === undefined ? '' : `delayed by ${delayMs} ms`,
    cutAfter === undefined ? '' : `cut after ${cutAfter} bytes`,
    silence ? 'no response' : '',
  ]
    .filter(Boolean)
    .join(', ');

/** The response that replaces the operation's own, if the fault replaces it. */
export function replacementResponse(fault: Fault, state?: string): OutgoingResponse | undefined {
  const { status, error } = fault;
  if (hasBody(fault)) return injectedResponse(fault);
  if (status === undefined) return undefined;
  const serviceError = Object.entries(serviceErrors).find(([, row]) => row.status === status)?.[0];
  const body = {
    errorDescription: 'An injected fault',
    error: error ?? serviceError ?? 'server_error',
    ...omitUndefined({ state }),
  };
  return jsonResponse(status, body, retryAfterHeader(fault));
}

/** By default only a delay lets the operation take effect. */
export function takesEffectFirst(fault: Fault): boolean {
  const { when, status, silence, cutAfter } = fault;
  if (when !== undefined) return when === 'after';
  return status === undefined && !hasBody(fault) && silence !== true && cutAfter === undefined;
}
