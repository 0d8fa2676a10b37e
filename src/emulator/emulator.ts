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
import { openDataFile } from './state/data-file.ts';
import { findFolder, findTask } from './state/example-records.ts';
import { createPersistence, type Persistence, type SaveFault } from './state/persistence.ts';
import { sampleApplications } from './state/sample-ids.ts';
import { chooseSampleTokens, type SampleTokens, withSampleTokens } from './state/sample-tokens.ts';
import { type Application, createStore } from './state/store.ts';

export type { Control } from './control/routes.ts';
export type { EmulatorOptions } from './service/settings.ts';
export type { SaveFault } from './state/persistence.ts';

export interface RunningEmulator extends ReturnType<typeof describe> {
  /** Runs control requests in this process. Throws an error for an invalid request. */
  readonly control: Control;
  /** Stops the emulator. Returns a fault if the data file could not be saved. */
  close(): Promise<SaveFault | undefined>;
}

type StartWorld = Pick<World, 'server' | 'http' | 'clock' | 'randomBytes'> &
  Partial<Pick<World, 'files' | 'lock'>>;
type DataFile = Exclude<Awaited<ReturnType<typeof openDataFile>>, { fault: string }>;

/** A port in use, or an unusable data file, is a fault, not an exception. */
export async function startEmulator(world: StartWorld, options: EmulatorOptions = {}) {
  const settings = settingsFrom(options);
  const dataFile = await openDataFile(world, settings.dataFile);
  if (dataFile?.fault !== undefined) return dataFile;
  const { tokens, application, ...state } = createState(world, settings, dataFile);
  const { clock, persistence } = state;
  const stopping = new AbortController();
  const hosts: Record<DataCentre, string> = { US: '', US2: '', EU: '' };
  const service: Service = createService(world, { settings, hosts, ...state }, stopping.signal, (job) =>
    job.type === 'batch' ? runBatch(service, job) : dispatchDescriptionEvent(service, job),
  );
  const servers: Listening[] = [];
  const stop = async () => {
    clock.stop();
    stopping.abort();
    await Promise.all(servers.map((server) => server.close()));
    const fault = await persistence?.close();
    await dataFile?.release();
    return fault;
  };
  let stopped: ReturnType<typeof stop> | undefined;
  const close = () => {
    stopped ??= stop();
    return stopped;
  };
  const listenFault = await listenForEach(world, service, hosts, servers);
  // An emulator that cannot save its data must not start.
  const saveFault = listenFault ? undefined : await persistence?.save();
  if (listenFault ?? saveFault) {
    await close();
    return listenFault ?? { fault: 'failed', detail: saveFault?.detail ?? '' };
  }
  service.deliveries.resume();
  service.scheduler.resume();
  return { ...describe(service, tokens, application), control: createControl(service), close };
}

/** The data of the file, or else those of a first start, with the tokens and the application of this start. */
function createState(world: StartWorld, settings: Settings, dataFile: DataFile) {
  const { clock: realClock } = world;
  const stored = dataFile?.state;
  if (stored !== undefined && settings.seed !== undefined)
    settings.log(
      `${settings.dataFile} has data already, so the seed is not used. To start over with it: wm emulator reset`,
    );
  const tokens = chooseSampleTokens(settings.fixedTokens ? undefined : world, stored?.tokens);
  const startedAt = settings.fixedTokens ? undefined : realClock.now() + (stored?.clock.offset ?? 0);
  const defaultData = createInitialData(world, settings, tokens, startedAt);
  const known = (stored ?? defaultData).applications.find(({ id }) => id === settings.application?.clientId);
  const application = settings.application && registerApplication(world, known, settings.application);
  const initialData = withApplication(defaultData, application);
  const data = stored && { ...stored, tokens: withSampleTokens(stored.tokens, tokens, defaultData.tokens) };
  let persistence: Persistence | undefined;
  const store = createStore(withApplication(data ?? defaultData, application), (...change) =>
    persistence?.noteChange(...change),
  );
  const clock = createEmulatorClock(
    { clock: realClock },
    (error) => settings.log(String(error)),
    stored?.clock,
  );
  if (dataFile !== undefined) {
    persistence = createPersistence(
      { clock: realClock, files: dataFile.files },
      dataFile,
      { store, clock },
      settings.log,
    );
    // This start may have replaced those of the file.
    for (const list of ['tokens', 'applications'] as const)
      for (const id of [...(stored?.[list] ?? []).map((record) => record.id), ...store[list].keys()])
        persistence.noteChange(list, id);
  }
  return { tokens, application, initialData, store, clock, persistence };
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

/** Listens for each data centre, and sets its host. The main one gets the requested port; the others get the next ones, or free ones. */
async function listenForEach(
  { server }: StartWorld,
  service: Service,
  hosts: Record<DataCentre, string>,
  servers: Listening[],
): Promise<ListenFault | undefined> {
  const { address, port, secure } = service.settings;
  const options = {
    host: address,
    halfOpen: true,
    // A busy machine takes longer than the usual 15 s for a head of 16 MiB.
    limits: { headerBytes: maxRequestBytes, headersMs: 60_000 },
    ownBody: malformedResponse,
    ...(secure && { tls: secure }),
  } as const;
  for (const [index, name] of dataCentres.entries()) {
    const handler = createRequestHandler(service, name);
    const next = port === 0 || port + index > 65_535 ? 0 : port + index;
    let listening = await server.listen({ ...options, port: next }, handler);
    if ('fault' in listening && index > 0) listening = await server.listen({ ...options, port: 0 }, handler);
    if ('fault' in listening) return listening;
    servers.push(listening);
    hosts[name] = `${hostForClients(service.settings)}:${listening.port}`;
  }
  return undefined;
}
