// `wm completion zsh`: prints the completion script for zsh.

import { createScriptCommand } from './completion/script-command.ts';

export default createScriptCommand('zsh', 'eval "$(wm completion zsh)"');
