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
  const openNode = (connections?: number) =>
    import('./http-node.ts').then(({ createNodeHttp }) => createNodeHttp(clock, connections, trust));
  const openUndici = (connections?: number) =>
    import('./http-undici.ts').then(({ createUndiciHttp }) =>
      createUndiciHttp(environment, clock, connections, trust),
    );
  const sendDirectly = sendWith(() => openNode());
  const sendThroughProxy = sendWith(() => openUndici());
  return {
    send: (request, options) =>
      hasProxy && !choosesAddress(options) && usesProxy(request.url, environment)
        ? sendThroughProxy(request, options)
        : sendDirectly(request, options),
    async withConnections(connections) {
      const pool = await openUndici(connections);
      const sendToAddress = sendWith(() => openNode(connections));
      return {
        send: (request, options) =>
          choosesAddress(options) ? sendToAddress(request, options) : pool.send(request, options),
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

/** Opens the client with the first request. */
function sendWith(open: () => Promise<Http>): Http['send'] {
  let opened: Promise<Http> | undefined;
  return async (request, options) => {
    opened ??= open();
    return (await opened).send(request, options);
  };
}

/** Such a request needs Node's own client, and no proxy, which would resolve the name itself. */
function choosesAddress({ connectTo, allowAddress }: HttpOptions): boolean {
  return connectTo !== undefined || allowAddress !== undefined;
}
