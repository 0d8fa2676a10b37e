// Creates the real world. Loads what few commands use only on first use, so that creating it costs nearly nothing.

import { createClock } from './clock.ts';
import { createFiles } from './files.ts';
import { createHttp } from './http.ts';
import { createLock } from './lock.ts';
import { createProcesses } from './process.ts';
import { createSecrets } from './secrets.ts';
import { createStreams } from './streams.ts';
import type { Environment, Keychain, World } from './world.ts';

export function createWorld(environment: Environment = process.env): World {
  const processes = createProcesses();
  const { platform, self } = processes;
  const clock = createClock();
  const { random } = Math;
  const lock = createLock(platform, clock, undefined, random);
  /** Only one, because it sends one request at a time. */
  let keychain: Promise<Keychain> | undefined;
  const openKeychain = () => {
    keychain ??= import('./keychain.ts').then(({ createKeychain }) =>
      createKeychain({ environment, platform, self, clock, onPrompt: lock.setPrompting }),
    );
    return keychain;
  };
  return {
    environment,
    http: createHttp(environment, clock),
    inspectConnection: async (...args) =>
      (await import('./inspect-connection.ts')).createInspectConnection(environment, clock)(...args),
    server: { listen: async (...args) => (await import('./server.ts')).createServer().listen(...args) },
    // Loaded with the first connection, so that programs without a sink do not pay for it.
    nats: { connect: async (options) => (await import('./nats-connection.ts')).connectToNats(options) },
    keychain: {
      read: async (...args) => (await openKeychain()).read(...args),
      write: async (...args) => (await openKeychain()).write(...args),
      remove: async (...args) => (await openKeychain()).remove(...args),
    },
    browser: {
      open: async (url) => (await import('./browser.ts')).createBrowser(environment, platform).open(url),
    },
    clock,
    random,
    files: createFiles(environment, platform),
    lock,
    streams: createStreams(),
    process: processes,
    secrets: createSecrets(environment),
    jq: { compile: async (...args) => (await import('./jq.ts')).compileFilter(...args) },
  };
}
