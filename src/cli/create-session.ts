// Creates a command's session: credentials, user agent, timeout, trace and redaction. Rejects changes where they are forbidden:
// --read-only, WM_READ_ONLY and the profile, none of which lifts another. Records the others in the history; reads cost nothing.
// It loads the HTTP client, so a command imports this file only when it sends something.

import { createReadOnlySession } from '#client/read-only-session.ts';
import { prepareRequest, requestName } from '#client/request.ts';
import { parseJsonObject } from '#client/response.ts';
import {
  type Credentials,
  createSession,
  type RawResponse,
  type Session,
  type SessionOptions,
} from '#client/session.ts';
import { Failure } from '#failure.ts';
import type { ChangeAccount, ChangeRecorder } from '#local-records/history/change-recorder.ts';
import { createRecordCollector } from '#local-records/record-cache.ts';
import {
  type AccountOptions,
  type Notices,
  type SelectedAccount,
  type SelectedCredentials,
  selectProfile,
} from '#login/select-account.ts';
import type { Report } from '#terminal/report.ts';
import { version } from '#version.ts';
import type { Http, World } from '#world/world.ts';
import { unsetCommand } from './environment-variables.ts';
import type { CommonFlags } from './flags/common-flags.ts';
import { formatCommand, formatCommandWith, withProfile } from './format-command.ts';
import type { Settings } from './settings/load-settings.ts';

export interface SessionContext {
  readonly world: World;
  credentials(notices?: Notices): Promise<SelectedCredentials>;
  readonly report: Pick<Report, 'isQuiet' | 'info' | 'warn' | 'trace'>;
  readonly common: Pick<CommonFlags, 'profile' | 'yes' | 'verbose' | 'readOnly' | 'queryLimit'>;
  readonly settings: Pick<Settings, 'readOnlyOrigin'>;
  readonly timeoutMs: number;
  history(): Promise<ChangeRecorder>;
  atEnd(run: () => Promise<void>): void;
}

interface CommandSessionOptions
  extends Pick<SessionOptions, 'changes' | 'onRateLimit' | 'rateLimitGiveUpReason' | 'reading'> {
  readonly credentials?: Credentials;
  /** Shows notices about the sign-in; by default the report. */
  readonly notices?: Notices;
  /** The time limit of one request, in milliseconds; by default the command's. */
  readonly timeoutMs?: number;
  /** Called once the credentials are loaded; by default the world's own client. */
  readonly http?: () => Http | Promise<Http>;
  /** The caller records all changes as one entry of the history. */
  readonly isOneChange?: true;
}

/** @throws {Failure} `sign_in_needed` if the selected account has no sign-in. */
export async function createCommandSession(
  context: SessionContext,
  {
    credentials,
    notices = context.report,
    timeoutMs = context.timeoutMs,
    http,
    isOneChange,
    ...options
  }: CommandSessionOptions = {},
): Promise<Session> {
  const { world, common, report } = context;
  const { clock, random } = world;
  // Reads the account only now, because that may print a warning about it.
  const loaded: Credentials & Partial<Pick<SelectedCredentials, 'account'>> =
    credentials ?? (await context.credentials(notices));
  const base = createSession({ http: (await http?.()) ?? world.http, clock, random }, loaded, {
    // Prints numbers exactly as the service sent them.
    reading: { exactNumbers: true },
    ...options,
    timeoutMs,
    queryLimit: common.queryLimit,
    userAgent: `wm/${version}`,
    secrets: world.secrets,
    commandLine: (words) => formatCommand(context, words),
    // A trace costs time for each request of a bulk run.
    ...(common.verbose ? { trace: (line: string) => report.trace(line) } : {}),
  });
  const { account } = loaded;
  const described = account && describeAccount(account);
  const collect = account && createRecordCollector(context, account);
  const session: Session = {
    async sendRaw(request) {
      if (request.effect === 'GET' || isOneChange) return base.sendRaw(request);
      let response: RawResponse | undefined;
      const send = async () => {
        response = await base.sendRaw(request);
        // The history records a rejection like any other failure.
        if (response.failure) throw response.failure;
        const data = parseJsonObject(response.response)?.['data'];
        return { records: Array.isArray(data) ? data : [], raw: [] };
      };
      const change = { operation: requestName(request), method: request.effect, ids: [], parameters: {} };
      try {
        await (await context.history()).record({ ...change, account: described }, send);
      } catch (error) {
        if (!response) throw error;
      }
      if (!response) throw new Error('The history recorded a change without sending it');
      return response;
    },
    async send(operation, path, parameters, sendTimeoutMs, prepared) {
      const { method } = operation;
      const isRecorded = method !== 'GET' && !isOneChange;
      // An invalid value throws here, before a change is recorded.
      const request = prepared ?? (isRecorded ? prepareRequest(operation, path, parameters) : undefined);
      const send = async () => {
        const response = await base.send(operation, path, parameters, sendTimeoutMs, request);
        collect?.(operation, path, response);
        if (response.difference !== undefined) await report.warn(response.difference);
        return response;
      };
      if (!isRecorded) return send();
      const change = {
        operation: operation.name ?? `${method} ${operation.path}`,
        method,
        ids: Object.values(path).flat(),
        parameters,
        account: described,
      };
      return (await context.history()).record(change, send);
    },
  };
  const reason = readOnlyReason(context, account?.readOnly ? account.profile : undefined);
  return reason ? createReadOnlySession(session, reason) : session;
}

interface ReadOnlyContext {
  readonly world: Pick<World, 'environment' | 'files' | 'process'>;
  readonly common: Pick<CommonFlags, 'readOnly' | 'profile' | 'ca' | 'yes'>;
  readonly settings: Pick<Settings, 'readOnlyOrigin'>;
}

/** Undefined if changes are allowed. `readOnlyProfile`: the profile in use, if it is read-only. */
export function readOnlyReason(context: ReadOnlyContext, readOnlyProfile: string | undefined) {
  const { world, common, settings } = context;
  if (common.readOnly) return { why: '--read-only was given', hint: 'Run it again without --read-only.' };
  // No flag switches these off for one command: a script or an agent could give it.
  if (world.environment['WM_READ_ONLY'])
    return {
      why: 'WM_READ_ONLY is set, which no flag overrides',
      hint: `To allow changes: ${unsetCommand(world, ['WM_READ_ONLY'])}`,
    };
  if (settings.readOnlyOrigin !== undefined)
    return {
      why: `read-only is true in ${settings.readOnlyOrigin}, which no flag overrides`,
      hint: `To allow changes, remove read-only from ${settings.readOnlyOrigin}`,
    };
  if (readOnlyProfile === undefined) return undefined;
  return {
    why: `the profile ${readOnlyProfile} is read-only, which no flag overrides`,
    hint: `To allow changes: ${formatCommandWith(withProfile(context, readOnlyProfile), 'config set', ['read-only', 'false'])}`,
  };
}

/** @throws {Failure} `read_only` if the flag, the variable or the selected profile forbids changes. */
export async function assertMayChange(
  context: ReadOnlyContext & { readonly account: AccountOptions },
  words: string,
): Promise<void> {
  const { world, account } = context;
  let reason = readOnlyReason(context, undefined);
  if (!reason) {
    const profile = await selectProfile(world, account);
    reason = readOnlyReason(context, profile?.readOnly ? profile.name : undefined);
  }
  if (reason)
    throw new Failure('read_only', { message: `wm ${words} makes changes, so it was not run`, ...reason });
}

function describeAccount({ baseUrl, profile }: SelectedAccount): ChangeAccount {
  return { host: new URL(baseUrl).host, ...(profile === undefined ? { token: 'WM_TOKEN' } : { profile }) };
}
