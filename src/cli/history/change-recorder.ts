// Records a command's changes in the history: one line before each is sent, and one for its outcome. A failed write is only a
// warning, printed once. An update that can be undone is recorded in the undo log instead.

import type { ApiResponse } from '#client/response.ts';
import { isJsonObject } from '#contract/json.ts';
import type { Method } from '#contract/operation.ts';
import { Failure, toFailure } from '#failure.ts';
import { type AccountContext, accountHost, selectProfileName } from '#login/select-account.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { Report } from '#terminal/report.ts';
import type { LogFile, World } from '#world/world.ts';
import { recordedUrl } from '../local-webhook.ts';
import { historyLog, openLog } from '../monthly-log.ts';
import type { BegunChange, BulkCounts, EndedChange, WebhookChange } from './history-log.ts';

interface PlannedChange {
  /** `updateTask` */
  readonly operation: string;
  readonly method: Method;
  readonly ids: readonly string[];
  /** Only their names are recorded, and the URL of a new webhook. */
  readonly parameters: { readonly hookUrl?: unknown };
  /** The account of the request, if the caller knows it. */
  readonly account?: ChangeAccount | undefined;
}

/** The account's host, and the profile or variable that selected it. */
export type ChangeAccount = Pick<BegunChange, 'host' | 'profile' | 'token'>;

/** A log with its own lines for a change, which include the history's. */
export interface OtherLog {
  /** Runs before the change is sent. If it rejects, nothing is sent. */
  begin(history: BegunChange): Promise<void>;
  /** Never rejects. `changed`: false if the change was certainly not made. */
  fail(history: EndedChange, changed: boolean): Promise<void>;
}

export type ChangeRecorder = ReturnType<typeof createChangeRecorder>;

/** Further ids are only counted. */
const mostIds = 100;

interface RecorderContext extends AccountContext {
  readonly world: Pick<World, 'clock' | 'files' | 'random' | 'secrets'>;
  readonly report: Pick<Report, 'warn'>;
}

type DescribedChange = Omit<Partial<WebhookChange>, 'url'> & { readonly url?: string | undefined };
type Ending = Omit<EndedChange, 'change' | 'ended'>;

export function createChangeRecorder(context: RecorderContext, command: string) {
  const { world, report } = context;
  const log = historyLog(world);
  let note: string | undefined;
  /** By webhook: what its next change changes. */
  const described = new Map<string, readonly [Partial<WebhookChange>, note?: string | undefined]>();
  const run = createKey(world);
  let isBroken = false;
  let selectedAccount: Promise<ChangeAccount> | undefined;
  /** The log for the next change. */
  let otherLog: OtherLog | undefined;
  /** Changes with an unknown outcome, by the record's id, with the log file's name. */
  const unsettled = new Map<string, { readonly change: string; readonly name: string }>();

  /** After a failed write, records no further change. */
  const unlessBroken = async <T>(write: () => Promise<T>): Promise<T | undefined> => {
    if (isBroken) return undefined;
    try {
      return await write();
    } catch (error) {
      isBroken = true;
      const { sentence, hint } = toFailure(error);
      await report.warn(`Cannot record the change in the history: ${sentence}\n${hint ?? ''}`.trimEnd());
      return undefined;
    }
  };

  const lineOf = async (
    change: string,
    { operation, ids, ...rest }: Pick<BegunChange, 'operation' | 'ids' | 'parameters' | 'bulk'>,
    account?: ChangeAccount,
  ): Promise<BegunChange> => {
    selectedAccount ??= account ? Promise.resolve(account) : describeAccount(context);
    const [webhook, own = note] = described.get(ids[0] ?? '') ?? [];
    const recordedIds = ids.filter(isIdLike).slice(0, mostIds);
    return {
      change,
      at: new Date(world.clock.now()).toISOString(),
      ...(await selectedAccount),
      command,
      operation,
      ids: recordedIds,
      ...(ids.length > recordedIds.length ? { moreIds: ids.length - recordedIds.length } : {}),
      ...rest,
      ...(own === undefined ? {} : { note: own }),
      ...(webhook && { webhook: { run, ...webhook } }),
    };
  };

  /** Returns the file in which the caller records the outcome; undefined if the write fails. */
  const begin = (...parts: Parameters<typeof lineOf>): Promise<LogFile | undefined> =>
    unlessBroken(async () => {
      const line = await lineOf(...parts);
      const file = await openLog(world, log, { now: Date.parse(line.at) });
      try {
        file.write(JSON.stringify(line));
        return file;
      } catch (error) {
        file.close();
        throw error;
      }
    });

  const end = async (change: string, file: LogFile | undefined, ending: Ending): Promise<void> =>
    unlessBroken(async () => {
      try {
        file?.write(JSON.stringify(endOf(world, change, ending)));
      } finally {
        file?.close();
      }
    });

  return {
    /** Writes a line, sends, and writes the outcome. Rejects only if `send` does. */
    async record<R>(
      { method, operation, ids, parameters, account }: PlannedChange,
      send: () => Promise<ApiResponse<R>>,
    ): Promise<ApiResponse<R>> {
      const change = createKey(world);
      const names = Object.keys(parameters);
      if (typeof parameters.hookUrl === 'string') this.describe(ids[0] ?? '', { url: parameters.hookUrl });
      const parts = { operation, ids, ...(names.length === 0 ? {} : { parameters: names }) };
      const targetLog = otherLog;
      otherLog = undefined;
      if (targetLog) {
        await targetLog.begin(await lineOf(change, parts, account));
        return send().catch(async (error: unknown) => {
          const failure = toFailure(error);
          await targetLog.fail(endOf(world, change, failedEnding(failure)), failure.meaning.changed !== 'no');
          throw error;
        });
      }
      const file = await begin(change, parts, account);
      try {
        const response = await send();
        const created = method === 'POST' ? idsOf(response.records) : [];
        await end(change, file, { outcome: 'done', ...(created.length === 0 ? {} : { created }) });
        return response;
      } catch (error) {
        const ending = failedEnding(toFailure(error));
        if (file && ending.outcome === 'unknown')
          for (const id of ids) unsettled.set(id, { change, name: file.name });
        await end(change, file, ending);
        throw error;
      }
    },

    /** Records the change that `send` makes in the other log. The caller records its success there. */
    async recordIn<R>(targetLog: OtherLog, send: () => Promise<R>): Promise<R> {
      otherLog = targetLog;
      return send().finally(() => {
        otherLog = undefined;
      });
    },

    /** Records one entry for all rows. The returned function records the end of the run, and the failure that ended it early. */
    async recordBulk(run: Pick<BegunChange, 'operation' | 'ids'> & Required<Pick<BegunChange, 'bulk'>>) {
      const change = createKey(world);
      const file = await begin(change, run);
      return (counts: BulkCounts, failure: Failure | undefined) =>
        end(change, file, { ...bulkEnding(counts, run.bulk.rows, failure), counts });
    },

    /** Sets what the next changes of a webhook change, and their own note. */
    describe(id: string, { url, ...rest }: DescribedChange, own?: string) {
      described.set(id, [{ ...omitUndefined({ url: recordedUrl(world.secrets, url) }), ...rest }, own]);
    },

    /** Records a change of this machine's records of webhooks. */
    async recordLocal(operation: string, ids: readonly string[]) {
      const change = createKey(world);
      await end(change, await begin(change, { operation, ids }), { outcome: 'done' });
    },

    /** Sets the user's note for all later changes, or removes it. */
    setNote(text: string | undefined) {
      if (text !== undefined && world.secrets.redactCredentials(text) !== text)
        throw new Failure('other', {
          message: 'The note contains a token or a client secret, which wm does not store in the history',
          hint: 'Write the note without it.',
        });
      note = text;
    },

    /** Reading back has shown that this record's last change was made, although its response was lost. */
    async settle(id: string) {
      const last = unsettled.get(id);
      unsettled.delete(id);
      const file = last && (await unlessBroken(() => openLog(world, log, { name: last.name })));
      if (last) await end(last.change, file, { outcome: 'done' });
    },
  };
}

export function endOf({ clock }: Pick<World, 'clock'>, change: string, ending: Ending): EndedChange {
  return { change, ended: new Date(clock.now()).toISOString(), ...ending };
}

/** Only has to be unique. Loading node:crypto would double the time of a record. */
function createKey({ clock, random }: Pick<World, 'clock' | 'random'>): string {
  return `${clock.now().toString(36)}-${Math.floor(random() * 2 ** 52).toString(36)}`;
}

async function describeAccount({ world, account }: AccountContext): Promise<ChangeAccount> {
  const host = await accountHost({ world, account });
  if (account.token !== undefined) return { host, token: 'WM_TOKEN' };
  return { host, profile: (await selectProfileName(world, account)).name };
}

/** Records only the code: the message may quote the service or the request. */
function failedEnding({ code, meaning }: Failure): Ending {
  return { outcome: meaning.changed === 'no' ? 'failed' : 'unknown', code };
}

function bulkEnding(counts: BulkCounts, rows: number, failure: Failure | undefined): Ending {
  if (counts.updated === rows) return { outcome: 'done' };
  return { outcome: counts.unknown > 0 ? 'unknown' : 'failed', code: failure?.code ?? 'part_failed' };
}

function idsOf(records: readonly unknown[]): readonly string[] {
  const ids = records.map((record) => (isJsonObject(record) ? record['id'] : undefined));
  return ids.filter((id) => typeof id === 'string').filter(isIdLike);
}

/** Leaves out typed permalinks, and other text that a service sent as an id. */
function isIdLike(id: string): boolean {
  return /^[\w\-:.=]{1,256}$/.test(id);
}
