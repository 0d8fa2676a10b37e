// Notices that are shown once a day: when each was last shown, in a file of the state folder. If that file cannot be read or
// written, a notice is shown once too often, which does no harm.

import { parseJson } from '../contract/json.ts';
import type { World } from '../world/world.ts';

const dayMs = 86_400_000;
const mostBytes = 64 * 1024;

/** True if the notice `key` was not shown within the last 24 hours; records that it is shown now. Never fails. */
export async function isNoticeDue(
  { files, clock }: Pick<World, 'files' | 'clock'>,
  key: string,
): Promise<boolean> {
  const path = `${files.stateFolder}/said.json`;
  const now = clock.now();
  const shown = parseNoticeTimes(await files.read(path, { maxBytes: mostBytes }).catch(() => undefined));
  const last = shown.get(key);
  // A time in the future comes from a clock that was wrong.
  if (last !== undefined && last <= now && now - last < dayMs) return false;
  const recent = [...shown].filter(([, at]) => at <= now && now - at < dayMs);
  const text = JSON.stringify(Object.fromEntries([...recent, [key, now]]));
  await files.write(path, `${text}\n`, { mode: 0o600 }).catch(() => {});
  await files.removeLeftovers(path);
  return true;
}

function parseNoticeTimes(bytes: Uint8Array | undefined): ReadonlyMap<string, number> {
  try {
    const decoded = parseJson(new TextDecoder().decode(bytes));
    if (typeof decoded !== 'object' || decoded === null) return new Map();
    return new Map(
      Object.entries(decoded).filter((pair): pair is [string, number] => typeof pair[1] === 'number'),
    );
  } catch {
    return new Map();
  }
}
