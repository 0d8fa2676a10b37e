// The command table: the words of each command, its summary, and how to load its file. The words are the file's path. Only the
// command that runs is loaded.

import type { Command } from '#cli/command.ts';
import { otherVariables, variables } from '#cli/environment-variables.ts';
import { everything, formatItem, wrap } from './help-layout.ts';
import { helpTopics } from './topics/topics.ts';

export interface CommandRow {
  readonly words: string;
  readonly summary: string;
  /** Another name for the last word, which people expect. */
  readonly alias?: string;
  /** Repeats the command's own member, since the overview does not load the command. */
  readonly experimental?: true;
  readonly load: () => Promise<{ readonly default: Command }>;
}

export interface Section {
  readonly title: string;
  readonly commands: readonly CommandRow[];
}

/** In the order of `wm --help`. */
export const sections: readonly Section[] = [
  {
    title: 'Account',
    commands: [
      {
        words: 'login',
        summary: 'Sign in through the browser, or with a token',
        load: () => import('#account/login.ts'),
      },
      {
        words: 'logout',
        summary: 'Sign out: remove the stored tokens',
        load: () => import('#account/logout.ts'),
      },
      {
        words: 'whoami',
        summary: 'Show the signed-in user and account',
        load: () => import('#account/whoami.ts'),
      },
      {
        words: 'auth status',
        summary: 'Show which account is in use, and why',
        load: () => import('#account/auth-status.ts'),
      },
      {
        words: 'auth list',
        summary: 'List stored sign-ins',
        load: () => import('#account/auth-list.ts'),
      },
      {
        words: 'auth switch',
        summary: 'Switch to another account',
        load: () => import('#account/auth-switch.ts'),
      },
      {
        words: 'auth refresh',
        summary: 'Refresh the access token now',
        load: () => import('#account/auth-refresh.ts'),
      },
      {
        words: 'auth convert-v3',
        summary: 'Convert a version 3 token into a sign-in',
        load: () => import('#account/auth-convert-v3.ts'),
      },
      {
        words: 'auth token',
        summary: 'Print an access token',
        load: () => import('#account/auth-token.ts'),
      },
    ],
  },
  {
    title: 'Tasks',
    commands: [
      { words: 'task update', summary: 'Update tasks', load: () => import('#tasks/update.ts') },
      {
        words: 'task undo',
        summary: 'Undo the last update of a task',
        load: () => import('#tasks/undo.ts'),
      },
      {
        words: 'task list',
        alias: 'ls',
        summary: 'List tasks',
        load: () => import('#tasks/list.ts'),
      },
      { words: 'task get', summary: 'Show tasks', load: () => import('#tasks/get.ts') },
      {
        words: 'task create',
        summary: 'Create a task in a folder',
        experimental: true,
        load: () => import('#tasks/create.ts'),
      },
      {
        words: 'task comment',
        summary: 'Add a comment to a task',
        experimental: true,
        load: () => import('#tasks/comment.ts'),
      },
      {
        words: 'task comments',
        summary: 'List the comments of a task',
        experimental: true,
        load: () => import('#tasks/comments.ts'),
      },
      {
        words: 'task attach',
        summary: 'Attach a file to a task',
        experimental: true,
        load: () => import('#tasks/attach.ts'),
      },
      {
        words: 'timelog add',
        summary: 'Log hours of work on a task',
        experimental: true,
        load: () => import('#workspace/timelog-add.ts'),
      },
      {
        words: 'api',
        summary: 'Send any request to the service',
        load: () => import('#tools/api.ts'),
      },
      {
        words: 'batch',
        summary: 'Send many operations in a few requests',
        experimental: true,
        load: () => import('#tools/batch.ts'),
      },
    ],
  },
  {
    title: 'Folders, spaces, people',
    commands: [
      {
        words: 'folder list',
        alias: 'ls',
        summary: 'List folders and projects, as a tree',
        load: () => import('#workspace/folder-list.ts'),
      },
      {
        words: 'folder create',
        summary: 'Create a folder in another',
        experimental: true,
        load: () => import('#workspace/folder-create.ts'),
      },
      {
        words: 'space list',
        alias: 'ls',
        summary: 'List spaces',
        load: () => import('#workspace/space-list.ts'),
      },
      {
        words: 'contact list',
        alias: 'ls',
        summary: 'List users, groups and bots',
        load: () => import('#workspace/contact-list.ts'),
      },
      {
        words: 'customfield list',
        alias: 'ls',
        summary: 'List custom fields, with their choices',
        load: () => import('#workspace/customfield-list.ts'),
      },
      {
        words: 'workflow list',
        alias: 'ls',
        summary: 'List workflows and their statuses',
        load: () => import('#workspace/workflow-list.ts'),
      },
      { words: 'account', summary: 'Show the account', load: () => import('#account/account.ts') },
      {
        words: 'audit-log',
        summary: 'List who did what in the account',
        load: () => import('#account/audit-log.ts'),
      },
    ],
  },
  {
    title: 'Webhooks',
    commands: [
      {
        words: 'webhook create',
        summary: 'Create a webhook',
        load: () => import('#webhooks/create.ts'),
      },
      {
        words: 'webhook list',
        alias: 'ls',
        summary: 'List the webhooks of this application',
        load: () => import('#webhooks/list.ts'),
      },
      { words: 'webhook get', summary: 'Show webhooks', load: () => import('#webhooks/get.ts') },
      {
        words: 'webhook suspend',
        alias: 'pause',
        summary: 'Suspend webhooks: stop their deliveries',
        load: () => import('#webhooks/suspend.ts'),
      },
      {
        words: 'webhook resume',
        summary: 'Resume webhooks: start their deliveries again',
        load: () => import('#webhooks/resume.ts'),
      },
      {
        words: 'webhook delete',
        alias: 'rm',
        summary: 'Delete webhooks for good',
        load: () => import('#webhooks/delete.ts'),
      },
      {
        words: 'webhook listen',
        summary: 'Receive deliveries, store each and forward it',
        load: () => import('#receiver/commands/listen.ts'),
      },
      {
        words: 'webhook forward',
        summary: 'Forward deliveries from a sink to a program',
        load: () => import('#receiver/commands/forward.ts'),
      },
      {
        words: 'webhook log',
        summary: 'Show which deliveries came in, and what became of them',
        load: () => import('#receiver/commands/log.ts'),
      },
      {
        words: 'webhook replay',
        summary: 'Send stored deliveries to your program again',
        load: () => import('#receiver/commands/replay.ts'),
      },
      {
        words: 'webhook sink',
        summary: 'Create, check or import into a sink for several receivers',
        load: () => import('#receiver/commands/sink.ts'),
      },
      {
        words: 'webhook label',
        summary: 'Give a webhook a label of your own',
        load: () => import('#webhooks/label.ts'),
      },
      {
        words: 'webhook secret',
        summary: 'Store, remove or print the secret of a webhook',
        load: () => import('#webhooks/secret.ts'),
      },
      {
        words: 'webhook rotate-secret',
        summary: 'Give a webhook a new secret',
        load: () => import('#webhooks/rotate-secret.ts'),
      },
      {
        words: 'webhook export',
        summary: 'Print the webhooks as a file for a repository',
        load: () => import('#webhooks/export.ts'),
      },
      {
        words: 'webhook diff',
        summary: 'Show how the webhooks differ from a file',
        load: () => import('#webhooks/diff.ts'),
      },
      {
        words: 'webhook apply',
        summary: 'Bring the webhooks in line with a file',
        load: () => import('#webhooks/apply.ts'),
      },
      {
        words: 'webhook trigger',
        summary: 'Send a sample of an event to a receiver',
        load: () => import('#webhooks/trigger.ts'),
      },
      {
        words: 'webhook sign',
        summary: 'Print the signature of a body',
        load: () => import('#webhooks/sign.ts'),
      },
      {
        words: 'webhook check-signature',
        summary: 'Check whether a body was signed with the secret',
        load: () => import('#webhooks/check-signature.ts'),
      },
      {
        words: 'webhook verify',
        summary: 'Check the receiver of a webhook',
        load: () => import('#webhooks/verify.ts'),
      },
      {
        words: 'webhook diagnose',
        summary: 'Find out why a webhook is suspended',
        load: () => import('#webhooks/diagnose.ts'),
      },
      {
        words: 'webhook watch',
        summary: 'Report each change of the status of webhooks',
        load: () => import('#webhooks/watch.ts'),
      },
      {
        words: 'webhook events',
        summary: 'List event types',
        load: () => import('#webhooks/events.ts'),
      },
    ],
  },
  {
    title: 'On this machine',
    commands: [
      {
        words: 'history',
        summary: 'Show what wm changed from this machine',
        load: () => import('#tools/history.ts'),
      },
      {
        words: 'help',
        summary: 'Show help for a command or about a topic',
        load: () => import('./help.ts'),
      },
      {
        words: 'config get',
        summary: 'Print a setting',
        load: () => import('#tools/config-get.ts'),
      },
      {
        words: 'config set',
        summary: 'Store a setting, for all commands, a profile or a folder',
        load: () => import('#tools/config-set.ts'),
      },
      {
        words: 'config list',
        alias: 'ls',
        summary: 'List settings, and where each comes from',
        load: () => import('#tools/config-list.ts'),
      },
      {
        words: 'config unset',
        summary: 'Remove a setting',
        load: () => import('#tools/config-unset.ts'),
      },
      {
        words: 'doctor',
        summary: 'Diagnose sign-in problems',
        load: () => import('#tools/doctor.ts'),
      },
      {
        words: 'completion install',
        summary: 'Turn on completion in your shell',
        load: () => import('./completion-install.ts'),
      },
      {
        words: 'completion uninstall',
        summary: 'Turn off completion in your shell',
        load: () => import('./completion-uninstall.ts'),
      },
      {
        words: 'completion bash',
        summary: 'Print the completion script for bash',
        load: () => import('./completion-bash.ts'),
      },
      {
        words: 'completion zsh',
        summary: 'Print the completion script for zsh',
        load: () => import('./completion-zsh.ts'),
      },
      {
        words: 'completion fish',
        summary: 'Print the completion script for fish',
        load: () => import('./completion-fish.ts'),
      },
      {
        words: 'completion powershell',
        summary: 'Print the completion script for PowerShell',
        load: () => import('./completion-powershell.ts'),
      },
      {
        words: 'demo',
        summary: 'Run a short demo, without an account',
        load: () => import('./demo.ts'),
      },
      {
        words: 'contract openapi',
        summary: 'Print the contract of the service as OpenAPI',
        load: () => import('#tools/contract-openapi.ts'),
      },
      {
        words: 'contract asyncapi',
        summary: 'Print the events of webhooks as AsyncAPI',
        load: () => import('#tools/contract-asyncapi.ts'),
      },
      {
        words: 'contract probe',
        summary: 'Check which assumptions hold at the service',
        load: () => import('#tools/contract-probe.ts'),
      },
      {
        words: 'emulator start',
        summary: 'Start a local emulator of the service',
        load: () => import('#emulator/commands/start.ts'),
      },
      {
        words: 'emulator exec',
        summary: 'Run a command against a temporary emulator',
        load: () => import('#emulator/commands/exec.ts'),
      },
      {
        words: 'emulator assumptions',
        summary: 'List what the emulator assumes beyond the contract',
        load: () => import('#emulator/commands/assumptions.ts'),
      },
      {
        words: 'emulator clock',
        summary: 'Show, stop or move the clock',
        load: () => import('#emulator/commands/clock.ts'),
      },
      {
        words: 'emulator fault',
        summary: 'Make the next responses fail',
        load: () => import('#emulator/commands/fault.ts'),
      },
      {
        words: 'emulator stub',
        summary: 'Respond to requests that the emulator does not have',
        load: () => import('#emulator/commands/stub.ts'),
      },
      {
        words: 'emulator requests',
        summary: 'List what came in, and check it in a test',
        load: () => import('#emulator/commands/requests.ts'),
      },
      {
        words: 'emulator emit',
        summary: 'Emit any event',
        load: () => import('#emulator/commands/emit.ts'),
      },
      {
        words: 'emulator deliveries',
        summary: 'List deliveries with their attempts',
        load: () => import('#emulator/commands/deliveries.ts'),
      },
      {
        words: 'emulator mails',
        summary: 'List the e-mails that the service would send',
        load: () => import('#emulator/commands/mails.ts'),
      },
      {
        words: 'emulator make-tasks',
        summary: 'Create many tasks',
        load: () => import('#emulator/commands/make-tasks.ts'),
      },
      {
        words: 'emulator mass-action',
        summary: 'Update many tasks without notifying webhooks',
        load: () => import('#emulator/commands/mass-action.ts'),
      },
      {
        words: 'emulator user',
        summary: "List users; change a user's licence and access",
        load: () => import('#emulator/commands/user.ts'),
      },
      {
        words: 'emulator token',
        summary: 'Create a permanent token, or list the sample tokens',
        load: () => import('#emulator/commands/token.ts'),
      },
      {
        words: 'emulator revoke',
        summary: 'Revoke tokens',
        load: () => import('#emulator/commands/revoke.ts'),
      },
      {
        words: 'emulator snapshot',
        summary: 'Print the data as a seed file',
        load: () => import('#emulator/commands/snapshot.ts'),
      },
      {
        words: 'emulator reset',
        summary: 'Restore the sample data and the clock',
        load: () => import('#emulator/commands/reset.ts'),
      },
    ],
  },
];

export const commands: readonly CommandRow[] = sections.flatMap((section) => section.commands);

/** The groups of commands, by first word, with a summary. */
export const groups: readonly { readonly word: string; readonly summary: string }[] = [
  { word: 'auth', summary: 'Manage sign-ins and tokens' },
  { word: 'task', summary: 'Show, create, update and undo tasks' },
  { word: 'timelog', summary: 'Log hours of work' },
  { word: 'folder', summary: 'List and create folders' },
  { word: 'space', summary: 'List spaces' },
  { word: 'contact', summary: 'List users, groups and bots' },
  { word: 'customfield', summary: 'List custom fields' },
  { word: 'workflow', summary: 'List workflows and their statuses' },
  { word: 'webhook', summary: 'Create, list, suspend, resume and delete webhooks' },
  { word: 'completion', summary: 'Complete commands, flags and ids with TAB' },
  { word: 'config', summary: 'Show and change settings' },
  { word: 'contract', summary: 'Print the contract of the service, and check what is assumed' },
  { word: 'emulator', summary: 'Run and control a local emulator of the service' },
];

export const programSummary =
  'Tasks, webhooks and sign-in of a work-management service, from a terminal or a script.';

/** `wm --help`: the groups, and the commands outside of them except `help`, which its last line names. */
export function formatFirstPage(width: number): string {
  const longest = Math.max(...commands.map(({ words }) => words.split(' ')[0]?.length ?? 0));
  const lines = sections.flatMap(({ title, commands: rows }) => [
    '',
    title,
    ...[...new Set(rows.map(({ words }) => words.split(' ')[0] ?? ''))]
      .filter((first) => first !== 'help')
      .map((first) => {
        const { summary = '' } =
          groups.find(({ word }) => word === first) ?? rows.find(({ words }) => words === first) ?? {};
        return formatItem(first, longest, summary, width);
      }),
  ]);
  return `${wrap(programSummary, width)}

Usage: wm COMMAND [arguments] [flags]
${lines.join('\n')}

${wrap(`More: wm webhook suspend --help, wm --help ${everything} (everything), wm help topics`, width)}
${wrap('Try `wm demo`, which needs no account.', width)}
`;
}

/** `wm --help all`. */
export function formatOverview(width: number): string {
  const longest = Math.max(...commands.map(({ words }) => words.length));
  const row = (term: string, text: string) => formatItem(term, longest, text, width);
  const lines = sections.flatMap(({ title, commands: rows }) => [
    '',
    title,
    ...rows.map(({ words, summary, alias, experimental }) => {
      const also = alias ? ` (also: ${alias})` : '';
      return row(words, `${summary}${also}${experimental ? ' (experimental)' : ''}`);
    }),
  ]);
  return `${wrap(programSummary, width)}

Usage: wm COMMAND [arguments] [flags]
${lines.join('\n')}

Flags
${row('-h, --help', "Show help: wm COMMAND --help shows a command's flags and examples")}
${row('-V, --version', 'Show the version')}
${row('--FLAG', 'Any flag without a value also has the forms --no-FLAG, --FLAG=true and --FLAG=false')}

Environment
${Object.entries(variables)
  .map(([name, { meaning }]) => row(name, meaning))
  .join('\n')}
${wrap(`Also: ${otherVariables.join(', ')}.`, width)}

Topics (wm help TOPIC)
${Object.entries(helpTopics)
  .map(([name, { summary }]) => row(name, summary))
  .join('\n')}

Try \`wm demo\`, which needs no account.
`;
}
