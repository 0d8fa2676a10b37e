// Wraps an output: changes or stops what is written, and passes everything else through.

import type { Output } from '#world/world.ts';

export function forwardOutput(output: Output, own: Pick<Output, 'write' | 'abandon'>): Output {
  return Object.assign(Object.create(output), own);
}
