// One machine: its disk, its keychain and its processes, each of which runs the real program in a world of its own.

import { PassThrough, Readable } from 'node:stream';
import { runProgram } from '#app/program.ts';
import { emulatorEnvironment } from '#emulator/commands/environment.ts';
import { type EmulatorOptions, type RunningEmulator, startEmulator } from '#emulator/emulator.ts';
import { readSeed, type SeedData } from '#emulator/seed/parse-seed.ts';
import { internalCommands } from '#internal-commands.ts';
import { runRefreshProcess } from '#login/refresh-process.ts';
import { kernelLockOf, MemoryDisk, type PowerCut } from '#test/support/disk/memory-disk.ts';
import type { Random } from '#test/support/random.ts';
import { createFiles } from '#world/files.ts';
import { createLock } from '#world/lock.ts';
import { createSecrets } from '#world/secrets.ts';
import type { Child, Environment, Output, StartOptions, World } from '#world/world.ts';
import { clockOf, type Simulation, Violation } from './events.ts';
import type { Fates } from './fates.ts';
import { Network } from './network.ts';
import { Killed, SimulatedProcess, type Surroundings } from './process.ts';

export interface Run {
  readonly process: SimulatedProcess;
  readonly ended: Promise<number>;
  output: string;
  errors: string;
}

export class Machine implements Surroundings {
  readonly simulation: Simulation;
  readonly fates: Fates;
  readonly network: Network;
  readonly disk: MemoryDisk;
  readonly keychain = new Map<string, string>();
  /** The most that an item of the keychain takes, in characters: on Windows 1280. */
  keychainLimit = Number.POSITIVE_INFINITY;
  readonly #processes = new Set<SimulatedProcess>();
  #pids = 100;
  #boots = 0;
  #bootedAt = 0;

  constructor(simulation: Simulation, fates: Fates) {
    this.simulation = simulation;
    this.fates = fates;
    this.network = new Network(simulation, fates);
    this.disk = new MemoryDisk(simulation.random, () => simulation.now);
    this.disk.put('/home/.config/wm/settings.json', '{}\n');
    this.#boot();
  }

  /** Runs a command of wm. `Run.ended` resolves with its status, 137 if it was killed. */
  wm(argv: readonly string[], environment: Environment = {}, input = ''): Run {
    const process = this.#spawn(`wm ${argv.slice(0, 2).join(' ')}`);
    const run: Run = { process, ended: process.ended, output: '', errors: '' };
    const streams = {
      input: inputOf(input),
      output: outputOf(process, 'print', (text) => {
        run.output += text;
      }),
      errors: outputOf(process, 'tell', (text) => {
        run.errors += text;
      }),
    };
    const world = this.#worldOf(process, { HOME: '/home', ...environment }, streams);
    this.#live(process, async () => {
      const status = await runProgram(argv, world);
      if (/This is a bug in wm/.test(run.errors)) throw new Violation(`A bug: ${run.errors}`);
      return status;
    });
    return run;
  }

  /** An emulator outside the machine, which nothing harms; and the environment of its clients. */
  async startService(
    options: EmulatorOptions = {},
  ): Promise<{ emulator: RunningEmulator; environment: Environment }> {
    const world = {
      server: this.network.serverFor(undefined),
      http: this.network.httpFor(undefined),
      clock: clockOf(this.simulation),
      randomBytes: bytesOf(this.simulation.random),
    };
    const emulator = await startEmulator(world, { port: 9000, fixedTokens: true, ...options });
    if ('fault' in emulator) throw new Error(emulator.detail);
    return { emulator, environment: emulatorEnvironment({ HOME: '/home' }, emulator, '/home/.config/wm') };
  }

  cutPower(cut: PowerCut): void {
    this.simulation.log('machine', cut);
    for (const process of this.#processes) process.kill();
    this.disk.crash(cut);
    this.#boot();
  }

  /** Linux names each start of the machine, so that wm can tell a death from a power cut. */
  #boot(): void {
    this.disk.put('/proc/sys/kernel/random/boot_id', `boot ${++this.#boots}\n`);
    this.#bootedAt = this.simulation.now;
  }

  /** Resolves when no process runs any more: a helper outlives its command. */
  async settled(): Promise<void> {
    while (this.#processes.size > 0) await this.simulation.pass(500);
  }

  #spawn(name: string): SimulatedProcess {
    const pid = ++this.#pids;
    const process = new SimulatedProcess(this, `${name} [${pid}]`, pid);
    this.#processes.add(process);
    process.onEnd.add(() => this.#processes.delete(process));
    return process;
  }

  #live(process: SimulatedProcess, work: () => Promise<number>): void {
    const run = () =>
      work().then(
        (status) => process.end(status),
        (error: unknown) => {
          // What a dead process still runs into is of no interest.
          if (process.isAlive && !(error instanceof Killed)) this.simulation.fail(error);
        },
      );
    this.simulation.after(process.random.next() * 30, () => void run(), process);
  }

  #worldOf(process: SimulatedProcess, environment: Environment, streams: World['streams']): World {
    const { disk, network, simulation } = this;
    const system = disk.systemOf(process);
    const clock = clockOf(simulation, process, this.#bootedAt);
    const random = () => process.random.next();
    const absent = async (): Promise<never> => {
      throw new Error('The simulated machine does not have this');
    };
    return {
      environment,
      http: network.httpFor(process),
      inspectConnection: async () => ({ isProxied: false, addresses: [] }),
      server: network.serverFor(process),
      nats: { connect: absent },
      keychain: {
        read: (_, account) => process.call(undefined, () => ({ secret: this.keychain.get(account) })),
        write: async (_, account, secret) =>
          secret.length > this.keychainLimit
            ? { fault: 'too-large', detail: 'simulated' }
            : process.call({ name: `keep ${account}`, kind: 'other' }, () => {
                this.keychain.set(account, secret);
                return { written: true };
              }),
        remove: (_, account) =>
          process.call({ name: `forget ${account}`, kind: 'other' }, () => ({
            removed: this.keychain.delete(account),
          })),
      },
      browser: { open: async () => false },
      clock,
      random,
      randomBytes: bytesOf(process.random),
      files: createFiles(environment, 'linux', '/home', () => '/home', system),
      lock: createLock('linux', clock, system, random, process.pid, async () => kernelLockOf(process)),
      streams,
      process: {
        platform: 'linux',
        nodeVersion: 'v20.19.0',
        pid: process.pid,
        host: 'machine',
        self: ['node', 'wm'],
        holdsArgument: () => undefined,
        start: (command, options) => this.#startHelper(process, command, options),
        onInterrupt(listener) {
          process.interruptions.add(listener);
          return () => process.interruptions.delete(listener);
        },
        ignoreHangup: () => () => {},
        onResume: () => () => {},
        isInForeground: () => true,
        preferSmallHeap: async () => {},
        suspend() {},
        giveUpDisk() {},
      },
      secrets: createSecrets(environment),
      jq: { compile: absent },
    };
  }

  /** The only program that wm starts here is itself, to refresh tokens. */
  #startHelper(parent: SimulatedProcess, command: readonly string[], options: StartOptions): Child {
    if (!command.includes(internalCommands.refreshProcess))
      throw new Error(`No such program: ${command.join(' ')}`);
    const child = this.#spawn(`helper of ${parent.pid}`);
    for (const descriptor of options.inherits ?? []) {
      const file = parent.files.get(descriptor);
      file.users++;
      child.files.add(file);
    }
    const ended = new Promise<number>((resolve) => {
      child.onEnd.add((status) =>
        this.simulation.after(parent.random.next() * 5, () => resolve(status), parent),
      );
    });
    const toParent = (text: string) => void this.simulation.after(0, () => options.onOutput?.(text), parent);
    const streams = {
      input: inputOf(options.input ?? ''),
      output: outputOf(child, 'respond', toParent),
      errors: outputOf(child, 'tell', () => {}),
    };
    const world = this.#worldOf(child, options.environment, streams);
    this.#live(child, () => runRefreshProcess(world).then(() => 0));
    return {
      ended,
      exited: ended,
      pid: () => child.pid,
      detach() {},
      release() {},
      kill: () => child.kill(),
    };
  }
}

function bytesOf(random: Random): World['randomBytes'] {
  return (count) => Buffer.from(Array.from({ length: count }, () => random.below(256)));
}

function inputOf(text: string | Uint8Array): World['streams']['input'] {
  return {
    isTerminal: false,
    readAll: async () => Buffer.from(text),
    raw: Readable.from([Buffer.from(text)]),
  };
}

function outputOf(process: SimulatedProcess, verb: string, add: (text: string) => void): Output {
  return {
    isTerminal: false,
    columns: undefined,
    raw: new PassThrough(),
    write: (data) => {
      const text = Buffer.from(data).toString();
      return process.call({ name: `${verb} ${JSON.stringify(text)}`, kind: 'other' }, () => add(text));
    },
  };
}

/** Throws if the seed is invalid. */
export function seedOf(...[seed, options]: Parameters<typeof readSeed>): SeedData {
  const read = readSeed(seed, options);
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  return read;
}
