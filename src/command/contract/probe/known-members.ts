// The names of members that `wm` knows from the contract or from what it assumes. In a response of a probe, another name may be
// data: an id, a title or a person.

import { operations } from '../../../contract/operation.ts';
import { otherOperations } from '../../../contract/other-operation.ts';
import type { Schema } from '../../../contract/schema.ts';

/** Around the records of a response. */
const envelope = ['kind', 'data', 'error', 'errorDescription', 'state', 'nextPageToken', 'responseSize'];
/** In values whose members `wm` does not define, and which the judgements read. */
const inOtherValues = ['active'];

function* membersOf({ shape, item, form }: Schema<unknown>): Generator<string> {
  for (const [name, schema] of Object.entries(shape ?? {})) {
    yield name;
    yield* membersOf(schema);
  }
  if (item !== undefined) yield* membersOf(item);
  if (form?.kind === 'nullable') yield* membersOf(form.value);
}

export function listKnownMembers(): ReadonlySet<string> {
  const records = [...Object.values(operations), ...Object.values(otherOperations)].map(
    ({ record }): Schema<unknown> => record,
  );
  return new Set([...envelope, ...inOtherValues, ...records.flatMap((record) => [...membersOf(record)])]);
}
