// Runs the server of `--metrics [ADDRESS:]PORT`, which serves a monitoring system on its own port.

import { isIP } from 'node:net';
import type { Context } from '#cli/context.ts';
import { type Flag, lastOf } from '#cli/flags/flag.ts';
import { formatValue, ValidationError } from '#contract/schema.ts';
import { usageError } from '#failure.ts';
import { reservedPortsHint } from '#login/reserved-ports.ts';
import type { Activity } from '#receiver/intake/activity.ts';
import { createMetrics, type ReceiverState } from '#receiver/metrics/metrics.ts';
import { createStatusHandler } from '#receiver/metrics/status-handler.ts';
import type { Listening } from '#world/world.ts';

type StatusAddress = Pick<Listening, 'host' | 'port'>;

export const metricsFlag: Flag<StatusAddress> = {
  help: 'Serve /metrics, /healthz and /readyz on this port of 127.0.0.1; ADDRESS:PORT for another address',
  placeholder: 'PORT',
  parse(texts) {
    const text = lastOf(texts);
    const [, address = '127.0.0.1', digits = ''] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? [];
    const host = address === 'localhost' ? '127.0.0.1' : address.replace(/^\[(.*)\]$/, '$1');
    const isBracketed = host !== address && address !== 'localhost';
    const port = Number(digits);
    if (digits === '' || port > 65_535 || isIP(host) !== (isBracketed ? 6 : 4))
      throw new ValidationError(formatValue(text), 'is not a port, as in 9464, 0.0.0.0:9464 or [::]:9464');
    return { host, port };
  },
};

export async function startStatusServer({ world, report }: Context, address: StatusAddress) {
  const metrics = createMetrics();
  let readState: (() => ReceiverState) | undefined;
  let notReadyReason: string | undefined = 'wm is starting';
  /** Set while the disk hangs, which the journal cannot notice. */
  let hanging: string | undefined;
  let sinkFault: string | undefined;
  const handler = createStatusHandler({
    isLoopback: /^(?:127\.|::1$)/.test(address.host),
    metrics: () => metrics.format(readState?.()),
    notReady: () => notReadyReason ?? readState?.().journal.fault ?? hanging ?? sinkFault,
  });
  const listening = await world.server.listen(address, handler);
  if ('fault' in listening) {
    throw usageError(
      `wm cannot serve metrics on ${address.host} port ${address.port}`,
      `Choose another port with --metrics.${reservedPortsHint(listening, address.port)}`,
      listening.fault === 'in-use' ? 'another program listens there' : listening.detail,
    );
  }
  const host = isIP(listening.host) === 6 ? `[${listening.host}]` : listening.host;
  await report.info(`Metrics are on http://${host}:${listening.port}/metrics.`);
  return {
    onActivity(activity: Activity) {
      metrics.onActivity(activity);
      if (activity.kind === 'sink') sinkFault = activity.fault;
      // The journal itself notices the end of its own faults, even if no delivery comes.
      if (activity.kind === 'storage')
        hanging = readState?.().journal.fault === undefined ? activity.fault : undefined;
    },
    onReady(read: () => ReceiverState) {
      readState = read;
      notReadyReason = undefined;
    },
    onStop() {
      notReadyReason = 'wm is stopping';
    },
    close: () => listening.close(),
  };
}
