// An unread terminal, of both kinds, and many deliveries.

import { testUnreadTerminal } from './unread-terminal.ts';

for (const type of ['xterm-256color', 'dumb']) testUnreadTerminal(type, 3_000);
