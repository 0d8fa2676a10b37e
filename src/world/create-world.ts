// Joins the real capabilities into one world. Each loads what it needs when it is first used, so that building the
// world costs nearly nothing.

import { createBrowser } from './browser.ts';
import { createClock } from './clock.ts';
import { createFiles } from './files.ts';
import { createHttp } from './http.ts';
import { createInspectConnection } from './inspect-connection.ts';
import { createJq } from './jq.ts';
import { createKeychain } from './keychain.ts';
import { createLock } from './lock.ts';
import { createNats } from './nats.ts';
import { createPager } from './pager.ts';
import { createProcesses } from './process.ts';
import { createSecrets } from './secrets.ts';
import { createServer } from './server.ts';
import { createStreams } from './streams.ts';
import type { Environment, World } from './world.ts';

export function createWorld(environment: Environment = process.env): World {
  const processes = createProcesses();
  const { platform, self } = processes;
  const clock = createClock();
  const random = () => Math.random();
  const lock = createLock(platform, clock, undefined, random);
  return {
    environment,
    http: createHttp(environment, clock),
    inspectConnection: createInspectConnection(environment, clock),
    server: createServer(),
    nats: createNats(),
    keychain: createKeychain({ environment, platform, self, clock, onPrompt: lock.setPrompting }),
    browser: createBrowser(environment, platform),
    clock,
    random,
    files: createFiles(environment, platform),
    lock,
    streams: createStreams(),
    process: processes,
    secrets: createSecrets(environment),
    jq: createJq(),
    pager: createPager(platform),
  };
}
