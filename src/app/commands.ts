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
  /** The contract does not show the shape of its request. */
  readonly experimental?: true;
  readonly load: () => Promise<{ readonly default: Command }>;
}

const row = (
  words: string,
  summary: string,
  load: CommandRow['load'],
  more: Pick<CommandRow, 'alias' | 'experimental'> = {},
): CommandRow => ({ words, summary, load, ...more });

const ls = { alias: 'ls' } as const;
const experimental = { experimental: true } as const;

/** By the title of their section, in the order of `wm --help`. */
export const sections: Readonly<Record<string, readonly CommandRow[]>> = {
  Account: [
    row('login', 'Sign in through the browser, or with a token', () => import('#account/login.ts')),
    row('logout', 'Sign out: remove the stored tokens', () => import('#account/logout.ts')),
    row('whoami', 'Show the signed-in user and account', () => import('#account/whoami.ts')),
    row('auth status', 'Show which account is in use, and why', () => import('#account/auth-status.ts')),
    row('auth list', 'List stored sign-ins', () => import('#account/auth-list.ts')),
    row('auth switch', 'Switch to another account', () => import('#account/auth-switch.ts')),
    row('auth refresh', 'Refresh the access token now', () => import('#account/auth-refresh.ts')),
    row(
      'auth convert-v3',
      'Convert a version 3 token into a sign-in',
      () => import('#account/auth-convert-v3.ts'),
    ),
    row('auth token', 'Print an access token', () => import('#account/auth-token.ts')),
  ],
  Tasks: [
    row('task update', 'Update tasks', () => import('#tasks/update.ts')),
    row('task undo', 'Undo the last update of a task', () => import('#tasks/undo.ts')),
    row('task list', 'List tasks', () => import('#tasks/list.ts'), ls),
    row('task get', 'Show tasks', () => import('#tasks/get.ts')),
    row('task create', 'Create a task in a folder', () => import('#tasks/create.ts'), experimental),
    row('task comment', 'Add a comment to a task', () => import('#tasks/comment.ts'), experimental),
    row('task comments', 'List the comments of a task', () => import('#tasks/comments.ts'), experimental),
    row('task attach', 'Attach a file to a task', () => import('#tasks/attach.ts'), experimental),
    row(
      'timelog add',
      'Log hours of work on a task',
      () => import('#workspace/timelog-add.ts'),
      experimental,
    ),
    row('api', 'Send any request to the service', () => import('#tools/api.ts')),
    row('batch', 'Send many operations in a few requests', () => import('#tools/batch.ts'), experimental),
  ],
  'Folders, spaces, people': [
    row('folder list', 'List folders and projects, as a tree', () => import('#workspace/folder-list.ts'), ls),
    row(
      'folder create',
      'Create a folder in another',
      () => import('#workspace/folder-create.ts'),
      experimental,
    ),
    row('space list', 'List spaces', () => import('#workspace/space-list.ts'), ls),
    row('contact list', 'List users, groups and bots', () => import('#workspace/contact-list.ts'), ls),
    row(
      'customfield list',
      'List custom fields, with their choices',
      () => import('#workspace/customfield-list.ts'),
      ls,
    ),
    row(
      'workflow list',
      'List workflows and their statuses',
      () => import('#workspace/workflow-list.ts'),
      ls,
    ),
    row('account', 'Show the account', () => import('#account/account.ts')),
    row('audit-log', 'List who did what in the account', () => import('#account/audit-log.ts')),
  ],
  Webhooks: [
    row('webhook create', 'Create a webhook', () => import('#webhooks/create.ts')),
    row('webhook list', 'List the webhooks of this application', () => import('#webhooks/list.ts'), ls),
    row('webhook get', 'Show webhooks', () => import('#webhooks/get.ts')),
    row('webhook suspend', 'Suspend webhooks: stop their deliveries', () => import('#webhooks/suspend.ts'), {
      alias: 'pause',
    }),
    row(
      'webhook resume',
      'Resume webhooks: start their deliveries again',
      () => import('#webhooks/resume.ts'),
    ),
    row('webhook delete', 'Delete webhooks for good', () => import('#webhooks/delete.ts'), { alias: 'rm' }),
    row(
      'webhook listen',
      'Receive deliveries, store each and forward it',
      () => import('#receiver/commands/listen.ts'),
    ),
    row(
      'webhook forward',
      'Forward deliveries from a sink to a program',
      () => import('#receiver/commands/forward.ts'),
    ),
    row(
      'webhook log',
      'Show which deliveries came in, and what became of them',
      () => import('#receiver/commands/log.ts'),
    ),
    row(
      'webhook replay',
      'Send stored deliveries to your program again',
      () => import('#receiver/commands/replay.ts'),
    ),
    row(
      'webhook sink',
      'Create, check or import into a sink for several receivers',
      () => import('#receiver/commands/sink.ts'),
    ),
    row('webhook label', 'Give a webhook a label of your own', () => import('#webhooks/label.ts')),
    row(
      'webhook secret',
      'Store, remove or print the secret of a webhook',
      () => import('#webhooks/secret.ts'),
    ),
    row('webhook rotate-secret', 'Give a webhook a new secret', () => import('#webhooks/rotate-secret.ts')),
    row(
      'webhook export',
      'Print the webhooks as a file for a repository',
      () => import('#webhooks/export.ts'),
    ),
    row('webhook diff', 'Show how the webhooks differ from a file', () => import('#webhooks/diff.ts')),
    row('webhook apply', 'Bring the webhooks in line with a file', () => import('#webhooks/apply.ts')),
    row('webhook trigger', 'Send a sample of an event to a receiver', () => import('#webhooks/trigger.ts')),
    row('webhook sign', 'Print the signature of a body', () => import('#webhooks/sign.ts')),
    row(
      'webhook check-signature',
      'Check whether a body was signed with the secret',
      () => import('#webhooks/check-signature.ts'),
    ),
    row('webhook verify', 'Check the receiver of a webhook', () => import('#webhooks/verify.ts')),
    row('webhook diagnose', 'Find out why a webhook is suspended', () => import('#webhooks/diagnose.ts')),
    row('webhook watch', 'Report each change of the status of webhooks', () => import('#webhooks/watch.ts')),
    row('webhook events', 'List event types', () => import('#webhooks/events.ts')),
  ],
  'On this machine': [
    row('history', 'Show what wm changed from this machine', () => import('#tools/history.ts')),
    row('help', 'Show help for a command or about a topic', () => import('./help.ts')),
    row('config get', 'Print a setting', () => import('#tools/config-get.ts')),
    row(
      'config set',
      'Store a setting, for all commands, a profile or a folder',
      () => import('#tools/config-set.ts'),
    ),
    row('config list', 'List settings, and where each comes from', () => import('#tools/config-list.ts'), ls),
    row('config unset', 'Remove a setting', () => import('#tools/config-unset.ts')),
    row('doctor', 'Diagnose sign-in problems', () => import('#tools/doctor.ts')),
    row('completion install', 'Turn on completion in your shell', () => import('./completion-install.ts')),
    row(
      'completion uninstall',
      'Turn off completion in your shell',
      () => import('./completion-uninstall.ts'),
    ),
    row('completion bash', 'Print the completion script for bash', () => import('./completion-bash.ts')),
    row('completion zsh', 'Print the completion script for zsh', () => import('./completion-zsh.ts')),
    row('completion fish', 'Print the completion script for fish', () => import('./completion-fish.ts')),
    row(
      'completion powershell',
      'Print the completion script for PowerShell',
      () => import('./completion-powershell.ts'),
    ),
    row('demo', 'Run a short demo, without an account', () => import('./demo.ts')),
    row(
      'contract openapi',
      'Print the contract of the service as OpenAPI',
      () => import('#tools/contract-openapi.ts'),
    ),
    row(
      'contract asyncapi',
      'Print the events of webhooks as AsyncAPI',
      () => import('#tools/contract-asyncapi.ts'),
    ),
    row(
      'contract probe',
      'Check which assumptions hold at the service',
      () => import('#tools/contract-probe.ts'),
    ),
    row(
      'emulator start',
      'Start a local emulator of the service',
      () => import('#emulator/commands/start.ts'),
    ),
    row(
      'emulator exec',
      'Run a command against a temporary emulator',
      () => import('#emulator/commands/exec.ts'),
    ),
    row(
      'emulator assumptions',
      'List what the emulator assumes beyond the contract',
      () => import('#emulator/commands/assumptions.ts'),
    ),
    row('emulator clock', 'Show, stop or move the clock', () => import('#emulator/commands/clock.ts')),
    row('emulator fault', 'Make the next responses fail', () => import('#emulator/commands/fault.ts')),
    row(
      'emulator stub',
      'Respond to requests that the emulator does not have',
      () => import('#emulator/commands/stub.ts'),
    ),
    row(
      'emulator requests',
      'List what came in, and check it in a test',
      () => import('#emulator/commands/requests.ts'),
    ),
    row('emulator emit', 'Emit any event', () => import('#emulator/commands/emit.ts')),
    row(
      'emulator deliveries',
      'List deliveries with their attempts',
      () => import('#emulator/commands/deliveries.ts'),
    ),
    row(
      'emulator mails',
      'List the e-mails that the service would send',
      () => import('#emulator/commands/mails.ts'),
    ),
    row('emulator make-tasks', 'Create many tasks', () => import('#emulator/commands/make-tasks.ts')),
    row(
      'emulator mass-action',
      'Update many tasks without notifying webhooks',
      () => import('#emulator/commands/mass-action.ts'),
    ),
    row(
      'emulator user',
      "List users; change a user's licence and access",
      () => import('#emulator/commands/user.ts'),
    ),
    row(
      'emulator token',
      'Create a permanent token, or list the sample tokens',
      () => import('#emulator/commands/token.ts'),
    ),
    row('emulator revoke', 'Revoke tokens', () => import('#emulator/commands/revoke.ts')),
    row('emulator snapshot', 'Print the data as a seed file', () => import('#emulator/commands/snapshot.ts')),
    row(
      'emulator reset',
      'Restore the sample data and the clock',
      () => import('#emulator/commands/reset.ts'),
    ),
  ],
};

export const commands: readonly CommandRow[] = Object.values(sections).flat();

/** The command that a line means if it begins with these words. */
export function findCommand([first, second]: readonly string[]): CommandRow | undefined {
  return commands.find(({ words, alias }) => {
    const [group, name] = words.split(' ');
    if (group !== first) return false;
    return name === undefined || name === second || (alias !== undefined && alias === second);
  });
}

const experimentalNote =
  'Experimental: the contract of the service names this request and does not show its shape, so wm assumes it (see `wm emulator assumptions`). It may change.';

/** The text of a command's help besides the flags. `details`: the command's own. */
export function detailsOf({ experimental }: Partial<CommandRow>, details?: string): string | undefined {
  return experimental ? [experimentalNote, details].filter(Boolean).join('\n\n') : details;
}

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
  const longest = Math.max(...commands.map(({ words }) => words.replace(/ .*/, '').length));
  const lines = Object.entries(sections).flatMap(([title, rows]) => [
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
  const item = (term: string, text: string) => formatItem(term, longest, text, width);
  const lines = Object.entries(sections).flatMap(([title, rows]) => [
    '',
    title,
    ...rows.map(({ words, summary, alias, experimental: isExperimental }) => {
      const also = alias ? ` (also: ${alias})` : '';
      return item(words, `${summary}${also}${isExperimental ? ' (experimental)' : ''}`);
    }),
  ]);
  return `${wrap(programSummary, width)}

Usage: wm COMMAND [arguments] [flags]
${lines.join('\n')}

Flags
${item('-h, --help', "Show help: wm COMMAND --help shows a command's flags and examples")}
${item('-V, --version', 'Show the version')}
${item('--FLAG', 'Any flag without a value also has the forms --no-FLAG, --FLAG=true and --FLAG=false')}

Environment
${Object.entries(variables)
  .map(([name, { meaning }]) => item(name, meaning))
  .join('\n')}
${wrap(`Also: ${otherVariables.join(', ')}.`, width)}

Topics (wm help TOPIC)
${Object.entries(helpTopics)
  .map(([name, { summary }]) => item(name, summary))
  .join('\n')}

Try \`wm demo\`, which needs no account.
`;
}
