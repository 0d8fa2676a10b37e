// The bodies that are sent to a receiver: for each event one that follows the contract, and variations of it.

import { formatTimestamp } from '#contract/date.ts';
import { type EventName, events } from '#contract/event.ts';
import { toPayload } from '#contract/payload.ts';
import { exampleIds, samplePayload } from '#contract/sample-payload.ts';
import type { VerifyTarget } from './receiver-target.ts';

export type SampleEvent = Readonly<Record<string, unknown>>;

/** Its ids name nothing, but for that of the webhook. */
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

/** As the service sends it: an array, even for one event. */
export function toBody(event: SampleEvent): string {
  return JSON.stringify([event]);
}

/** The same event in other bytes. A signature of what a parser made of them would not match. */
export function toSpacedBody(event: SampleEvent): string {
  return `${JSON.stringify([event], null, 2)}\n`;
}

/** The contract allows new fields at any time. */
export function withUnknownField(event: SampleEvent): SampleEvent {
  return { ...event, addedByTheService: { note: 'a field that the receiver does not know' } };
}

/** More than the 100 kB that some body parsers accept by default. A few comments of the largest size need as much. */
const largeCharacters = 250_000;

export function withLargeField(event: SampleEvent): SampleEvent {
  return { ...event, addedByTheService: { note: 'x'.repeat(largeCharacters) } };
}

export function hasTaskId(event: EventName): boolean {
  return events[event].idField === 'taskId';
}
