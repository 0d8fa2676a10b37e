// The part of the world that an emulator in a program's own process needs.

import { createClock } from './clock.ts';
import { createHttp } from './http.ts';
import { createServer } from './server.ts';
import type { World } from './world.ts';

export function createEmulatorWorld(): Pick<World, 'server' | 'http' | 'clock'> {
  const clock = createClock();
  return { server: createServer(), http: createHttp(process.env, clock), clock };
}
