// Creates the context of a command's `run`: the world, the report, the prompts, and a session with the selected account.

import type { SentChanges, Session } from '#client/session.ts';
import { usageError } from '#failure.ts';
import type { ChangeRecorder } from '#local-records/history/change-recorder.ts';
import type { WebhookRecords } from '#local-records/webhook-records.ts';
import { lockWaitMessage } from '#login/lock-wait.ts';
import type { AccountOptions, Notices, SelectedCredentials } from '#login/select-account.ts';
import { canDrawLines, isAccessible } from '#terminal/line-drawing.ts';
import type { Prompt } from '#terminal/prompt.ts';
import { createReport, type Report } from '#terminal/report.ts';
import { plainStyle, type Style, wantsColour } from '#terminal/style.ts';
import { createUserPager, type UserPager } from '#terminal/user-pager.ts';
import type { Environment, Http, Interruption, LockHolder, Output, World } from '#world/world.ts';
import type { CommonFlags } from './flags/common-flags.ts';
import { cannotPromptFailure } from './flags/missing-values.ts';
import type { CommandLine } from './format-command.ts';
import { interruptedFailure } from './interrupt.ts';
import type { Settings } from './settings/load-settings.ts';

export type Context = Readonly<ReturnType<typeof createContext>>;

const defaultTimeoutSeconds = 30;
const hangupIsIgnored =
  'Ignoring SIGHUP: wm runs without a terminal, as under nohup. To end wm, send SIGTERM.';
const slowMs = 3000;
/** A shorter wait would be over before the user reads the line. */
const leastWaitMs = 1000;

export function createContext(
  outerWorld: World,
  common: CommonFlags,
  /** Commands cannot import the table of commands, which loads them. */
  describeProgram: (words: readonly string[]) => Promise<object>,
  commandLine: CommandLine,
  settings: Settings,
) {
  const { words } = commandLine;
  const { environment, streams } = outerWorld;
  const { input, output, errors } = streams;
  const isTerminal = input.isTerminal && (output.isTerminal || errors.isTerminal);
  const noInput = whyNoInput(outerWorld, common, settings);
  const whyCannotPrompt = noInput || (isTerminal ? '' : 'not a terminal');
  const canPrompt = whyCannotPrompt === '';
  const pager: UserPager | undefined =
    canPrompt && output.isTerminal
      ? createUserPager(outerWorld, common, (signal) => interruptedFailure(signal, context))
      : undefined;
  const report = createCommandReport(outerWorld, common, settings, pager);
  const { lock } = outerWorld;
  const world: World = {
    ...outerWorld,
    keychain: createKeychainWithNotice(outerWorld, report),
    lock: {
      ...lock,
      acquire(path, options) {
        const { activity } = options;
        if (activity === undefined) return lock.acquire(path, options);
        const onWait = (holder?: LockHolder) => void report.info(lockWaitMessage(holder, activity));
        return lock.acquire(path, { onWait, ...options });
      },
    },
  };
  const account = { ...accountOptions(environment, common), folderProfile: settings.folderProfile };
  const showsWaiting = errors.isTerminal && common.quiet !== true;
  const timeoutMs = (common.timeout ?? settings.find('timeout')?.value ?? defaultTimeoutSeconds) * 1000;
  const changes: SentChanges = new Map();

  let mustWarnOfBoth = account.token !== undefined && account.profile !== undefined;
  let session: Session | undefined;
  let credentials: SelectedCredentials | undefined;
  let history: ChangeRecorder | undefined;
  let webhookRecords: WebhookRecords | undefined;
  const endings: (() => Promise<void>)[] = [];
  let openPrompts = 0;
  let createInterruptHint: (() => string) | undefined;
  let isFollowing = false;
  let { changesOnlyBySession } = commandLine;
  const context = {
    world,
    common,
    report,
    get account(): AccountOptions {
      // A command that selects the account is about to use it.
      if (mustWarnOfBoth) {
        mustWarnOfBoth = false;
        void report.warn('WM_TOKEN and WM_PROFILE are both set; wm uses WM_TOKEN. Unset one of them.');
      }
      return account;
    },
    commandLine,
    /** From the settings files. Flags and variables take precedence. */
    settings,
    canPrompt,
    /** Why wm cannot prompt: `not a terminal`. */
    whyCannotPrompt,
    /** What forbids prompts even on a terminal: `CI is set`. Empty if nothing does. */
    whyNoInput: noInput,
    timeoutMs,
    /** With --dry-run and with --curl: requests are printed, and not sent. */
    isDryRun: common.dryRun === true || common.curl === true,
    /** Prompts, or throws a usage error that names the flag to give instead. */
    async prompt<T>(flag: string, question: (prompt: Prompt) => Promise<T>): Promise<T> {
      const { terminal } = input;
      if (!canPrompt || !terminal) throw cannotPromptFailure([flag], whyCannotPrompt);
      // A screen reader needs lines, not a screen that is redrawn.
      const prompts =
        environment['TERM'] === 'dumb' || isAccessible(environment)
          ? await import('#terminal/plain-prompt.ts')
          : await import('#terminal/screen-prompt.ts');
      const screen = errors.isTerminal ? errors : output;
      const inColour = isInColour(outerWorld, screen, common, settings);
      const { clock, process: processes } = world;
      const inAscii = !canDrawLines(screen, environment, processes.platform);
      openPrompts++;
      try {
        return await untilPromptEnds(context, prompts.wasInterrupted, (ended) =>
          question(prompts.createPrompt(streams, { inColour, inAscii, ended, clock, processes }, terminal)),
        );
      } finally {
        openPrompts--;
      }
    },
    /** True while a prompt or a pager is shown: an interruption must end the prompt first, and a pager gets Ctrl-C itself. */
    isPrompting: (): boolean => openPrompts > 0 || pager?.isShown === true,
    /** Asks to confirm, unless --yes was given. A no ends the command. */
    async confirm(question: string): Promise<void> {
      if (common.yes) return;
      if (!canPrompt)
        throw usageError(
          `Not confirmed: ${question}`,
          `Cannot prompt: ${whyCannotPrompt}. Confirm with --yes.`,
        );
      const yes = await context.prompt('--yes', (prompt) => prompt.confirm(question));
      if (!yes) throw usageError('Not confirmed; nothing was done');
    },
    /** One for all sessions of the command: a token that could not be stored is nowhere else. */
    async credentials(notices: Notices = report): Promise<SelectedCredentials> {
      if (credentials) return credentials;
      const { loadCredentials } = await import('#login/select-account.ts');
      const loaded = await loadCredentials(world, context.account, notices);
      credentials ??= loaded;
      return credentials;
    },
    async session(): Promise<Session> {
      if (session) return session;
      const { createCommandSession } = await import('./create-session.ts');
      const newSession = await createCommandSession(context, {
        changes,
        ...(showsWaiting ? createSessionNotices(world, timeoutMs, report) : {}),
      });
      session ??= newSession;
      return session;
    },
    /** Throws `read_only` if --read-only, WM_READ_ONLY or the profile forbids changes. The session also checks each request. */
    async assertMayChange(): Promise<void> {
      const { assertMayChange } = await import('./create-session.ts');
      await assertMayChange(context, words);
    },
    /** Records the changes of this command. The session writes them; a command adds a note, or what it read back. */
    async history(): Promise<ChangeRecorder> {
      const { createChangeRecorder } = await import('#local-records/history/change-recorder.ts');
      history ??= createChangeRecorder(context, words);
      return history;
    },
    /** This machine's records of webhooks, loaded with their first use; saved at the end of the command at the latest. */
    async webhookRecords(): Promise<WebhookRecords> {
      const { WebhookRecords } = await import('#local-records/webhook-records.ts');
      webhookRecords ??= new WebhookRecords(context);
      return webhookRecords;
    },
    /** Runs once the command has ended, even if it failed. */
    atEnd: (run: () => Promise<void>) => void endings.push(run),
    async end(): Promise<void> {
      await webhookRecords?.save(true);
      for (const run of endings) await run();
    },
    changes,
    get changesOnlyBySession(): boolean {
      return changesOnlyBySession;
    },
    /** Something that the user asked for is stored on this machine: an interruption no longer says that nothing was changed. */
    onLocalChange(): void {
      changesOnlyBySession = false;
    },
    /** Sets the hint for a user who interrupts the command after a change; created at the interruption. */
    onInterruptHint(createHint: () => string): void {
      createInterruptHint = createHint;
    },
    /** From now on the command only shows what happens, and an interruption is its normal end. */
    beginFollowing(): void {
      isFollowing = true;
    },
    isFollowing: (): boolean => isFollowing,
    /** For work that outlives an ssh session. Node hides whether SIGHUP came in ignored, as under nohup; no terminal is a sign of it. */
    ignoreHangupWithoutTerminal(): void {
      if (input.isTerminal || output.isTerminal || errors.isTerminal) return;
      const undo = world.process.ignoreHangup(() => void report.warnOnce(hangupIsIgnored));
      endings.push(async () => undo());
    },
    describeProgram,
    interruptHint: (): string | undefined => createInterruptHint?.(),
  };
  return context;
}

/** The returned function reports the first response that takes long. */
function createSlowNotice({ clock }: World, report: Report) {
  let isReported = false;
  return <T>(response: Promise<T>, line: string): Promise<T> => {
    const onWait = () => {
      if (!isReported) void report.info(line);
      isReported = true;
    };
    return isReported ? response : response.finally(clock.after(slowMs, onWait));
  };
}

function createKeychainWithNotice(world: World, report: Report): World['keychain'] {
  const { keychain } = world;
  const reportIfSlow = createSlowNotice(world, report);
  const passOn = <T>(response: Promise<T>) =>
    reportIfSlow(response, 'The keychain has not responded yet. Still waiting.');
  return {
    read: (...args) => passOn(keychain.read(...args)),
    write: (...args) => passOn(keychain.write(...args)),
    remove: (...args) => passOn(keychain.remove(...args)),
  };
}

/** Tells a user why a session waits: for a response, or for a rate limit. Reports each once. */
function createSessionNotices(world: World, timeoutMs: number, report: Report) {
  const reportIfSlow = createSlowNotice(world, report);
  let isLimitReported = false;
  return {
    http: (): Http => ({
      send(request, options) {
        const response = world.http.send(request, options);
        if (timeoutMs <= slowMs) return response;
        const { host } = new URL(request.url);
        return reportIfSlow(
          response,
          `${host} has not responded yet. Still waiting (up to ${timeoutMs / 1000} s; change with --timeout).`,
        );
      },
    }),
    onRateLimit(waitMs: number): void {
      if (isLimitReported || waitMs < leastWaitMs) return;
      isLimitReported = true;
      void report.info(`The service limits the rate of requests. Waiting ${Math.ceil(waitMs / 1000)} s.`);
    },
  };
}

/** Ends the prompt when the user interrupts, and then throws the failure for that. `wasInterrupted`: for the errors of prompts. */
async function untilPromptEnds<T>(
  context: Pick<Context, 'world' | 'changes' | 'changesOnlyBySession' | 'interruptHint'>,
  wasInterrupted: (error: unknown) => boolean,
  ask: (ended: AbortSignal) => Promise<T>,
): Promise<T> {
  const { process: processes, streams } = context.world;
  const ending = new AbortController();
  let interruptedBy: Interruption | undefined;
  const ignore = processes.onInterrupt((signal) => {
    interruptedBy = signal;
    ending.abort();
  });
  try {
    const answer = await ask(ending.signal);
    // An interruption may come too late to end the prompt.
    if (interruptedBy === undefined) return answer;
  } catch (error) {
    if (interruptedBy === undefined && !wasInterrupted(error)) throw error;
  } finally {
    ignore();
  }
  // Without a signal, the user pressed Ctrl-C, or the terminal closed. The terminal is restored by now.
  throw interruptedFailure(interruptedBy ?? (streams.input.isTerminal ? 'SIGINT' : 'SIGHUP'), context);
}

/** Shows failures before a context exists, and the results of a context. */
export function createCommandReport(
  world: World,
  common: CommonFlags,
  settings: Settings,
  pager?: UserPager,
): Report {
  const styleOf = async (stream: Output): Promise<Style> =>
    isInColour(world, stream, common, settings)
      ? (await import('#terminal/colour.ts')).colourStyle
      : plainStyle;
  return createReport(world.streams, styleOf, {
    json: common.json === true,
    quiet: common.quiet === true,
    verbose: common.verbose === true,
    secrets: world.secrets,
    now: () => world.clock.now(),
    pager,
    isWhole: isAccessible(world.environment),
  });
}

function isInColour(
  { environment }: Pick<World, 'environment'>,
  output: Output,
  { color }: Pick<CommonFlags, 'color'>,
  settings: Settings,
): boolean {
  return wantsColour(output, environment, color, settings.find('color')?.value);
}

export function accountOptions(
  environment: Environment,
  { profile }: Pick<CommonFlags, 'profile'>,
): AccountOptions {
  return {
    profile: profile ?? environment['WM_PROFILE'],
    profileSource: profile === undefined ? 'WM_PROFILE' : '--profile',
    token: profile === undefined ? environment['WM_TOKEN'] : undefined,
    host: environment['WM_HOST'],
    authUrl: environment['WM_AUTH_URL'],
    store: environment['WM_TOKEN_STORE'],
  };
}

function whyNoInput({ environment }: Pick<World, 'environment'>, common: CommonFlags, settings: Settings) {
  if (common.input === false) return '--no-input was given';
  if (environment['WM_NO_INPUT']) return 'WM_NO_INPUT is set';
  if (environment['CI']) return 'CI is set';
  const stored = common.input === undefined ? settings.find('input') : undefined;
  return stored?.value === false ? `input is false in ${stored.origin}` : '';
}
