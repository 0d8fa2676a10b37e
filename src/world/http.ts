// Sends one request, and returns its response or a fault. Loads Node's own client, or undici if a proxy applies, on first use. The
// caller retries, and interprets the response.

import type { SecureContext } from 'node:tls';
import { createClock } from './clock.ts';
import type { ExchangeClock } from './http-exchange.ts';
import { proxyVariables, usesProxy } from './proxy-choice.ts';
import type { Environment, Http, HttpOptions } from './world.ts';

export function createHttp(
  environment: Environment,
  clock: ExchangeClock = createClock(),
  trust?: SecureContext,
): Http {
  const hasProxy = proxyVariables.some((name) => environment[name]);
  const openNode = async (connections?: number) =>
    (await import('./http-node.ts')).createNodeHttp(clock, connections, trust);
  const openUndici = async (connections?: number) =>
    (await import('./http-undici.ts')).createUndiciHttp(environment, clock, connections, trust);
  // Each is opened with its first request.
  let direct: Promise<Http> | undefined;
  let throughProxy: Promise<Http> | undefined;
  return {
    async send(request, options) {
      if (hasProxy && !choosesAddress(options) && usesProxy(request.url, environment)) {
        throughProxy ??= openUndici();
        return (await throughProxy).send(request, options);
      }
      direct ??= openNode();
      return (await direct).send(request, options);
    },
    async withConnections(connections) {
      const pool = await openUndici(connections);
      let toAddress: Promise<Http> | undefined;
      return {
        send(request, options) {
          if (!choosesAddress(options)) return pool.send(request, options);
          toAddress ??= openNode(connections);
          return toAddress.then(({ send }) => send(request, options));
        },
      };
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

/** Such a request needs Node's own client, and no proxy, which would resolve the name itself. */
function choosesAddress({ connectTo, allowAddress }: HttpOptions): boolean {
  return connectTo !== undefined || allowAddress !== undefined;
}
