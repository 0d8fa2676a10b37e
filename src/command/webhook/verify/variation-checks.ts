// Deliveries that are as valid as the samples, and that receivers often reject: other bytes, a new field, a large body, the same
// event again.

import { randomUUID } from 'node:crypto';
import type { Problem } from './check-result.ts';
import { type CheckResult, failed, notChecked, passed } from './check-result.ts';
import type { Receiver } from './receiver-exchange.ts';
import { problemOf } from './response-meaning.ts';
import {
  type SampleEvent,
  toBody,
  toSpacedBody,
  withLargeField,
  withUnknownField,
} from './sample-delivery.ts';

interface Variation {
  readonly check: string;
  readonly body: (event: SampleEvent) => string;
  /** What a rejection means, before what the response was. */
  readonly meaning: string;
  readonly fix: string;
}

const spaced: Variation = {
  check: 'spaces in the body',
  body: toSpacedBody,
  meaning:
    'the receiver does not accept JSON with line breaks, or computes the signature over what a parser made of it',
  fix: 'Compute the HMAC over the raw bytes of the body.',
};
const unknownField: Variation = {
  check: 'unknown field',
  body: (event) => toBody(withUnknownField(event)),
  meaning: 'the receiver rejects fields that it does not know; the service may add fields at any time',
  fix: 'Ignore unknown fields.',
};
const large: Variation = {
  check: 'large body',
  body: (event) => toBody(withLargeField(event)),
  meaning: 'a body of 250 kB is too large for the receiver or a proxy before it',
  fix: 'Raise the limit on the body: client_max_body_size in nginx, limit in body parsers such as that of Express.',
};

const duplicate: Variation = {
  check: 'duplicate',
  body: toBody,
  meaning: 'the receiver rejects an event that it already has; the service may deliver an event twice',
  fix: 'Respond to a duplicate as to the first delivery, with a 2xx.',
};

export const variationNames = [spaced, unknownField, large, duplicate].map(({ check }) => check);

/** `event`: one that the receiver accepts. */
export async function checkVariations(
  receiver: Receiver,
  event: SampleEvent,
  limitMs: number,
): Promise<readonly CheckResult[]> {
  const spacedResult = await checkOne(receiver, spaced, event, limitMs);
  const unknown = await checkOne(receiver, unknownField, event, limitMs);
  // It is an unknown field that makes the body large.
  const largeResult =
    unknown.outcome === 'ok'
      ? await checkOne(receiver, large, event, limitMs)
      : notChecked(large.check, 'unknown fields are rejected');
  const key = randomUUID();
  await receiver.deliver(duplicate.body(event), key);
  return [spacedResult, unknown, largeResult, await checkOne(receiver, duplicate, event, limitMs, key)];
}

async function checkOne(
  receiver: Receiver,
  { check, body, meaning, fix }: Variation,
  event: SampleEvent,
  limitMs: number,
  key?: string,
): Promise<CheckResult> {
  const reply = await receiver.deliver(body(event), key);
  const problem = problemOf(reply, limitMs);
  return { ...(problem ? failed(check, combine(problem, meaning, fix)) : passed(check)), ms: reply.ms };
}

function combine({ why }: Problem, meaning: string, fix: string): Problem {
  return { why: `${meaning} (${why})`, fix };
}
