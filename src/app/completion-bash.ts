// `wm completion bash`: prints the completion script for bash.

import { createScriptCommand } from './completion/script-command.ts';

export default createScriptCommand('bash', 'eval "$(wm completion bash)"');
