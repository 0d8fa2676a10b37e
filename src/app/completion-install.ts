// `wm completion install`: adds the line that turns completion on to the file that the user's shell reads when it starts.

import { dirname } from 'node:path';
import { command } from '#cli/command.ts';
import { quoteForShell } from '#cli/shell-quote.ts';
import type { World } from '#world/world.ts';
import { putMarkedLine, readStartUpFile, shellInput, writeStartUpFile } from './completion/start-up-file.ts';

/** How to make a shell find the running program, which npm may have installed from a folder. */
function pathHint({ process: { self, platform } }: Pick<World, 'process'>): string {
  const path = self.at(-1) ?? '';
  return self.length === 1
    ? `Add this folder to it: ${dirname(path)}`
    : `To install it there: npm install --global ${quoteForShell(dirname(dirname(path)), platform)}`;
}

export default command({
  changes: 'this machine',
  examples: {
    'For your shell, after asking': 'wm completion install',
    'For another shell, in a script': 'wm completion install zsh --yes',
  },
  details: `wm shows the file and the line, and asks before it writes. bash: ~/.bashrc (on macOS ~/.bash_profile); zsh: ~/.zshrc, or the
folder in ZDOTDIR; fish: completions/wm.fish in its folder of settings; PowerShell: the file that it names $PROFILE. A second run
changes nothing. A link stays a link.

The line runs \`wm\`, so your shell must find it on its PATH. If it does not, wm prints the command that installs it there.`,
  ...shellInput,
  async run(input, context) {
    const { world, report } = context;
    const file = await readStartUpFile(world, input);
    const { path, line, shell, text } = file;
    const after = putMarkedLine(text, line);
    const isChanged = after !== text;
    if (isChanged) {
      await report.info(`This line turns on completion in ${path}:\n  ${line}`);
      await context.confirm(`Add it to ${path}?`);
      await writeStartUpFile(world, file, after);
      await report.info(`Added to ${path}. It takes effect in new shells.`);
    } else await report.info(`${path} has the line already.`);
    const { environment } = world;
    const { ended } = world.process.start(['wm', '--version'], { environment, streams: 'pipe' });
    if ((await ended) !== 0) await report.warn(`Your shell does not find wm on its PATH. ${pathHint(world)}`);
    if (report.wantsJson) await report.json({ shell, path, line, changed: isChanged });
  },
});
