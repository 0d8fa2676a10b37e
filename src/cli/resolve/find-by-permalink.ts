// Finds a record by the number in its permalink, which only the service can resolve. The host of the link does not matter. Separate
// from id-shape.ts, since help needs no lists.

import { followPages } from '#client/follow-pages.ts';
import type { Session } from '#client/session.ts';
import type { Operation } from '#contract/operation.ts';
import type { Parameter } from '#contract/parameter.ts';
import { readIfAllowed } from '../read-pages.ts';
import { numberIn } from './id-shape.ts';

interface Linked {
  readonly id: string;
  readonly permalink?: string | undefined;
}

/** Also compares permalinks, as the service may ignore the filter, then converts the number, as it may know only links of its own host. */
export async function findByPermalink(
  session: Pick<Session, 'send'>,
  list: Operation<{ readonly permalink: Parameter<string> }, Linked>,
  link: string,
): Promise<string | undefined> {
  const unlinked: string[] = [];
  for await (const { records } of followPages(session, list, {}, { permalink: link }))
    for (const { id, permalink } of records)
      if (permalink === undefined) unlinked.push(id);
      else if (numberIn(permalink) === numberIn(link)) return id;
  if (unlinked.length === 1) return unlinked[0];
  const { otherOperations } = await import('#contract/other-operation.ts');
  const type = list.kind === 'tasks' ? 'ApiV2Task' : 'ApiV2Folder';
  const number = numberIn(link) ?? '';
  const converted = await readIfAllowed(
    async () => (await session.send(otherOperations.convertIds, {}, { type, ids: [number] })).records,
  );
  return converted.find(({ apiV2Id }) => apiV2Id === number)?.id;
}
