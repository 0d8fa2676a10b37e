// npm run pictures: draws the pictures in README again, from real runs on a pseudo-terminal.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const { status } = spawnSync(
  process.execPath,
  [fileURLToPath(new URL('test.mjs', import.meta.url)), 'test/terminal/pictures'],
  { stdio: 'inherit', env: { ...process.env, WRITE_PICTURES: '1' } },
);
process.exitCode = status ?? 1;
