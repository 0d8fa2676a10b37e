// A shell on a pseudo-terminal, with wm's completion turned on as its help says: a test types words and TAB, and sees the screen.

import { spawnSync } from 'node:child_process';
import type { TestContext } from 'node:test';
import type { Shell } from '#app/completion/shells.ts';
import type { Stage } from '#test/support/terminal/stage.ts';
import { openTerminal, type Setting, type Terminal } from '#test/support/terminal/terminal.ts';

export type TestedShell = Exclude<Shell, 'powershell'>;

export const testedShells: readonly TestedShell[] = ['bash', 'zsh', 'fish'];

/** How it starts without the files of whoever runs the tests, and what is typed into it first. */
const starts: Readonly<Record<TestedShell, { readonly command: string; readonly first: string }>> = {
  bash: { command: 'bash --norc --noprofile -i', first: `PS1='rea''dy> '; eval "$(wm completion bash)"` },
  zsh: { command: 'zsh -f -i', first: `PS1='rea''dy> '; eval "$(wm completion zsh)"` },
  fish: {
    command: 'fish --no-config -i',
    first: `function fish_prompt; printf 'rea''dy> '; end; wm completion fish | source`,
  },
};

/** Why a test in it is left out: the smallest systems lack it. */
export function whyWithout(shell: TestedShell): string | false {
  return spawnSync(shell, ['-c', 'exit 0']).status === 0 ? false : `there is no ${shell} here`;
}

export async function openShell(
  test: TestContext,
  stage: Stage,
  shell: TestedShell,
  setting: Setting & { readonly first?: string } = {},
): Promise<Terminal> {
  const { command, first } = starts[shell];
  const terminal = openTerminal(test, stage, command, setting);
  terminal.type(`${setting.first ?? first}\r`);
  await terminal.screenShows(isReady);
  return terminal;
}

/** The last line of the screen is a prompt with nothing behind it. */
export function isReady(lines: readonly string[]): boolean {
  return lines.findLast((line) => line !== '')?.trimEnd() === 'ready>';
}

/** The last line of the screen is a prompt with this behind it. */
export function isTyped(text: string): (lines: readonly string[]) => boolean {
  return (lines) => lines.some((line) => line.trimEnd() === `ready> ${text}`);
}
