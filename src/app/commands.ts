// The command table: words, summary, and how to load the file that they are the path of. Only the command that runs is loaded.

import type { Command } from '#cli/command.ts';
import type { controlCommands } from '#emulator/commands/control-commands.ts';
import type { Shell } from './completion/shells.ts';

interface Group {
  readonly word: string;
  readonly summary: string;
}

export interface CommandRow {
  readonly words: string;
  readonly summary: string;
  /** Of its first word, if that has several commands. */
  readonly group?: Group;
  /** Another name for the last word, which people expect. */
  readonly alias?: string;
  /** The contract does not show the shape of its request. */
  readonly experimental?: true;
  readonly load: () => Promise<{ readonly default: Command }>;
}

type Row = readonly [
  summary: string,
  load: CommandRow['load'],
  more?: Pick<CommandRow, 'alias' | 'experimental'>,
];

const row = (words: string, ...[summary, load, more]: Row): CommandRow => ({ words, summary, load, ...more });

function group(word: string, summary: string, rows: Readonly<Record<string, Row>>): readonly CommandRow[] {
  const group = { word, summary };
  return Object.entries(rows).map(([name, values]) => ({ ...row(`${word} ${name}`, ...values), group }));
}

/** A row of the table of the emulator's control commands, by its word. */
const control = (word: keyof typeof controlCommands) => async () => ({
  default: (await import('#emulator/commands/control-commands.ts')).controlCommands[word],
});

/** The same of the completion scripts, by the shell. */
const script = (shell: Shell) => async () => ({
  default: (await import('./completion/script-commands.ts')).scriptCommands[shell],
});

const ls = { alias: 'ls' } as const;
const experimental = { experimental: true } as const;

/** By the title of their section, in the order of `wm --help`. */
export const sections: Readonly<Record<string, readonly CommandRow[]>> = {
  Account: [
    row('login', 'Sign in through the browser, or with a token', () => import('#account/login.ts')),
    row('logout', 'Sign out: remove the stored tokens', () => import('#account/logout.ts')),
    row('whoami', 'Show the signed-in user and account', () => import('#account/whoami.ts')),
    ...group('auth', 'Manage sign-ins and tokens', {
      status: ['Show which account is in use, and why', () => import('#account/auth-status.ts')],
      list: ['List stored sign-ins', () => import('#account/auth-list.ts')],
      switch: ['Switch to another account', () => import('#account/auth-switch.ts')],
      refresh: ['Refresh the access token now', () => import('#account/auth-refresh.ts')],
      'convert-v3': ['Convert a version 3 token into a sign-in', () => import('#account/auth-convert-v3.ts')],
      token: ['Print an access token', () => import('#account/auth-token.ts')],
    }),
  ],
  Tasks: [
    ...group('task', 'Show, create, update and undo tasks', {
      update: ['Update tasks', () => import('#tasks/update.ts')],
      undo: ['Undo the last update of tasks, or a bulk run', () => import('#tasks/undo.ts')],
      list: ['List tasks', () => import('#tasks/list.ts'), ls],
      get: ['Show tasks', () => import('#tasks/get.ts')],
      create: ['Create a task in a folder', () => import('#tasks/create.ts'), experimental],
      comment: ['Add a comment to a task', () => import('#tasks/comment.ts'), experimental],
      comments: ['List the comments of a task', () => import('#tasks/comments.ts'), experimental],
      attach: ['Attach a file to a task', () => import('#tasks/attach.ts'), experimental],
    }),
    ...group('timelog', 'Log hours of work', {
      add: ['Log hours of work on a task', () => import('#workspace/timelog-add.ts'), experimental],
    }),
    row('api', 'Send any request to the service', () => import('#tools/api.ts')),
    row('batch', 'Send many operations in a few requests', () => import('#tools/batch.ts'), experimental),
  ],
  Webhooks: group('webhook', 'Create, list, suspend, resume and delete webhooks', {
    create: ['Create a webhook', () => import('#webhooks/create.ts')],
    list: ['List the webhooks of this application', () => import('#webhooks/list.ts'), ls],
    get: ['Show webhooks', () => import('#webhooks/get.ts')],
    suspend: [
      'Suspend webhooks: stop their deliveries',
      () => import('#webhooks/suspend.ts'),
      { alias: 'pause' },
    ],
    resume: ['Resume webhooks: start their deliveries again', () => import('#webhooks/resume.ts')],
    undo: ['Put back what the last command changed', () => import('#webhooks/undo.ts')],
    delete: ['Delete webhooks for good', () => import('#webhooks/delete.ts'), { alias: 'rm' }],
    listen: ['Receive deliveries, store each and forward it', () => import('#receiver/commands/listen.ts')],
    forward: ['Forward deliveries from a sink to a program', () => import('#receiver/commands/forward.ts')],
    log: [
      'Show which deliveries came in, and what became of them',
      () => import('#receiver/commands/log.ts'),
    ],
    replay: ['Send stored deliveries to your program again', () => import('#receiver/commands/replay.ts')],
    sink: [
      'Create, check or import into a sink for several receivers',
      () => import('#receiver/commands/sink.ts'),
    ],
    label: ['Give a webhook a label of your own', () => import('#webhooks/label.ts')],
    secret: ['Store, remove or print the secret of a webhook', () => import('#webhooks/secret.ts')],
    'rotate-secret': ['Give a webhook a new secret', () => import('#webhooks/rotate-secret.ts')],
    export: ['Print the webhooks as a file for a repository', () => import('#webhooks/export.ts')],
    diff: ['Show how the webhooks differ from a file', () => import('#webhooks/diff.ts')],
    apply: ['Bring the webhooks in line with a file', () => import('#webhooks/apply.ts')],
    trigger: ['Send a sample of an event to a receiver', () => import('#webhooks/trigger.ts')],
    sign: ['Print the signature of a body', () => import('#webhooks/sign.ts')],
    'check-signature': [
      'Check whether a body was signed with the secret',
      () => import('#webhooks/check-signature.ts'),
    ],
    verify: ['Check the receiver of a webhook', () => import('#webhooks/verify.ts')],
    diagnose: ['Find out why a webhook is suspended', () => import('#webhooks/diagnose.ts')],
    watch: ['Report each change of the status of webhooks', () => import('#webhooks/watch.ts')],
    events: ['List event types', () => import('#webhooks/events.ts')],
  }),
  'Folders, spaces, people': [
    ...group('folder', 'List and create folders', {
      list: ['List folders and projects, as a tree', () => import('#workspace/folder-list.ts'), ls],
      create: ['Create a folder in another', () => import('#workspace/folder-create.ts'), experimental],
    }),
    ...group('space', 'List spaces', { list: ['List spaces', () => import('#workspace/space-list.ts'), ls] }),
    ...group('contact', 'List users, groups and bots', {
      list: ['List users, groups and bots', () => import('#workspace/contact-list.ts'), ls],
    }),
    ...group('customfield', 'List custom fields', {
      list: ['List custom fields, with their choices', () => import('#workspace/customfield-list.ts'), ls],
    }),
    ...group('workflow', 'List workflows and their statuses', {
      list: ['List workflows and their statuses', () => import('#workspace/workflow-list.ts'), ls],
    }),
    row('account', 'Show the account', () => import('#account/account.ts')),
    row('audit-log', 'List who did what in the account', () => import('#account/audit-log.ts')),
  ],
  'On this machine': [
    row('history', 'Show what wm changed from this machine', () => import('#tools/history.ts')),
    row('help', 'Show help for a command or about a topic', () => import('./help.ts')),
    ...group('config', 'Show and change settings', {
      get: ['Print a setting', () => import('#tools/config-get.ts')],
      set: ['Store a setting, for all commands, a profile or a folder', () => import('#tools/config-set.ts')],
      list: ['List settings, and where each comes from', () => import('#tools/config-list.ts'), ls],
      unset: ['Remove a setting', () => import('#tools/config-unset.ts')],
    }),
    row('doctor', 'Diagnose sign-in problems', () => import('#tools/doctor.ts')),
    ...group('completion', 'Complete commands, flags and ids with TAB', {
      install: ['Turn on completion in your shell', () => import('./completion-install.ts')],
      uninstall: ['Turn off completion in your shell', () => import('./completion-uninstall.ts')],
      bash: ['Print the completion script for bash', script('bash')],
      zsh: ['Print the completion script for zsh', script('zsh')],
      fish: ['Print the completion script for fish', script('fish')],
      powershell: ['Print the completion script for PowerShell', script('powershell')],
    }),
    row('demo', 'Run a short demo, without an account', () => import('./demo.ts')),
    ...group('contract', 'Print the contract of the service, and check what is assumed', {
      openapi: ['Print the contract of the service as OpenAPI', () => import('#tools/contract-openapi.ts')],
      asyncapi: ['Print the events of webhooks as AsyncAPI', () => import('#tools/contract-asyncapi.ts')],
      probe: ['Check which assumptions hold at the service', () => import('#tools/contract-probe.ts')],
    }),
    ...group('emulator', 'Run and control a local emulator of the service', {
      start: ['Start a local emulator of the service', () => import('#emulator/commands/start.ts')],
      exec: ['Run a command against a temporary emulator', () => import('#emulator/commands/exec.ts')],
      assumptions: [
        'List what the emulator assumes beyond the contract',
        () => import('#emulator/commands/assumptions.ts'),
      ],
      clock: ['Show, stop or move the clock', control('clock')],
      fault: ['Make the next responses fail', control('fault')],
      stub: ['Respond to requests that the emulator does not have', control('stub')],
      requests: ['List what came in, and check it in a test', () => import('#emulator/commands/requests.ts')],
      emit: ['Emit any event', control('emit')],
      deliveries: ['List deliveries with their attempts', control('deliveries')],
      mails: ['List the e-mails that the service would send', control('mails')],
      'make-tasks': ['Create many tasks', control('make-tasks')],
      'mass-action': ['Update many tasks without notifying webhooks', control('mass-action')],
      user: ["List users; change a user's licence and access", control('user')],
      token: ['Create a permanent token, or list the sample tokens', control('token')],
      revoke: ['Revoke tokens', control('revoke')],
      snapshot: ['Print the data as a seed file', control('snapshot')],
      reset: ['Restore the seed or the sample, and the clock', control('reset')],
    }),
  ],
};

export const commands: readonly CommandRow[] = Object.values(sections).flat();
export const groups: readonly Group[] = [...new Set(commands.flatMap(({ group }) => group ?? []))];

export function findCommand([first, second = '']: readonly string[]): CommandRow | undefined {
  return commands.find((row) => {
    const [group, name] = row.words.split(' ');
    return group === first && (name === undefined || lastWords(row).includes(second));
  });
}

/** Of a command in a group: its name there, and its alias. */
export function lastWords({ words, alias }: CommandRow): readonly string[] {
  return [words.split(' ')[1], alias].filter((word) => word !== undefined);
}

const experimentalNote =
  'Experimental: the contract of the service names this request and does not show its shape, so wm assumes it (see `wm emulator assumptions`). It may change.';

/** The text of a command's help besides the flags. `details`: the command's own. */
export function detailsOf({ experimental }: Partial<CommandRow>, details?: string): string | undefined {
  return experimental ? [experimentalNote, details].filter(Boolean).join('\n\n') : details;
}

export const programSummary =
  'Tasks, webhooks and sign-in of a work-management service, from a terminal or a script.';
