// Records a command's changes in the history: one line before each is sent, and one for its outcome. A failed write is only a
// warning, printed once.

import type { ApiResponse } from '#client/response.ts';
import { isJsonObject } from '#contract/json.ts';
import type { Method } from '#contract/operation.ts';
import { Failure, toFailure } from '#failure.ts';
import { type AccountContext, accountHost, selectProfileName } from '#login/select-account.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { Report } from '#terminal/report.ts';
import type { World } from '#world/world.ts';
import { recordedUrl } from '../local-webhook.ts';
import { appendToLog, historyLog } from '../monthly-log.ts';
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

export type ChangeRecorder = ReturnType<typeof createChangeRecorder>;

/** Further ids are only counted. */
const mostIds = 100;

interface RecorderContext extends AccountContext {
  readonly world: Pick<World, 'clock' | 'files' | 'random' | 'secrets'>;
  readonly report: Pick<Report, 'warn'>;
}

type DescribedChange = Omit<Partial<WebhookChange>, 'url'> & { readonly url?: string | undefined };
type Ending = Omit<EndedChange, 'change' | 'ended'>;

interface OpenChange {
  readonly change: string;
  /** The file of its first line, in which the outcome is recorded too. */
  readonly name: string;
}

export function createChangeRecorder(context: RecorderContext, command: string) {
  const { world, report } = context;
  const log = historyLog(world);
  let note: string | undefined;
  /** By webhook: what its next change changes. */
  const described = new Map<string, readonly [Partial<WebhookChange>, note?: string | undefined]>();
  const run = createKey(world);
  let isBroken = false;
  let selectedAccount: Promise<ChangeAccount> | undefined;
  /** Changes with an unknown outcome, by the record's id. */
  const unsettled = new Map<string, OpenChange>();

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

  /** Undefined if the write fails. */
  const begin = (
    { operation, ids, ...rest }: Pick<BegunChange, 'operation' | 'ids' | 'parameters' | 'bulk'>,
    account?: ChangeAccount,
  ): Promise<OpenChange | undefined> =>
    unlessBroken(async () => {
      selectedAccount ??= account ? Promise.resolve(account) : describeAccount(context);
      const [webhook, own = note] = described.get(ids[0] ?? '') ?? [];
      const recordedIds = ids.filter(isIdLike).slice(0, mostIds);
      const now = world.clock.now();
      const line: BegunChange = {
        change: createKey(world),
        at: new Date(now).toISOString(),
        ...(await selectedAccount),
        command,
        operation,
        ids: recordedIds,
        ...(ids.length > recordedIds.length ? { moreIds: ids.length - recordedIds.length } : {}),
        ...rest,
        ...(own === undefined ? {} : { note: own }),
        ...(webhook && { webhook: { run, ...webhook } }),
      };
      return { change: line.change, name: await appendToLog(world, log, { now }, line) };
    });

  const end = async (begun: OpenChange | undefined, ending: Ending): Promise<void> => {
    if (!begun) return;
    const { change, name } = begun;
    const line: EndedChange = { change, ended: new Date(world.clock.now()).toISOString(), ...ending };
    await unlessBroken(() => appendToLog(world, log, { name }, line));
  };

  return {
    /** Writes a line, sends, and writes the outcome. Rejects only if `send` does. */
    async record<R>(
      { method, operation, ids, parameters, account }: PlannedChange,
      send: () => Promise<ApiResponse<R>>,
    ): Promise<ApiResponse<R>> {
      const names = Object.keys(parameters);
      if (typeof parameters.hookUrl === 'string') this.describe(ids[0] ?? '', { url: parameters.hookUrl });
      const begun = await begin({ operation, ids, ...(names.length > 0 && { parameters: names }) }, account);
      try {
        const response = await send();
        const created = method === 'POST' ? idsOf(response.records) : [];
        await end(begun, { outcome: 'done', ...(created.length > 0 && { created }) });
        return response;
      } catch (error) {
        const ending = failedEnding(toFailure(error));
        if (begun && ending.outcome === 'unknown') for (const id of ids) unsettled.set(id, begun);
        await end(begun, ending);
        throw error;
      }
    },

    /** Records one entry for all rows. The returned function records the end of the run, and the failure that ended it early. */
    async recordBulk(run: Pick<BegunChange, 'operation' | 'ids'> & Required<Pick<BegunChange, 'bulk'>>) {
      const begun = await begin(run);
      return (counts: BulkCounts, failure: Failure | undefined) =>
        end(begun, { ...bulkEnding(counts, run.bulk.rows, failure), counts });
    },

    /** Sets what the next changes of a webhook change, and their own note. */
    describe(id: string, { url, ...rest }: DescribedChange, own?: string) {
      described.set(id, [{ ...omitUndefined({ url: recordedUrl(world.secrets, url) }), ...rest }, own]);
    },

    /** Records a change of this machine's records of webhooks, before it is made and afterwards. */
    async recordLocal(operation: string, ids: readonly string[], make = async () => {}) {
      const begun = await begin({ operation, ids });
      try {
        await make();
      } catch (error) {
        await end(begun, failedEnding(toFailure(error)));
        throw error;
      }
      await end(begun, { outcome: 'done' });
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
      await end(unsettled.get(id), { outcome: 'done' });
      unsettled.delete(id);
    },
  };
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
const isIdLike = (id: string): boolean => /^[\w\-:.=]{1,256}$/.test(id);
