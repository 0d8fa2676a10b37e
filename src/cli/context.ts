// Creates the context of a command's `run`: the world, the report, the prompts, and a session with the account that flags,
// environment and profile select.

import type { SentChanges, Session } from '#client/session.ts';
import { usageError } from '#failure.ts';
import { lockWaitMessage } from '#login/lock-wait.ts';
import type { AccountOptions } from '#login/select-account.ts';
import { isAccessible } from '#terminal/line-drawing.ts';
import type { PagerOfUser } from '#terminal/paged-output.ts';
import type { Prompt } from '#terminal/prompt.ts';
import { createReport, type Report } from '#terminal/report.ts';
import { plainStyle, type Style, wantsColour } from '#terminal/style.ts';
import type { Environment, Interruption, LockHolder, Output, World } from '#world/world.ts';
import type { CommonFlags } from './flags/common-flags.ts';
import { cannotPromptFailure } from './flags/missing-values.ts';
import type { CommandLine } from './format-command.ts';
import type { ChangeRecorder } from './history/change-recorder.ts';
import { interruptedFailure } from './interrupt.ts';
import { createRecordCollector, type RecordCollector } from './record-cache.ts';
import type { Settings } from './settings/load-settings.ts';
import { createUserPager } from './user-pager.ts';
import { createRateLimitNotice, withSlowResponseNotice } from './wait-notices.ts';
import type { WebhookRecords } from './webhook-records.ts';

export interface Context {
  readonly world: World;
  readonly common: CommonFlags;
  readonly report: Report;
  readonly account: AccountOptions;
  /** The parsed command line, for hints that repeat it. */
  readonly commandLine: CommandLine;
  /** From the settings files. Flags and variables take precedence. */
  readonly settings: Settings;
  readonly canPrompt: boolean;
  /** Why wm cannot prompt: `not a terminal`. */
  readonly whyCannotPrompt: string;
  /** What forbids prompts even on a terminal: `CI is set`. Empty if nothing does. */
  readonly whyNoInput: string;
  readonly timeoutMs: number;
  /** With --dry-run and with --curl: requests are printed, and not sent. */
  readonly isDryRun: boolean;
  /** Prompts, or throws a usage error that names the flag to give instead. */
  prompt<T>(flag: string, question: (prompt: Prompt) => Promise<T>): Promise<T>;
  /** True while a prompt or a pager is shown: an interruption must end the prompt first, and a pager gets Ctrl-C itself. */
  isPrompting(): boolean;
  /** Asks to confirm, unless --yes was given. A no ends the command. */
  confirm(question: string): Promise<void>;
  session(): Promise<Session>;
  /** Throws `read_only` if --read-only, WM_READ_ONLY or the profile forbids changes. The session also checks each request. */
  assertMayChange(): Promise<void>;
  /** Records the changes of this command. The session writes them; a command adds a note, or what it read back. */
  history(): Promise<ChangeRecorder>;
  /** Collects the records that the session receives; stores them once the command has ended. */
  readonly recordCollector: RecordCollector;
  /** This machine's records of webhooks, loaded with their first use; saved at the end of the command at the latest. */
  webhookRecords(): Promise<WebhookRecords>;
  /** Runs once the command has ended, even if it failed. */
  atEnd(run: () => Promise<void>): void;
  end(): Promise<void>;
  readonly changes: SentChanges;
  /** Sets the hint for a user who interrupts the command after a change was sent; created at the interruption. */
  onInterruptHint(createHint: () => string): void;
  /** From now on the command only shows what happens, and an interruption is its normal end. */
  beginFollowing(): void;
  isFollowing(): boolean;
  /** Every command, or the ones that the words name, as data. Commands cannot import the table of commands, which loads them. */
  describeProgram(words: readonly string[]): Promise<object>;
  interruptHint(): string | undefined;
}

const defaultTimeoutSeconds = 30;

export function createContext(
  outerWorld: World,
  common: CommonFlags,
  describeProgram: Context['describeProgram'],
  commandLine: CommandLine,
  settings: Settings,
): Context {
  const { words } = commandLine;
  const { environment, streams } = outerWorld;
  const { input, output, errors } = streams;
  const isTerminal = input.isTerminal && (output.isTerminal || errors.isTerminal);
  const noInput = whyNoInput(outerWorld, common, settings);
  const whyCannotPrompt = noInput || (isTerminal ? '' : 'not a terminal');
  const canPrompt = whyCannotPrompt === '';
  const pager =
    canPrompt && output.isTerminal
      ? createUserPager(outerWorld, common, (signal) => interruptedFailure(signal, context))
      : undefined;
  const report = createCommandReport(outerWorld, common, settings, pager);
  const { lock } = outerWorld;
  const world: World = {
    ...outerWorld,
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

  let mustWarnOfBoth = account.token !== undefined && account.profile !== undefined;
  let session: Session | undefined;
  let history: ChangeRecorder | undefined;
  let webhookRecords: WebhookRecords | undefined;
  const endings: (() => Promise<void>)[] = [];
  let openPrompts = 0;
  let createInterruptHint: (() => string) | undefined;
  let isFollowing = false;
  const context: Context = {
    world,
    common,
    commandLine,
    report,
    settings,
    get account() {
      // A command that selects the account is about to use it.
      if (mustWarnOfBoth) {
        mustWarnOfBoth = false;
        void report.warn('WM_TOKEN and WM_PROFILE are both set; wm uses WM_TOKEN. Unset one of them.');
      }
      return account;
    },
    canPrompt,
    whyCannotPrompt,
    whyNoInput: noInput,
    timeoutMs,
    isDryRun: common.dryRun === true || common.curl === true,
    async prompt(flag, question) {
      const { terminal } = input;
      if (!canPrompt || !terminal) throw cannotPromptFailure([flag], whyCannotPrompt);
      // A screen reader needs lines, not a screen that is redrawn.
      const { createPrompt, wasInterrupted } =
        environment['TERM'] === 'dumb' || isAccessible(environment)
          ? await import('#terminal/plain-prompt.ts')
          : await import('#terminal/screen-prompt.ts');
      const ending = new AbortController();
      let interruptedBy: Interruption | undefined;
      const ignore = world.process.onInterrupt((signal) => {
        interruptedBy = signal;
        ending.abort();
      });
      openPrompts++;
      try {
        const screen = errors.isTerminal ? errors : output;
        const { clock, process: processes } = world;
        const answer = await question(
          createPrompt(
            streams,
            {
              inColour: isInColour(outerWorld, screen, common, settings),
              ended: ending.signal,
              clock,
              processes,
            },
            terminal,
          ),
        );
        // An interruption may come too late to end the prompt.
        if (interruptedBy === undefined) return answer;
      } catch (error) {
        if (interruptedBy === undefined && !wasInterrupted(error)) throw error;
      } finally {
        openPrompts--;
        ignore();
      }
      // Without a signal, the user pressed Ctrl-C, or the terminal closed. The terminal is restored by now.
      throw interruptedFailure(interruptedBy ?? (input.isTerminal ? 'SIGINT' : 'SIGHUP'), context);
    },
    isPrompting: () => openPrompts > 0 || pager?.isShown === true,
    async confirm(question) {
      if (common.yes) return;
      if (!canPrompt)
        throw usageError(
          `Not confirmed: ${question}`,
          `Cannot prompt: ${whyCannotPrompt}. Confirm with --yes.`,
        );
      const yes = await context.prompt('--yes', (prompt) => prompt.confirm(question));
      if (!yes) throw usageError('Not confirmed; nothing was done');
    },
    async session() {
      if (session) return session;
      const { createCommandSession } = await import('./create-session.ts');
      const newSession = await createCommandSession(context, {
        changes: context.changes,
        ...(showsWaiting
          ? {
              http: () => withSlowResponseNotice(world, timeoutMs, report),
              onRateLimit: createRateLimitNotice(report),
            }
          : {}),
      });
      session ??= newSession;
      return session;
    },
    async assertMayChange() {
      const { assertMayChange } = await import('./create-session.ts');
      await assertMayChange(context, words);
    },
    async history() {
      const { createChangeRecorder } = await import('./history/change-recorder.ts');
      history ??= createChangeRecorder(context, words);
      return history;
    },
    recordCollector: createRecordCollector(world),
    async webhookRecords() {
      const { WebhookRecords } = await import('./webhook-records.ts');
      webhookRecords ??= new WebhookRecords(context);
      return webhookRecords;
    },
    atEnd: (run) => void endings.push(run),
    async end() {
      await context.recordCollector.store();
      await webhookRecords?.save(true);
      for (const run of endings) await run();
    },
    changes: { made: [], unknown: [] },
    onInterruptHint(createHint) {
      createInterruptHint = createHint;
    },
    beginFollowing() {
      isFollowing = true;
    },
    isFollowing: () => isFollowing,
    describeProgram,
    interruptHint: () => createInterruptHint?.(),
  };
  return context;
}

/** Shows failures before a context exists, and the results of a context. */
export function createCommandReport(
  world: World,
  common: CommonFlags,
  settings: Settings,
  pager?: PagerOfUser,
): Report {
  const { output, errors } = world.streams;
  const styleOf = async (stream: Output): Promise<Style> =>
    isInColour(world, stream, common, settings)
      ? (await import('#terminal/colour.ts')).colourStyle
      : plainStyle;
  return createReport(
    world.streams,
    { output: () => styleOf(output), errors: () => styleOf(errors) },
    {
      json: common.json === true,
      quiet: common.quiet === true,
      verbose: common.verbose === true,
      secrets: world.secrets,
      now: () => world.clock.now(),
      pager,
    },
  );
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

/** Empty if prompts are allowed. */
function whyNoInput(
  { environment }: Pick<World, 'environment'>,
  common: CommonFlags,
  settings: Settings,
): string {
  if (common.input === false) return '--no-input was given';
  if (environment['WM_NO_INPUT']) return 'WM_NO_INPUT is set';
  if (environment['CI']) return 'CI is set';
  const stored = common.input === undefined ? settings.find('input') : undefined;
  return stored?.value === false ? `input is false in ${stored.origin}` : '';
}
