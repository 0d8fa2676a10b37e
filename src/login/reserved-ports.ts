// Windows reserves ranges of ports for containers and virtual machines, and reports a port in such a range as forbidden.

import type { ListenFault } from '#world/world.ts';

/** A sentence for a hint, with a space before it; empty if a reserved port cannot be the cause. */
export function reservedPortsHint({ fault }: ListenFault, port: number): string {
  // Ports below 1024 are for administrators.
  if (fault !== 'not-allowed' || port < 1024) return '';
  return ' Windows reserves some ports: netsh interface ipv4 show excludedportrange protocol=tcp';
}
