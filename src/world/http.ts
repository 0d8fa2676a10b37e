// Sends one request and gives back its answer or a fault. Chooses the way: Node's own client, or undici where a proxy
// is in force; each is loaded only when it is used. Leaves retries, and what an answer means, to the caller.

import type { SecureContext } from 'node:tls';
import { createClock } from './clock.ts';
import { type ExchangeClock, parseTarget } from './http-exchange.ts';
import type { Environment, Http, HttpOptions } from './world.ts';

export function createHttp(
  environment: Environment,
  clock: ExchangeClock = createClock(),
  trust?: SecureContext,
): Http {
  let direct: Promise<Http> | undefined;
  let proxied: Promise<Http> | undefined;
  const viaProxy = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY'].some(
    (name) => environment[name],
  );
  const undici = (variables: Environment, connections?: number) =>
    import('./http-undici.ts').then(({ createUndiciHttp }) =>
      createUndiciHttp(variables, clock, connections, trust),
    );
  const through = (chooseDirect: () => Promise<Http>): Http => ({
    async send(request, options) {
      if (viaProxy && mayUseProxy(request.url, options)) {
        proxied ??= undici(environment);
        return (await proxied).send(request, options);
      }
      return (await chooseDirect()).send(request, options);
    },
  });
  return {
    ...through(() => {
      direct ??= import('./http-node.ts').then(({ createNodeHttp }) => createNodeHttp(clock, trust));
      return direct;
    }),
    async withConnections(connections) {
      // Without a variable that names a proxy, it goes straight.
      const straight = await undici({}, connections);
      return viaProxy ? through(async () => straight) : straight;
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

/**
 * Not to this machine itself, where no proxy could find what we mean (curl needs NO_PROXY for that, Go does as we do);
 * and not where the caller rules on the address, since a proxy would resolve the name by itself.
 */
function mayUseProxy(address: string, options: HttpOptions): boolean {
  const hostname = parseTarget(address)?.hostname ?? '';
  const loopback = hostname === 'localhost' || hostname === '::1' || /^127(\.\d+){3}$/.test(hostname);
  return !loopback && !options.connectTo && !options.allowAddress;
}
