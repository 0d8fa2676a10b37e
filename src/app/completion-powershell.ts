// `wm completion powershell`: prints the completion script for PowerShell.

import { createScriptCommand } from './completion/script-command.ts';

export default createScriptCommand('powershell', 'wm completion powershell | Out-String | Invoke-Expression');
