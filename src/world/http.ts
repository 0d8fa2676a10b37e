// Sends one request, and returns its response or a fault. Loads Node's own client, or undici if a proxy applies, on first use. The
// caller retries, and interprets the response.

import type { SecureContext } from 'node:tls';
import { createClock } from './clock.ts';
import type { ExchangeClock } from './http-exchange.ts';
import { mayUseProxy, proxyVariables } from './proxy-choice.ts';
import type { Environment, Http } from './world.ts';

export function createHttp(
  environment: Environment,
  clock: ExchangeClock = createClock(),
  trust?: SecureContext,
): Http {
  let direct: Promise<Http> | undefined;
  let proxied: Promise<Http> | undefined;
  const viaProxy = proxyVariables.some((name) => environment[name]);
  const undici = (variables: Environment, connections?: number) =>
    import('./http-undici.ts').then(({ createUndiciHttp }) =>
      createUndiciHttp(variables, clock, connections, trust),
    );
  const withProxy = (openDirect: () => Promise<Http>): Http => ({
    async send(request, options) {
      if (viaProxy && mayUseProxy(request.url, options)) {
        proxied ??= undici(environment);
        return (await proxied).send(request, options);
      }
      return (await openDirect()).send(request, options);
    },
  });
  return {
    ...withProxy(() => {
      direct ??= import('./http-node.ts').then(({ createNodeHttp }) => createNodeHttp(clock, trust));
      return direct;
    }),
    async withConnections(connections) {
      // An empty environment means no proxy.
      const pool = await undici({}, connections);
      return viaProxy ? withProxy(async () => pool) : pool;
    },
    async withCertificates(certificates) {
      const { createSecureContextWith } = await import('./tls-certificates.ts');
      return {
        ...createHttp(environment, clock, await createSecureContextWith(certificates, environment)),
        certificates,
      };
    },
  };
}
