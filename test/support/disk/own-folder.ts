// A folder that a test, or a file of tests, has for itself, removed at its end.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export async function ownFolder(of: { after(end: () => Promise<void>): void }): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'wm-test-'));
  // On Windows a file may be open for a moment after its process has ended.
  of.after(() => rm(folder, { recursive: true, maxRetries: 3 }));
  return folder;
}
