// Creates the real world. Loads what few commands use only on first use, so that creating it costs nearly nothing.

import { createClock } from './clock.ts';
import { createFiles } from './files.ts';
import { createHttp } from './http.ts';
import type { RealLock } from './lock.ts';
import { createProcesses } from './process.ts';
import { randomBytes } from './random.ts';
import { createSecrets } from './secrets.ts';
import { createStreams } from './streams.ts';
import type { Environment, Keychain, World } from './world.ts';

export function createWorld(environment: Environment = process.env): World {
  const processes = createProcesses();
  const { platform, self } = processes;
  const clock = createClock();
  const { random } = Math;
  /** Only one, because it knows all locks of this process. */
  let lock: Promise<RealLock> | undefined;
  const openLock = () => {
    lock ??= import('./lock.ts').then(({ createLock }) => createLock(platform, clock, undefined, random));
    return lock;
  };
  /** Only one, because it sends one request at a time. */
  let keychain: Promise<Keychain> | undefined;
  const openKeychain = () => {
    keychain ??= Promise.all([import('./keychain.ts'), openLock()]).then(
      ([{ createKeychain }, { setPrompting }]) =>
        createKeychain({ environment, platform, self, clock, onPrompt: setPrompting }),
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
    randomBytes,
    files: createFiles(environment, platform),
    lock: {
      acquire: async (...args) => (await openLock()).acquire(...args),
      holder: async (...args) => (await openLock()).holder(...args),
      isHeld: async (...args) => (await openLock()).isHeld(...args),
      adopt: async (...args) => (await openLock()).adopt(...args),
    },
    streams: createStreams(),
    process: processes,
    secrets: createSecrets(environment),
    jq: { compile: async (...args) => (await import('./jq.ts')).compileFilter(...args) },
  };
}
