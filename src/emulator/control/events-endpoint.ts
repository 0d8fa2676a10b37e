// Emits any event on demand, with the given subject and payload fields; samples fill in what is left out. The event is
// dispatched like any other.

import { randomUUID } from 'node:crypto';
import { formatTimestamp, timestampSchema } from '#contract/date.ts';
import { type EventName, eventNames, events } from '#contract/event.ts';
import { identifier } from '#contract/identifier.ts';
import { isJsonObject } from '#contract/json.ts';
import { validatePayload } from '#contract/payload.ts';
import { type SampleIds, samplePayload } from '#contract/sample-payload.ts';
import { choice, formatValue, list, text, ValidationError } from '#contract/schema.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { dispatch } from '../dispatch/dispatch.ts';
import type { Occurrence } from '../dispatch/occurrence.ts';
import { findAuthor, findFolder, findTask } from '../state/example-records.ts';
import { sample } from '../state/sample-ids.ts';
import type { Store } from '../state/store.ts';
import type { ControlRequest } from './control-request.ts';

const eventName = choice('event', eventNames);
const subjectIdValue = text('id', { notEmpty: true });
const authorIdValue = identifier('UserId');

/** What a receiver has to survive: a repeated delivery, a body that is not a list, and an older event after a newer one. */
const variantList = list(choice('variant', ['duplicate', 'single-object', 'out-of-order']));

/** The records of the sample, so that what a sample payload names can be read. */
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

/** The subject if none is given. Throws a {@link ValidationError} if the data has none. */
function defaultSubject(store: Store, event: EventName): string {
  const { subject, idField } = events[event];
  const kind = subject === 'project' ? 'project' : 'folder';
  const isTask = subject !== 'project' && subject !== 'folder' && idField !== 'parentTaskGroupId';
  const found = isTask ? findTask(store) : findFolder(store, kind);
  if (found === undefined)
    throw new ValidationError(idField, `is missing: the emulator has no ${isTask ? 'task' : kind}`);
  return found.id;
}

function findSubject(
  store: Store,
  id: string,
): Pick<Occurrence, 'task' | 'folder' | 'placeIds' | 'accountId'> & { readonly title: string } {
  const task = store.tasks.get(id);
  const folder = store.folders.get(id);
  const found = task ?? folder;
  if (found === undefined) throw new ValidationError(formatValue(id), 'is neither a task nor a folder');
  const { title, accountId, parentIds: placeIds } = found;
  return { title, placeIds, accountId, ...(task ? { task } : omitUndefined({ folder })) };
}

export function eventsEndpoint({ service, body }: ControlRequest) {
  if (!isJsonObject(body)) throw new ValidationError(formatValue(body), 'is not an object');
  const { eventType, eventAuthorId, lastUpdatedDate, variants = [], ...given } = body;
  const wantedVariants = variantList.validate(variants);
  const event = eventName.validate(eventType);
  const { idField, subject } = events[event];
  const { [idField]: named, ...rest } = given;
  validatePayload(event, rest);
  const subjectId =
    named === undefined ? defaultSubject(service.store, event) : subjectIdValue.validate(named);
  const { title, ...found } = findSubject(service.store, subjectId);
  const wanted = subject === 'project' ? 'folder' : subject;
  if (wanted !== 'workItem' && found[wanted] === undefined)
    throw new ValidationError(formatValue(subjectId), `is not the id of a ${wanted}, which ${event} needs`);
  const occurrence: Occurrence = {
    id: randomUUID(),
    event,
    ...found,
    authorId:
      eventAuthorId === undefined
        ? (findAuthor(service.store, found.accountId)?.id ?? sample.ada)
        : authorIdValue.validate(eventAuthorId),
    date:
      lastUpdatedDate === undefined ? service.clock.timestamp() : timestampSchema.validate(lastUpdatedDate),
    subjectId,
    payload: { ...samplePayload(event, sampleIds, title), ...rest },
  };
  const form = {
    isDuplicated: wantedVariants.includes('duplicate'),
    isSingleObject: wantedVariants.includes('single-object'),
  };
  let deliveries = dispatch(service, occurrence, form);
  if (wantedVariants.includes('out-of-order')) {
    const date = formatTimestamp(Date.parse(occurrence.date) - 60_000);
    deliveries += dispatch(service, { ...occurrence, id: randomUUID(), date }, form);
  }
  return { idempotencyKey: occurrence.id, deliveries };
}
