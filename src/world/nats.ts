// NATS JetStream. The library is loaded with the first connection, so that nothing of it burdens a program without a sink.

import type { Nats } from './world.ts';

export function createNats(): Nats {
  return {
    async connect(options) {
      const { connectToNats } = await import('./nats-connection.ts');
      return connectToNats(options);
    },
  };
}
