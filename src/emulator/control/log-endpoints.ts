// Lists logged requests and deliveries, with filters, and validates new faults and stubs.

import { nearestWords } from '#contract/did-you-mean.ts';
import { joinWithOr } from '#contract/format-list.ts';
import { invalidChoice, invalidValue } from '#contract/schema.ts';
import { operationAt, requestNames } from '../endpoints/api.ts';
import { ErrorResponse, notFound } from '../http/error-response.ts';
import { faultSchema, stubSchema, whyImpossible, whyIneffective } from '../http/injections.ts';
import { isRequestPattern, parseRequestPattern } from '../http/request-pattern.ts';
import type { ControlRequest } from '../service/service.ts';

/** Names in the log that faults cannot have, and `any`. */
const otherNames: readonly string[] = ['any', 'stub', 'none', 'page', 'options'];
const parameters: readonly string[] = ['since', 'operation', 'rejected', 'ignored'];

export function listRequests({ service: { requests }, query }: ControlRequest) {
  for (const name of query.keys()) if (!parameters.includes(name)) throw invalidChoice(name, parameters);
  const sinceText = query.get('since') ?? '0';
  if (!/^\d{1,15}$/.test(sinceText)) throw invalidValue(sinceText, 'is not the number of a request');
  const since = Number(sinceText);
  const operations = query.get('operation')?.split(',');
  for (const name of operations ?? []) requireRequestName(name, otherNames);
  const onlyRejected = query.get('rejected') === 'true';
  const { last, lastRemoved } = requests;
  return {
    requests: requests
      .after(since, query.get('ignored') === 'true')
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

export async function deliveriesEndpoint({ service: { deliveries, store }, query }: ControlRequest) {
  if (query.get('settled') === 'true') await deliveries.whenIdle();
  const webhookId = query.get('webhookId');
  if (webhookId === undefined) return { deliveries: deliveries.log };
  const ofWebhook = deliveries.log.filter((delivery) => delivery.webhookId === webhookId);
  // The log may still have deliveries to a webhook that was deleted.
  if (ofWebhook.length === 0 && !store.webhooks.has(webhookId))
    throw notFound('Webhook', webhookId, 'emulator');
  return { deliveries: ofWebhook };
}

export function addFault({ service: { faults }, body }: ControlRequest) {
  const fault = faultSchema.validate(body);
  // A fault with a misspelt name would never take effect.
  if (!isRequestPattern(fault.request)) requireRequestName(fault.request, ['any']);
  const why = whyIneffective(fault);
  if (why !== undefined) throw new ErrorResponse('invalid_parameter', why, 'emulator');
  faults.add({ ...fault, times: fault.times ?? 1 });
  return { faults: faults.all };
}

export function addStub({ service: { stubs }, body }: ControlRequest) {
  const stub = stubSchema.validate(body);
  const { method, path, hasQuery } = parseRequestPattern(stub.request);
  // The emulator handles its own operations first, so the stub would never respond.
  const operation = method === undefined ? undefined : operationAt(method, path);
  if (operation !== undefined && !hasQuery && stub.withBody === undefined)
    throw invalidValue(
      stub.request,
      `is ${operation}, which the emulator has; a fault for it replaces its response, and a stub needs a query or a body to match`,
    );
  const why = [stub, ...(stub.responses ?? [])].map(whyImpossible).find(Boolean);
  if (why !== undefined) throw new ErrorResponse('invalid_parameter', why, 'emulator');
  stubs.add(stub);
  return { stubs: stubs.all };
}

function requireRequestName(name: string, moreNames: readonly string[]): void {
  const names = [...requestNames, ...moreNames];
  if (names.includes(name)) return;
  const near = nearestWords(name, names);
  // There are dozens: list all only if no name is similar.
  if (near.length === 0) throw invalidChoice(name, names);
  throw invalidValue(name, `is not the name of a request; did you mean ${joinWithOr(near)}?`);
}
