// `wm completion uninstall`: removes the line that `wm completion install` added.

import { command } from '#cli/command.ts';
import {
  readStartUpFile,
  removeMarkedLine,
  shellInput,
  writeStartUpFile,
} from './completion/start-up-file.ts';

export default command({
  changes: 'this machine',
  examples: {
    'For your shell, after asking': 'wm completion uninstall',
    'For another shell, in a script': 'wm completion uninstall zsh --yes',
  },
  details: `Removes the line with the comment "# wm completion", and nothing else. The file of fish, which has
no other line, is removed.`,
  ...shellInput,
  async run(input, context) {
    const { world, report } = context;
    const file = await readStartUpFile(world, input);
    const { path, shell, text } = file;
    const after = removeMarkedLine(text);
    const isChanged = after !== text;
    if (isChanged) {
      await context.confirm(`Remove the line of wm from ${path}?`);
      if (after === '' && shell === 'fish') await world.files.remove(path);
      else await writeStartUpFile(world, file, after);
      await report.info(`Removed from ${path}. Shells that are open keep the completion.`);
    } else await report.info(`${path} has no line of wm.`);
    if (report.wantsJson) await report.json({ shell, path, changed: isChanged });
  },
});
