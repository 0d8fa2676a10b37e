// Decides whether a request may use the page. Deliveries show what a company is working on, and a replay has effects, so three things
// must be right: a Host that is this machine's (otherwise another site's name could resolve here: DNS rebinding), the
// random token in the path, which no other user of this machine and no other site knows, and no sign that another origin's page
// sent it.

import type { IncomingMessage } from 'node:http';
import { isSameText } from '#contract/signature.ts';

/** The path behind the token: `/`, `/events`. Or what to respond, of which only the second says that the token was right. */
export type Judgement = { readonly path: string } | 'unknown' | 'other-origin';

export function judgePageRequest(
  { url = '', method, headers }: Pick<IncomingMessage, 'url' | 'method' | 'headers'>,
  { token, port }: { readonly token: string; readonly port: number },
): Judgement {
  const { host = '', origin, 'sec-fetch-site': site } = headers;
  const [, given = '', path = ''] = /^\/([^/?]*)(.*)$/s.exec(url) ?? [];
  // Compared even if the Host is wrong, so that the response time reveals nothing.
  if (!isSameText(given, token) || !isOwnHost(host, port)) return 'unknown';
  // A browser sends an Origin with every POST, older ones too, which send no Sec-Fetch-Site.
  if (origin === undefined ? method === 'POST' : origin !== `http://${host.toLowerCase()}`)
    return 'other-origin';
  // `none`: the user typed the address, or opened a bookmark.
  const mayBeTyped = method === 'GET' && path === '/';
  if (site !== undefined && site !== 'same-origin' && !(mayBeTyped && site === 'none')) return 'other-origin';
  return { path };
}

/** The names of this machine, with this port: whoever reaches it through ssh -L forwards the same port. */
function isOwnHost(host: string, port: number): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].some((name) => host.toLowerCase() === `${name}:${port}`);
}
