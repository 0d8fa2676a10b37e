// Opens the local journal as the storage of a receiver: a folder that only this process writes to.

import type { Context } from '#cli/context.ts';
import { countOf } from '#cli/count-of.ts';
import { formatCommandWith } from '#cli/format-command.ts';
import { journalFlagOf, journalFolder, storeLastTarget } from '#cli/journal-folder.ts';
import { followPages } from '#client/follow-pages.ts';
import { formatTimestamp } from '#contract/date.ts';
import { limit } from '#contract/limit.ts';
import { maxPageSize } from '#contract/page-parameters.ts';
import { errorMessage, toFailure, usageError } from '#failure.ts';
import { assertPrivateStateFolder } from '#login/private-folder.ts';
import { findBaseUrl, selectProfile } from '#login/select-account.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { resolveQuery } from '#tasks/query/task-query.ts';
import { formatRelativeTime } from '#terminal/relative-time.ts';
import { findSampleId, isSampleId } from '#webhooks/verification/sample-id.ts';
import { type ForwardingRecord, recordForwarding } from '../archive/deliveries/forwarding-file.ts';
import { type ReceiverGap, readGaps, recordRun, recordStop } from '../archive/deliveries/receiver-runs.ts';
import { answerRetryRequests } from '../archive/replaying/retry-request.ts';
import { formatTargetFlags } from '../archive/replaying/target-flags.ts';
import { rejectNeedlessFlags } from '../archive/storage-flags.ts';
import { JournalForwarder } from '../core/forwarding/forwarder.ts';
import type { DeliveredEvents } from '../core/intake/read-events.ts';
import { openJournal } from '../core/journal/open-journal.ts';
import { reportFindings } from './journal-findings.ts';
import { forwardingLimits, type ListenFlags } from './listen-flags.ts';
import type { ReceiverStorage } from './receiver-storage.ts';

export async function openLocalStorage(context: Context, flags: ListenFlags): Promise<ReceiverStorage> {
  const { world } = context;
  rejectNeedlessFlags(flags);
  const folder = journalFolder(world, flags.journal);
  // Other users must not be able to change the default folder: wm would forward their changes as the service's deliveries.
  if (flags.journal === undefined) await assertPrivateStateFolder(world);
  const { journal, report: startReport } = await openJournalIn(world, folder, flags);
  const { lastReceived } = journal.state();
  try {
    // Find a full disk now, before the service counts a failed delivery.
    await journal.tryToStore();
    await reportFindings(context, folder, startReport);
  } catch (error) {
    await journal.close();
    throw error;
  }
  const samples = new Set<string>();
  let record: ForwardingRecord | undefined;
  let forwarder: JournalForwarder | undefined;
  const retryNow = () => {
    const count = forwarder?.retryNow() ?? 0;
    return count === 0
      ? 'No delivery waits for a target.'
      : `Retrying ${countOf(count, 'delivery', 'deliveries')} now, in order.`;
  };
  return {
    journal,
    name: folder,
    folder,
    flags: journalFlagOf(flags.journal),
    loop: world.randomBytes(16).toString('hex'),
    isShared: false,
    retryNow,
    recognizeSample({ body, signature }) {
      const id = findSampleId(body);
      if (id === undefined) return undefined;
      // An unsigned sample may come from anyone.
      if (signature !== 'valid') samples.delete(id);
      else if (!samples.has(id))
        return isSampleId(world, id).then((isSample) => void (isSample && samples.add(id)));
      return undefined;
    },
    async openPage(titles) {
      const { openJournalPage } = await import('./journal-page.ts');
      const targets = () => forwarder?.state().targets ?? [];
      return openJournalPage(context, flags, { journal, targets, retryNow }, titles);
    },
    async startForwarder(targets, onActivity) {
      record = recordForwarding(world, folder, targets.routing);
      forwarder = new JournalForwarder({
        journal,
        targets: targets.all,
        chooseTargets: (events) => (isSample(events, samples) ? [] : targets.choose(events)),
        clock: world.clock,
        random: world.random,
        ...forwardingLimits(flags),
        onActivity(activity) {
          record?.onActivity(activity);
          onActivity(activity);
        },
      });
      void answerRetryRequests(world, folder, retryNow, forwarder.stopping);
      return forwarder;
    },
    replayFlags: () => (flags.exec === undefined ? [] : formatTargetFlags(flags)),
    async rememberTarget() {
      const target = { ...omitUndefined({ forwardTo: flags.forwardTo, routes: flags.route }) };
      await storeLastTarget(world, folder, target).catch((error: unknown) =>
        context.report.warn(
          `wm webhook replay will need --forward-to: the target could not be stored (${errorMessage(error)}).`,
        ),
      );
    },
    /** Counts in the background what may have been missed since the last run, which takes requests. */
    async noteStart(shown) {
      try {
        await recordRun(world, folder, 'start', lastReceived);
        const last = (await readGaps(world, folder)).at(-1);
        void findMissed(shown, last).catch(() => {});
      } catch (error) {
        await shown.report.warn(
          `This run could not be recorded, so wm webhook log --gaps will not show it (${errorMessage(error)}).`,
        );
      }
    },
    async noteStop() {
      await recordStop(world, folder);
      await record?.written();
    },
  };
}

function isSample({ events, count }: DeliveredEvents, samples: ReadonlySet<string>): boolean {
  return count > 0 && events.every(({ subjectId }) => subjectId !== undefined && samples.has(subjectId));
}

async function openJournalIn(world: Context['world'], folder: string, { keepDays, maxSize }: ListenFlags) {
  const hint = 'Give a folder that you can write to: --journal DIR. wm creates it if it does not exist.';
  const kind = await world.files.kind(folder);
  if (kind !== undefined && kind !== 'folder')
    throw usageError(`The journal ${folder} is not a folder`, hint);
  try {
    return await openJournal(world, folder, { ...omitUndefined({ keepDays, maxBytes: maxSize }) });
  } catch (error) {
    const failure = toFailure(error);
    if (failure.code === 'internal' || failure.hint !== undefined) throw error;
    throw failure.with({ hint });
  }
}

/** A shorter gap is a restart: the service waits longer before it retries a delivery. */
const restartMs = 60_000;
/** The most tasks to count: more would take too many requests. */
const mostCounted = 1000;

/** Ignores a gap as short as a restart. Counts the tasks only if the user is signed in. */
async function findMissed(context: Context, gap: ReceiverGap | undefined): Promise<void> {
  if (gap?.to === undefined || gap.to - gap.from < restartMs) return;
  const { report } = context;
  await report.info(describeGap(gap, gap.to));
  const since = formatTimestamp(gap.from);
  const command = formatCommandWith(context, 'task list', [], '--updated-since', since);
  const count = await countUpdated(context, since).catch(() => undefined);
  await report.info(`${describeCount(count)} ${command}`);
}

function describeGap({ from, began }: ReceiverGap, to: number): string {
  const since = `${formatTimestamp(from)} (${formatRelativeTime(from, to)})`;
  const sentence =
    began === 'stopped'
      ? `No receiver has run with this journal since ${since}.`
      : `The last receiver with this journal ended without a stop, some time after ${since}.`;
  return `${sentence} Deliveries of that time may be missing: the service tries each ${limit.deliveryAttempts} times, then suspends the webhook, sends nothing while it is suspended, and does not send those events later.`;
}

function describeCount(count: number | undefined): string {
  if (count === undefined) return 'To list the tasks that were updated since then:';
  if (count === 0) return 'No task that you can see was updated since then. To check:';
  const number = count > mostCounted ? `More than ${mostCounted.toLocaleString('en')}` : String(count);
  return `${number} ${count === 1 ? 'task was' : 'tasks were'} updated since then. To list them:`;
}

/** Returns `undefined` if the user is not signed in. */
async function countUpdated(context: Context, updatedSince: string): Promise<number | undefined> {
  const { world, account } = context;
  const findSignIn = account.token === undefined ? selectProfile : findBaseUrl;
  if ((await findSignIn(world, account)) === undefined) return undefined;
  const { operation, path, parameters, matches } = await resolveQuery(context, { updatedSince });
  const pages = followPages(await context.session(), operation, path, parameters, {
    pageSize: maxPageSize,
    limit: mostCounted + 1,
  });
  let count = 0;
  for await (const { records } of pages) count += records.filter(matches).length;
  return count;
}
