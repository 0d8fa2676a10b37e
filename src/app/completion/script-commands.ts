// The commands `wm completion bash`, `zsh`, `fish` and `powershell`, which print the script of their shell: a row for each.

import { type Command, command } from '#cli/command.ts';
import { nameOf, type Shell, scripts } from './shells.ts';

export const scriptCommands: Readonly<Record<Shell, Command>> = {
  bash: scriptCommand('bash', 'eval "$(wm completion bash)"'),
  zsh: scriptCommand('zsh', 'eval "$(wm completion zsh)"'),
  fish: scriptCommand('fish', 'wm completion fish | source'),
  powershell: scriptCommand('powershell', 'wm completion powershell | Out-String | Invoke-Expression'),
};

/** `line`: the line that a user can add to a start-up file by hand. */
function scriptCommand(shell: Shell, line: string): Command {
  return command({
    changes: 'nothing',
    examples: { 'Turn it on in this shell': line },
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
