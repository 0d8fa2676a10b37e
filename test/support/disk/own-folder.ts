// A folder that a test has for itself, removed at its end.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

export async function ownFolder(context: Pick<TestContext, 'after'>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'wm-test-'));
  // On Windows a file may be open for a moment after its process has ended.
  context.after(() => rm(folder, { recursive: true, maxRetries: 3 }));
  return folder;
}
