// The user of the demo: opens the consent page as a browser would, presses Allow, and follows the redirect to the
// callback.

import { Failure } from '../../failure.ts';
import type { HttpRequest, HttpResponse, World } from '../../world/world.ts';
import type { Context } from '../context.ts';

export async function pressAllow(
  world: Pick<World, 'http'>,
  { report }: Context,
  address: string,
): Promise<void> {
  await report.line('  (In a browser you would press Allow now. The demo does it over HTTP.)');
  const page = await sendRequest(world, { method: 'GET', url: address, headers: {} });
  const html = new TextDecoder().decode(page.body);
  const inputs = [...html.matchAll(/<input[^>]*>/g)].map(([tag]) => tag);
  const pairs = inputs.filter((tag) => /type="hidden"|\schecked\b/.test(tag)).map(formPair);
  const [form] = /<form[^>]*>/.exec(html) ?? [];
  const [allow] = /<button[^>]*>\s*Allow\s*<\/button>/.exec(html) ?? [];
  if (form === undefined || allow === undefined)
    throw new Failure('other', { message: `The consent page has no Allow button (status ${page.status})` });
  const response = await sendRequest(world, {
    method: 'POST',
    url: new URL(attribute(form, 'action'), address).href,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: [...pairs, formPair(allow)].join('&'),
  });
  const location = response.headers['location'];
  if (location === undefined)
    throw new Failure('other', { message: `The consent page responded with ${response.status}` });
  await sendRequest(world, { method: 'GET', url: location, headers: {} });
}

/** What a field of the form sends. */
function formPair(tag: string): string {
  return ['name', 'value'].map((name) => encodeURIComponent(attribute(tag, name))).join('=');
}

/** Empty if the tag lacks it, as browsers take it. */
function attribute(tag: string, name: string): string {
  return decodeHtml(new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? '');
}

async function sendRequest(world: Pick<World, 'http'>, request: HttpRequest): Promise<HttpResponse> {
  const response = await world.http.send(request, { timeoutMs: 10_000, maxBytes: 1024 * 1024 });
  if ('fault' in response)
    throw new Failure('network', { message: `No response from ${request.url}`, why: response.detail });
  return response;
}

/** The four that the emulator's pages hold. The ampersand last: `&amp;lt;` is `&lt;`. */
function decodeHtml(html: string): string {
  return html
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
