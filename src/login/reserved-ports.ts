// Windows reserves ranges of ports, for containers and virtual machines, and says of a port in one that it is forbidden.

import type { ListenFault } from '../world/world.ts';

/** A sentence for a hint, with a space before it; nothing where that cannot be the cause. */
export function reservedPortsHint({ fault }: ListenFault, port: number): string {
  // Elsewhere, and below 1024, a port that is not allowed is one for administrators.
  if (fault !== 'not-allowed' || port < 1024) return '';
  return ' Windows reserves some ports: netsh interface ipv4 show excludedportrange protocol=tcp';
}
