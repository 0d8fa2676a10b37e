// Where deliveries go, from the flags: URLs, a command, standard output. Each event goes to its route's URL, or to --forward-to; the
// command gets every delivery, and standard output those that --print names.

import { usageError } from '../../../failure.ts';
import { createExecTarget } from '../../../receiver/forwarding/exec-target.ts';
import { createHttpTarget } from '../../../receiver/forwarding/http-target.ts';
import { createPrintTarget } from '../../../receiver/forwarding/print-target.ts';
import type { Target } from '../../../receiver/forwarding/target.ts';
import {
  createTargetChoice,
  createUrlTargets,
  type RoutedEvents,
  type Routes,
} from '../../../receiver/forwarding/target-choice.ts';
import type { World } from '../../../world/world.ts';
import { trustCaFile } from '../../ca-file.ts';
import { toKebabCase } from '../../flag.ts';
import { shellCommand } from '../../shell-command.ts';
import { readForwardHeaders } from './forward-headers.ts';
import { type ListenFlags, listenDefaults } from './listen-flags.ts';
import type { ListenView } from './listen-view.ts';

export interface Targets {
  /** All of them, in the order in which they are shown. */
  readonly all: readonly Target[];
  /** There are others than standard output. */
  readonly forwards: boolean;
  readonly choose: (found: RoutedEvents) => readonly Target[];
  /** The names of those that are chosen from, for whoever reads the journal. */
  readonly routing: Routes<string>;
}

export interface TargetOptions {
  /** Where deliveries and what a command says are printed; there by the time of the first delivery. */
  readonly view: () => Pick<ListenView, 'printDelivery' | 'message'>;
  readonly onReaderGone: () => void;
  /** Without any other target, all deliveries are printed: the default. */
  readonly printsOtherwise?: boolean;
  /** What wm itself adds to each request to a URL. */
  readonly ownHeaders?: Readonly<Record<string, string>>;
}

/** @throws {Failure} `usage` */
export async function createTargets(
  world: World,
  flags: ListenFlags,
  options: TargetOptions,
): Promise<Targets> {
  const { forwardTo, route = [], exec } = flags;
  const urls = [...(forwardTo === undefined ? [] : [forwardTo]), ...route.map(({ url }) => url)];
  assertUrlFlags(flags, urls);
  const byUrl = createUrlTargets(urls, await prepareUrlTarget(world, flags, options));
  const forUrl = (url: string | undefined) => {
    const target = url === undefined ? undefined : byUrl.get(url);
    return target ? [target] : [];
  };
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
    routing: {
      routes: routes.routes.map(({ events, target: { name } }) => ({ events, target: name })),
      rest: routes.rest.map(({ name }) => name),
      every: routes.every.map(({ name }) => name),
    },
  };
}

/** Only with a URL to forward to. */
const urlFlags = ['forwardHeader', 'forwardCa', 'forwardHost'] as const;

function assertUrlFlags(flags: ListenFlags, urls: readonly string[]): void {
  const needless = urlFlags.find((name) => urls.length === 0 && flags[name] !== undefined);
  if (needless !== undefined)
    throw usageError(`--${toKebabCase(needless)} needs a URL`, 'Give it with --forward-to or --route.');
  if (flags.forwardTimeout !== undefined && urls.length === 0 && flags.exec === undefined)
    throw usageError('--forward-timeout needs --forward-to, --route or --exec');
}

async function prepareUrlTarget(
  world: World,
  { forwardHeader, forwardCa, forwardHost, forwardTimeout, concurrency }: ListenFlags,
  { ownHeaders }: TargetOptions,
): Promise<(url: string) => Target> {
  const trusting = forwardCa === undefined ? world : await trustCaFile(world, forwardCa, '--forward-ca');
  const headers = { ...(await readForwardHeaders(world, forwardHeader ?? [])), ...ownHeaders };
  return (url) =>
    createHttpTarget(trusting, {
      url,
      headers,
      host: forwardHost,
      timeoutMs: (forwardTimeout ?? listenDefaults.forwardTimeoutSeconds) * 1_000,
      connections: concurrency ?? listenDefaults.concurrency,
    });
}

function commandTarget(
  world: World,
  { forwardTimeout }: ListenFlags,
  exec: string,
  { view }: TargetOptions,
): Target {
  return createExecTarget(world, {
    start: (variables, run) =>
      world.process.start(shellCommand(world, exec), {
        environment: { ...world.environment, ...variables },
        streams: 'pipe',
        ownGroup: true,
        ...run,
      }),
    timeoutMs: (forwardTimeout ?? listenDefaults.execTimeoutSeconds) * 1_000,
    onOutput: (text) => view().message(text.trimEnd()),
  });
}

function printTarget(
  world: World,
  events: NonNullable<ListenFlags['print']>,
  { view, onReaderGone }: TargetOptions,
): Target {
  const { output } = world.streams;
  const names: readonly string[] | undefined = events === 'all' ? undefined : events;
  return createPrintTarget(world, {
    async print(delivery) {
      try {
        await view().printDelivery(delivery);
        return undefined;
      } catch (error) {
        if (error instanceof Error && error.name === 'FilterFailed') return error.message;
        throw error;
      }
    },
    isReaderGone: () => output.isReaderGone === true,
    onReaderGone,
    isPrinted: ({ eventType }) => names?.includes(eventType) ?? true,
  });
}
