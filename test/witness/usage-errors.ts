// Command lines, after `wm`, that must end with 2 and send nothing; standard error must hold each of `names`.
// Run them against a host that is not loopback (towards one, hookUrl only warns), signed in by environment.
// The wording of the sentences is left to others, and so is proving that nothing was sent.

export interface UsageError {
  readonly why: string;
  readonly argv: readonly string[];
  readonly names: readonly string[];
  /** Something is read first, where there is a network: the task, which may be a milestone, or the account's date format. */
  readonly looks?: true;
}

const taskId = 'IEAAAAAQKQAB5BNG';
const fieldId = 'IEAAAAAQJUAAAAAA';
const update = ['task', 'update', taskId] as const;
const hook = ['webhook', 'create', '--hook-url', 'https://hooks.example.com/wm'] as const;
const hookTo = ['webhook', 'create', '--hook-url'] as const;
const week = ['--start', '2026-01-05', '--due', '2026-01-09'] as const;
const range = ['1970-01-01T00:00:00', '2100-01-01T00:00:00'] as const;

/** 101 entries, one more than may be sent at a time. */
const tooMany = Array.from({ length: 101 }, (_, index) => String(index).padStart(3, '0'));

type Row = readonly [
  why: string,
  typed: readonly string[],
  names: readonly string[],
  looks?: Pick<UsageError, 'looks'>,
];

const looks = { looks: true } as const;

function after(command: readonly string[], rows: readonly Row[]): readonly UsageError[] {
  return rows.map(([why, typed, names, more]) => ({ why, argv: [...command, ...typed], names, ...more }));
}

const taskErrors = after(update, [
  ['nothing to change', [], []],
  ['fields alone changes nothing', ['--fields', 'billingType'], []],
  ['withInvitations alone changes nothing', ['--with-invitations'], []],
  ['plainTextCustomFields alone changes nothing', ['--plain-text-custom-fields'], []],
  ['an unknown flag', ['--titel', 'x'], ['--titel']],
  ['an empty title', ['--title', ''], ['title']],
  ['a title of 1001 characters', ['--title', 'x'.repeat(1001)], ['1001', '1000']],
  ['an unknown status', ['--status', 'Done'], ['Done', 'Active, Deferred, Completed, Cancelled']],
  ['an unknown importance', ['--importance', 'Urgent'], ['Urgent', 'High, Low, Normal']],
  ['an unknown billing type', ['--billing-type', 'Free'], ['Free', 'Billable, NonBillable']],
  [
    'a name that fields does not know',
    ['--title', 'x', '--fields', 'subTaskIds'],
    ['subTaskIds', 'billingType, workScheduleId, effortAllocation, responsiblePlaceholderIds'],
  ],
  [
    'one bad name among good ones in fields',
    ['--title', 'x', '--fields', 'billingType,subTaskIds'],
    ['subTaskIds'],
  ],
  ['start alone', ['--start', '2026-01-05'], ['due', 'duration']],
  [
    'a due date before the start',
    ['--start', '2026-11-23', '--due', '2026-02-10', '--dry-run'],
    ['2026-02-10', 'before the start', '2026-11-23'],
  ],
  [
    'a due time before the start of the same day',
    ['--dates', '{"start":"2026-01-05T12:00:00","due":"2026-01-05T11:59:59"}'],
    ['2026-01-05T11:59:59', '2026-01-05T12:00:00'],
  ],
  [
    'a due day before the time of the start',
    ['--start', '2026-01-05T00:00:00', '--due', '2026-01-04'],
    ['2026-01-04', '2026-01-05T00:00:00'],
  ],
  ['due alone, not said to be a milestone', ['--due', '2026-03-01'], ['--milestone'], looks],
  ['due alone, as JSON', ['--dates', '{"due":"2026-03-01"}'], ['due'], looks],
  ['duration alone would clear the dates', ['--duration', '480'], ['start', 'due']],
  ['duration alone, as JSON', ['--dates', '{"duration":480}'], ['start', 'due']],
  ['duration and due without start', ['--due', '2026-01-09', '--duration', '480'], ['start']],
  ['a duration at the upper limit', [...week, '--duration', '1800000'], ['1800000', '[0, 1800000)']],
  ['a negative duration', [...week, '--duration=-1'], ['-1', '[0, 1800000)']],
  [
    'a duration of nothing for a planned task without due',
    ['--start', '2026-01-05', '--duration', '0'],
    ['[1, 1800000)'],
  ],
  [
    'half a minute for a planned task without due',
    ['--start', '2026-01-05', '--duration', '0.5'],
    ['0.5', '[1, 1800000)'],
  ],
  [
    'half a minute for a task said to be planned, where clearing is meant',
    ['--dates', '{"type":"Planned","duration":0.999}', '--allow-clearing-dates'],
    ['0.999', '[1, 1800000)'],
  ],
  [
    'no minutes for a task said to be planned, where clearing is meant',
    ['--dates', '{"type":"Planned","duration":0}', '--allow-clearing-dates'],
    ['0', '[1, 1800000)'],
  ],
  ['dates without a member change nothing', ['--dates', '{}'], ['nothing']],
  [
    'lists without an entry change nothing',
    ['--add-parents', '[]', '--metadata', '[]', '--custom-fields', '[]'],
    ['nothing'],
  ],
  ['a duration that is no number', [...week, '--duration', 'soon'], ['soon']],
  [
    'a start before the range',
    ['--start', '1969-12-31T23:59:59', '--due', '2026-01-09'],
    ['1969-12-31T23:59:59', ...range],
  ],
  [
    'a due at the end of the range, which is outside',
    ['--due', '2100-01-01T00:00:00', '--milestone'],
    [...range],
  ],
  [
    'a due date at the end of the range, without time',
    ['--dates', '{"type":"Milestone","due":"2100-01-01"}'],
    ['2100-01-01', ...range],
  ],
  ['a day that does not exist', ['--start', '2026-02-30', '--due', '2026-03-05'], ['2026-02-30']],
  ['a 30th of February in a leap year', ['--start', '2028-02-30', '--due', '2028-03-05'], ['2028-02-30']],
  [
    'a leap day of a century, in effort, which has no range',
    [
      '--set-responsible-allocation',
      '[{"dailyAllocation":[{"date":"2100-02-29","effortMinutes":60}],"userId":"KUAAAAAA"}]',
    ],
    ['2100-02-29'],
  ],
  [
    'a time that does not exist',
    ['--start', '2026-01-05T25:00:00', '--due', '2026-03-05'],
    ['2026-01-05T25:00:00'],
  ],
  [
    'a date in another order, of an account whose format is not known',
    ['--start', '05/01/2026', '--due', '2026-03-05'],
    ['05/01/2026'],
    looks,
  ],
  ['an unknown type of dates', ['--dates', '{"type":"Someday"}'], ['Someday', 'Milestone, Backlog, Planned']],
  [
    'a member that dates does not have',
    ['--dates', '{"start":"2026-01-05","finish":"2026-01-09"}'],
    ['finish'],
  ],
  ['dates that are no JSON', ['--dates', '{start}'], ['--dates']],
  ['a placeholder id of 8', ['--add-responsible-placeholders', 'KUAAAAAA'], ['KUAAAAAA']],
  ['a list that is JSON of another kind', ['--add-parents', '[12]'], ['12']],
  ['a work schedule id of 15', ['--work-schedule-id', 'IEAAAAAQMLAAAAA'], ['IEAAAAAQMLAAAAA']],
  [
    'a custom item type id of 17',
    ['--convert-to-custom-item-type', 'IEAAAAAQPIAAAAAAA'],
    ['IEAAAAAQPIAAAAAAA'],
  ],
  ['a 101st metadata entry', [...tooMany.flatMap((n) => ['--metadata', `k${n}=v`])], ['101', '100']],
  ['a metadata key of 50', ['--metadata', `${'k'.repeat(50)}=v`], ['50']],
  ['a metadata key with a dot', ['--metadata', 'a.b=v'], ['a.b']],
  ['a metadata key that is not ASCII', ['--metadata', 'clé=v'], ['clé']],
  ['a metadata value of 1000', ['--metadata', `note=${'v'.repeat(1000)}`], ['1000']],
  ['metadata without a value', ['--metadata', 'colour'], ['colour']],
  ['metadata JSON without a key', ['--metadata', '[{"value":"v"}]'], ['key']],
  ['a removed metadata key with a space', ['--remove-metadata', 'a b'], ['a b']],
  [
    'a 101st custom field entry',
    [...tooMany.flatMap((n) => ['--custom-field', `IEAAAAAQJUAAA${n}=v`])],
    ['101', '100'],
  ],
  ['a custom field value of 4001', ['--custom-field', `${fieldId}=${'v'.repeat(4001)}`], ['4001', '4000']],
  ['a custom field value that starts with U+0011', ['--custom-field', `${fieldId}=\u0011v`], ['U+0011']],
  [
    'a custom field value with U+0000 in it, which only JSON can carry',
    ['--custom-fields', '[{"id":"IEAAAAAQJUAAAAAA","value":"a\\u0000b"}]'],
    ['U+0000'],
  ],
  [
    'half of a surrogate pair, which only JSON can carry and UTF-8 cannot',
    ['--custom-fields', '[{"id":"IEAAAAAQJUAAAAAA","value":"a\\ud800b"}]'],
    ['surrogate'],
  ],
  ['a custom field without a value', ['--custom-field', fieldId], [fieldId]],
  ['custom fields without an id', ['--custom-fields', '[{"value":"v"}]'], ['id']],
  ['custom fields that are no JSON', ['--custom-fields', '{oops'], ['--custom-fields']],
  [
    'an unknown effort mode',
    ['--effort-allocation', '{"mode":"Turbo"}'],
    ['Turbo', 'Basic, Flexible, FullTime, None'],
  ],
  ['effort without a mode', ['--effort-allocation', '{"totalEffort":480}'], ['mode']],
  [
    'an allocation without its days',
    ['--set-responsible-allocation', '[{"userId":"KUAAAAAA"}]'],
    ['dailyAllocation'],
  ],
  [
    'a day of an allocation without its minutes',
    ['--set-responsible-allocation', '[{"dailyAllocation":[{"date":"2026-01-05"}],"userId":"KUAAAAAA"}]'],
    ['effortMinutes'],
  ],
  [
    'a day of an allocation with a time',
    [
      '--set-responsible-allocation',
      '[{"dailyAllocation":[{"date":"2026-01-05T09:00:00","effortMinutes":60}],"userId":"KUAAAAAA"}]',
    ],
    ['2026-01-05T09:00:00'],
  ],
]);

const hookUrlErrors = after(hookTo, [
  ['ftp', ['ftp://hooks.example.com/wm'], ['ftp']],
  ['no protocol', ['hooks.example.com/wm'], ['hooks.example.com/wm']],
  ['port 8080', ['https://hooks.example.com:8080/wm'], ['8080', '80', '443']],
  ['private, class A', ['http://10.0.0.1/wm'], ['10.0.0.1']],
  ['private, class B', ['http://172.16.0.1/wm'], ['172.16.0.1']],
  ['private, class C', ['https://192.168.1.1/wm'], ['192.168.1.1']],
  ['loopback', ['http://127.0.0.1/wm'], ['127.0.0.1']],
  ['link-local', ['http://169.254.169.254/wm'], ['169.254.169.254']],
  ['carrier-grade NAT', ['http://100.64.0.1/wm'], ['100.64.0.1']],
  ['unspecified', ['http://0.0.0.0/wm'], ['0.0.0.0']],
  ['private, with a trailing dot', ['http://10.0.0.1./wm'], ['10.0.0.1']],
  ['private, written as one number', ['http://167772161/wm'], ['167772161']],
  ['private, in hexadecimal', ['http://0x0a.0.0.1/wm'], ['0x0a.0.0.1']],
  ['private, in octal', ['http://012.0.0.1/wm'], ['012.0.0.1']],
  ['IPv6 loopback', ['http://[::1]/wm'], ['::1']],
  ['IPv6 unique local', ['http://[fd00::1]/wm'], ['fd00::1']],
  ['IPv6 link-local', ['http://[fe80::1]/wm'], ['fe80::1']],
  ['private IPv4 mapped into IPv6', ['http://[::ffff:a00:1]/wm'], ['::ffff:a00:1']],
  ['private IPv4 behind NAT64', ['http://[64:ff9b::a00:1]/wm'], ['64:ff9b::a00:1']],
]);

const hookEventErrors = after(hook, [
  ['an unknown event', ['--events', 'TaskTitleChange'], ['TaskTitleChange']],
  ['an unknown event among known ones', ['--events', 'TaskCreated,TaskExploded'], ['TaskExploded']],
  [
    'an event named in both',
    [
      '--events',
      'TaskDeleted,TaskStatusChanged',
      '--parameterised-events',
      '[{"event":"TaskStatusChanged","fields":["title"]}]',
    ],
    ['TaskStatusChanged', '--events', '--parameterised-events'],
  ],
  ['a custom item type id of 15', ['--custom-item-types', 'IEAAAAAQPIAAAAA'], ['IEAAAAAQPIAAAAA']],
  ['recursive for a whole account', ['--recursive'], ['--recursive', '--folder', '--space']],
  [
    'a folder and a space at once',
    ['--folder', 'IEAAAAAQI4AB5BGU', '--space', 'IEAAAAAQI4AB5BGV'],
    ['--folder', '--space'],
  ],
  ['a secret on the command line', ['--secret', 's3cret'], ['--secret']],
]);

const parameterisedEventErrors = after(
  [...hook, '--parameterised-events'],
  [
    ['an unknown parameterised event', ['[{"event":"TaskExploded"}]'], ['TaskExploded']],
    ['a parameterised event without its event', ['[{"fields":["title"]}]'], ['event']],
    ['an unknown filter key', ['[{"event":"TaskCreated","colour":"red"}]'], ['colour', 'TaskCreated']],
    [
      'a filter key of another event',
      ['[{"event":"TaskTitleChanged","recurrent":true}]'],
      ['recurrent', 'TaskTitleChanged'],
    ],
    [
      'the filter key of custom fields on a creation',
      [`[{"event":"TaskCreated","customFields":["${fieldId}"]}]`],
      ['customFields', 'TaskCreated'],
    ],
    ['a filter value of the wrong kind', ['[{"event":"TaskCreated","recurrent":"often"}]'], ['recurrent']],
    [
      'a custom field id of 15 in a filter',
      ['[{"event":"TaskCustomFieldChanged","customFields":["IEAAAAAQJUAAAAA"]}]'],
      ['IEAAAAAQJUAAAAA'],
    ],
    [
      'fields: a name for folders on a task event',
      ['[{"event":"TaskTitleChanged","fields":["project"]}]'],
      ['project', 'TaskTitleChanged'],
    ],
    [
      'fields: a name for tasks on a folder event',
      ['[{"event":"FolderTitleChanged","fields":["recurrence"]}]'],
      ['recurrence', 'FolderTitleChanged'],
    ],
    [
      'fields: a name that does not exist',
      ['[{"event":"TaskTitleChanged","fields":["author"]}]'],
      ['author'],
    ],
    ['parameterised events that are no JSON', ['[{event}]'], ['--parameterised-events']],
  ],
);

const otherErrors = after(
  [],
  [
    ['an unknown command', ['frobnicate'], ['frobnicate']],
    ['an unknown verb', ['webhook', 'obliterate', 'IEAAAAAQJAAAAAAB'], ['obliterate']],
    [
      'two task ids in one argument',
      ['task', 'update', 'IEAAAAAQKQAB5BNG IEAAAAAQKQAB5BLG', '--title', 'x'],
      ['"IEAAAAAQKQAB5BNG IEAAAAAQKQAB5BLG"'],
    ],
    [
      'a task by a title of 1001 characters',
      ['task', 'update', 'x'.repeat(1001), '--title', 'x'],
      ['1001', '1000'],
    ],
    ['no hookUrl and nobody to ask', ['webhook', 'create', '--no-input'], ['--hook-url']],
  ],
);

export const usageErrors: readonly UsageError[] = [
  ...taskErrors,
  ...hookUrlErrors,
  ...hookEventErrors,
  ...parameterisedEventErrors,
  ...otherErrors,
];

/** Right in substance, but no text fixes the spelling: `--status` of a list is a guess. */
export const usageErrorsOnAGuess = after(
  ['webhook', 'list'],
  [['an unknown webhook status', ['--status', 'Paused'], ['Paused', 'Active, Suspended']]],
);
