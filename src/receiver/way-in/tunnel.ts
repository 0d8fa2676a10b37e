// Runs the user's tunnel program, which brings requests from outside to the receiver. wm starts it through the shell, ends it with the
// receiver, and restarts it after a growing delay when it ends or lets no request through.

import { isIP } from 'node:net';
import type { Context } from '#cli/context.ts';
import { validateHookUrl } from '#contract/hook-url.ts';
import { ValidationError } from '#contract/schema.ts';
import { Failure, usageError } from '#failure.ts';
import { sanitizeLine } from '#terminal/sanitize.ts';
import { withinLimit } from '#within-limit.ts';
import { withoutSecrets } from '#without-secrets.ts';
import type { Child } from '#world/world.ts';

export interface TunnelOptions {
  readonly command: string;
  readonly port: number;
  /** Whether to search the output for the URL; false if the user gave one. */
  readonly findsUrl: boolean;
  /** Called with each URL that the tunnel prints, even the same again. */
  readonly onUrl: (url: string) => void;
}

export type Tunnel = ReturnType<typeof startTunnel>;

const portPlaceholder = '{port}';
/** The time limit for the URL: the program may have to ask a server, or reconnect first. */
const urlMs = 60_000;
const firstWaitMs = 1_000;
const longestWaitMs = 60_000;
/** How long the program has to end before it is killed, and then how long its other processes have. */
const endMs = 5_000;
const shownLines = 10;
const shownCharacters = 500;

export function assertNamesPort(command: string): void {
  if (command.includes(portPlaceholder)) return;
  throw usageError(
    `--tunnel needs ${portPlaceholder} in the command`,
    `Write ${portPlaceholder} for the port of the receiver: --tunnel 'cloudflared tunnel --url http://127.0.0.1:${portPlaceholder}'`,
  );
}

export function startTunnel(
  { world, report }: Pick<Context, 'world' | 'report'>,
  { command, port, findsUrl, onUrl }: TunnelOptions,
) {
  const { clock } = world;
  const stopped = new AbortController();
  let waitMs = firstWaitMs;
  /** Ends the program. `why`: for the user. */
  let endRun: (why: string) => void = () => {};
  let resolveReady: (url: string | undefined) => void = () => {};
  let rejectReady: (failure: Failure) => void = () => {};
  /**
   * Resolves to the URL, or `undefined` if the user gave one. Rejects with a {@link Failure} if the first run ends or prints no URL in
   * time.
   */
  const ready = new Promise<string | undefined>((resolve, reject) => {
    resolveReady = resolve;
    rejectReady = reject;
  });
  // Keeps a failure that comes before a caller awaits it from ending the process.
  ready.catch(() => {});

  const run = async () => {
    const lines: string[] = [];
    let hadUrl = !findsUrl;
    const onLine = (line: string) => {
      const shown = sanitizeLine(line).trim().slice(0, shownCharacters);
      if (shown !== '') {
        lines.push(shown);
        if (lines.length > shownLines) lines.shift();
        report.trace(`tunnel: ${shown}`);
      }
      const url = hadUrl ? undefined : findTunnelUrl(line);
      if (url === undefined) return;
      hadUrl = true;
      limit.cancel();
      onUrl(url);
      resolveReady(url);
    };
    const readers = [createLineReader(onLine), createLineReader(onLine)] as const;
    const child = world.process.start([command.replaceAll(portPlaceholder, String(port))], {
      shell: true,
      environment: withoutSecrets(world.environment),
      streams: 'pipe',
      ownGroup: true,
      onOutput: readers[0].add,
      onErrors: readers[1].add,
    });
    const ended = new Promise<string>((resolve) => {
      endRun = resolve;
    });
    const limit = clock.limit(urlMs, () => {
      // The last line may hold the URL without a line end.
      for (const reader of readers) reader.end();
      if (!hadUrl) endRun(`printed no public https URL within ${urlMs / 1000} s`);
    });
    if (!findsUrl) {
      limit.cancel();
      resolveReady(undefined);
    }
    void child.ended.then((status) => {
      for (const reader of readers) reader.end();
      endRun(describeStatus(status));
    });
    const why = await ended;
    limit.cancel();
    await endChild(clock, child);
    return { why, lines, hadUrl };
  };

  const runAll = async (): Promise<void> => {
    let wasReady = false;
    while (!stopped.signal.aborted) {
      const { why, lines, hadUrl } = await run();
      if (stopped.signal.aborted) return;
      wasReady ||= hadUrl;
      if (!wasReady) return rejectReady(cannotStart(why, lines));
      const next = `The tunnel ${why}. wm starts it again in ${waitMs / 1000} s.`;
      await report.warn([next, ...lines.map((line) => `  ${line}`)].join('\n'));
      await clock.sleep(waitMs, stopped.signal);
      waitMs = Math.min(longestWaitMs, waitMs * 2);
    }
  };
  const done = runAll();
  return {
    ready,
    restart() {
      endRun('lets nothing through');
    },
    /** Called when a request gets through: the next restart need not wait long. */
    confirm() {
      waitMs = firstWaitMs;
    },
    /** Ends the program and all that it has started. */
    async close() {
      stopped.abort();
      endRun('is closed');
      await done;
    },
  };
}

async function endChild(clock: Pick<Context['world']['clock'], 'limit'>, child: Child): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    child.kill(signal);
    if ((await withinLimit(clock, endMs, child.ended, () => undefined)) !== undefined) return;
  }
  // A process that has left its group still holds the output open.
  child.detach();
}

const describeStatus = (status: number) =>
  `ended with status ${status}${status === 127 ? ': command not found' : ''}`;

function cannotStart(why: string, lines: readonly string[]): Failure {
  return new Failure('other', {
    message: `The tunnel ${why}`,
    why: lines.length === 0 ? 'it printed nothing' : `its last lines were: ${lines.join(' | ')}`,
    hint: why.startsWith('printed')
      ? 'If it prints no URL, or prints it in another form, give the URL: --public-url URL'
      : 'Try the command of --tunnel by itself, with a port in place of {port}.',
  });
}

/** First labels of hosts that belong to the tunnel's maker, which a program may print without a path too. */
const siteNames = [
  ...['account', 'accounts', 'admin', 'api', 'app', 'auth', 'blog', 'community', 'console', 'dash'],
  ...['dashboard', 'dev', 'developer', 'developers', 'discord', 'doc', 'docs', 'forum', 'go', 'help'],
  ...['id', 'login', 'signup', 'status', 'support', 'update', 'www'],
];

/** Returns the first tunnel URL of a line, without a slash at its end. */
export function findTunnelUrl(line: string): string | undefined {
  const words = removeSequences(line).match(/https:\/\/[^\s"'`<>()[\]{}|\\^,;]+/gi) ?? [];
  const url = words.map((word) => word.replace(/(?<![.:!?])[.:!?]+$/, '')).find(isTunnelUrl);
  return url === undefined ? undefined : new URL(url).origin;
}

function isTunnelUrl(text: string): boolean {
  try {
    const { hostname, pathname, search, hash } = validateHookUrl(text);
    const names = hostname.replace(/\.$/, '').split('.');
    const [first = ''] = names;
    return (
      `${pathname}${search}${hash}` === '/' &&
      isIP(hostname) === 0 &&
      names.length > 2 &&
      !siteNames.includes(first)
    );
  } catch (error) {
    if (error instanceof ValidationError) return false;
    throw error;
  }
}

/** Removes colours, which may be within a URL. Every other control character ends a URL. */
function removeSequences(line: string): string {
  return (
    line
      // biome-ignore lint/suspicious/noControlCharactersInRegex: this removes them
      .replace(/\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b\[[0-9;:]*m/g, '')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: as above
      .replace(/\u001b\[[0-?]*[ -/]*[@-~]|[\u0000-\u001f\u007f-\u009f]/g, ' ')
  );
}

/** The most characters of a line: a longer one loses its beginning. */
const mostCharacters = 16_384;

export function createLineReader(onLine: (line: string) => void) {
  let rest = '';
  return {
    add(text: string): void {
      const [last = '', ...lines] = `${rest}${text}`.split(/\r\n|[\r\n]/).reverse();
      rest = last.slice(-mostCharacters);
      for (const line of lines.reverse()) onLine(line);
    },
    /** Passes on a last line without a line end. */
    end(): void {
      const last = rest;
      rest = '';
      if (last !== '') onLine(last);
    },
  };
}
