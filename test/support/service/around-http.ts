// The real network, on which a test does something before or after a request.

import { createWorld } from '#world/create-world.ts';
import type { Http, HttpRequest } from '#world/world.ts';

/** `around` gets each request, and what passes it on. */
export function aroundHttp(
  around: (request: HttpRequest, pass: () => ReturnType<Http['send']>) => ReturnType<Http['send']>,
): Http {
  const wrap = (http: Http): Http => ({
    send: (request, options) => around(request, () => http.send(request, options)),
    withConnections: async (most) => wrap((await http.withConnections?.(most)) ?? http),
  });
  return wrap(createWorld().http);
}

/** Waits for `then` before the nth update leaves, the first being 1. */
export function beforeUpdate(nth: number, then: () => Promise<unknown>): Http {
  let count = 0;
  return aroundHttp(async ({ method }, pass) => {
    if (method === 'PUT' && ++count === nth) await then();
    return pass();
  });
}
