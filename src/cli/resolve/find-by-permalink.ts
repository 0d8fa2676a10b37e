// Finds a record by its permalink, which only the service can resolve. Separate from id-shape.ts, since help needs no lists.

import { followPages } from '#client/follow-pages.ts';
import type { Session } from '#client/session.ts';
import type { Operation } from '#contract/operation.ts';
import type { Parameter } from '#contract/parameter.ts';
import { numberIn } from './id-shape.ts';

interface Linked {
  readonly id: string;
  readonly permalink?: string | undefined;
}

/** The id of the record in this list with this permalink. Compares permalinks itself too, since the service may ignore the filter. */
export async function findByPermalink(
  session: Pick<Session, 'send'>,
  list: Operation<{ readonly permalink: Parameter<string> }, Linked>,
  link: string,
): Promise<string | undefined> {
  const unlinked: string[] = [];
  for await (const { records } of followPages(session, list, {}, { permalink: link })) {
    for (const { id, permalink } of records) {
      if (permalink === undefined) unlinked.push(id);
      else if (numberIn(permalink) === numberIn(link)) return id;
    }
  }
  return unlinked.length === 1 ? unlinked[0] : undefined;
}
