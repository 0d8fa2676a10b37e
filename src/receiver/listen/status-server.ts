// Runs the server of `--metrics [ADDRESS:]PORT` for a monitoring system, on a port of its own and never on the webhook's: /metrics,
// /healthz (the process responds) and /readyz (it can store deliveries).

import { isIP } from 'node:net';
import { entryFlag } from '#cli/flags/flag.ts';
import { invalidValue } from '#contract/schema.ts';
import { usageError } from '#failure.ts';
import { reservedPortsHint } from '#login/reserved-ports.ts';
import type { Report } from '#terminal/report.ts';
import type { Listening, ServerRequest, World } from '#world/world.ts';
import type { Activity } from '../core/intake/delivery-journal.ts';
import { createMetrics, type ReceiverState } from '../core/metrics/metrics.ts';

type StatusAddress = Pick<Listening, 'host' | 'port'>;

export const metricsFlag = entryFlag(
  'PORT',
  'Serve /metrics, /healthz and /readyz on this port of 127.0.0.1; ADDRESS:PORT for another address',
  (text): StatusAddress => {
    const [, address = '127.0.0.1', digits = ''] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? [];
    const host = address === 'localhost' ? '127.0.0.1' : address.replace(/^\[(.*)\]$/, '$1');
    const isBracketed = host !== address && address !== 'localhost';
    const port = Number(digits);
    if (digits === '' || port > 65_535 || isIP(host) !== (isBracketed ? 6 : 4))
      throw invalidValue(text, 'is not a port, as in 9464, 0.0.0.0:9464 or [::]:9464');
    return { host, port };
  },
);

type Reply = readonly [status: number, text: string, type?: string];

export async function startStatusServer(
  { world, report }: { readonly world: Pick<World, 'server'>; readonly report: Pick<Report, 'info'> },
  address: StatusAddress,
) {
  const metrics = createMetrics();
  let readState: (() => ReceiverState) | undefined;
  let isStopping = false;
  /** Set while the disk hangs, which the journal cannot notice. */
  let hanging: string | undefined;
  let sinkFault: string | undefined;
  // On a loopback address, only requests whose Host is this machine are accepted.
  const isLoopback = /^(?:127\.|::1$)/.test(address.host);
  const whyNotReady = () => {
    if (isStopping) return 'wm is stopping';
    return readState ? (readState().journal.fault ?? hanging ?? sinkFault) : 'wm is starting';
  };
  const replyTo = ({ method, url = '', headers: { host = '' } }: ServerRequest): Reply => {
    if (isLoopback && !isAddress(host)) return [403, 'Use an IP address or localhost, not a host name.\n'];
    if (method !== 'GET' && method !== 'HEAD') return [405, 'Send GET or HEAD.\n'];
    const path = url.replace(/\?.*$/s, '');
    if (path === '/metrics')
      return [200, metrics.format(readState?.()), 'text/plain; version=0.0.4; charset=utf-8'];
    if (path === '/healthz') return [200, 'ok\n'];
    if (path !== '/readyz') return [404, 'Not found. Try /metrics, /healthz or /readyz.\n'];
    const reason = whyNotReady();
    return reason === undefined ? [200, 'ready\n'] : [503, `not ready: ${reason}\n`];
  };
  const listening = await world.server.listen(address, (request, response) => {
    const [status, text, type = 'text/plain; charset=utf-8'] = replyTo(request);
    response.writeHead(status, {
      'Content-Type': type,
      'Content-Length': Buffer.byteLength(text),
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      ...(status === 405 ? { Allow: 'GET, HEAD' } : {}),
    });
    response.end(request.method === 'HEAD' ? undefined : text);
  });
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
    },
    onStop() {
      isStopping = true;
    },
    close: () => listening.close(),
  };
}

/** Another site's name may point to this machine, and its pages read the response (DNS rebinding). An address is safe. */
function isAddress(host: string): boolean {
  const name = host.replace(/:\d{1,5}$/, '').replace(/^\[(.*)\]$/, '$1');
  return host === '' || name.toLowerCase() === 'localhost' || isIP(name) !== 0;
}
