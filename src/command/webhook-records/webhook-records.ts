// What this machine knows about webhooks: one file for each host, replaced whole under a lock. A command reads it once and writes
// it once: what it learns on its way is kept until `save`.

import { join } from 'node:path';
import { parseJsonIfValid } from '../../contract/json.ts';
import type { Webhook } from '../../contract/webhook.ts';
import { Failure } from '../../failure.ts';
import { assertKnownFormat } from '../../login/file-format.ts';
import { lockLimits, lockTimeoutFailure } from '../../login/lock-wait.ts';
import { assertPrivateStateFolder } from '../../login/private-folder.ts';
import type { Report } from '../../terminal/report.ts';
import type { World } from '../../world/world.ts';
import { type AccountContext, accountHost, safeFileName } from '../account-host.ts';
import {
  type LocalWebhook,
  type LocalWebhooks,
  noLocalWebhooks,
  type ObservedStatus,
  parseLocalWebhook,
} from './local-webhook.ts';

const format = 1;
/** More than 100,000 webhooks with a label and a note each. */
const mostBytes = 64 * 1024 * 1024;
/** For what only helps: less than the time after which a wait is explained. */
const briefMs = 2_500;
const doing = 'updating its records of webhooks';
/** While its status stays the same, a webhook counts as seen again only after this time. */
const seenAgainMs = 5 * 60_000;

/** Gets what is known of a webhook and of all, and gives what is known then; `undefined`: nothing more. */
type Change = (known: LocalWebhook | undefined, id: string, all: LocalWebhooks) => LocalWebhook | undefined;

interface Lesson {
  readonly ids: Iterable<string>;
  readonly change: Change;
}

interface KeptLesson extends Lesson {
  /** For a warning: `the note`. */
  readonly what: string;
  /** By itself no reason to write the file. */
  readonly isMinor?: boolean;
  /** Another wm is waited for only for a moment. */
  readonly isBrief?: boolean;
}

/** Of a command's context. */
interface Needs extends AccountContext {
  readonly world: Pick<World, 'clock' | 'files' | 'lock'>;
  readonly report: Pick<Report, 'warnOnce'>;
}

export class WebhookRecords {
  readonly #context: Needs;
  #file: { readonly version: string | undefined; readonly all: LocalWebhooks } | undefined;
  #lessons: KeptLesson[] = [];

  constructor(context: Needs) {
    this.#context = context;
  }

  /**
   * What is known about the webhooks of the account's host, with what is still to be saved. None, after a warning, where the file
   * cannot be read: no command fails because of what only helps.
   */
  async read(): Promise<LocalWebhooks> {
    return apply(await this.#readOrWarn(), this.#lessons);
  }

  async #readOrWarn(): Promise<LocalWebhooks> {
    try {
      return await this.#readFile(await this.#path());
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      await this.#context.report.warnOnce(`${error.sentence}\n${error.hint ?? ''}`.trimEnd());
      return noLocalWebhooks;
    }
  }

  /** Keeps it until `save`; what changes nothing is not kept. */
  async learn(lesson: KeptLesson): Promise<void> {
    const all = await this.read();
    const ids = [...lesson.ids].filter((id) => {
      const known = all.get(id);
      return JSON.stringify(lesson.change(known, id, all)) !== JSON.stringify(known);
    });
    if (ids.length === 0) return;
    // A watch learns for ever when it has seen a webhook last.
    if (lesson.isMinor) this.#lessons = this.#lessons.filter(({ isMinor }) => !isMinor);
    this.#lessons.push({ ...lesson, ids });
  }

  /** Learns the statuses that the service has just shown; `byWm` if this command has made them so. */
  async learnStatuses(shown: readonly Pick<Webhook, 'id' | 'status'>[], byWm = false): Promise<void> {
    const all = await this.read();
    const at = this.#context.world.clock.now();
    for (const isMinor of [false, true]) {
      const some = shown.filter(({ id, status }) => {
        const last = all.get(id)?.observed;
        return isMinor === (last?.status === status && (!byWm || last?.byWm === true));
      });
      const statuses = new Map(some.map(({ id, status }) => [id, status]));
      await this.learn({
        what: 'the status of webhooks',
        ids: statuses.keys(),
        change: (known, id) => withStatus(known, statuses.get(id), at, byWm),
        isMinor,
        // A stopped wm may hold the lock.
        isBrief: !byWm,
      });
    }
  }

  /** The same, saved at once; gives what is known then. */
  async observe(shown: readonly Pick<Webhook, 'id' | 'status'>[], byWm = false): Promise<LocalWebhooks> {
    await this.learnStatuses(shown, byWm);
    await this.save();
    return this.read();
  }

  /** Writes what was learned. Warns of what cannot be written. */
  async save(): Promise<void> {
    const lessons = this.#lessons;
    if (lessons.every(({ isMinor }) => isMinor)) return;
    try {
      await this.#write(
        lessons,
        lessons.every(({ isBrief }) => isBrief),
      );
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      for (const { what } of lessons)
        await this.#context.report.warnOnce(`Cannot record ${what}: ${error.sentence}`);
    }
  }

  /**
   * Changes what is known at once.
   * @throws {Failure} `other` if the file cannot be read or written: then nothing changed.
   */
  async change(ids: Iterable<string>, change: Change): Promise<void> {
    await this.#write([...this.#lessons, { ids: [...ids], change }], false);
  }

  async #write(lessons: readonly Lesson[], isBrief: boolean): Promise<void> {
    const { world } = this.#context;
    const path = await this.#path();
    await assertPrivateStateFolder(world);
    const held = await world.lock
      .acquire(`${path}.lock`, { ...(isBrief ? { timeoutMs: briefMs } : lockLimits), activity: doing })
      .catch((error: unknown) => {
        throw fileFailure('lock', path, error);
      });
    if (!held)
      throw lockTimeoutFailure(await world.lock.holder(`${path}.lock`), doing, 'Nothing was recorded.');
    try {
      const before = await this.#readFile(path);
      const after = apply(before, lessons);
      const text = formatFile(after);
      if (text !== formatFile(before)) {
        await world.files.write(path, text, { mode: 0o600 }).catch((error: unknown) => {
          throw fileFailure('write', path, error);
        });
        await world.files.removeLeftovers(path);
        this.#file = { version: await world.files.version(path), all: after };
      }
      this.#lessons = [];
    } finally {
      await held.release();
    }
  }

  async #path(): Promise<string> {
    const name = `${safeFileName(await accountHost(this.#context))}.json`;
    return join(this.#context.world.files.stateFolder, 'webhooks', name);
  }

  /** Reads it again only where another wm has written it. */
  async #readFile(path: string): Promise<LocalWebhooks> {
    const { files } = this.#context.world;
    const version = await files.version(path).catch((error: unknown) => {
      throw fileFailure('read', path, error);
    });
    if (this.#file === undefined || this.#file.version !== version)
      this.#file = { version, all: version === undefined ? noLocalWebhooks : await readFile(files, path) };
    return this.#file.all;
  }
}

function apply(before: LocalWebhooks, lessons: readonly Lesson[]): LocalWebhooks {
  if (lessons.length === 0) return before;
  const all = new Map(before);
  for (const { ids, change } of lessons) {
    const first = new Map(all);
    for (const id of ids) {
      const known = change(first.get(id), id, first);
      if (known === undefined || Object.keys(known).length === 0) all.delete(id);
      else all.set(id, known);
    }
  }
  return all;
}

function withStatus(
  known: LocalWebhook | undefined,
  status: string | undefined,
  at: number,
  byWm: boolean,
): LocalWebhook | undefined {
  const last = known?.observed;
  const isNews =
    status !== undefined &&
    ((byWm && !last?.byWm) || last?.status !== status || Math.abs(at - Date.parse(last.seen)) >= seenAgainMs);
  if (!isNews) return known;
  const seen = new Date(at).toISOString();
  // Another process may have seen the change before the one that made it could record it.
  const observed: ObservedStatus =
    last?.status === status
      ? { ...last, seen }
      : { status, since: seen, ...(last ? { before: last.seen } : {}), seen };
  return { ...known, observed: byWm ? { ...observed, byWm } : observed };
}

/** One line for each webhook, so that the file can be read and compared by people too. */
function formatFile(all: LocalWebhooks): string {
  const lines = [...all].map(([id, known]) => `${JSON.stringify(id)}: ${JSON.stringify(known)}`);
  return `{"format": ${format}, "webhooks": {\n${lines.join(',\n')}\n}}\n`;
}

async function readFile(files: Needs['world']['files'], path: string): Promise<LocalWebhooks> {
  const bytes = await files.read(path, { maxBytes: mostBytes }).catch((error: unknown) => {
    throw fileFailure('read', path, error);
  });
  if (bytes === undefined) return noLocalWebhooks;
  const members = membersOf(bytes, path);
  if (members !== undefined) {
    return new Map(members.map(([id, known]) => [id, parseLocalWebhook(known)]));
  }
  throw new Failure('other', {
    message: `Cannot read ${path}`,
    why: 'it is not the JSON that wm writes',
    hint: 'Move it away: wm then starts without labels and notes.',
  });
}

function membersOf(bytes: Uint8Array, path: string): readonly (readonly [string, unknown])[] | undefined {
  const decoded = parseJsonIfValid(new TextDecoder().decode(bytes));
  assertKnownFormat(decoded, path, format);
  if (typeof decoded !== 'object' || decoded === null || !('webhooks' in decoded)) return undefined;
  const { webhooks } = decoded;
  if (typeof webhooks !== 'object' || webhooks === null) return undefined;
  const all: [string, unknown][] = Object.entries(webhooks);
  return all.every(([, known]) => typeof known === 'object' && known !== null) ? all : undefined;
}

function fileFailure(verb: string, path: string, error: unknown): Failure {
  return new Failure('other', {
    message: `Cannot ${verb} ${path}`,
    why: error instanceof Error ? error.message : undefined,
    hint: 'Check that the folder belongs to you and that the disk has room. WM_CONFIG_DIR names another folder.',
    cause: error,
  });
}
