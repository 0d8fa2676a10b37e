// What `wm version --json` prints: the version, and how this wm was installed.

import { version } from '#version.ts';
import type { World } from '#world/world.ts';

export async function describeVersion({ files, process, streams }: World): Promise<string> {
  const { self, nodeVersion, platform } = process;
  // Only a single executable is its own script.
  const path = await files.realPath(self.at(-1) ?? '');
  const installation =
    self.length === 1
      ? path === '/usr/bin/wm'
        ? 'deb'
        : 'executable'
      : /[\\/]node_modules[\\/]/.test(path)
        ? 'npm'
        : 'clone';
  const described = { version, installation, path, node: nodeVersion.replace('v', ''), platform };
  return `${JSON.stringify(described, undefined, streams.output.isTerminal ? 2 : 0)}\n`;
}
