// The shells that wm supports completion for, each with its script.

import { bashScript } from './bash-script.ts';
import { fishScript } from './fish-script.ts';
import { powerShellScript } from './powershell-script.ts';
import { zshScript } from './zsh-script.ts';

export const scripts = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
  powershell: powerShellScript,
} as const;

export type Shell = keyof typeof scripts;

export const shells = Object.keys(scripts) as readonly Shell[];

export const shellNames: Readonly<Record<Shell, string>> = {
  bash: 'bash',
  zsh: 'zsh',
  fish: 'fish',
  powershell: 'PowerShell',
};
