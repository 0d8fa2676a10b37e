// Checks that the authorization URL can be reached, so that a typing error or a server that is down does not open an empty
// browser window, or leave a command waiting for a callback that cannot come.

import { failureFromFault } from '#client/request-failure.ts';
import { words } from '#contract/words.ts';
import { Failure } from '#failure.ts';
import type { HttpFault, World } from '#world/world.ts';

/** In milliseconds. A slow server is reachable. */
const maxWaitMs = 5_000;

/** After these faults the code exchange would fail too: it goes to the same host. */
const unreachable: readonly HttpFault['fault'][] = words(
  'connection-refused unreachable tls proxy address-not-allowed',
);

/** Sends a HEAD request; any response will do. At most 5 s are used. @throws {Failure} `network` if no connection can be made. */
export async function assertReachable({ http }: Pick<World, 'http'>, authUrl: string, timeoutMs: number) {
  const outcome = await http.send(
    { method: 'HEAD', url: `${authUrl}/`, headers: {} },
    { timeoutMs: Math.min(timeoutMs, maxWaitMs), maxBytes: 64 * 1024 },
  );
  if (!('fault' in outcome) || !unreachable.includes(outcome.fault)) return;
  const { code, sentence, hint } = failureFromFault(outcome);
  throw new Failure(code, {
    message: `Cannot reach the authorization URL ${authUrl}`,
    why: sentence,
    hint:
      outcome.fault === 'tls'
        ? `Nothing was changed. ${hint}`
        : 'Nothing was changed. Check --auth-url (or WM_AUTH_URL), the connection and HTTPS_PROXY.',
  });
}
