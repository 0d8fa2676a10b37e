// Starts and ends a receiver. Journal, secrets, server and forwarder start in this order, so that nothing is accepted that cannot be
// stored; they end in reverse order, so that nothing that was accepted is lost.

import { join } from 'node:path';
import { errorMessage, Failure, toFailure, usageError } from '../../../failure.ts';
import { assertPrivateStateFolder } from '../../../login/private-folder.ts';
import { reservedPortsHint } from '../../../login/reserved-ports.ts';
import type { OnActivity } from '../../../receiver/activity.ts';
import type { Journal } from '../../../receiver/delivery-journal.ts';
import { type Forwarder, startForwarder } from '../../../receiver/forwarding/forwarder.ts';
import { createReceiverHandler } from '../../../receiver/handler.ts';
import { openJournal, type StartReport } from '../../../receiver/journal/open-journal.ts';
import type { Listening } from '../../../world/world.ts';
import type { Context } from '../../context.ts';
import { interruptedFailureWith } from '../../interrupt.ts';
import { chooseView } from './choose-view.ts';
import { noteStart } from './find-missed.ts';
import { journalFolder, storeLastTarget } from './journal-folder.ts';
import { createKnownTitles } from './known-titles.ts';
import { type Counting, createCounting, describeCounts } from './listen-counts.ts';
import { type ListenFlags, listenDefaults } from './listen-flags.ts';
import type { ListenView } from './listen-view.ts';
import { createWarnings } from './listen-warnings.ts';
import { announceReady } from './ready-message.ts';
import type { OpenReceiverPage, ReceiverPage } from './receiver-page.ts';
import { recordStop } from './receiver-runs.ts';
import { findReceiverSecrets, type ReceiverSecret } from './receiver-secrets.ts';
import { showIn } from './show-in-view.ts';
import { type StatusServer, startStatusServer } from './status-server.ts';
import { hearStopSignals } from './stop-signals.ts';
import { createTargets } from './targets.ts';
import { prepareWayIn } from './way-in/prepare-way-in.ts';
import { createWayIn, type WayIn } from './way-in/way-in.ts';

/** What the parts of a running receiver need to know about each other. */
interface Running {
  /** Of the journal. */
  readonly folder: string;
  readonly journal: Journal;
  readonly listening: Listening;
  readonly forwarder: Forwarder;
  readonly view: ListenView;
  readonly status: StatusServer;
  readonly wayIn: WayIn;
  /** Rejects if the way in cannot be had. */
  readonly opening: Promise<void>;
  readonly page: ReceiverPage | undefined;
}

/** Returns once the user has ended it, or nobody reads what it prints. `openPage`: for --ui. */
export async function listenForDeliveries(
  context: Context,
  flags: ListenFlags,
  openPage?: OpenReceiverPage,
): Promise<void> {
  const signals = hearStopSignals(context);
  let hearQuit = () => {};
  const quit = new Promise<void>((resolve) => {
    hearQuit = resolve;
  });
  const counting = createCounting();
  try {
    const atOnce = signals.second.then((signal) => {
      throw interruptedFailureWith(
        signal,
        'wm did not wait for the deliveries under way',
        'They are stored: the next wm webhook listen forwards them.',
      );
    });
    const interrupt = () => signals.interrupt('SIGINT');
    const starting = startReceiver(context, flags, { counting, quit: hearQuit, interrupt, openPage });
    const running = await Promise.race([starting, atOnce]).catch((error: unknown) => {
      // The server may listen already, and would keep the process alive.
      starting.then(abandon, () => {});
      throw error;
    });
    const cannotOpen = running.opening.then(() => new Promise<never>(() => {}), toFailure);
    const failure = await Promise.race([signals.first, quit, cannotOpen]);
    const drainMs = (flags.drain ?? listenDefaults.drainSeconds) * 1_000;
    const stopping = stopReceiver(context, running, drainMs);
    const notLeft = await Promise.race([stopping, atOnce]).catch(async (error: unknown) => {
      await abandon(running);
      throw error;
    });
    await printTotals(context, counting, running);
    if (failure instanceof Failure) throw failure;
    if (notLeft) throw notLeft;
  } finally {
    signals.ignore();
  }
}

interface StartOptions {
  readonly counting: Counting;
  readonly quit: () => void;
  readonly interrupt: () => void;
  readonly openPage: OpenReceiverPage | undefined;
}

async function startReceiver(
  context: Context,
  flags: ListenFlags,
  { counting, quit, interrupt, openPage }: StartOptions,
): Promise<Running> {
  const { world } = context;
  checkFlags(flags);
  const plan = await prepareWayIn(context, flags);
  const folder = journalFolder(world, flags.journal);
  await assertOwnFolder(world, flags);
  const { journal, report: found } = await openJournal(world, folder, {
    ...(flags.keepDays === undefined ? {} : { keepDays: flags.keepDays }),
    ...(flags.maxSize === undefined ? {} : { maxBytes: flags.maxSize }),
  });
  let status: StatusServer | undefined;
  let view: ListenView | undefined;
  let listening: Listening | undefined;
  let page: ReceiverPage | undefined;
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
      hasSeveralTargets: targets.names.length > 1,
      onReaderGone: quit,
      counting,
      journal,
      quit,
      interrupt,
    });
    view = shown;
    page = await openPage?.(context, flags, { folder, journal, titles });
    const warningOf = createWarnings();
    const onActivity: OnActivity = (activity) => {
      counting.add(activity);
      serving.onActivity(activity);
      const warning = warningOf(activity);
      if (warning !== undefined) shown.warn(warning);
      shown.show(activity);
      page?.onActivity(activity);
    };
    const wayIn = await createWayIn(showIn(context, shown), plan);
    const listeningNow = await listenOn(context, flags, { journal, secrets, wayIn, onActivity });
    listening = listeningNow;
    if (targets.forwards) await rememberTarget(context, folder, flags);
    announceReady(context, shown, {
      listening,
      path: flags.path,
      secrets,
      unsigned: flags.unsigned ?? false,
      creates: flags.create ?? false,
      targets: targets.names,
      folder,
      waiting: journal.state().unfinished,
      page: page?.url,
    });
    if (flags.unauthorized)
      shown.warn(
        '--unauthorized: after one request with a wrong signature the service suspends the webhook.',
      );
    const forwarder = startForwarder({
      journal,
      chooseTargets: targets.choose,
      clock: world.clock,
      random: world.random,
      concurrency: flags.concurrency ?? listenDefaults.concurrency,
      maxAttempts: flags.maxAttempts ?? listenDefaults.maxAttempts,
      giveUpAfterMs: flags.giveUpAfter ?? listenDefaults.giveUpAfterMs,
      onActivity,
    });
    serving.onReady({ journal, forwarder });
    await titles.load(context);
    await noteStart(showIn(context, shown), folder, found.lastReceived);
    // Deliveries are received and forwarded meanwhile.
    const { host, port } = listeningNow;
    const opening = wayIn.open({ host, port, path: flags.path, secret: secrets[0]?.text });
    opening.catch(() => {});
    return { folder, journal, listening, forwarder, view, status, wayIn, opening, page };
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

const findingTexts = {
  torn: 'ended with a delivery that was not written whole, and so never acknowledged; it was cut off',
  damaged: 'is damaged; what can be read of it is used, and nothing of it is removed',
  missing: 'is missing; deliveries in it that were not forwarded are lost',
} as const;

async function reportFindings({ report }: Context, folder: string, { findings }: StartReport): Promise<void> {
  for (const { kind, file } of findings) await report.warn(`${join(folder, file)} ${findingTexts[kind]}.`);
}

async function listenOn(
  { world }: Context,
  { host = listenDefaults.host, port = listenDefaults.port, ...flags }: ListenFlags,
  parts: {
    readonly journal: Journal;
    readonly secrets: readonly ReceiverSecret[];
    readonly wayIn: WayIn;
    readonly onActivity: OnActivity;
  },
): Promise<Listening> {
  const { path, healthPath, unsigned = false, unauthorized = false } = flags;
  const receiver = createReceiverHandler({
    journal: parts.journal,
    onActivity: parts.onActivity,
    clock: world.clock,
    // Those of the webhook may come later.
    get secrets() {
      return [...parts.secrets.map(({ text }) => text), ...parts.wayIn.secrets()];
    },
    handshakeSecrets: [parts.wayIn.probeSecret],
    onChallenge: parts.wayIn.recognize,
    unsigned,
    unauthorized,
    ...(path === undefined ? {} : { path }),
    ...(healthPath === undefined ? {} : { healthPath }),
  });
  const listening = await world.server.listen({ host, port, ...receiver.listenOptions }, receiver.handle);
  if (!('fault' in listening)) return listening;
  throw usageError(
    `wm cannot listen on ${host} port ${port}`,
    listening.fault === 'no-address'
      ? 'Give an address of this machine with --host.'
      : `Choose another port with --port.${reservedPortsHint(listening, port)}`,
    listening.fault === 'in-use' ? 'another program listens there' : listening.detail,
  );
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

/** The failure if a webhook that was to be suspended or deleted was not. */
async function stopReceiver(
  { world }: Context,
  running: Running,
  limitMs: number,
): Promise<Failure | undefined> {
  const { folder, journal, listening, forwarder, view, status, wayIn, page } = running;
  // Before nothing is accepted any more: otherwise deliveries would fail in between.
  const failure = await wayIn.leave();
  const started = world.clock.monotonic();
  status.onStop();
  listening.stopAccepting();
  await within(world, limitMs, listening.idle());
  const leftMs = Math.max(0, limitMs - (world.clock.monotonic() - started));
  // Whoever ends it need not wait for a target that cannot be reached.
  const isAnyReachable = forwarder.state().targets.some(({ fault }) => fault === undefined);
  await forwarder.drain(isAnyReachable ? leftMs : 0);
  await listening.close();
  await recordStop(world, folder);
  await wayIn.close();
  await page?.close();
  await view.end();
  await status.close();
  await journal.close();
  return failure;
}

/** Resolves when the work is done, or after the limit. */
async function within({ clock }: Context['world'], limitMs: number, work: Promise<void>): Promise<void> {
  const done = new AbortController();
  await Promise.race([work.finally(() => done.abort()), clock.sleep(limitMs, done.signal)]);
}

/** The journal is whole at any moment; only the terminal has to be given back. */
async function abandon({ listening, forwarder, view, status, wayIn, page }: Running): Promise<void> {
  const left = wayIn.abandon();
  if (left !== undefined) view.warn(left);
  void listening.close();
  void status.close();
  void page?.close();
  void forwarder.stop();
  await view.end();
}

async function printTotals(
  { report, world }: Context,
  counting: Counting,
  { journal }: Running,
): Promise<void> {
  const counts = counting.now();
  const waiting = journal.state().unfinished;
  if (report.wantsJson) {
    const record = { kind: 'ended', time: new Date(world.clock.now()).toISOString(), ...counts, waiting };
    await report.each({ columns: [], records: [record], raw: [record] });
  }
  const later = waiting === 0 ? '' : ' What waits is forwarded when wm webhook listen runs again.';
  await report.info(`${describeCounts(counts, waiting)}.${later}`);
}
