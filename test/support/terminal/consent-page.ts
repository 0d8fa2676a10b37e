// The person in front of the consent page, without a browser: reads the page, chooses, presses, and says where that leads.

import assert from 'node:assert/strict';

export interface Wish {
  readonly press: 'Allow' | 'Deny';
  /** Whose account; the one that the page proposes without it. */
  readonly user?: string;
}

type Send = (
  url: string | URL,
  options?: { method: 'POST'; body: URLSearchParams; redirect: 'manual' },
) => Promise<Pick<Response, 'text'> & { readonly headers: Pick<Headers, 'get'> }>;

/** The address that the page sends the browser to. */
export async function answerConsent(
  address: string,
  { press, user }: Wish,
  send: Send = fetch,
): Promise<string> {
  const html = await (await send(address)).text();
  const button = new RegExp(`<button[^>]*name="([^"]*)" value="([^"]*)">${press}</button>`).exec(html);
  const ticket = /name="ticket" value="([^"]*)"/.exec(html)?.[1];
  const proposed = /name="user" value="([^"]*)" checked/.exec(html)?.[1];
  const action = /<form[^>]* action="([^"]*)"/.exec(html)?.[1];
  assert.ok(button && ticket && proposed && action, `this is no consent page:\n${html}`);
  const form = new URLSearchParams({ ticket, user: user ?? proposed, [button[1] ?? '']: button[2] ?? '' });
  const response = await send(new URL(action, address), { method: 'POST', body: form, redirect: 'manual' });
  const location = response.headers.get('location');
  assert.ok(location, `pressing ${press} leads nowhere:\n${await response.text()}`);
  return location;
}
