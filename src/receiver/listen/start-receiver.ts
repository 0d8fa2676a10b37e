// Runs `wm webhook listen`: starts the journal before the server, so that the receiver accepts only deliveries that it can store.

import { join } from 'node:path';
import type { Context } from '#cli/context.ts';
import { isLoopback } from '#contract/hook-url.ts';
import { usageError } from '#failure.ts';
import { reservedPortsHint } from '#login/reserved-ports.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { noteRunningReceiver } from '#webhooks/secrets/running-receiver.ts';
import { findSampleId } from '#webhooks/verification/sample-id.ts';
import type { Listening } from '#world/world.ts';
import type { OnActivity } from '../core/intake/delivery-journal.ts';
import { createReceiverHandler } from '../core/intake/handler.ts';
import { lockName } from '../core/journal/segment-names.ts';
import { prepareWayIn } from '../way-in/prepare-way-in.ts';
import { createWayIn, type WayIn } from '../way-in/way-in.ts';
import { findForeignSender, senderHint } from './allowed-senders.ts';
import { createCounting } from './listen-counts.ts';
import { checkPageFlags, type ListenFlags, listenDefaults } from './listen-flags.ts';
import type { ListenView } from './listen-view.ts';
import { openOutput } from './open-output.ts';
import { announceReady, nameOfSecret } from './ready-message.ts';
import { findReceiverSecrets, type ReceiverSecret } from './receiver-secrets.ts';
import type { ReceiverStorage } from './receiver-storage.ts';
import { runReceiver } from './run-receiver.ts';
import { unlessStopped } from './stop-signals.ts';

/** @throws {Failure} if the storage cannot be used. */
export function listenForDeliveries(
  context: Context,
  flags: ListenFlags,
  openStorage: () => Promise<ReceiverStorage>,
) {
  const abandoned = 'They are stored: the next wm webhook listen forwards them.';
  return runReceiver(context, flags, createCounting(), abandoned, async (options) => {
    const { signals, onFailure } = options;
    checkFlags(flags);
    const plan = await prepareWayIn(context, flags);
    const opened = openStorage();
    // A journal opens at once.
    const storage = await (flags.sink === undefined ? opened : unlessStopped(signals, opened));
    const { journal, folder } = storage;
    onFailure(() => journal.close());
    const secrets = await findReceiverSecrets(context, flags, folder);
    const output = await openOutput(context, flags, { ...options, storage, commandName: 'listen' });
    const { view, targets, onActivity } = output;
    const wayIn = await createWayIn(reportTo(context, view), plan);
    const listening = await acceptDeliveries(context, flags, storage, secrets, wayIn, onActivity);
    onFailure(() => listening.close());
    const forgetReceiver = await noteReceiver(context.world, listening, secrets, folder);
    onFailure(forgetReceiver);
    if (targets.forwards) await storage.rememberTarget?.();
    announceReady(context, flags, storage, output, listening, secrets);
    if (flags.publicUrl !== undefined && !flags.tunnel && !flags.allowFrom) view.message(senderHint);
    if (flags.unauthorized)
      view.warn('--unauthorized: after one request with a wrong signature the service suspends the webhook.');
    const forwarder = await storage.startForwarder(targets, onActivity);
    await output.onReady(forwarder, () => wayIn.webhook());
    await storage.noteStart?.(reportTo(context, view));
    // The receiver already stores and forwards deliveries meanwhile.
    const { host, port } = listening;
    const opening = wayIn.open({ host, port, path: flags.path, secret: secrets[0]?.text });
    opening.catch(() => {});
    const intake = { listening, forgetReceiver, wayIn, opening };
    return { storage, forwarder, output, intake };
  });
}

/** Records the receiver of a journal for `wm webhook trigger` in another terminal. */
async function noteReceiver(
  world: Context['world'],
  { host, port }: Listening,
  secrets: readonly ReceiverSecret[],
  folder: string | undefined,
): Promise<() => Promise<void>> {
  if (folder === undefined) return async () => {};
  const journal = await world.files.realPath(folder);
  const store = secrets.find((secret) => secret.store !== undefined)?.store;
  return noteRunningReceiver(world, port, {
    host,
    pid: world.process.pid,
    lock: join(journal, lockName),
    secrets: secrets.map(nameOfSecret),
    ...(store === undefined ? {} : { own: { journal, store } }),
  });
}

function checkFlags(flags: ListenFlags): void {
  const { unsigned, unauthorized, path, healthPath, allowFrom, trustedProxy } = flags;
  if (unsigned && unauthorized)
    throw usageError('--unsigned and --unauthorized cannot be combined', 'Give one of them.');
  if (path !== undefined && path === healthPath)
    throw usageError('--path and --health-path are the same', 'Give two paths.');
  if (trustedProxy && !allowFrom)
    throw usageError('--trusted-proxy needs --allow-from', 'Add --allow-from service.');
  checkPageFlags(flags);
}

async function acceptDeliveries(
  { world }: Context,
  { host = listenDefaults.host, port = listenDefaults.port, ...flags }: ListenFlags,
  { journal, loop, recognizeSample }: ReceiverStorage,
  secrets: readonly ReceiverSecret[],
  wayIn: WayIn,
  onActivity: OnActivity,
): Promise<Listening> {
  const { path, healthPath, unsigned = false, unauthorized = false } = flags;
  const receiver = createReceiverHandler({
    journal: {
      append(delivery) {
        const recognizing = recognizeSample?.(delivery);
        return recognizing ? recognizing.then(() => journal.append(delivery)) : journal.append(delivery);
      },
      record: (note) => journal.record(note),
    },
    onActivity,
    storageFault: journal.state().fault,
    clock: world.clock,
    // The webhook's secrets may come later.
    get secrets() {
      return [...secrets.map(({ text }) => text), ...wayIn.secrets()];
    },
    handshakeSecrets: [wayIn.probeSecret],
    loop,
    onChallenge: wayIn.recognize,
    // Also of another machine, and of a stranger: only the warning is left out.
    isSample: (body, challenge = '') =>
      (findSampleId(body) ?? findSampleId(Buffer.from(challenge))) !== undefined,
    unsigned,
    unauthorized,
    isLocal: isLoopback(host) && !flags.publicUrl && !flags.tunnel && !flags.trustedProxy,
    ...omitUndefined({ path, healthPath, findForeignSender: findForeignSender(flags) }),
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

function reportTo(context: Context, view: Pick<ListenView, 'message' | 'warn'>): Context {
  const warned = new Set<string>();
  return {
    ...context,
    report: {
      ...context.report,
      info: async (text) => view.message(text),
      warn: async (text) => view.warn(text),
      async warnOnce(text) {
        if (!warned.has(text)) view.warn(text);
        warned.add(text);
      },
    },
  };
}
