// This machine's records of webhooks: one file for each host, replaced whole under a lock. A command reads it once, collects
// what it learns, and writes it once in `save`.

import { join } from 'node:path';
import { isJsonObject, parseJsonIfValid } from '#contract/json.ts';
import { readLeniently } from '#contract/schema.ts';
import type { Webhook } from '#contract/webhook.ts';
import { Failure } from '#failure.ts';
import { withLock } from '#login/lock-wait.ts';
import { assertKnownFormat, assertPrivateStateFolder, diskFailure } from '#login/private-folder.ts';
import { type AccountContext, accountHost } from '#login/select-account.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { Report } from '#terminal/report.ts';
import type { World } from '#world/world.ts';
import {
  type LocalWebhook,
  type LocalWebhooks,
  localWebhook,
  noLocalWebhooks,
  recordedUrl,
} from './local-webhook.ts';
import { safeFileName } from './monthly-log.ts';

const format = 1;
/** Enough for 100,000 webhooks with a label and a note each. */
const maxBytes = 64 * 1024 * 1024;
/** The wait for the lock for optional updates: shorter than the time after which a wait is explained. */
const briefMs = 2_500;
/** An unchanged status is recorded again only after this time. */
const repeatedStatusMs = 5 * 60_000;

/** Returns a webhook's new record from the old one and all records; `undefined` removes it. `status`: as read under the lock. */
type Change = (last: Local, id: string, all: LocalWebhooks, status?: string) => Local;
type Local = LocalWebhook | undefined;
type ReadStatuses = () => Promise<Statuses>;
type Statuses = ReadonlyMap<string, string | undefined>;

/** A webhook as the service just returned it. */
interface ReadWebhook {
  readonly record: Pick<Webhook, 'id' | 'status' | 'accountId' | 'hookUrl'>;
}

interface RecordUpdate {
  readonly ids: readonly string[];
  readonly change: Change;
  readonly what: string;
  /** Waits only briefly for another wm. */
  readonly isBrief?: boolean;
  /** The webhook still has its status: written only together with another update. */
  readonly isRepeated?: boolean;
  /** Before it changes a note: another wm may have changed the status meanwhile. */
  readonly readStatuses?: ReadStatuses | undefined;
}

interface RecordsContext extends AccountContext {
  readonly world: Pick<World, 'clock' | 'files' | 'lock' | 'secrets'>;
  readonly report: Pick<Report, 'warnOnce'>;
}

export class WebhookRecords {
  readonly #context: RecordsContext;
  /** The contents and version of the file; undefined until it is read. */
  #file: { readonly all: LocalWebhooks; readonly version: string | undefined } | undefined;
  /** The contents of the file with the updates applied. */
  #current = new Map<string, LocalWebhook>();
  /** Not saved yet. Each is its own key; only the last repeated status of a webhook is kept, by the id. */
  readonly #updates = new Map<RecordUpdate | string, RecordUpdate>();
  #isSaving = false;
  /** Looked up once: that reads the profiles. */
  #host: string | undefined;

  constructor(context: RecordsContext) {
    this.#context = context;
  }

  /** The records of the account's host, with unsaved updates. Only warns if they cannot be read: a command does not fail for that. */
  async read(): Promise<LocalWebhooks> {
    try {
      await this.#load(await this.#findPath());
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      await this.#context.report.warnOnce(`${error.sentence}\n${error.hint ?? ''}`.trimEnd());
    }
    return this.#current;
  }

  /** Collects an update until `save`, unless it changes nothing. `what`: names what could not be recorded, such as `the note`. */
  async learn(what: string, id: string, change: Change, readStatuses?: ReadStatuses): Promise<void> {
    await this.read();
    const update = { what, ids: [id], change, readStatuses };
    if (apply(this.#current, update)) this.#updates.set(update, update);
  }

  /** Collects the statuses that the service just returned; `byWm` if this command set them. */
  async learnStatuses(webhooks: readonly ReadWebhook[], byWm = false): Promise<void> {
    await this.read();
    const { clock, secrets } = this.#context.world;
    const now = clock.now();
    // A duplicate in the service's list is not a change.
    const distinct = new Map(webhooks.map(({ record }) => [record.id, record]));
    for (const webhook of distinct.values()) {
      const { id, status, hookUrl } = webhook;
      const url = recordedUrl(secrets, hookUrl);
      const last = this.#current.get(id)?.observed;
      const update: RecordUpdate = {
        what: 'the status of webhooks',
        ids: [id],
        change: (local) => withStatus(local, { ...webhook, url }, now, byWm),
        // A stopped wm may hold the lock.
        isBrief: !byWm,
        isRepeated: last?.status === status && (!byWm || last?.byWm === true),
      };
      if (apply(this.#current, update)) this.#updates.set(update.isRepeated ? id : update, update);
    }
  }

  /** Like {@link learnStatuses}, but saves at once and returns the records. */
  async observe(webhooks: readonly ReadWebhook[], byWm = false): Promise<LocalWebhooks> {
    await this.learnStatuses(webhooks, byWm);
    await this.save();
    return this.#current;
  }

  /** Writes the updates, unless that is under way. Warns of what cannot be written, and returns why. `isEnd`: the user may have interrupted it. */
  async save(isEnd = false): Promise<Failure | undefined> {
    const updates = [...this.#updates.values()].filter(({ isRepeated }) => !isRepeated);
    if (updates.length === 0 || this.#isSaving) return undefined;
    this.#isSaving = true;
    try {
      await this.#write(isEnd || updates.every((update) => update.isBrief));
      return undefined;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      // Does not wait for a lock twice.
      this.#updates.clear();
      for (const { what } of updates)
        await this.#context.report.warnOnce(`Cannot record ${what}: ${error.sentence}`);
      return error;
    } finally {
      this.#isSaving = false;
    }
  }

  /** Changes the records at once. @throws {Failure} `other` if the file cannot be read or written: then nothing changed. */
  async change(ids: readonly string[], change: Change): Promise<void> {
    await this.#write(false, { ids, change, what: '' });
  }

  async #write(isBrief: boolean, last?: RecordUpdate): Promise<void> {
    const { world } = this.#context;
    const updates = [...this.#updates.values(), ...(last ? [last] : [])];
    const path = await this.#findPath();
    await assertPrivateStateFolder(world);
    const request = {
      activity: 'updating its records of webhooks',
      unchanged: 'Nothing was recorded.',
      fails: diskFailure(`Cannot lock ${path}`),
      ...(isBrief ? { limits: { timeoutMs: briefMs } } : {}),
    };
    await withLock(world, `${path}.lock`, request, async () => {
      const all = new Map(await this.#load(path));
      const note = updates.find(({ ids: [id = ''], change, readStatuses }) => {
        const last = all.get(id);
        return readStatuses && JSON.stringify(change(last, id, all)?.note) !== JSON.stringify(last?.note);
      });
      // An interrupted command ends at once.
      const statuses = isBrief ? undefined : await note?.readStatuses?.();
      let isChanged = false;
      for (const update of updates) if (apply(all, update, statuses)) isChanged = true;
      // A killed command may have written this without syncing it, and from here on the caller relies on it.
      if (isChanged || last) {
        const fails = diskFailure(`Cannot write ${path}`);
        await world.files.write(path, formatWebhookRecords(all), { mode: 0o600 }).catch(fails);
        await world.files.removeLeftovers(path);
        this.#file = { all: new Map(all), version: await world.files.version(path) };
      }
      this.#current = all;
      this.#updates.clear();
    });
  }

  async #findPath(): Promise<string> {
    this.#host ??= await accountHost(this.#context);
    return webhookRecordsFile(this.#context.world.files.stateFolder, this.#host);
  }

  /** Reads the file, unless it is unchanged since the last read. */
  async #load(path: string): Promise<LocalWebhooks> {
    const { files } = this.#context.world;
    const version = await files.version(path).catch(diskFailure(`Cannot read ${path}`));
    if (this.#file?.version === version && this.#file) return this.#file.all;
    const all = version === undefined ? noLocalWebhooks : await readFile(files, path);
    this.#file = { all, version };
    this.#current = new Map(all);
    for (const update of this.#updates.values()) apply(this.#current, update);
    return all;
  }
}

export function webhookRecordsFile(stateFolder: string, host: string): string {
  return join(stateFolder, 'webhooks', `${safeFileName(host)}.json`);
}

/** False if the update changes nothing. */
function apply(records: Map<string, LocalWebhook>, { ids, change }: RecordUpdate, statuses?: Statuses) {
  const before = ids.length > 1 ? new Map(records) : records;
  let isChanged = false;
  for (const id of ids) {
    const last = before.get(id);
    const next = change(last, id, before, statuses?.get(id));
    // Puts the members in the order in which a file is read.
    const parsed = next && Object.keys(next).length > 0 ? readLeniently(localWebhook, next) : undefined;
    if (next === last || JSON.stringify(parsed) === JSON.stringify(last)) continue;
    isChanged = true;
    if (parsed === undefined) records.delete(id);
    else records.set(id, parsed);
  }
  return isChanged;
}

/** Adds the account id too, but only to a record that is written for its status. */
function withStatus(
  local: LocalWebhook | undefined,
  { status, accountId, url }: ReadWebhook['record'] & { readonly url: string | undefined },
  now: number,
  byWm: boolean,
): LocalWebhook | undefined {
  const last = local?.observed;
  const isNews =
    status !== undefined &&
    ((byWm && !last?.byWm) ||
      last?.status !== status ||
      Math.abs(now - Date.parse(last.seen)) >= repeatedStatusMs);
  if (!isNews) return local;
  const seen = new Date(now).toISOString();
  // Another process may have seen the change before the one that made it could record it.
  const first =
    last?.status === status ? last : { status, since: seen, ...omitUndefined({ before: last?.seen }) };
  const observed = { ...first, seen, ...omitUndefined({ url, byWm: byWm || undefined }) };
  return { ...local, ...omitUndefined({ accountId }), observed };
}

/** One line for each webhook, so that people can read and compare the file. */
export function formatWebhookRecords(all: LocalWebhooks): string {
  const lines = [...all].map(([id, local]) => `${JSON.stringify(id)}: ${JSON.stringify(local)}`);
  return `{"format": ${format}, "webhooks": {\n${lines.join(',\n')}\n}}\n`;
}

async function readFile(files: RecordsContext['world']['files'], path: string): Promise<LocalWebhooks> {
  const bytes = await files.read(path, { maxBytes }).catch(diskFailure(`Cannot read ${path}`));
  if (bytes === undefined) return noLocalWebhooks;
  const decoded = parseJsonIfValid(new TextDecoder().decode(bytes));
  assertKnownFormat(decoded, path, format);
  const members = isJsonObject(decoded) ? decoded['webhooks'] : undefined;
  // Leaves out an invalid member of a record: the rest still helps.
  if (isJsonObject(members) && Object.values(members).every(isJsonObject))
    return new Map(Object.entries(members).map(([id, local]) => [id, readLeniently(localWebhook, local)]));
  throw new Failure('other', {
    message: `Cannot read ${path}`,
    why: 'it is not the JSON that wm writes',
    hint: 'Move it away: wm then starts without labels and notes.',
  });
}
