// Starts the emulator: the service on this machine, with state. Joins its parts and listens, once for each data centre;
// what it answers stands in the other files.

import { apiPath } from '../contract/authorization.ts';
import type { DataCentre } from '../contract/delivery.ts';
import type { ListenFault, Listening, World } from '../world/world.ts';
import { runBatch } from './calls/batch.ts';
import { createEmulatorClock } from './clock.ts';
import { createFaults } from './faults.ts';
import { createHandler } from './front.ts';
import { createDeliveries } from './hooks/deliveries.ts';
import { createPatience } from './hooks/patience.ts';
import { createPost } from './hooks/post.ts';
import { createRegistry } from './hooks/registry.ts';
import { suspendFailed } from './hooks/suspend.ts';
import { tellOfDescription } from './hooks/tell.ts';
import { createAgenda } from './later.ts';
import {
  createPersistence,
  holdFile,
  type Kept,
  keptIn,
  lockOf,
  type Persistence,
  type SaveFault,
} from './persistence.ts';
import { createRateLimit } from './rate-limit.ts';
import { sampleWith } from './sample.ts';
import { sample, sampleApplications } from './sample-ids.ts';
import { chooseSampleTokens, type SampleTokens, withSampleTokens } from './sample-tokens.ts';
import { dataCentres, originOf, type Service } from './service.ts';
import { type EmulatorOptions, type Settings, settingsFrom } from './settings.ts';
import { createStore, snapshot } from './store.ts';
import { createTurn } from './turn.ts';

export type { SaveFault } from './persistence.ts';
export type { EmulatorOptions } from './settings.ts';

export interface RunningDataCentre {
  readonly name: DataCentre;
  readonly host: string;
  readonly baseUrl: string;
  readonly authUrl: string;
}

export interface RunningEmulator {
  /** Of the main data centre, without a path. */
  readonly authUrl: string;
  readonly baseUrl: string;
  /** As a token's answer names it: address and port, whatever the scheme. */
  readonly host: string;
  /** Of the ready application, whose callback is whatever http address of this machine. */
  readonly clientId: string;
  readonly clientSecret: string;
  /** Permanent, and Ada's. */
  readonly token: string;
  /** All of the sample's. */
  readonly tokens: SampleTokens;
  readonly dataCentres: readonly RunningDataCentre[];
  /** All that are registered. */
  readonly applications: readonly {
    name: string;
    clientId: string;
    clientSecret: string;
    callbacks: readonly string[];
  }[];
  /** Where the control calls are. */
  readonly controlUrl: string;
  readonly sampleTask: string;
  readonly sampleFolder: string;
  readonly sampleSpace: string;
  /** Ends it; the fault where the data file does not hold all that it remembered. */
  close(): Promise<SaveFault | undefined>;
}

const host = '127.0.0.1';

/** Never throws for what the machine refuses: that is the fault which it gives back. */
export async function startEmulator(
  world: Pick<World, 'server' | 'http' | 'clock'> & Partial<Pick<World, 'files' | 'lock'>>,
  options: EmulatorOptions = {},
): Promise<RunningEmulator | ListenFault> {
  const settings = settingsFrom(options);
  const data = await openData(world, settings);
  if ('fault' in data) return data;
  const { file, kept } = data;
  const tokens = chooseSampleTokens(settings.fixedTokens, kept?.tokens);
  const sampleData = sampleWith(tokens);
  const store = createStore(
    kept === undefined
      ? sampleData
      : { ...kept, tokens: withSampleTokens(kept.tokens, tokens, sampleData.tokens) },
  );
  const clock = createEmulatorClock(world, (error) => settings.log(String(error)), kept?.clock);
  const persistence = persisting(world, settings, file, () => ({ ...snapshot(store), clock: clock.state }));
  const { changed } = persistence;
  const stopping = new AbortController();
  const post = createPost(world, settings, stopping.signal);
  const registry = createRegistry();
  const hosts: Record<DataCentre, string> = { US: '', US2: '', EU: '' };
  const turn = createTurn(world.clock);
  const deliveries = createDeliveries({
    store,
    changed,
    clock,
    turn,
    post,
    settings,
    patience: createPatience(clock),
    onFailed: (hook, delivery, mail) => suspendFailed(service, hook, delivery, mail),
  });
  const agenda = createAgenda({
    store,
    clock,
    changed,
    run: (one) => (one.does === 'a batch' ? runBatch(service, one) : tellOfDescription(service, one)),
  });
  const service: Service = {
    store,
    clock,
    settings,
    registry,
    deliveries,
    agenda,
    post,
    hosts,
    sampleTokens: tokens,
    faults: createFaults(),
    rateLimit: createRateLimit(clock, settings.rateLimit),
    turn,
    wait: (milliseconds) => new Promise((resolve) => void world.clock.after(milliseconds, resolve)),
    changed,
    saveFault: () => persistence.fault,
  };
  for (const hook of store.webhooks.values()) registry.add(hook);

  const open: Listening[] = [];
  const end = async () => {
    clock.stop();
    stopping.abort();
    await Promise.all(open.map((one) => one.close()));
    const fault = await persistence.close();
    await data.letGo();
    return fault;
  };
  let ended: ReturnType<typeof end> | undefined;
  const close = () => {
    ended ??= end();
    return ended;
  };
  for (const [index, name] of dataCentres.entries()) {
    const handler = createHandler(service, name);
    const listening = await listen(world, settings, index, handler);
    if ('fault' in listening) {
      await close();
      return listening;
    }
    open.push(listening);
    hosts[name] = `${host}:${listening.port}`;
  }
  // An emulator that cannot save must not start.
  const unsaved = await persistence.save();
  if (unsaved !== undefined) {
    await close();
    return { fault: 'failed', detail: unsaved.detail };
  }
  deliveries.takeUp();
  agenda.takeUp();

  const addresses = dataCentres.map((name) => {
    const authUrl = originOf(service, name);
    return { name, host: hosts[name], authUrl, baseUrl: `${authUrl}${apiPath}` };
  });
  const main = originOf(service, 'US');
  return {
    authUrl: main,
    baseUrl: `${main}${apiPath}`,
    host: hosts.US,
    clientId: sampleApplications.ready.id,
    clientSecret: sampleApplications.ready.secret,
    token: tokens.ada,
    tokens,
    dataCentres: addresses,
    applications: [...store.applications.values()].map(({ id, secret, name, callbacks }) => ({
      name,
      clientId: id,
      clientSecret: secret,
      callbacks,
    })),
    controlUrl: `${main}/_emulator`,
    sampleTask: sample.task,
    sampleFolder: sample.folder,
    sampleSpace: sample.space,
    close,
  };
}

/** The data file, where there is one: what it holds, and how it is let go. */
interface Data {
  /** Its path, without links: under another name it is the same file, for the lock too. */
  readonly file?: string;
  readonly kept?: Kept | undefined;
  readonly letGo: () => Promise<void>;
}

async function openData(
  { files, lock }: Partial<Pick<World, 'files' | 'lock'>>,
  { dataFile }: Settings,
): Promise<Data | ListenFault> {
  if (dataFile === undefined) return { letGo: () => Promise.resolve() };
  if (files === undefined || lock === undefined) {
    return { fault: 'failed', detail: 'no files to keep data in, or no lock for them' };
  }
  let letGo: Data['letGo'] | undefined;
  try {
    const file = await files.realPath(dataFile);
    const kind = await files.kind(file);
    if (kind !== undefined && kind !== 'file') return { fault: 'failed', detail: 'it is not a file' };
    // Writing replaces the file, so its names would part: two emulators would each go on with a file of their own.
    if ((await files.names(file)) > 1) {
      return {
        fault: 'failed',
        detail: 'it has another name, a hard link, that writing would part from it: copy it',
      };
    }
    letGo = await holdFile({ files, lock }, file);
    if (letGo === undefined) {
      const holder = await lock.holder(lockOf(file));
      const who = holder ? `another emulator (process ${holder.pid})` : 'another emulator';
      return { fault: 'failed', detail: `${who} keeps its data in it` };
    }
    return { file, kept: await keptIn({ files }, dataFile), letGo };
  } catch (error) {
    await letGo?.();
    return { fault: 'failed', detail: error instanceof Error ? error.message : String(error) };
  }
}

const inMemory: Persistence = {
  changed: () => undefined,
  fault: undefined,
  save: () => Promise.resolve(undefined),
  close: () => Promise.resolve(undefined),
};

function persisting(
  { clock, files }: Pick<World, 'clock'> & Partial<Pick<World, 'files'>>,
  { log }: Settings,
  file: string | undefined,
  content: () => Kept,
): Persistence {
  if (file === undefined || files === undefined) return inMemory;
  return createPersistence({ clock, files }, file, content, log);
}

/** The main data centre has the port that was asked for, the others those that follow it, or else free ones. */
async function listen(
  { server }: Pick<World, 'server'>,
  { port, secure }: Settings,
  index: number,
  handler: Parameters<World['server']['listen']>[1],
): Promise<Listening | ListenFault> {
  const wanted = port === 0 ? 0 : port + index;
  const at = (where: number) =>
    server.listen({ host, port: where, halfOpen: true, ...(secure ? { secure } : {}) }, handler);
  const listening = await at(wanted > 65_535 ? 0 : wanted);
  return 'fault' in listening && index > 0 ? at(0) : listening;
}
