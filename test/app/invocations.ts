// How every command is called so that it succeeds against the emulator's sample account: one row each, for the test that
// runs the whole tree. A new command needs its row here.

/** What stands in for a value that only the run knows. */
export const placeholder = {
  webhook: '{webhook}',
  token: '{token}',
  folder: '{folder}',
  receiver: '{receiver}',
} as const;

export interface Invocation {
  /** Of a call that ends with 0, or with `status`. */
  readonly arguments: readonly string[];
  /** Of that call, where it is not 0: a check that says no. */
  readonly status?: number;
  readonly input?: string;
  /** Calls to make before it. */
  readonly before?: readonly (readonly string[])[];
  /** Of a call without a network, where it is not 7: a check says no. */
  readonly withoutNetwork?: number;
  /** What became of each part is its result, even where all of it failed. */
  readonly printsOutcomes?: true;
  /** Its output is a file, whose lines are not for a terminal. */
  readonly printsFile?: true;
  /** Needs no request to the service: it succeeds without a network too. */
  readonly isLocal?: true;
  /** Signed in with a stored token: WM_TOKEN would hide that. */
  readonly usesProfile?: true;
  /** Its end comes from outside: it is interrupted as soon as it waits. */
  readonly isInterrupted?: true;
  /** Why it is not called, only its --help and its usage errors. */
  readonly notRun?: string;
}

const task = 'IEAAAAAQKQAB5BNG';
const hookUrl = 'https://hooks.example.com/wm';
const hooksFile = `${placeholder.folder}/hooks.yaml`;
const bodyFile = `${placeholder.folder}/body.json`;
const secretFile = ['--secret-file', `${placeholder.folder}/secret.txt`];

export const invocations: Readonly<Record<string, Invocation>> = {
  login: { arguments: ['--with-token'], input: placeholder.token, usesProfile: true },
  logout: { arguments: ['--yes'], isLocal: true, usesProfile: true },
  whoami: { arguments: [] },
  'auth status': { arguments: [], isLocal: true, usesProfile: true },
  'auth list': { arguments: [], isLocal: true, usesProfile: true },
  'auth switch': { arguments: ['default'], isLocal: true, usesProfile: true },
  'auth refresh': {
    arguments: [],
    notRun: 'a permanent token cannot be refreshed; test/account refreshes',
  },
  'auth convert-v3': { arguments: [], notRun: 'needs a version 3 token; test/account converts one' },
  'auth token': { arguments: [], isLocal: true },
  'task update': { arguments: [task, '--title', 'A new title'] },
  'task undo': {
    arguments: [task, '--yes'],
    before: [['task', 'update', task, '--title', 'A new title', '--undoable']],
  },
  'task list': { arguments: [] },
  'task get': { arguments: [task] },
  'task create': { arguments: ['Proofread the catalogue', '--folder', 'Website'] },
  'task comments': { arguments: [task] },
  'task comment': { arguments: [task, 'Built and deployed'] },
  'task attach': { arguments: [task, `${placeholder.folder}/body.json`] },
  'timelog add': { arguments: [task, '--hours', '1h30m'] },
  'folder list': { arguments: [] },
  'folder create': { arguments: ['Drafts', '--folder', 'Website'] },
  'space list': { arguments: [] },
  'contact list': { arguments: [] },
  'customfield list': { arguments: [] },
  'workflow list': { arguments: [] },
  account: { arguments: [] },
  'audit-log': { arguments: [] },
  batch: { arguments: [`${placeholder.folder}/operations.json`, '--yes'], printsOutcomes: true },
  'webhook create': { arguments: [hookUrl, '--events', 'TaskCreated', '--yes'] },
  'webhook list': { arguments: [] },
  'webhook get': { arguments: [placeholder.webhook] },
  'webhook suspend': { arguments: [placeholder.webhook, '--yes'] },
  'webhook resume': {
    arguments: [placeholder.webhook, '--yes'],
    before: [['webhook', 'suspend', placeholder.webhook, '--yes']],
  },
  'webhook undo': {
    arguments: ['--yes'],
    before: [['webhook', 'suspend', placeholder.webhook, '--yes']],
  },
  'webhook delete': { arguments: [placeholder.webhook, '--yes'] },
  'webhook label': { arguments: [placeholder.webhook, 'billing'] },
  'webhook rotate-secret': { arguments: [], notRun: 'needs a receiver; test/webhooks/rotation has one' },
  'webhook export': { arguments: [], printsFile: true },
  'webhook diff': { arguments: [hooksFile, '--delete-others'], status: 10 },
  'webhook apply': { arguments: [hooksFile, '--yes'] },
  'webhook trigger': { arguments: ['TaskCreated', '--to', placeholder.receiver], isLocal: true },
  'webhook sign': { arguments: [bodyFile, ...secretFile], isLocal: true },
  'webhook check-signature': {
    arguments: ['f'.repeat(64), bodyFile, ...secretFile],
    status: 10,
    isLocal: true,
  },
  'webhook secret': { arguments: [placeholder.webhook, '--store', ...secretFile], isLocal: true },
  'webhook verify': { arguments: [placeholder.receiver], isLocal: true },
  'webhook diagnose': { arguments: [placeholder.webhook] },
  'webhook listen': { arguments: ['--port', '0', ...secretFile], isLocal: true, isInterrupted: true },
  'webhook log': { arguments: ['--journal', placeholder.folder], isLocal: true },
  'webhook replay': {
    arguments: [
      '--last',
      '3',
      '--journal',
      placeholder.folder,
      '--forward-to',
      placeholder.receiver,
      '--yes',
    ],
    status: 5,
    isLocal: true,
  },
  'webhook sink': { arguments: [], notRun: 'needs a NATS server; test/sink has three' },
  'webhook forward': { arguments: [], notRun: 'needs a NATS server; test/sink has three' },
  'webhook watch': { arguments: ['--once'] },
  'webhook events': { arguments: [], isLocal: true },
  history: { arguments: [], isLocal: true, before: [['task', 'update', task, '--title', 'A new title']] },
  'config get': { arguments: ['timeout'], isLocal: true },
  'config set': { arguments: ['timeout', '120'], isLocal: true },
  'config list': { arguments: [], isLocal: true },
  'config unset': { arguments: ['timeout'], isLocal: true, before: [['config', 'set', 'timeout', '120']] },
  'completion install': { arguments: ['--shell', 'fish', '--yes'], isLocal: true },
  'completion uninstall': { arguments: ['--shell', 'fish', '--yes'], isLocal: true },
  'completion bash': { arguments: [], isLocal: true, printsFile: true },
  'completion zsh': { arguments: [], isLocal: true, printsFile: true },
  'completion fish': { arguments: [], isLocal: true, printsFile: true },
  'completion powershell': { arguments: [], isLocal: true, printsFile: true },
  api: { arguments: ['GET', '/account'], printsFile: true },
  help: { arguments: ['exit-codes'], isLocal: true },
  doctor: { arguments: [], withoutNetwork: 10 },
  demo: { arguments: [], notRun: 'starts processes of its own; test/app/demo runs it' },
  'emulator start': { arguments: [], isLocal: true, isInterrupted: true },
  'emulator exec': { arguments: ['--', process.execPath, '-e', '0'], isLocal: true },
  'contract openapi': { arguments: [], isLocal: true, printsFile: true },
  'contract asyncapi': { arguments: [], isLocal: true, printsFile: true },
  'contract probe': { arguments: [] },
  'emulator assumptions': { arguments: [], isLocal: true },
  'emulator clock': { arguments: [] },
  'emulator fault': { arguments: ['updateTask', '--status', '503'] },
  'emulator stub': { arguments: ['GET', '/approvals', '--json-body', '{}'] },
  'emulator requests': { arguments: [] },
  'emulator emit': { arguments: ['CommentAdded'] },
  'emulator deliveries': { arguments: [] },
  'emulator mails': { arguments: [] },
  'emulator make-tasks': { arguments: ['--count', '3'] },
  'emulator mass-action': { arguments: [task, '--parameters', '{"importance":"High"}'] },
  'emulator user': { arguments: [] },
  'emulator token': { arguments: [] },
  'emulator revoke': { arguments: ['password-reset', '--user', 'KUAAADAQ'] },
  'emulator snapshot': { arguments: [], printsFile: true },
  'emulator reset': { arguments: [] },
};
