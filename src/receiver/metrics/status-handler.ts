// Serves /metrics, /healthz (the process responds) and /readyz (it can store deliveries) to a monitoring system, on a port of its own
// and never on the webhook's.

import { isIP } from 'node:net';
import type { RequestHandler } from '#world/world.ts';
import { prometheusContentType } from './prometheus-text.ts';

export interface StatusSources {
  metrics(): string;
  /** Why deliveries cannot be stored at present; `undefined` if they can. */
  notReady(): string | undefined;
  /** The server listens on a loopback address, so it accepts only requests whose Host is this machine. */
  readonly isLoopback: boolean;
}

interface Reply {
  readonly status: number;
  readonly text: string;
  readonly type?: string;
}

export function createStatusHandler({ metrics, notReady, isLoopback }: StatusSources): RequestHandler {
  const reply = (path: string): Reply => {
    if (path === '/metrics') return { status: 200, text: metrics(), type: prometheusContentType };
    if (path === '/healthz') return { status: 200, text: 'ok\n' };
    if (path !== '/readyz') return { status: 404, text: 'Not found. Try /metrics, /healthz or /readyz.\n' };
    const reason = notReady();
    return reason === undefined
      ? { status: 200, text: 'ready\n' }
      : { status: 503, text: `not ready: ${reason}\n` };
  };
  return (request, response) => {
    const { method, url = '', headers } = request;
    const {
      status,
      text,
      type = 'text/plain; charset=utf-8',
    } = isLoopback && !isAddress(headers.host ?? '')
      ? { status: 403, text: 'Use an IP address or localhost, not a host name.\n' }
      : method === 'GET' || method === 'HEAD'
        ? reply(url.replace(/\?.*$/s, ''))
        : { status: 405, text: 'Send GET or HEAD.\n' };
    response.writeHead(status, {
      'Content-Type': type,
      'Content-Length': Buffer.byteLength(text),
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      ...(status === 405 ? { Allow: 'GET, HEAD' } : {}),
    });
    response.end(method === 'HEAD' ? undefined : text);
  };
}

/** Another site's name may point to this machine, and its pages read the response (DNS rebinding). An address is safe. */
function isAddress(host: string): boolean {
  const name = host.replace(/:\d{1,5}$/, '').replace(/^\[(.*)\]$/, '$1');
  return host === '' || name.toLowerCase() === 'localhost' || isIP(name) !== 0;
}
