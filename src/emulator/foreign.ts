// Tells a request that a page of another site may have made, in a browser on this machine, from one that means the
// emulator: by what browsers say of themselves, and by the name that was called, since a site can have its own name lead
// to this machine (DNS rebinding).

import type { Received } from './received.ts';

/** By which this machine calls itself; on any port, for there may be a tunnel between. */
const ownNames = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/;

/** Why the request may be a stranger's, for a person; nothing where it is not. */
export function foreignness({ headers }: Received): string | undefined {
  const host = (headers.host ?? '').toLowerCase();
  if (!ownNames.test(host)) return `the Host ${JSON.stringify(host)} is no name of this machine`;
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`)
    return `the Origin ${JSON.stringify(origin)} is another site`;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return `the browser calls it ${site}`;
  return undefined;
}
