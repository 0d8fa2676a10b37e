// Writes bytes to standard output unchanged: a body that a program reads. Never to a terminal, which they could take over.

import type { Output } from '#world/world.ts';

export function writeBytes(output: Pick<Output, 'raw'>, bytes: Uint8Array): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    output.raw.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}
