// Creates the commands `wm completion bash`, `zsh`, `fish` and `powershell`, which print the script of their shell.

import { type Command, command } from '#cli/command.ts';
import { nameOf, type Shell, scripts } from './shells.ts';

/** `line`: the line that a user can add to a start-up file by hand. */
export function createScriptCommand(shell: Shell, line: string): Command {
  return command({
    changes: 'nothing',
    examples: {
      'Turn it on in this shell': line,
    },
    details: `\`wm completion install\` adds that line to the file that ${nameOf(shell)} reads when it starts.

It completes commands, flags, their values, events and profiles, and the ids of records that wm has read: type a part of a title, and
press TAB. wm finds all of it on this machine; TAB never uses the network.`,
    async run(_input, { report }) {
      const script = scripts[shell].trimEnd();
      if (report.wantsJson) await report.json({ shell, script });
      else await report.line(script);
    },
  });
}
