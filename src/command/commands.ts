// The command table: the words of each command, its summary, and how its file is loaded. The path of the file is the
// words. Only the command that was asked for is loaded.

import type { Command } from './command.ts';

export interface CommandRow {
  readonly words: string;
  readonly summary: string;
  readonly alias?: string;
  readonly load: () => Promise<{ readonly default: Command }>;
}

export interface GroupRow {
  readonly word: string;
  readonly summary: string;
}

export const groups: readonly GroupRow[] = [
  { word: 'auth', summary: 'Who is signed in, and with which token' },
  { word: 'task', summary: 'Read and change tasks' },
  { word: 'webhook', summary: 'Create, pause and delete webhooks' },
  { word: 'emulator', summary: 'The service, on this machine' },
];

export const commands: readonly CommandRow[] = [
  { words: 'login', summary: 'Sign in through the browser, or with a token', load: () => import('./login.ts') },
  { words: 'logout', summary: 'Forget the tokens of a profile', load: () => import('./logout.ts') },
  { words: 'whoami', summary: 'Show who is signed in, asking the service', load: () => import('./whoami.ts') },
  { words: 'auth status', summary: 'Show the sign-in that is kept here', load: () => import('./auth/status.ts') },
  { words: 'auth token', summary: 'Print an access token for a script', load: () => import('./auth/token.ts') },
  { words: 'task update', summary: 'Change a task', load: () => import('./task/update.ts') },
  { words: 'task get', summary: 'Show tasks', load: () => import('./task/get.ts') },
  { words: 'webhook create', summary: 'Have events delivered to a URL', load: () => import('./webhook/create.ts') },
  {
    words: 'webhook list',
    alias: 'ls',
    summary: 'List the webhooks of this application',
    load: () => import('./webhook/list.ts'),
  },
  { words: 'webhook get', summary: 'Show webhooks', load: () => import('./webhook/get.ts') },
  {
    words: 'webhook suspend',
    alias: 'pause',
    summary: 'Stop the deliveries of a webhook',
    load: () => import('./webhook/suspend.ts'),
  },
  { words: 'webhook resume', summary: 'Start the deliveries again', load: () => import('./webhook/resume.ts') },
  { words: 'webhook delete', alias: 'rm', summary: 'Delete a webhook', load: () => import('./webhook/delete.ts') },
  { words: 'webhook events', summary: 'List the kinds of event', load: () => import('./webhook/events.ts') },
  { words: 'emulator start', summary: 'Start the service on this machine', load: () => import('./emulator/start.ts') },
  { words: 'emulator exec', summary: 'Run a command against it', load: () => import('./emulator/exec.ts') },
  { words: 'demo', summary: 'See the main job done, on this machine', load: () => import('./demo.ts') },
];
