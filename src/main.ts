// Joins the real world to the program. The only file, beside the real world's own, that touches `process`.

import { version } from './version.ts';

const [first, ...rest] = process.argv.slice(2);

if ((first === '--version' || first === '-V') && rest.length === 0) {
  // Answered before anything is loaded: scripts ask it at every start.
  process.stdout.write(`${version}\n`);
} else if (first === '__keychain') {
  const { keychainChild } = await import('./world/keychain-child.ts');
  await keychainChild();
} else {
  const [{ createWorld }, { runProgram }] = await Promise.all([
    import('./world/real.ts'),
    import('./command/program.ts'),
  ]);
  // Not process.exit: what a pipe has not taken yet would be lost.
  process.exitCode = await runProgram(process.argv.slice(2), createWorld());
}
