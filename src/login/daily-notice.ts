// Things worth saying once a day: when each was said last, in a file of the state folder. Where that cannot be read or
// written, something is said once too often, which harms nobody.

import { parseJson } from '../contract/json.ts';
import type { World } from '../world/world.ts';
import { removeLeftovers } from './leftovers.ts';

const dayMs = 86_400_000;
const mostBytes = 64 * 1024;

/** True if this was not said within the last 24 hours; notes that it is said now. */
export async function isNoticeDue(
  { files, clock }: Pick<World, 'files' | 'clock'>,
  what: string,
): Promise<boolean> {
  const path = `${files.stateFolder}/said.json`;
  const now = clock.now();
  const said = parseNoticeTimes(await files.read(path, { maxBytes: mostBytes }).catch(() => undefined));
  const last = said.get(what);
  // A time still to come is from a clock that was wrong.
  if (last !== undefined && last <= now && now - last < dayMs) return false;
  const recent = [...said].filter(([, at]) => at <= now && now - at < dayMs);
  const text = JSON.stringify(Object.fromEntries([...recent, [what, now]]));
  await files.write(path, `${text}\n`, { mode: 0o600 }).catch(() => {});
  // Where another wm is writing it just now, that fails, and something is said once too often.
  await removeLeftovers({ files }, path);
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
