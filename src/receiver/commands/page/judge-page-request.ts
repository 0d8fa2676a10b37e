// Decides whether a request may use the page, which shows confidential work and can replay deliveries. It must have this machine's Host
// (against DNS rebinding), the secret token in its path, and no sign that another origin sent it.

import type { IncomingMessage } from 'node:http';
import { isSameText } from '#contract/signature.ts';

/** The path behind the token (`/`, `/events`), or how to reject. Only `other-origin` shows that the token was right. */
export type Judgement = { readonly path: string } | 'unknown' | 'other-origin';

export function judgePageRequest(
  { url = '', method, headers }: Pick<IncomingMessage, 'url' | 'method' | 'headers'>,
  { token, port }: { readonly token: string; readonly port: number },
): Judgement {
  const { host = '', origin, 'sec-fetch-site': site } = headers;
  const [, pathToken = '', path = ''] = /^\/([^/?]*)(.*)$/s.exec(url) ?? [];
  // Compare even if the Host is wrong, so that the response time reveals nothing.
  if (!isSameText(pathToken, token) || !isOwnHost(host, port)) return 'unknown';
  // Every browser sends an Origin with a POST, even an old one without Sec-Fetch-Site.
  if (origin === undefined ? method === 'POST' : origin !== `http://${host.toLowerCase()}`)
    return 'other-origin';
  // `none`: the user typed the address, or opened a bookmark.
  const mayBeTyped = method === 'GET' && path === '/';
  if (site !== undefined && site !== 'same-origin' && !(mayBeTyped && site === 'none')) return 'other-origin';
  return { path };
}

/** Accepts the names of this machine with this port. A tunnel by ssh -L must forward the same port. */
function isOwnHost(host: string, port: number): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].some((name) => host.toLowerCase() === `${name}:${port}`);
}
