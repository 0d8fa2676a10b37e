// Starts the emulator: loads the data file, creates the parts, and listens on one port for each data centre.

import { apiPath } from '#contract/authorization.ts';
import type { DataCentre } from '#contract/delivery.ts';
import type { ListenFault, Listening, World } from '#world/world.ts';
import { type Control, createControl } from './control/routes.ts';
import { dispatchDescriptionEvent } from './dispatch/dispatch.ts';
import { runBatch } from './endpoints/batch.ts';
import { maxRequestBytes } from './http/request.ts';
import { malformedResponse } from './http/response.ts';
import { hostInUrl } from './http/same-origin.ts';
import { createRequestHandler } from './request-handler.ts';
import { createInitialData, registerApplication, withApplication } from './seed/initial-data.ts';
import { createService, dataCentres, originOf, type Service } from './service/service.ts';
import { type EmulatorOptions, type Settings, settingsFrom } from './service/settings.ts';
import { createEmulatorClock } from './state/clock.ts';
import { findFolder, findTask } from './state/example-records.ts';
import { createPersistence, openDataFile, type Persistence, type SaveFault } from './state/persistence.ts';
import { sampleApplications } from './state/sample-ids.ts';
import { chooseSampleTokens, type SampleTokens, withSampleTokens } from './state/sample-tokens.ts';
import { type Application, createStore, takeSnapshot } from './state/store.ts';

export type { Control } from './control/routes.ts';
export type { EmulatorOptions } from './service/settings.ts';
export type { SaveFault } from './state/persistence.ts';

export interface RunningEmulator extends ReturnType<typeof describe> {
  /** Runs control requests in this process. Throws an error for an invalid request. */
  readonly control: Control;
  /** Stops the emulator. Returns a fault if the data file could not be saved. */
  close(): Promise<SaveFault | undefined>;
}

/** A port in use, or an unusable data file, is a fault, not an exception. */
export async function startEmulator(
  world: Pick<World, 'server' | 'http' | 'clock'> & Partial<Pick<World, 'files' | 'lock'>>,
  options: EmulatorOptions = {},
): Promise<RunningEmulator | ListenFault> {
  const settings = settingsFrom(options);
  const data = await openDataFile(world, settings.dataFile);
  if (data?.fault !== undefined) return data;
  const state = data?.state;
  if (state !== undefined && settings.seed !== undefined)
    settings.log(
      `${settings.dataFile} has data already, so the seed is not used. To start over with it: wm emulator reset`,
    );
  const tokens = chooseSampleTokens(settings.fixedTokens, state?.tokens);
  const startedAt = settings.fixedTokens ? undefined : world.clock.now() + (state?.clock.offset ?? 0);
  const defaultData = createInitialData(settings, tokens, startedAt);
  const stored = (state ?? defaultData).applications.find(({ id }) => id === settings.application?.clientId);
  const application = settings.application && registerApplication(stored, settings.application);
  const initialData = withApplication(defaultData, application);
  const loaded = state && { ...state, tokens: withSampleTokens(state.tokens, tokens, defaultData.tokens) };
  let persistence: Persistence | undefined;
  const scheduleSave = () => persistence?.scheduleSave();
  const store = createStore(withApplication(loaded ?? defaultData, application), scheduleSave);
  const clock = createEmulatorClock(world, (error) => settings.log(String(error)), state?.clock);
  const content = () => ({ ...takeSnapshot(store), clock: clock.state });
  persistence =
    data && createPersistence({ clock: world.clock, files: data.files }, data.file, content, settings.log);
  const stopping = new AbortController();
  const hosts: Record<DataCentre, string> = { US: '', US2: '', EU: '' };
  const foundation = { settings, store, clock, initialData, hosts, persistence };
  const service: Service = createService(world, foundation, stopping.signal, (job) =>
    job.type === 'batch' ? runBatch(service, job) : dispatchDescriptionEvent(service, job),
  );

  const servers: Listening[] = [];
  const stop = async () => {
    clock.stop();
    stopping.abort();
    await Promise.all(servers.map((server) => server.close()));
    const fault = await persistence?.close();
    await data?.release();
    return fault;
  };
  let stopped: ReturnType<typeof stop> | undefined;
  const close = () => {
    stopped ??= stop();
    return stopped;
  };
  for (const [index, name] of dataCentres.entries()) {
    const handler = createRequestHandler(service, name);
    const listening = await listen(world, settings, index, handler);
    if ('fault' in listening) {
      await close();
      return listening;
    }
    servers.push(listening);
    hosts[name] = `${hostForClients(settings)}:${listening.port}`;
  }
  // An emulator that cannot save its data must not start.
  const saveFault = await persistence?.save();
  if (saveFault !== undefined) {
    await close();
    return { fault: 'failed', detail: saveFault.detail };
  }
  service.deliveries.resume();
  service.scheduler.resume();
  return { ...describe(service, tokens, application), control: createControl(service), close };
}

/** `application`: the option. */
function describe(service: Service, tokens: SampleTokens, application: Application | undefined) {
  const { store, hosts } = service;
  const addresses = dataCentres.map((name) => {
    const authUrl = originOf(service, name);
    return { name, host: hosts[name], authUrl, baseUrl: `${authUrl}${apiPath}` };
  });
  const main = originOf(service, 'US');
  /** The ready application accepts any loopback redirect URI. */
  const { id: clientId, secret: clientSecret } = application ?? sampleApplications.ready;
  return {
    /** The main data centre, without a path. */
    authUrl: main,
    baseUrl: `${main}${apiPath}`,
    /** Address and port, as in a token response. */
    host: hosts.US,
    clientId,
    clientSecret,
    /** The first that is registered. */
    redirectUri: store.applications.get(clientId)?.callbacks[0],
    /** Ada's permanent token. */
    token: tokens.ada,
    tokens,
    dataCentres: addresses,
    controlUrl: `${main}/_emulator`,
    /** Empty if a seed has none. */
    sampleTask: findTask(store)?.id ?? '',
    sampleFolder: findFolder(store, 'folder')?.id ?? '',
    sampleSpace: findFolder(store, 'space')?.id ?? '',
  };
}

/** The host in the URLs that clients get. If the emulator listens on every address: the first allowed name, if any. */
function hostForClients({ address, allowHosts }: Settings): string {
  if (address === '0.0.0.0' || address === '::') return allowHosts[0] ?? '127.0.0.1';
  return hostInUrl(address);
}

/** The main data centre gets the requested port; the others get the next ones, or free ones. */
async function listen(
  { server }: Pick<World, 'server'>,
  { address, port, secure }: Settings,
  index: number,
  handler: Parameters<World['server']['listen']>[1],
): Promise<Listening | ListenFault> {
  const options = {
    host: address,
    halfOpen: true,
    // A busy machine takes longer than the usual 15 s for a head of 16 MiB.
    limits: { headerBytes: maxRequestBytes, headersMs: 60_000 },
    ownBody: malformedResponse,
    ...(secure && { tls: secure }),
  } as const;
  const listenOn = (chosenPort: number) => server.listen({ ...options, port: chosenPort }, handler);
  const requestedPort = port === 0 ? 0 : port + index;
  const listening = await listenOn(requestedPort > 65_535 ? 0 : requestedPort);
  return 'fault' in listening && index > 0 ? listenOn(0) : listening;
}
