// Writes raw bytes, such as a body, to standard output for a program. Never to a terminal, which they could control.

import type { Output } from '#world/world.ts';

export function writeBytes(output: Pick<Output, 'raw'>, bytes: Uint8Array): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    output.raw.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}
