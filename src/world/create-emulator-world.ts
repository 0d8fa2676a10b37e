// Creates the part of the world that an emulator inside another program needs.

import { createClock } from './clock.ts';
import { createHttp } from './http.ts';
import { randomBytes } from './random.ts';
import { createServer } from './server.ts';
import type { World } from './world.ts';

export function createEmulatorWorld(): Pick<World, 'server' | 'http' | 'clock' | 'randomBytes'> {
  const clock = createClock();
  return { server: createServer(), http: createHttp(process.env, clock), clock, randomBytes };
}
