// The file with what this machine knows about webhooks: one for each host, replaced whole under a lock.

import { join } from 'node:path';
import { parseJsonIfValid } from '../../../contract/json.ts';
import { Failure } from '../../../failure.ts';
import { assertKnownFormat } from '../../../login/file-format.ts';
import { lockLimits, lockTimeoutFailure } from '../../../login/lock-wait.ts';
import { assertPrivateStateFolder } from '../../../login/private-folder.ts';
import type { Report } from '../../../terminal/report.ts';
import type { World } from '../../../world/world.ts';
import { accountHost, safeFileName } from '../../account-host.ts';
import type { Context } from '../../context.ts';
import {
  type LocalWebhook,
  type LocalWebhooks,
  noLocalWebhooks,
  parseLocalWebhook,
} from './local-webhook.ts';

const format = 1;
/** More than 100,000 webhooks with a label and a note each. */
const mostBytes = 64 * 1024 * 1024;
/** For what only helps: less than the time after which a wait is explained. */
const briefMs = 2_500;
const doing = 'updating its records of webhooks';

type Place = Pick<Context, 'world' | 'account'>;

async function pathOf(context: Place): Promise<string> {
  const name = `${safeFileName(await accountHost(context))}.json`;
  return join(context.world.files.stateFolder, 'webhooks', name);
}

/**
 * What this machine knows about the webhooks of the account's host. None, after a warning, where the file cannot be read: no
 * command fails because of what only helps.
 */
export async function readLocalWebhooks(
  context: Place & { readonly report: Pick<Report, 'warnOnce'> },
): Promise<LocalWebhooks> {
  try {
    return await readFile(context.world, await pathOf(context));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    await context.report.warnOnce(`${error.sentence}\n${error.hint ?? ''}`.trimEnd());
    return noLocalWebhooks;
  }
}

/**
 * Changes what is known about some webhooks: `change` gets what is known now, of the webhook and of all, and returns what to record
 * (`undefined`: nothing more). Writes only what differs. `isBrief`: waits for another wm only for a moment.
 * @throws {Failure} `other` if the file cannot be read or written: then nothing changed.
 */
export async function changeLocalWebhooks(
  context: Place,
  ids: Iterable<string>,
  change: (known: LocalWebhook | undefined, id: string, all: LocalWebhooks) => LocalWebhook | undefined,
  { isBrief = false }: { readonly isBrief?: boolean } = {},
): Promise<void> {
  const { world } = context;
  const path = await pathOf(context);
  await assertPrivateStateFolder(world);
  const held = await world.lock
    .acquire(`${path}.lock`, { ...(isBrief ? { timeoutMs: briefMs } : lockLimits), activity: doing })
    .catch((error: unknown) => {
      throw fileFailure('lock', path, error);
    });
  if (!held)
    throw lockTimeoutFailure(await world.lock.holder(`${path}.lock`), doing, 'Nothing was recorded.');
  try {
    const before = await readFile(world, path);
    const after = new Map(before);
    for (const id of ids) {
      const known = change(before.get(id), id, before);
      if (known === undefined || Object.keys(known).length === 0) after.delete(id);
      else after.set(id, known);
    }
    const text = formatFile(after);
    if (text !== formatFile(before)) await write(world, path, text);
  } finally {
    await held.release();
  }
}

async function write(world: Pick<World, 'files'>, path: string, text: string): Promise<void> {
  try {
    await world.files.write(path, text, { mode: 0o600 });
  } catch (error) {
    throw fileFailure('write', path, error);
  }
  await world.files.removeLeftovers(path);
}

/** One line for each webhook, so that the file can be read and compared by people too. */
function formatFile(all: LocalWebhooks): string {
  const lines = [...all].map(([id, known]) => `${JSON.stringify(id)}: ${JSON.stringify(known)}`);
  return `{"format": ${format}, "webhooks": {\n${lines.join(',\n')}\n}}\n`;
}

async function readFile({ files }: Pick<World, 'files'>, path: string): Promise<LocalWebhooks> {
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
