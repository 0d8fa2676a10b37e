// Whether anything listens at the authorization URL. A typing error or a server that is down must not send a person to
// a browser that shows nothing, nor keep a command waiting for a callback that cannot come.

import { failureFromFault } from '../client/request-failure.ts';
import { Failure } from '../failure.ts';
import type { HttpFault, World } from '../world/world.ts';

/** Longest time for it, in milliseconds. Something slow is something that listens. */
const maxWaitMs = 5_000;

/** With any of these, the code could not be exchanged either: that request goes to the same place. */
const isUnreachable: Readonly<Record<HttpFault['fault'], boolean>> = {
  'connection-refused': true,
  unreachable: true,
  tls: true,
  proxy: true,
  'address-not-allowed': true,
  timeout: false,
  reset: false,
  'too-large': false,
  malformed: false,
  aborted: false,
};

/** Any HTTP response will do. Throws a {@link Failure} (exit 7) where a connection cannot be made at all. */
export async function assertReachable(
  { http }: Pick<World, 'http'>,
  authUrl: string,
  timeoutMs: number,
): Promise<void> {
  const outcome = await http.send(
    { method: 'HEAD', url: `${authUrl}/`, headers: {} },
    { timeoutMs: Math.min(timeoutMs, maxWaitMs), maxBytes: 64 * 1024 },
  );
  if (!('fault' in outcome) || !isUnreachable[outcome.fault]) return;
  const { code, message, why } = failureFromFault(outcome);
  throw new Failure(code, {
    message: `Cannot reach the authorization URL ${authUrl}`,
    why: why ? `${message}: ${why}` : message,
    hint:
      remedies[outcome.fault] ??
      'Nothing was changed. Check --auth-url (or WM_AUTH_URL), the connection and HTTPS_PROXY.',
  });
}

const remedies: Partial<Record<HttpFault['fault'], string>> = {
  tls: 'Nothing was changed. Behind a company proxy, trust its certificate: --ca FILE, or NODE_EXTRA_CA_CERTS=FILE.',
};
