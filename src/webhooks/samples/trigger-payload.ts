// Creates the payload of `wm webhook trigger`: a sample of the event, with the fields from --set.

import { type Flag, parseText } from '#cli/flags/flag.ts';
import { timestampSchema } from '#contract/date.ts';
import { type EventName, events } from '#contract/event.ts';
import { identifier } from '#contract/identifier.ts';
import { exampleIds, payloadField } from '#contract/payload.ts';
import { formatValue, type Schema, ValidationError, withPath } from '#contract/schema.ts';
import { sampleEvent } from '../verification/sample-delivery.ts';

export type FieldText = readonly [name: string, text: string];

export const setFlag: Flag<readonly FieldText[]> = {
  help: 'Set a payload field; an object or a list as JSON',
  placeholder: 'KEY=VALUE',
  repeats: true,
  parse(texts) {
    const pairs = texts.map((text): FieldText => {
      const index = text.indexOf('=');
      if (index < 1) throw new ValidationError(formatValue(text), 'is not of the form KEY=VALUE');
      return [text.slice(0, index), text.slice(index + 1)];
    });
    const duplicate = pairs.find(
      ([name], index) => pairs.findIndex(([otherName]) => otherName === name) !== index,
    );
    if (duplicate) throw new ValidationError(formatValue(duplicate[0]), 'is set twice');
    return pairs;
  },
};

/** @throws {ValidationError} for a field that the event does not have, or an invalid value. */
export function parseFields(
  event: EventName,
  texts: readonly FieldText[],
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    texts.map(([name, text]) => {
      const schema = schemaOf(event, name);
      return [name, withPath(name, () => schema.validate(parseText(schema, text)))];
    }),
  );
}

function schemaOf(event: EventName, name: string): Schema<unknown> {
  const { idField } = events[event];
  if (name === 'webhookId') return identifier('WebhookId');
  if (name === 'eventAuthorId') return identifier('UserId');
  if (name === 'lastUpdatedDate') return timestampSchema;
  if (name === idField) return identifier(idField === 'folderId' ? 'FolderId' : 'TaskId');
  return payloadField(event, name);
}

export function createPayload(
  event: EventName,
  webhookId: string | undefined,
  now: number,
  fields: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { idField, subject } = events[event];
  const isFolder = subject === 'folder' || subject === 'project' || idField === 'parentTaskGroupId';
  const sampleId = isFolder ? exampleIds.folder : exampleIds.task;
  return { ...sampleEvent(event, { webhookId, sampleId }, now, 'A sample title'), ...fields };
}
