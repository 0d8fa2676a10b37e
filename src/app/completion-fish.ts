// `wm completion fish`: prints the completion script for fish.

import { createScriptCommand } from './completion/script-command.ts';

export default createScriptCommand('fish', 'wm completion fish | source');
