// Command lines, after `wm`, that must end with 2 and send nothing; standard error must hold each of `names`.
// Run them against a host that is not loopback (towards one, hookUrl only warns), signed in by environment.
// The wording of the sentences is left to others, and so is proving that nothing was sent.

export interface Refusal {
  readonly why: string;
  readonly argv: readonly string[];
  readonly names: readonly string[];
  /** Something is read first, where there is a network: the task, which may be a milestone, or the account's date format. */
  readonly looks?: true;
}

const taskId = 'IEAAAAAQKQAB5BNG';
const fieldId = 'IEAAAAAQJUAAAAAA';
const update = ['task', 'update', taskId] as const;
const titled = [...update, '--title', 'x'] as const;
const hook = ['webhook', 'create', '--hook-url', 'https://hooks.example.com/wm'] as const;
const hookTo = ['webhook', 'create', '--hook-url'] as const;
const week = ['--start', '2026-01-05', '--due', '2026-01-09'] as const;
const range = ['1970-01-01T00:00:00', '2100-01-01T00:00:00'] as const;

/** 101 entries, one more than may be sent at a time. */
const tooMany = Array.from({ length: 101 }, (_, index) => String(index).padStart(3, '0'));

const taskRefusals: readonly Refusal[] = [
  { why: 'nothing to change', argv: [...update], names: [] },
  { why: 'fields alone changes nothing', argv: [...update, '--fields', 'billingType'], names: [] },
  { why: 'withInvitations alone changes nothing', argv: [...update, '--with-invitations'], names: [] },
  {
    why: 'plainTextCustomFields alone changes nothing',
    argv: [...update, '--plain-text-custom-fields'],
    names: [],
  },
  { why: 'an unknown flag', argv: [...update, '--titel', 'x'], names: ['--titel'] },
  {
    why: 'two task ids in one argument',
    argv: ['task', 'update', 'IEAAAAAQKQAB5BNG IEAAAAAQKQAB5BLG', '--title', 'x'],
    names: ['"IEAAAAAQKQAB5BNG IEAAAAAQKQAB5BLG"'],
  },
  {
    why: 'a task by a title of 1001 characters',
    argv: ['task', 'update', 'x'.repeat(1001), '--title', 'x'],
    names: ['1001', '1000'],
  },
  { why: 'an empty title', argv: [...update, '--title', ''], names: ['title'] },
  {
    why: 'a title of 1001 characters',
    argv: [...update, '--title', 'x'.repeat(1001)],
    names: ['1001', '1000'],
  },
  {
    why: 'an unknown status',
    argv: [...update, '--status', 'Done'],
    names: ['Done', 'Active, Deferred, Completed, Cancelled'],
  },
  {
    why: 'an unknown importance',
    argv: [...update, '--importance', 'Urgent'],
    names: ['Urgent', 'High, Low, Normal'],
  },
  {
    why: 'an unknown billing type',
    argv: [...update, '--billing-type', 'Free'],
    names: ['Free', 'Billable, NonBillable'],
  },
  {
    why: 'a name that fields does not know',
    argv: [...titled, '--fields', 'subTaskIds'],
    names: ['subTaskIds', 'billingType, workScheduleId, effortAllocation, responsiblePlaceholderIds'],
  },
  {
    why: 'one bad name among good ones in fields',
    argv: [...titled, '--fields', 'billingType,subTaskIds'],
    names: ['subTaskIds'],
  },

  { why: 'start alone', argv: [...update, '--start', '2026-01-05'], names: ['due', 'duration'] },
  {
    why: 'a due date before the start',
    argv: [...update, '--start', '2026-11-23', '--due', '2026-02-10', '--dry-run'],
    names: ['2026-02-10', 'before the start', '2026-11-23'],
  },
  {
    why: 'a due time before the start of the same day',
    argv: [...update, '--dates', '{"start":"2026-01-05T12:00:00","due":"2026-01-05T11:59:59"}'],
    names: ['2026-01-05T11:59:59', '2026-01-05T12:00:00'],
  },
  {
    why: 'a due day before the time of the start',
    argv: [...update, '--start', '2026-01-05T00:00:00', '--due', '2026-01-04'],
    names: ['2026-01-04', '2026-01-05T00:00:00'],
  },
  {
    why: 'due alone, not said to be a milestone',
    argv: [...update, '--due', '2026-03-01'],
    names: ['--milestone'],
    looks: true,
  },
  {
    why: 'due alone, as JSON',
    argv: [...update, '--dates', '{"due":"2026-03-01"}'],
    names: ['due'],
    looks: true,
  },
  {
    why: 'duration alone would clear the dates',
    argv: [...update, '--duration', '480'],
    names: ['start', 'due'],
  },
  {
    why: 'duration alone, as JSON',
    argv: [...update, '--dates', '{"duration":480}'],
    names: ['start', 'due'],
  },
  {
    why: 'duration and due without start',
    argv: [...update, '--due', '2026-01-09', '--duration', '480'],
    names: ['start'],
  },
  {
    why: 'a duration at the upper limit',
    argv: [...update, ...week, '--duration', '1800000'],
    names: ['1800000', '[0, 1800000)'],
  },
  {
    why: 'a negative duration',
    argv: [...update, ...week, '--duration=-1'],
    names: ['-1', '[0, 1800000)'],
  },
  {
    why: 'a duration of nothing for a planned task without due',
    argv: [...update, '--start', '2026-01-05', '--duration', '0'],
    names: ['[1, 1800000)'],
  },
  {
    why: 'half a minute for a planned task without due',
    argv: [...update, '--start', '2026-01-05', '--duration', '0.5'],
    names: ['0.5', '[1, 1800000)'],
  },
  {
    why: 'half a minute for a task said to be planned, where clearing is meant',
    argv: [...update, '--dates', '{"type":"Planned","duration":0.999}', '--allow-clearing-dates'],
    names: ['0.999', '[1, 1800000)'],
  },
  {
    why: 'no minutes for a task said to be planned, where clearing is meant',
    argv: [...update, '--dates', '{"type":"Planned","duration":0}', '--allow-clearing-dates'],
    names: ['0', '[1, 1800000)'],
  },
  { why: 'dates without a member change nothing', argv: [...update, '--dates', '{}'], names: ['nothing'] },
  {
    why: 'lists without an entry change nothing',
    argv: [...update, '--add-parents', '[]', '--metadata', '[]', '--custom-fields', '[]'],
    names: ['nothing'],
  },
  { why: 'a duration that is no number', argv: [...update, ...week, '--duration', 'soon'], names: ['soon'] },
  {
    why: 'a start before the range',
    argv: [...update, '--start', '1969-12-31T23:59:59', '--due', '2026-01-09'],
    names: ['1969-12-31T23:59:59', ...range],
  },
  {
    why: 'a due at the end of the range, which is outside',
    argv: [...update, '--due', '2100-01-01T00:00:00', '--milestone'],
    names: [...range],
  },
  {
    why: 'a due date at the end of the range, without time',
    argv: [...update, '--dates', '{"type":"Milestone","due":"2100-01-01"}'],
    names: ['2100-01-01', ...range],
  },
  {
    why: 'a day that does not exist',
    argv: [...update, '--start', '2026-02-30', '--due', '2026-03-05'],
    names: ['2026-02-30'],
  },
  {
    why: 'a 30th of February in a leap year',
    argv: [...update, '--start', '2028-02-30', '--due', '2028-03-05'],
    names: ['2028-02-30'],
  },
  {
    why: 'a leap day of a century, in effort, which has no range',
    argv: [
      ...update,
      '--set-responsible-allocation',
      '[{"dailyAllocation":[{"date":"2100-02-29","effortMinutes":60}],"userId":"KUAAAAAA"}]',
    ],
    names: ['2100-02-29'],
  },
  {
    why: 'a time that does not exist',
    argv: [...update, '--start', '2026-01-05T25:00:00', '--due', '2026-03-05'],
    names: ['2026-01-05T25:00:00'],
  },
  {
    why: 'a date in another order, of an account whose format is not known',
    argv: [...update, '--start', '05/01/2026', '--due', '2026-03-05'],
    names: ['05/01/2026'],
    looks: true,
  },
  {
    why: 'an unknown type of dates',
    argv: [...update, '--dates', '{"type":"Someday"}'],
    names: ['Someday', 'Milestone, Backlog, Planned'],
  },
  {
    why: 'a member that dates does not have',
    argv: [...update, '--dates', '{"start":"2026-01-05","finish":"2026-01-09"}'],
    names: ['finish'],
  },
  { why: 'dates that are no JSON', argv: [...update, '--dates', '{start}'], names: ['--dates'] },

  {
    why: 'a placeholder id of 8',
    argv: [...update, '--add-responsible-placeholders', 'KUAAAAAA'],
    names: ['KUAAAAAA'],
  },
  { why: 'a list that is JSON of another kind', argv: [...update, '--add-parents', '[12]'], names: ['12'] },
  {
    why: 'a work schedule id of 15',
    argv: [...update, '--work-schedule-id', 'IEAAAAAQMLAAAAA'],
    names: ['IEAAAAAQMLAAAAA'],
  },
  {
    why: 'a custom item type id of 17',
    argv: [...update, '--convert-to-custom-item-type', 'IEAAAAAQPIAAAAAAA'],
    names: ['IEAAAAAQPIAAAAAAA'],
  },

  {
    why: 'a 101st metadata entry',
    argv: [...update, ...tooMany.flatMap((n) => ['--metadata', `k${n}=v`])],
    names: ['101', '100'],
  },
  { why: 'a metadata key of 50', argv: [...update, '--metadata', `${'k'.repeat(50)}=v`], names: ['50'] },
  { why: 'a metadata key with a dot', argv: [...update, '--metadata', 'a.b=v'], names: ['a.b'] },
  { why: 'a metadata key that is not ASCII', argv: [...update, '--metadata', 'clé=v'], names: ['clé'] },
  {
    why: 'a metadata value of 1000',
    argv: [...update, '--metadata', `note=${'v'.repeat(1000)}`],
    names: ['1000'],
  },
  { why: 'metadata without a value', argv: [...update, '--metadata', 'colour'], names: ['colour'] },
  { why: 'metadata JSON without a key', argv: [...update, '--metadata', '[{"value":"v"}]'], names: ['key'] },
  {
    why: 'a removed metadata key with a space',
    argv: [...update, '--remove-metadata', 'a b'],
    names: ['a b'],
  },

  {
    why: 'a 101st custom field entry',
    argv: [...update, ...tooMany.flatMap((n) => ['--custom-field', `IEAAAAAQJUAAA${n}=v`])],
    names: ['101', '100'],
  },
  {
    why: 'a custom field value of 4001',
    argv: [...update, '--custom-field', `${fieldId}=${'v'.repeat(4001)}`],
    names: ['4001', '4000'],
  },
  {
    why: 'a custom field value that starts with U+0011',
    argv: [...update, '--custom-field', `${fieldId}=\u0011v`],
    names: ['U+0011'],
  },
  {
    why: 'a custom field value with U+0000 in it, which only JSON can carry',
    argv: [...update, '--custom-fields', '[{"id":"IEAAAAAQJUAAAAAA","value":"a\\u0000b"}]'],
    names: ['U+0000'],
  },
  {
    why: 'half of a surrogate pair, which only JSON can carry and UTF-8 cannot',
    argv: [...update, '--custom-fields', '[{"id":"IEAAAAAQJUAAAAAA","value":"a\\ud800b"}]'],
    names: ['surrogate'],
  },
  { why: 'a custom field without a value', argv: [...update, '--custom-field', fieldId], names: [fieldId] },
  {
    why: 'custom fields without an id',
    argv: [...update, '--custom-fields', '[{"value":"v"}]'],
    names: ['id'],
  },
  {
    why: 'custom fields that are no JSON',
    argv: [...update, '--custom-fields', '{oops'],
    names: ['--custom-fields'],
  },

  {
    why: 'an unknown effort mode',
    argv: [...update, '--effort-allocation', '{"mode":"Turbo"}'],
    names: ['Turbo', 'Basic, Flexible, FullTime, None'],
  },
  {
    why: 'effort without a mode',
    argv: [...update, '--effort-allocation', '{"totalEffort":480}'],
    names: ['mode'],
  },
  {
    why: 'an allocation without its days',
    argv: [...update, '--set-responsible-allocation', '[{"userId":"KUAAAAAA"}]'],
    names: ['dailyAllocation'],
  },
  {
    why: 'a day of an allocation without its minutes',
    argv: [
      ...update,
      '--set-responsible-allocation',
      '[{"dailyAllocation":[{"date":"2026-01-05"}],"userId":"KUAAAAAA"}]',
    ],
    names: ['effortMinutes'],
  },
  {
    why: 'a day of an allocation with a time',
    argv: [
      ...update,
      '--set-responsible-allocation',
      '[{"dailyAllocation":[{"date":"2026-01-05T09:00:00","effortMinutes":60}],"userId":"KUAAAAAA"}]',
    ],
    names: ['2026-01-05T09:00:00'],
  },
];

const hookUrlRefusals: readonly Refusal[] = [
  { why: 'no hookUrl and nobody to ask', argv: ['webhook', 'create', '--no-input'], names: ['--hook-url'] },
  { why: 'ftp', argv: [...hookTo, 'ftp://hooks.example.com/wm'], names: ['ftp'] },
  { why: 'no protocol', argv: [...hookTo, 'hooks.example.com/wm'], names: ['hooks.example.com/wm'] },
  { why: 'port 8080', argv: [...hookTo, 'https://hooks.example.com:8080/wm'], names: ['8080', '80', '443'] },
  { why: 'private, class A', argv: [...hookTo, 'http://10.0.0.1/wm'], names: ['10.0.0.1'] },
  { why: 'private, class B', argv: [...hookTo, 'http://172.16.0.1/wm'], names: ['172.16.0.1'] },
  { why: 'private, class C', argv: [...hookTo, 'https://192.168.1.1/wm'], names: ['192.168.1.1'] },
  { why: 'loopback', argv: [...hookTo, 'http://127.0.0.1/wm'], names: ['127.0.0.1'] },
  { why: 'link-local', argv: [...hookTo, 'http://169.254.169.254/wm'], names: ['169.254.169.254'] },
  { why: 'carrier-grade NAT', argv: [...hookTo, 'http://100.64.0.1/wm'], names: ['100.64.0.1'] },
  { why: 'unspecified', argv: [...hookTo, 'http://0.0.0.0/wm'], names: ['0.0.0.0'] },
  { why: 'private, with a trailing dot', argv: [...hookTo, 'http://10.0.0.1./wm'], names: ['10.0.0.1'] },
  { why: 'private, written as one number', argv: [...hookTo, 'http://167772161/wm'], names: ['167772161'] },
  { why: 'private, in hexadecimal', argv: [...hookTo, 'http://0x0a.0.0.1/wm'], names: ['0x0a.0.0.1'] },
  { why: 'private, in octal', argv: [...hookTo, 'http://012.0.0.1/wm'], names: ['012.0.0.1'] },
  { why: 'IPv6 loopback', argv: [...hookTo, 'http://[::1]/wm'], names: ['::1'] },
  { why: 'IPv6 unique local', argv: [...hookTo, 'http://[fd00::1]/wm'], names: ['fd00::1'] },
  { why: 'IPv6 link-local', argv: [...hookTo, 'http://[fe80::1]/wm'], names: ['fe80::1'] },
  {
    why: 'private IPv4 mapped into IPv6',
    argv: [...hookTo, 'http://[::ffff:a00:1]/wm'],
    names: ['::ffff:a00:1'],
  },
  {
    why: 'private IPv4 behind NAT64',
    argv: [...hookTo, 'http://[64:ff9b::a00:1]/wm'],
    names: ['64:ff9b::a00:1'],
  },
];

const hookEventRefusals: readonly Refusal[] = [
  { why: 'an unknown event', argv: [...hook, '--events', 'TaskTitleChange'], names: ['TaskTitleChange'] },
  {
    why: 'an unknown event among known ones',
    argv: [...hook, '--events', 'TaskCreated,TaskExploded'],
    names: ['TaskExploded'],
  },
  {
    why: 'an unknown parameterised event',
    argv: [...hook, '--parameterised-events', '[{"event":"TaskExploded"}]'],
    names: ['TaskExploded'],
  },
  {
    why: 'an event named in both',
    argv: [
      ...hook,
      '--events',
      'TaskDeleted,TaskStatusChanged',
      '--parameterised-events',
      '[{"event":"TaskStatusChanged","fields":["title"]}]',
    ],
    names: ['TaskStatusChanged', '--events', '--parameterised-events'],
  },
  {
    why: 'a parameterised event without its event',
    argv: [...hook, '--parameterised-events', '[{"fields":["title"]}]'],
    names: ['event'],
  },
  {
    why: 'an unknown filter key',
    argv: [...hook, '--parameterised-events', '[{"event":"TaskCreated","colour":"red"}]'],
    names: ['colour', 'TaskCreated'],
  },
  {
    why: 'a filter key of another event',
    argv: [...hook, '--parameterised-events', '[{"event":"TaskTitleChanged","recurrent":true}]'],
    names: ['recurrent', 'TaskTitleChanged'],
  },
  {
    why: 'the filter key of custom fields on a creation',
    argv: [...hook, '--parameterised-events', `[{"event":"TaskCreated","customFields":["${fieldId}"]}]`],
    names: ['customFields', 'TaskCreated'],
  },
  {
    why: 'a filter value of the wrong kind',
    argv: [...hook, '--parameterised-events', '[{"event":"TaskCreated","recurrent":"often"}]'],
    names: ['recurrent'],
  },
  {
    why: 'a custom field id of 15 in a filter',
    argv: [
      ...hook,
      '--parameterised-events',
      '[{"event":"TaskCustomFieldChanged","customFields":["IEAAAAAQJUAAAAA"]}]',
    ],
    names: ['IEAAAAAQJUAAAAA'],
  },
  {
    why: 'fields: a name for folders on a task event',
    argv: [...hook, '--parameterised-events', '[{"event":"TaskTitleChanged","fields":["project"]}]'],
    names: ['project', 'TaskTitleChanged'],
  },
  {
    why: 'fields: a name for tasks on a folder event',
    argv: [...hook, '--parameterised-events', '[{"event":"FolderTitleChanged","fields":["recurrence"]}]'],
    names: ['recurrence', 'FolderTitleChanged'],
  },
  {
    why: 'fields: a name that does not exist',
    argv: [...hook, '--parameterised-events', '[{"event":"TaskTitleChanged","fields":["author"]}]'],
    names: ['author'],
  },
  {
    why: 'parameterised events that are no JSON',
    argv: [...hook, '--parameterised-events', '[{event}]'],
    names: ['--parameterised-events'],
  },
  {
    why: 'a custom item type id of 15',
    argv: [...hook, '--custom-item-types', 'IEAAAAAQPIAAAAA'],
    names: ['IEAAAAAQPIAAAAA'],
  },
  {
    why: 'recursive for a whole account',
    argv: [...hook, '--recursive'],
    names: ['--recursive', '--folder', '--space'],
  },
  {
    why: 'a folder and a space at once',
    argv: [...hook, '--folder', 'IEAAAAAQI4AB5BGU', '--space', 'IEAAAAAQI4AB5BGV'],
    names: ['--folder', '--space'],
  },
  { why: 'a secret on the command line', argv: [...hook, '--secret', 's3cret'], names: ['--secret'] },
];

const otherRefusals: readonly Refusal[] = [
  { why: 'an unknown command', argv: ['frobnicate'], names: ['frobnicate'] },
  { why: 'an unknown verb', argv: ['webhook', 'obliterate', 'IEAAAAAQJAAAAAAB'], names: ['obliterate'] },
];

export const refusals: readonly Refusal[] = [
  ...taskRefusals,
  ...hookUrlRefusals,
  ...hookEventRefusals,
  ...otherRefusals,
];

/** Right in substance, but no text fixes the spelling: `--status` of a list is a guess. */
export const refusalsOnAGuess: readonly Refusal[] = [
  {
    why: 'an unknown webhook status',
    argv: ['webhook', 'list', '--status', 'Paused'],
    names: ['Paused', 'Active, Suspended'],
  },
];
