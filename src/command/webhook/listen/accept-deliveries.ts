// Starts the server that accepts deliveries, with what the flags say about addresses, paths and signatures.

import { usageError } from '../../../failure.ts';
import { reservedPortsHint } from '../../../login/reserved-ports.ts';
import { omitUndefined } from '../../../omit-undefined.ts';
import type { OnActivity } from '../../../receiver/activity.ts';
import type { DeliveryStore } from '../../../receiver/delivery-journal.ts';
import { createReceiverHandler } from '../../../receiver/handler.ts';
import type { Listening } from '../../../world/world.ts';
import type { Context } from '../../context.ts';
import { type ListenFlags, listenDefaults } from './listen-flags.ts';
import type { ReceiverSecret } from './receiver-secrets.ts';
import type { WayIn } from './way-in/way-in.ts';

/** @throws {Failure} `usage` if the address or the port cannot be used. */
export async function acceptDeliveries(
  { world }: Context,
  { host = listenDefaults.host, port = listenDefaults.port, ...flags }: ListenFlags,
  parts: {
    readonly journal: DeliveryStore;
    readonly secrets: readonly ReceiverSecret[];
    readonly wayIn: WayIn;
    readonly onActivity: OnActivity;
  },
): Promise<Listening> {
  const { path, healthPath, unsigned = false, unauthorized = false } = flags;
  const receiver = createReceiverHandler({
    journal: parts.journal,
    onActivity: parts.onActivity,
    storageFault: parts.journal.state().fault,
    clock: world.clock,
    // Those of the webhook may come later.
    get secrets() {
      return [...parts.secrets.map(({ text }) => text), ...parts.wayIn.secrets()];
    },
    handshakeSecrets: [parts.wayIn.probeSecret],
    onChallenge: parts.wayIn.recognize,
    unsigned,
    unauthorized,
    ...omitUndefined({ path, healthPath }),
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
