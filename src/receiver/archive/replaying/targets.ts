// Creates the targets that the flags name: URLs, a command, standard output. An event goes to its route's URL or to --forward-to. The
// command gets every delivery, and standard output the events of --print.

import { trustCaFile } from '#cli/ca-file.ts';
import { readFileValue } from '#cli/file-value.ts';
import { toKebabCase } from '#cli/flags/flag.ts';
import { usageError } from '#failure.ts';
import { createExecTarget } from '#receiver/core/forwarding/exec-target.ts';
import { comparable, createHttpTarget } from '#receiver/core/forwarding/http-target.ts';
import { createPrintTarget } from '#receiver/core/forwarding/print-target.ts';
import { createTargetChoice, type Target } from '#receiver/core/forwarding/target.ts';
import type { StoredDelivery } from '#receiver/core/intake/delivery-journal.ts';
import type { World } from '#world/world.ts';
import { type TargetFlags, targetDefaults } from './target-flags.ts';

export type Targets = Awaited<ReturnType<typeof createTargets>>;

interface TargetView {
  printDelivery(delivery: StoredDelivery): Promise<void>;
  message(text: string): void;
}

interface TargetOptions {
  /** Returns the view that prints deliveries and the output of a command. First used with the first delivery. */
  readonly view: () => TargetView;
  readonly onReaderGone: () => void;
  /** Prints all deliveries if the flags name no target. */
  readonly printsOtherwise?: boolean;
  readonly ownHeaders?: Readonly<Record<string, string>>;
}

export async function createTargets(world: World, flags: TargetFlags, options: TargetOptions) {
  const { forwardTo, route = [], exec } = flags;
  const urls = [forwardTo ?? [], ...route.map(({ url }) => url)].flat();
  assertUrlFlags(flags, urls);
  const createUrlTarget = await prepareUrlTarget(world, flags, options);
  const byUrl = new Map([...new Set(urls)].map((url) => [url, createUrlTarget(url)]));
  assertDistinctNames([...byUrl.values()]);
  const forUrl = (url = '') => [byUrl.get(url) ?? []].flat();
  const command = exec === undefined ? [] : [commandTarget(world, flags, exec, options)];
  const forwards = byUrl.size > 0 || command.length > 0;
  const print = flags.print ?? (forwards || options.printsOtherwise === false ? undefined : 'all');
  const printing = print === undefined ? [] : [printTarget(world, print, options)];
  const routes = {
    routes: route.flatMap(({ events, url }) => forUrl(url).map((target) => ({ events, target }))),
    rest: forUrl(forwardTo),
    every: [...command, ...printing],
  };
  return {
    all: [...byUrl.values(), ...command, ...printing],
    forwards,
    choose: createTargetChoice(routes),
    /** The names of the targets, for commands that read the journal. */
    routing: {
      routes: routes.routes.map(({ events, target: { name } }) => ({ events, target: name })),
      rest: routes.rest.map(({ name }) => name),
      every: routes.every.map(({ name }) => name),
    },
  };
}

const urlFlags = ['forwardHeader', 'forwardCa', 'forwardHost'] as const;

function assertUrlFlags(flags: TargetFlags, urls: readonly string[]): void {
  const needless = urlFlags.find((name) => urls.length === 0 && flags[name] !== undefined);
  if (needless !== undefined)
    throw usageError(`--${toKebabCase(needless)} needs a URL`, 'Give it with --forward-to or --route.');
  if (flags.forwardTimeout !== undefined && urls.length === 0 && flags.exec === undefined)
    throw usageError('--forward-timeout needs --forward-to, --route or --exec');
}

async function prepareUrlTarget(
  world: World,
  { forwardHeader, forwardCa, forwardHost, forwardTimeout, concurrency }: TargetFlags,
  { ownHeaders }: TargetOptions,
): Promise<(url: string) => Target> {
  const trustingWorld = forwardCa === undefined ? world : await trustCaFile(world, forwardCa, '--forward-ca');
  const headers = { ...(await readForwardHeaders(world, forwardHeader ?? [])), ...ownHeaders };
  return (url) =>
    createHttpTarget(trustingWorld, {
      url,
      headers,
      host: forwardHost,
      timeoutMs: (forwardTimeout ?? targetDefaults.forwardTimeoutSeconds) * 1_000,
      connections: concurrency ?? targetDefaults.concurrency,
    });
}

function commandTarget(world: World, { forwardTimeout }: TargetFlags, exec: string, { view }: TargetOptions) {
  return createExecTarget(world, {
    start: (variables, run) =>
      world.process.start([exec], {
        shell: true,
        environment: { ...world.environment, ...variables },
        streams: 'pipe',
        ownGroup: true,
        ...run,
      }),
    timeoutMs: (forwardTimeout ?? targetDefaults.execTimeoutSeconds) * 1_000,
    onOutput: (text) => view().message(text.trimEnd()),
  });
}

const printTarget = (
  world: World,
  events: NonNullable<TargetFlags['print']>,
  { view, onReaderGone }: TargetOptions,
): Target =>
  createPrintTarget(world, {
    print: (delivery) => view().printDelivery(delivery),
    output: world.streams.output,
    onReaderGone,
    events: events === 'all' ? undefined : events,
  });

/** The journal could not tell targets apart whose URLs differ only in what the name of a target leaves out. */
function assertDistinctNames(targets: readonly Target[]): void {
  if (new Set(targets.map(({ name }) => name)).size < targets.length)
    throw usageError(
      'Two URLs differ only in their query or their spelling',
      'Forward to one of them, or give one of them another path.',
    );
}

const secretNames = ['authorization', 'cookie', 'proxy-authorization', 'x-api-key', 'x-auth-token'];
/** Headers that each forwarded request already has. */
const ownNames = [
  ...['connection', 'content-length', 'expect', 'keep-alive', 'te', 'trailer', 'upgrade'],
  ...['transfer-encoding', 'x-wm-attempt', 'x-wm-delivery', 'x-wm-redelivered', 'x-wm-replay'],
];

/** Reads the headers by their names in lower case. @throws {Failure} `usage` */
async function readForwardHeaders(world: World, lines: readonly string[]) {
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const [, rawName = '', value = ''] = /^([^:]*):[ \t]*(.*)$/s.exec(line) ?? [];
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(rawName))
      // The value may be a secret, so it is not repeated.
      throw usageError("--forward-header is not of the form NAME:VALUE, as in 'X-Source: wm'");
    const name = rawName.toLowerCase();
    if (name === 'host')
      throw usageError('--forward-header: Host has a flag of its own', 'Use --forward-host HOST.');
    if (ownNames.includes(comparable(name))) throw usageError(`--forward-header: wm itself sends ${rawName}`);
    if (name in headers) throw usageError(`--forward-header: ${rawName} is given twice`);
    if (secretNames.includes(name) && !value.startsWith('@'))
      throw usageError(
        `--forward-header: ${rawName} holds a secret, which other programs can read on a command line`,
        `Write it to a file that only you can read: --forward-header '${rawName}: @FILE'`,
      );
    headers[name] = await readValue(world, rawName, value);
  }
  return headers;
}

async function readValue(world: World, name: string, value: string): Promise<string> {
  const label = `--forward-header: ${name}`;
  const isFromFile = value.startsWith('@') && !value.startsWith('@@');
  const text = value.startsWith('@')
    ? (await readFileValue(world, value, label)).replace(/\r?\n$/, '')
    : value;
  if (isFromFile) world.secrets.add(text);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what ends a header
  if (/[\u0000-\u0008\u000a-\u001f\u007f]|[^\u0000-\u00ff]/.test(text))
    throw usageError(`${label} has a value that no header can hold`, 'It must be one line of Latin-1 text.');
  return text;
}
