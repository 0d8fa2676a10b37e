// Creates the part of the world that the client library needs.

import { createClock } from './clock.ts';
import { createHttp } from './http.ts';
import { createSecrets } from './secrets.ts';
import type { World } from './world.ts';

export function createClientWorld(): Pick<World, 'http' | 'clock' | 'random' | 'secrets'> {
  const environment = process.env;
  const clock = createClock();
  return {
    http: createHttp(environment, clock),
    clock,
    random: () => Math.random(),
    secrets: createSecrets(environment),
  };
}
