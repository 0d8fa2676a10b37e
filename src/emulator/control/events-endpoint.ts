// Emits any event on request, with the requested subject and payload fields, or else samples. The event is dispatched like any other.

import { randomUUID } from 'node:crypto';
import { formatTimestamp, timestampSchema } from '#contract/date.ts';
import { type EventName, eventNames, events } from '#contract/event.ts';
import { identifier } from '#contract/identifier.ts';
import { isJsonObject } from '#contract/json.ts';
import { type SampleIds, samplePayload, validatePayload } from '#contract/payload.ts';
import { choice, formatValue, list, text, ValidationError } from '#contract/schema.ts';
import { dispatch } from '../dispatch/dispatch.ts';
import { type Occurrence, recordOf, type Subject } from '../dispatch/occurrence.ts';
import { findAuthor, findFolder, findTask } from '../state/example-records.ts';
import { sample } from '../state/sample-ids.ts';
import type { Store } from '../state/store.ts';
import type { ControlRequest } from './control-request.ts';

const eventName = choice('event', eventNames);
const subjectIdValue = text('id', { notEmpty: true });
const authorIdValue = identifier('UserId');

/** Variants that a receiver has to survive; the last sends an older event after a newer one. */
const variantList = list(choice('variant', ['duplicate', 'single-object', 'out-of-order']));

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
  const isTask = subject !== 'project' && subject !== 'folder' && idField !== 'parentTaskGroupId';
  const record = isTask ? findTask(store) : findFolder(store, kind);
  if (record === undefined)
    throw new ValidationError(idField, `is missing: the emulator has no ${isTask ? 'task' : kind}`);
  return record.id;
}

function findSubject(store: Store, id: string): Subject {
  const task = store.tasks.get(id);
  if (task !== undefined) return { task };
  const folder = store.folders.get(id);
  if (folder === undefined) throw new ValidationError(formatValue(id), 'is neither a task nor a folder');
  return { folder };
}

export function eventsEndpoint({ service, body }: ControlRequest) {
  if (!isJsonObject(body)) throw new ValidationError(formatValue(body), 'is not an object');
  const { eventType, eventAuthorId, lastUpdatedDate, variants: rawVariants = [], ...members } = body;
  const variants = variantList.validate(rawVariants);
  const event = eventName.validate(eventType);
  const { idField, subject: subjectKind } = events[event];
  const { [idField]: requestedId, ...payload } = members;
  validatePayload(event, payload);
  const subjectId =
    requestedId === undefined ? defaultSubject(service.store, event) : subjectIdValue.validate(requestedId);
  const subject = findSubject(service.store, subjectId);
  const { title, accountId, parentIds } = recordOf(subject);
  const kind = subjectKind === 'project' ? 'folder' : subjectKind;
  if (kind !== 'workItem' && !(kind in subject))
    throw new ValidationError(formatValue(subjectId), `is not the id of a ${kind}, which ${event} needs`);
  const occurrence: Occurrence = {
    id: randomUUID(),
    event,
    subject,
    authorId:
      eventAuthorId === undefined
        ? (findAuthor(service.store, accountId)?.id ?? sample.ada)
        : authorIdValue.validate(eventAuthorId),
    date:
      lastUpdatedDate === undefined ? service.clock.timestamp() : timestampSchema.validate(lastUpdatedDate),
    payload: { ...samplePayload(event, sampleIds, title), ...payload },
    placeIds: parentIds,
  };
  const form = {
    isDuplicated: variants.includes('duplicate'),
    isSingleObject: variants.includes('single-object'),
  };
  let deliveries = dispatch(service, occurrence, form);
  if (variants.includes('out-of-order')) {
    const date = formatTimestamp(Date.parse(occurrence.date) - 60_000);
    deliveries += dispatch(service, { ...occurrence, id: randomUUID(), date }, form);
  }
  return { idempotencyKey: occurrence.id, deliveries };
}
