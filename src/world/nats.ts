// NATS JetStream. Loads the library with the first connection, so that programs without a sink do not pay for it.

import type { Nats } from './world.ts';

export function createNats(): Nats {
  return {
    async connect(options) {
      const { connectToNats } = await import('./nats-connection.ts');
      return connectToNats(options);
    },
  };
}
