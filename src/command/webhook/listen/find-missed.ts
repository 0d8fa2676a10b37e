// After a time without a receiver: warns that deliveries may be missing, which nobody can check, because the service keeps no log and
// sends nothing again. What can be found is the tasks that were updated meanwhile, so it names the command that lists them.

import { followPages } from '../../../client/follow-pages.ts';
import { formatTimestamp } from '../../../contract/date.ts';
import { limit } from '../../../contract/limit.ts';
import { maxPageSize } from '../../../contract/page-parameters.ts';
import { errorMessage } from '../../../failure.ts';
import { findBaseUrl, selectProfile } from '../../../login/select-account.ts';
import { formatRelativeTime } from '../../../terminal/relative-time.ts';
import type { Context } from '../../context.ts';
import { formatCommandWith } from '../../format-command.ts';
import { resolveQuery } from '../../task/list/task-query.ts';
import { type ReceiverGap, readGaps, recordStart } from './receiver-runs.ts';

/** A gap this short is a restart: the service waits longer than this before it tries a delivery again. */
const restartMs = 60_000;
/** Counting more would take too many requests. */
const mostCounted = 1000;

/**
 * Records that a receiver runs, and reports what may have been missed since the last one. Never rejects. The report may come later:
 * counting tasks takes a few requests to the service.
 */
export async function noteStart(
  context: Context,
  folder: string,
  lastReceived: number | undefined,
): Promise<void> {
  try {
    await recordStart(context.world, folder, lastReceived);
    const last = (await readGaps(context.world, folder)).at(-1);
    void findMissed(context, last).catch(() => {});
  } catch (error) {
    await context.report.warn(
      `This run could not be recorded, so wm webhook log --gaps will not know of it (${errorMessage(error)}).`,
    );
  }
}

/** Says nothing about a gap as short as a restart. Counts the tasks only if somebody is signed in. */
async function findMissed(context: Context, gap: ReceiverGap | undefined): Promise<void> {
  if (gap?.to === undefined || gap.to - gap.from < restartMs) return;
  const { report } = context;
  await report.info(describeGap(gap.from, gap.to, gap.began));
  const since = formatTimestamp(gap.from);
  const command = formatCommandWith(context, 'task list', [], '--updated-since', since);
  const count = await countUpdated(context, since).catch(() => undefined);
  await report.info(`${describeCount(count)} ${command}`);
}

function describeGap(from: number, to: number, began: ReceiverGap['began']): string {
  const since = `${formatTimestamp(from)} (${formatRelativeTime(from, to)})`;
  const what =
    began === 'stopped'
      ? `No receiver has run with this journal since ${since}.`
      : `The last receiver with this journal ended without a stop, some time after ${since}.`;
  return `${what} Deliveries of that time may be missing: the service tries each ${limit.deliveryAttempts} times, then suspends the webhook, sends nothing while it is suspended, and sends nothing again.`;
}

function describeCount(count: number | undefined): string {
  if (count === undefined) return 'To list the tasks that were updated since then:';
  const many = count > mostCounted ? `More than ${mostCounted.toLocaleString('en')}` : String(count);
  if (count === 0) return 'No task that you can see was updated since then. To check:';
  return `${many} ${count === 1 ? 'task was' : 'tasks were'} updated since then. To list them:`;
}

/** `undefined` if nobody is signed in. */
async function countUpdated(context: Context, updatedSince: string): Promise<number | undefined> {
  const { world, account } = context;
  const isSignedIn =
    account.token === undefined
      ? (await selectProfile(world, account)) !== undefined
      : (await findBaseUrl(world, account)) !== undefined;
  if (!isSignedIn) return undefined;
  const { operation, path, parameters, matches } = await resolveQuery(context, { updatedSince });
  const pages = followPages(await context.session(), operation, path, parameters, {
    pageSize: maxPageSize,
    limit: mostCounted + 1,
  });
  let count = 0;
  for await (const { records } of pages) count += records.filter(matches).length;
  return count;
}
