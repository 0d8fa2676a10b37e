// Emits any event on request, with the requested subject and payload fields, or else samples. The event is dispatched like any other.

import { formatTimestamp, timestampSchema } from '#contract/date.ts';
import { type EventName, eventNames, events } from '#contract/event.ts';
import { identifier } from '#contract/identifier.ts';
import { isJsonObject } from '#contract/json.ts';
import { type SampleIds, samplePayload, validatePayload } from '#contract/payload.ts';
import { choice, invalidValue, list, text, ValidationError } from '#contract/schema.ts';
import { randomUuid } from '#random-values.ts';
import { dispatch, type Occurrence } from '../dispatch/dispatch.ts';
import type { ControlRequest } from '../service/service.ts';
import { findSubject, isTask } from '../state/access.ts';
import { findAuthor, findFolder, findTask } from '../state/example-records.ts';
import { sample } from '../state/sample-ids.ts';
import { deliveryVariants, type Store } from '../state/store.ts';

/** Sample payloads name records of the sample, which a client can read. */
const sampleIds: SampleIds = {
  user: sample.ben,
  parent: sample.project,
  oldCustomStatus: sample.active,
  customStatus: sample.completedStatus,
  customField: sample.text,
  attachment: sample.attachment,
  oldItemType: sample.bugType,
  itemType: sample.storyType,
};

/** The subject for an event without one. Throws a {@link ValidationError} if the emulator has no such record. */
function defaultSubject(store: Store, event: EventName): string {
  const { subject, idField } = events[event];
  const kind = subject === 'project' ? 'project' : 'folder';
  const needsTask = subject !== 'project' && subject !== 'folder' && idField !== 'parentTaskGroupId';
  const record = needsTask ? findTask(store) : findFolder(store, kind);
  if (record === undefined)
    throw new ValidationError(idField, `is missing: the emulator has no ${needsTask ? 'task' : kind}`);
  return record.id;
}

export function eventsEndpoint({ service, body }: ControlRequest) {
  if (!isJsonObject(body)) throw invalidValue(body, 'is not an object');
  const { eventType, eventAuthorId, lastUpdatedDate, variants: rawVariants = [], ...members } = body;
  const variants = list(choice('variant', deliveryVariants)).validate(rawVariants);
  const event = choice('event', eventNames).validate(eventType);
  const { idField, subject: subjectKind } = events[event];
  const { [idField]: requestedId, ...payload } = members;
  validatePayload(event, payload);
  const subjectId =
    requestedId === undefined
      ? defaultSubject(service.store, event)
      : text('id', { notEmpty: true }).validate(requestedId);
  const subject = findSubject(service.store, subjectId);
  if (subject === undefined) throw invalidValue(subjectId, 'is neither a task nor a folder');
  const { title, accountId, parentIds } = subject;
  const kind = subjectKind === 'project' ? 'folder' : subjectKind;
  if (kind !== 'workItem' && kind !== (isTask(subject) ? 'task' : 'folder'))
    throw invalidValue(subjectId, `is not the id of a ${kind}, which ${event} needs`);
  const occurrence: Occurrence = {
    id: randomUuid(service),
    event,
    subject,
    authorId:
      eventAuthorId === undefined
        ? (findAuthor(service.store, accountId)?.id ?? sample.ada)
        : identifier('UserId').validate(eventAuthorId),
    date:
      lastUpdatedDate === undefined ? service.clock.timestamp() : timestampSchema.validate(lastUpdatedDate),
    payload: { ...samplePayload(event, sampleIds, title), ...payload },
    placeIds: parentIds,
  };
  let deliveries = dispatch(service, occurrence, variants);
  if (variants.includes('out-of-order')) {
    const date = formatTimestamp(Date.parse(occurrence.date) - 60_000);
    deliveries += dispatch(service, { ...occurrence, id: randomUuid(service), date }, variants);
  }
  return { idempotencyKey: occurrence.id, deliveries };
}
