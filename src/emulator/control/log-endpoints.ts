// Shows the log of requests (all, after a number, of some operations, or only rejected ones), the log of deliveries, and the faults
// and stubs in effect.

import { nearestWords } from '#contract/did-you-mean.ts';
import { joinWithOr } from '#contract/format-list.ts';
import { formatValue, invalidChoice, ValidationError } from '#contract/schema.ts';
import { operationAt, requestNames } from '../endpoints/api.ts';
import { ErrorResponse, notFound } from '../http/error-response.ts';
import { faultSchema, whyIneffective } from '../http/fault-injection.ts';
import { whyContradictory } from '../http/injected-body.ts';
import { isRequestPattern, parseRequestPattern } from '../http/request-pattern.ts';
import { stubSchema, whyImpossible } from '../http/stubs.ts';
import type { ControlRequest } from './control-request.ts';

/** Besides the names that a fault may have. */
const otherNames: readonly string[] = ['any', 'stub', 'none', 'page', 'options'];
const parameters: readonly string[] = ['since', 'operation', 'rejected'];

export function listRequests({ service: { requests }, query }: ControlRequest) {
  for (const name of query.keys()) if (!parameters.includes(name)) throw invalidChoice(name, parameters);
  const since = readNumber(query.get('since') ?? '0');
  const operations = query.get('operation')?.split(',');
  for (const name of operations ?? []) requireRequestName(name, otherNames);
  const onlyRejected = query.get('rejected') === 'true';
  const { last, lastRemoved } = requests;
  return {
    requests: requests
      .after(since)
      .filter(
        ({ operation, status = 0 }) =>
          (operations === undefined || operations.includes('any') || operations.includes(operation)) &&
          (!onlyRejected || status >= 400),
      ),
    last,
    // A client that counts requests has to know how many are missing.
    removed: Math.max(0, lastRemoved - since),
  };
}

export function clearRequests({ service: { requests } }: ControlRequest) {
  requests.clear();
  return { requests: [], last: requests.last, removed: 0 };
}

function readNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text))
    throw new ValidationError(formatValue(text), 'is not the number of a request');
  return Number(text);
}

export async function deliveriesEndpoint({ service: { deliveries, store }, query }: ControlRequest) {
  if (query.get('settled') === 'true') await deliveries.whenIdle();
  const webhookId = query.get('webhookId');
  if (webhookId === undefined) return { deliveries: deliveries.log };
  const found = deliveries.log.filter((one) => one.webhookId === webhookId);
  // A deleted webhook is known as long as the log has a delivery to it.
  if (found.length === 0 && !store.webhooks.has(webhookId)) throw notFound('Webhook', webhookId, 'emulator');
  return { deliveries: found };
}

export function listFaults({ service: { faults } }: ControlRequest) {
  return { faults: faults.pending };
}

export function addFault({ service: { faults }, body }: ControlRequest) {
  const fault = faultSchema.validate(body);
  // A fault with a misspelled name would never happen.
  if (!isRequestPattern(fault.request)) requireRequestName(fault.request, ['any']);
  const why = whyIneffective(fault);
  if (why !== undefined) throw new ErrorResponse('invalid_parameter', why, 'emulator');
  faults.add(fault);
  return { faults: faults.pending };
}

export function clearFaults({ service: { faults } }: ControlRequest) {
  faults.clear();
  return { faults: [] };
}

export function listStubs({ service: { stubs } }: ControlRequest) {
  return { stubs: stubs.all };
}

export function addStub({ service: { stubs }, body }: ControlRequest) {
  const stub = stubSchema.validate(body);
  const { method, path } = parseRequestPattern(stub.request);
  // The emulator handles its own requests first, so a stub for one would never respond.
  const own = method === undefined ? undefined : operationAt(method, path);
  if (own !== undefined)
    throw new ValidationError(
      formatValue(stub.request),
      `is ${own}, which the emulator has; a fault for it replaces its response`,
    );
  const why = whyContradictory(stub) ?? whyImpossible(stub);
  if (why !== undefined) throw new ErrorResponse('invalid_parameter', why, 'emulator');
  stubs.add(stub);
  return { stubs: stubs.all };
}

export function clearStubs({ service: { stubs } }: ControlRequest) {
  stubs.clear();
  return { stubs: [] };
}

/** `more`: names besides those of all requests. Throws {@link ValidationError}. */
function requireRequestName(name: string, more: readonly string[]): void {
  const known = [...requestNames, ...more];
  if (known.includes(name)) return;
  const near = nearestWords(name, known);
  // There are dozens: all of them only where none is close.
  if (near.length === 0) throw invalidChoice(name, known);
  throw new ValidationError(
    formatValue(name),
    `is not the name of a request; did you mean ${joinWithOr(near)}?`,
  );
}
