// Starts a receiver: journal, secrets, server and forwarder, in this order, so that nothing is accepted that cannot be stored.

import { join } from 'node:path';
import { errorMessage, toFailure, usageError } from '../../../failure.ts';
import { assertPrivateStateFolder } from '../../../login/private-folder.ts';
import type { OnActivity } from '../../../receiver/activity.ts';
import { startForwarder } from '../../../receiver/forwarding/forwarder.ts';
import { openJournal, type StartReport } from '../../../receiver/journal/open-journal.ts';
import type { Listening } from '../../../world/world.ts';
import type { Context } from '../../context.ts';
import { formatCommandWith } from '../../format-command.ts';
import { acceptDeliveries } from './accept-deliveries.ts';
import { chooseView } from './choose-view.ts';
import { noteStart } from './find-missed.ts';
import { type ForwardingRecord, recordForwarding } from './forwarding-file.ts';
import { describeFinding } from './journal-findings.ts';
import { journalFlagOf, journalFolder, storeLastTarget } from './journal-folder.ts';
import { createKnownTitles } from './known-titles.ts';
import type { Counting } from './listen-counts.ts';
import { type ListenFlags, listenDefaults } from './listen-flags.ts';
import type { ListenView } from './listen-view.ts';
import { createWarnings } from './listen-warnings.ts';
import { announceReady } from './ready-message.ts';
import type { OpenReceiverPage, ReceiverPage } from './receiver-page.ts';
import { findReceiverSecrets } from './receiver-secrets.ts';
import { showIn } from './show-in-view.ts';
import { type StatusServer, startStatusServer } from './status-server.ts';
import type { RunningReceiver } from './stop-receiver.ts';
import { createTargets } from './targets.ts';
import { prepareWayIn } from './way-in/prepare-way-in.ts';
import { createWayIn } from './way-in/way-in.ts';

export interface StartOptions {
  readonly counting: Counting;
  readonly quit: () => void;
  readonly interrupt: () => void;
  readonly openPage: OpenReceiverPage | undefined;
}

export async function startReceiver(
  context: Context,
  flags: ListenFlags,
  { counting, quit, interrupt, openPage }: StartOptions,
): Promise<RunningReceiver> {
  const { world } = context;
  checkFlags(flags);
  const plan = await prepareWayIn(context, flags);
  const folder = journalFolder(world, flags.journal);
  await assertOwnFolder(world, flags);
  const { journal, report: found } = await openIn(world, folder, flags);
  let status: StatusServer | undefined;
  let view: ListenView | undefined;
  let listening: Listening | undefined;
  let page: ReceiverPage | undefined;
  let forwarding: ForwardingRecord | undefined;
  try {
    await reportFindings(context, folder, found);
    const serving = await startStatusServer(context, flags.metrics);
    status = serving;
    const secrets = await findReceiverSecrets(context, flags, folder);
    const titles = createKnownTitles();
    const targets = await createTargets(world, flags, {
      view() {
        if (!view) throw new Error('a delivery before the server listens');
        return view;
      },
      onReaderGone: quit,
    });
    const shown = await chooseView(context, {
      titles,
      forwards: targets.forwards,
      hasSeveralTargets: targets.all.length > 1,
      onReaderGone: quit,
      counting,
      journal,
      quit,
      interrupt,
    });
    view = shown;
    page = await openPage?.(context, flags, { folder, journal, titles });
    const ofJournal = journalFlagOf(context, flags.journal);
    const warningOf = createWarnings({
      replay: formatCommandWith(context, 'webhook replay', [], '--dead-letters', ...ofJournal),
      log: (sequence) => formatCommandWith(context, 'webhook log', [String(sequence)], ...ofJournal),
    });
    const onActivity: OnActivity = (activity) => {
      counting.add(activity);
      serving.onActivity(activity);
      const warning = warningOf(activity);
      if (warning !== undefined) shown.warn(warning);
      shown.show(activity);
      page?.onActivity(activity);
      forwarding?.onActivity(activity);
    };
    const wayIn = await createWayIn(showIn(context, shown), plan);
    const listeningNow = await acceptDeliveries(context, flags, { journal, secrets, wayIn, onActivity });
    listening = listeningNow;
    forwarding = recordForwarding(world, folder, targets.routing);
    if (targets.forwards) await rememberTarget(context, folder, flags);
    announceReady(context, shown, {
      listening,
      path: flags.path,
      secrets,
      unsigned: flags.unsigned ?? false,
      creates: flags.create ?? false,
      targets: targets.all.map(({ name }) => name),
      folder,
      journal: flags.journal,
      waiting: journal.state().unfinished,
      page: page?.url,
    });
    if (flags.unauthorized)
      shown.warn(
        '--unauthorized: after one request with a wrong signature the service suspends the webhook.',
      );
    const forwarder = startForwarder({
      journal,
      targets: targets.all,
      chooseTargets: targets.choose,
      clock: world.clock,
      random: world.random,
      concurrency: flags.concurrency ?? listenDefaults.concurrency,
      maxAttempts: flags.maxAttempts ?? listenDefaults.maxAttempts,
      giveUpAfterMs: flags.giveUpAfter ?? listenDefaults.giveUpAfterMs,
      onActivity,
    });
    serving.onReady({ journal, forwarder });
    page?.onReady(forwarder);
    await titles.load(context);
    await noteStart(showIn(context, shown), folder, found.lastReceived);
    // Deliveries are received and forwarded meanwhile.
    const { host, port } = listeningNow;
    const opening = wayIn.open({ host, port, path: flags.path, secret: secrets[0]?.text });
    opening.catch(() => {});
    return { folder, journal, listening, forwarder, forwarding, view, status, wayIn, opening, page };
  } catch (error) {
    await listening?.close();
    await page?.close();
    await view?.end();
    await status?.close();
    await journal.close();
    throw error;
  }
}

/** @throws {Failure} `usage` for flags that contradict each other. */
function checkFlags({ unsigned, unauthorized, path, healthPath, ui, uiPort }: ListenFlags): void {
  if (unsigned && unauthorized)
    throw usageError('--unsigned and --unauthorized cannot be combined', 'Give one of them.');
  if (path !== undefined && path === healthPath)
    throw usageError('--path and --health-path are the same', 'Give two paths.');
  if (uiPort !== undefined && !ui) throw usageError('--ui-port needs --ui', 'Add --ui.');
}

/** Of the usual folder: what other users could change would be forwarded as if the service had sent it. */
async function assertOwnFolder(world: Context['world'], { journal }: ListenFlags): Promise<void> {
  if (journal === undefined) await assertPrivateStateFolder(world);
}

/** @throws {Failure} with what to do, if the folder cannot be used. */
async function openIn(world: Context['world'], folder: string, { keepDays, maxSize }: ListenFlags) {
  const hint = 'Give a folder that you can write to: --journal DIR. wm creates it if it does not exist.';
  const kind = await world.files.kind(folder);
  if (kind !== undefined && kind !== 'folder')
    throw usageError(`The journal ${folder} is not a folder`, hint);
  try {
    return await openJournal(world, folder, {
      ...(keepDays === undefined ? {} : { keepDays }),
      ...(maxSize === undefined ? {} : { maxBytes: maxSize }),
    });
  } catch (error) {
    const failure = toFailure(error);
    if (failure.code === 'internal' || failure.hint !== undefined) throw error;
    throw failure.with({ hint });
  }
}

async function reportFindings({ report }: Context, folder: string, { findings }: StartReport): Promise<void> {
  for (const finding of findings)
    await report.warn(`${join(folder, finding.file)} ${describeFinding(finding)}`);
}

/** For `wm webhook replay`. */
async function rememberTarget(
  { world, report }: Context,
  folder: string,
  { forwardTo, route }: ListenFlags,
): Promise<void> {
  const target = {
    ...(forwardTo === undefined ? {} : { forwardTo }),
    ...(route === undefined ? {} : { routes: route }),
  };
  await storeLastTarget(world, folder, target).catch((error: unknown) =>
    report.warn(
      `wm webhook replay will need --forward-to: the target could not be stored (${errorMessage(error)}).`,
    ),
  );
}
