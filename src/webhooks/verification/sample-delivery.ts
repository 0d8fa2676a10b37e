// Creates the bodies that are sent to a receiver: for each event one that follows the contract, and variations of it.

import { formatTimestamp } from '#contract/date.ts';
import { type EventName, events } from '#contract/event.ts';
import { toPayload } from '#contract/payload.ts';
import { exampleIds, samplePayload } from '#contract/sample-payload.ts';
import type { VerifyTarget } from './receiver-target.ts';

export type SampleEvent = Readonly<Record<string, unknown>>;

/** Only the webhook's id exists; the other ids are made up. */
export function sampleEvent(
  event: EventName,
  { webhookId, sampleId }: Pick<VerifyTarget, 'webhookId' | 'sampleId'>,
  now: number,
): SampleEvent {
  const { idField } = events[event];
  const head = {
    webhookId: webhookId ?? exampleIds.webhook,
    authorId: exampleIds.author,
    date: formatTimestamp(now),
    subjectId: sampleId ?? (idField === 'folderId' ? exampleIds.folder : exampleIds.task),
  };
  return toPayload(event, head, samplePayload(event, exampleIds, 'Sample of wm webhook verify'));
}

/** The service sends an array even for one event. */
export function toBody(event: SampleEvent): string {
  return JSON.stringify([event]);
}

/** The same event in other bytes, so that a signature of the parsed and re-encoded body does not match. */
export function toSpacedBody(event: SampleEvent): string {
  return `${JSON.stringify([event], null, 2)}\n`;
}

/** The contract allows the service to add fields at any time. */
export function withUnknownField(event: SampleEvent): SampleEvent {
  return { ...event, addedByTheService: { note: 'a field that the receiver does not know' } };
}

/** More than the 100 kB that some body parsers accept by default; a few large comments reach it. */
const largeCharacters = 250_000;

export function withLargeField(event: SampleEvent): SampleEvent {
  return { ...event, addedByTheService: { note: 'x'.repeat(largeCharacters) } };
}

export function hasTaskId(event: EventName): boolean {
  return events[event].idField === 'taskId';
}
