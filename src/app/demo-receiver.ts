// The demo's receiver: only answers the handshake and collects deliveries. Not an example for production: a real receiver must
// store a delivery on disk before it responds.

import { deliveryHeaders } from '#contract/delivery.ts';
import { Failure } from '#failure.ts';
import { judgeRequest, rejectionStatus } from '#receiver/intake/judge-request.ts';
import { withinLimit } from '#within-limit.ts';
import type { World } from '#world/world.ts';

export interface Delivery {
  readonly body: Uint8Array;
  readonly signature: string;
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

const timeoutMs = 15_000;

export async function startReceiver(world: Pick<World, 'server' | 'clock'>, secret: string) {
  let count = 0;
  let resolveFirst: (delivery: Delivery) => void = () => {};
  const first = new Promise<Delivery>((resolve) => {
    resolveFirst = resolve;
  });
  const listening = await world.server.listen({ host: '127.0.0.1', port: 0 }, (request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts);
      const headers = (name: string) => String(request.headers[name.toLowerCase()] ?? '');
      const judgement = judgeRequest({ headers, body }, { secrets: [secret] });
      if (judgement.kind === 'rejection')
        return response.writeHead(rejectionStatus(judgement.reason, 503)).end();
      if (judgement.kind === 'handshake') {
        const [name, value] = judgement.responseHeader;
        return response.writeHead(200, { [name]: value }).end();
      }
      count++;
      resolveFirst({ body, signature: headers(deliveryHeaders.signature) });
      return response.writeHead(200).end();
    });
  });
  if ('fault' in listening)
    throw new Failure('other', { message: 'The receiver did not start', why: listening.detail });
  return {
    port: listening.port,
    /** Resolves with the first delivery that is signed with the secret. */
    next: () =>
      withinLimit(world.clock, timeoutMs, first, () => {
        throw new Failure('other', { message: 'No delivery arrived within 15 s' });
      }),
    count: () => count,
    close: () => listening.close(),
  };
}
