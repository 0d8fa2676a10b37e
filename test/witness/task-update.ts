// The parameters of PUT /tasks/{taskId}: what a person types after `wm task update <taskId>`, and the pair
// that must then stand in the request line. Encodings come from python3, urllib.parse.quote(s, safe='-_.~'),
// and are pasted in. Pairs stand in the contract's order, so `also` (a title) is before the pair of its row.
// Sending and comparing are left to the tests that iterate; refused lines are in refusals.ts.

export interface TaskUpdateLine {
  /** The contract's name of the parameter that the row is about. */
  readonly parameter: string;
  readonly argv: readonly string[];
  /** The value once percent-decoding is undone. */
  readonly value: string;
  /** Exactly as on the wire. */
  readonly query: string;
  /** A second pair, for parameters that change nothing alone. */
  readonly also?: string;
  /** What a task of the emulator's sample shows after it, where the sample has what the line names. */
  readonly shows?: Readonly<Record<string, unknown>>;
}

export interface TaskParameter {
  readonly name: string;
  readonly type: string;
  readonly json: boolean;
}

/** The parameters of the task update: name, type, and whether the value is JSON. In the contract's order. */
export const taskParameters: readonly TaskParameter[] = [
  { name: 'title', type: 'string', json: false },
  { name: 'description', type: 'string', json: false },
  { name: 'status', type: 'TaskStatus', json: false },
  { name: 'importance', type: 'TaskImportance', json: false },
  { name: 'dates', type: 'TaskDates', json: true },
  { name: 'addParents', type: 'FolderId[]', json: true },
  { name: 'removeParents', type: 'FolderId[]', json: true },
  { name: 'addShareds', type: 'UserId[]', json: true },
  { name: 'removeShareds', type: 'UserId[]', json: true },
  { name: 'addResponsibles', type: 'UserId[]', json: true },
  { name: 'removeResponsibles', type: 'UserId[]', json: true },
  { name: 'addResponsiblePlaceholders', type: 'PlaceholderId[]', json: true },
  { name: 'removeResponsiblePlaceholders', type: 'PlaceholderId[]', json: true },
  { name: 'addFollowers', type: 'UserId[]', json: true },
  { name: 'follow', type: 'boolean', json: false },
  { name: 'priorityBefore', type: 'TaskId', json: false },
  { name: 'priorityAfter', type: 'TaskId', json: false },
  { name: 'addSuperTasks', type: 'TaskId[]', json: true },
  { name: 'removeSuperTasks', type: 'TaskId[]', json: true },
  { name: 'metadata', type: 'Metadata[]', json: true },
  { name: 'customFields', type: 'CustomField[]', json: true },
  { name: 'customStatus', type: 'CustomStatusId', json: false },
  { name: 'restore', type: 'boolean', json: false },
  { name: 'effortAllocation', type: 'TaskEffort', json: true },
  { name: 'setResponsibleAllocation', type: 'ResponsibleAllocation[]', json: true },
  { name: 'billingType', type: 'BillingType', json: false },
  { name: 'withInvitations', type: 'boolean', json: false },
  { name: 'convertToCustomItemType', type: 'EntityTypeId', json: false },
  { name: 'plainTextCustomFields', type: 'boolean', json: false },
  { name: 'workScheduleId', type: 'WorkScheduleId', json: false },
  { name: 'fields', type: 'string[]', json: true },
];

export const taskId = 'IEAAAAAQKQAB5BNG';

// For the row that stands on the limit of 100 entries.
const hundred = Array.from({ length: 100 }, (_, index) => String(index));

/** What is typed, the pair on the wire, and what only some lines have. */
type Written = readonly [
  argv: readonly string[],
  query: string,
  more?: Pick<TaskUpdateLine, 'also' | 'shows'>,
];

const written: readonly Written[] = [
  [['--title', 'Ship the release'], 'title=Ship%20the%20release', { shows: { title: 'Ship the release' } }],
  [['--title', 'a b+c&d=é"'], 'title=a%20b%2Bc%26d%3D%C3%A9%22'],
  [['--title', "It's (really) *done*!"], 'title=It%27s%20%28really%29%20%2Adone%2A%21'],
  [['--title', 'true'], 'title=true'],
  [['--title', '12'], 'title=12'],
  [['--title', 'null'], 'title=null', { shows: { title: 'null' } }],
  [['--title', '-'], 'title=-'],
  [['--title', ' padded '], 'title=%20padded%20'],
  [['--title', '@notes.txt'], 'title=%40notes.txt'],
  [['--title', '@@team'], 'title=%40%40team'],
  [['--title', 'first line\nsecond line'], 'title=first%20line%0Asecond%20line'],
  [
    ['--title', 'Zażółć gęślą jaźń 日本語'],
    'title=Za%C5%BC%C3%B3%C5%82%C4%87%20g%C4%99%C5%9Bl%C4%85%20ja%C5%BA%C5%84%20%E6%97%A5%E6%9C%AC%E8%AA%9E',
  ],
  [['--title', 'party 🎉 👩\u200d🚀'], 'title=party%20%F0%9F%8E%89%20%F0%9F%91%A9%E2%80%8D%F0%9F%9A%80'],
  [['--title', 'e\u0301 is not é'], 'title=e%CC%81%20is%20not%20%C3%A9'],
  [['--title', '100% of 50/50?#[a]@b;c:d,e$'], 'title=100%25%20of%2050%2F50%3F%23%5Ba%5D%40b%3Bc%3Ad%2Ce%24'],
  [['--title', '-_.~'], 'title=-_.~'],
  [['--title', '%20 stays'], 'title=%2520%20stays'],
  [['--title', 'back\\slash'], 'title=back%5Cslash'],
  [['--title', 'tab\there'], 'title=tab%09here'],
  [['--title', '["a","b"]'], 'title=%5B%22a%22%2C%22b%22%5D'],
  [['--title', '\u202eright to left'], 'title=%E2%80%AEright%20to%20left'],
  [['--title=--help'], 'title=--help'],
  [
    ['--description', '<h1>Plan</h1><br><a href="https://example.com/?a=1&b=2">link</a>'],
    'description=%3Ch1%3EPlan%3C%2Fh1%3E%3Cbr%3E%3Ca%20href%3D%22https%3A%2F%2Fexample.com%2F%3Fa%3D1%26b%3D2%22%3Elink%3C%2Fa%3E',
  ],
  [['--description', 'a b+c&d=é"'], 'description=a%20b%2Bc%26d%3D%C3%A9%22'],
  [['--description', 'one\r\ntwo\n'], 'description=one%0D%0Atwo%0A'],
  [
    ['--description', '💡 idea: 5 < 6 & 7 > 6'],
    'description=%F0%9F%92%A1%20idea%3A%205%20%3C%206%20%26%207%20%3E%206',
  ],
  [['--description', ''], 'description='],
  [['--description', '@@home'], 'description=%40home'],
  [['--status', 'Active'], 'status=Active'],
  [['--status', 'Deferred'], 'status=Deferred'],
  [['--status', 'Completed'], 'status=Completed', { shows: { status: 'Completed' } }],
  [['--status', 'Cancelled'], 'status=Cancelled'],
  [['--importance', 'High'], 'importance=High', { shows: { importance: 'High' } }],
  [['--importance', 'Low'], 'importance=Low'],
  [['--importance', 'Normal'], 'importance=Normal'],
  [
    [
      '--dates',
      '{"type":"Planned","start":"2026-01-05T09:00:00","due":"2026-01-09T17:00:00","duration":2400,"workOnWeekends":false}',
    ],
    'dates=%7B%22type%22%3A%22Planned%22%2C%22start%22%3A%222026-01-05T09%3A00%3A00%22%2C%22due%22%3A%222026-01-09T17%3A00%3A00%22%2C%22duration%22%3A2400%2C%22workOnWeekends%22%3Afalse%7D',
  ],
  [
    ['--dates', '{"type":"Milestone","due":"2026-03-01T12:30:00"}'],
    'dates=%7B%22type%22%3A%22Milestone%22%2C%22due%22%3A%222026-03-01T12%3A30%3A00%22%7D',
    { shows: { dates: { type: 'Milestone', due: '2026-03-01T12:30:00' } } },
  ],
  [['--dates', '{"type":"Backlog"}'], 'dates=%7B%22type%22%3A%22Backlog%22%7D'],
  [
    ['--dates', '{"type":"Backlog","duration":960}'],
    'dates=%7B%22type%22%3A%22Backlog%22%2C%22duration%22%3A960%7D',
  ],
  [
    ['--dates', '{"start":"1970-01-01T00:00:00","due":"2099-12-31T23:59:59"}'],
    'dates=%7B%22start%22%3A%221970-01-01T00%3A00%3A00%22%2C%22due%22%3A%222099-12-31T23%3A59%3A59%22%7D',
  ],
  [
    ['--dates', '{"start":"2026-01-05","due":"2026-01-09","duration":1799999}'],
    'dates=%7B%22start%22%3A%222026-01-05%22%2C%22due%22%3A%222026-01-09%22%2C%22duration%22%3A1799999%7D',
  ],
  [
    ['--start', '2026-01-05', '--due', '2026-01-09'],
    'dates=%7B%22start%22%3A%222026-01-05%22%2C%22due%22%3A%222026-01-09%22%7D',
  ],
  [
    ['--due', '2026-01-09T17:00:00', '--start', '2026-01-05T09:00:00'],
    'dates=%7B%22start%22%3A%222026-01-05T09%3A00%3A00%22%2C%22due%22%3A%222026-01-09T17%3A00%3A00%22%7D',
  ],
  [
    ['--start', '2026-01-05', '--duration', '960'],
    'dates=%7B%22start%22%3A%222026-01-05%22%2C%22duration%22%3A960%7D',
  ],
  [
    ['--start', '2026-01-05', '--duration', '1'],
    'dates=%7B%22start%22%3A%222026-01-05%22%2C%22duration%22%3A1%7D',
  ],
  [
    ['--start', '2026-01-05', '--due', '2026-01-09', '--duration', '0'],
    'dates=%7B%22start%22%3A%222026-01-05%22%2C%22due%22%3A%222026-01-09%22%2C%22duration%22%3A0%7D',
  ],
  [
    ['--start', '2026-01-05', '--due', '2026-01-11', '--duration', '960', '--work-on-weekends'],
    'dates=%7B%22start%22%3A%222026-01-05%22%2C%22due%22%3A%222026-01-11%22%2C%22duration%22%3A960%2C%22workOnWeekends%22%3Atrue%7D',
  ],
  [
    ['--due', '2026-03-01', '--milestone'],
    'dates=%7B%22type%22%3A%22Milestone%22%2C%22due%22%3A%222026-03-01%22%7D',
  ],
  [
    ['--start', '2026-01-05', '--duration', '1.5'],
    'dates=%7B%22start%22%3A%222026-01-05%22%2C%22duration%22%3A1.5%7D',
  ],
  [
    ['--start', '2026-01-05', '--due', '2026-01-09', '--duration', '0.5'],
    'dates=%7B%22start%22%3A%222026-01-05%22%2C%22due%22%3A%222026-01-09%22%2C%22duration%22%3A0.5%7D',
  ],
  [
    ['--start', '2026-01-05', '--duration', '4.1h'],
    'dates=%7B%22start%22%3A%222026-01-05%22%2C%22duration%22%3A246%7D',
  ],
  [
    ['--dates', '{"type":"Backlog","duration":0}'],
    'dates=%7B%22type%22%3A%22Backlog%22%2C%22duration%22%3A0%7D',
  ],
  [
    ['--dates', '{"type":"Backlog","duration":0.5}'],
    'dates=%7B%22type%22%3A%22Backlog%22%2C%22duration%22%3A0.5%7D',
  ],
  [
    ['--add-parents', 'IEAAAAAQI4AB5BGU,IEAAAAAQI4AB5BGV'],
    'addParents=%5B%22IEAAAAAQI4AB5BGU%22%2C%22IEAAAAAQI4AB5BGV%22%5D',
  ],
  [
    ['--add-parents', '["IEAAAAAQI4AB5BGU","IEAAAAAQI4AB5BGV"]'],
    'addParents=%5B%22IEAAAAAQI4AB5BGU%22%2C%22IEAAAAAQI4AB5BGV%22%5D',
  ],
  [
    ['--add-parents', 'IEAAAAAQI4AB5BGU', '--add-parents', 'IEAAAAAQI4AB5BGV'],
    'addParents=%5B%22IEAAAAAQI4AB5BGU%22%2C%22IEAAAAAQI4AB5BGV%22%5D',
  ],
  [['--add-parents', 'IEAAAAAQI4AB5BGU'], 'addParents=%5B%22IEAAAAAQI4AB5BGU%22%5D'],
  [['--add-parents', 'a:b.c=d-e_F9'], 'addParents=%5B%22a%3Ab.c%3Dd-e_F9%22%5D'],
  [
    ['--remove-parents', 'IEAAAAAQI4AB5BRU,IEAAAAAQI4AB5BRV'],
    'removeParents=%5B%22IEAAAAAQI4AB5BRU%22%2C%22IEAAAAAQI4AB5BRV%22%5D',
  ],
  [
    ['--remove-parents', 'IEAAAAAQI4AB5BRU', '--remove-parents', 'IEAAAAAQI4AB5BRV'],
    'removeParents=%5B%22IEAAAAAQI4AB5BRU%22%2C%22IEAAAAAQI4AB5BRV%22%5D',
  ],
  [['--remove-parents', 'IEAAAAAQI4AB5BRU'], 'removeParents=%5B%22IEAAAAAQI4AB5BRU%22%5D'],
  [['--add-shareds', 'KUAAAAAA,KUAAAAAB'], 'addShareds=%5B%22KUAAAAAA%22%2C%22KUAAAAAB%22%5D'],
  [['--add-shareds', '["KUAAAAAA","KUAAAAAB"]'], 'addShareds=%5B%22KUAAAAAA%22%2C%22KUAAAAAB%22%5D'],
  [['--remove-shareds', 'KUAAAARA,KUAAAARB'], 'removeShareds=%5B%22KUAAAARA%22%2C%22KUAAAARB%22%5D'],
  [
    ['--remove-shareds', 'KUAAAARA', '--remove-shareds', 'KUAAAARB'],
    'removeShareds=%5B%22KUAAAARA%22%2C%22KUAAAARB%22%5D',
  ],
  [['--add-responsibles', 'KUAAAAAA,KUAAAAAB'], 'addResponsibles=%5B%22KUAAAAAA%22%2C%22KUAAAAAB%22%5D'],
  [
    ['--add-responsibles', '["KUAAAAAA","KUAAAAAB"]'],
    'addResponsibles=%5B%22KUAAAAAA%22%2C%22KUAAAAAB%22%5D',
  ],
  [
    ['--add-responsibles', 'KUAAAAAA', '--add-responsibles', 'KUAAAAAB'],
    'addResponsibles=%5B%22KUAAAAAA%22%2C%22KUAAAAAB%22%5D',
  ],
  [['--add-responsibles', 'KUAAAAAA'], 'addResponsibles=%5B%22KUAAAAAA%22%5D'],
  [
    ['--remove-responsibles', 'KUAAAARA,KUAAAARB'],
    'removeResponsibles=%5B%22KUAAAARA%22%2C%22KUAAAARB%22%5D',
  ],
  [['--remove-responsibles', 'KUAAAARA'], 'removeResponsibles=%5B%22KUAAAARA%22%5D'],
  [
    ['--add-responsible-placeholders', 'IEAAAAAQNVAAAAAA,IEAAAAAQNVAAAAAB'],
    'addResponsiblePlaceholders=%5B%22IEAAAAAQNVAAAAAA%22%2C%22IEAAAAAQNVAAAAAB%22%5D',
  ],
  [
    ['--add-responsible-placeholders', '["IEAAAAAQNVAAAAAA","IEAAAAAQNVAAAAAB"]'],
    'addResponsiblePlaceholders=%5B%22IEAAAAAQNVAAAAAA%22%2C%22IEAAAAAQNVAAAAAB%22%5D',
  ],
  [
    ['--remove-responsible-placeholders', 'IEAAAAAQNVAAAARA,IEAAAAAQNVAAAARB'],
    'removeResponsiblePlaceholders=%5B%22IEAAAAAQNVAAAARA%22%2C%22IEAAAAAQNVAAAARB%22%5D',
  ],
  [
    [
      '--remove-responsible-placeholders',
      'IEAAAAAQNVAAAARA',
      '--remove-responsible-placeholders',
      'IEAAAAAQNVAAAARB',
    ],
    'removeResponsiblePlaceholders=%5B%22IEAAAAAQNVAAAARA%22%2C%22IEAAAAAQNVAAAARB%22%5D',
  ],
  [['--add-followers', 'KUAAAAAA,KUAAAAAB'], 'addFollowers=%5B%22KUAAAAAA%22%2C%22KUAAAAAB%22%5D'],
  [['--add-followers', 'KUAAAAAA'], 'addFollowers=%5B%22KUAAAAAA%22%5D'],
  [['--follow'], 'follow=true'],
  [['--no-follow'], 'follow=false'],
  [['--priority-before', 'IEAAAAAQKQAB5BNH'], 'priorityBefore=IEAAAAAQKQAB5BNH'],
  [['--priority-before', 'a:b.c=d-e_F9'], 'priorityBefore=a%3Ab.c%3Dd-e_F9'],
  [['--priority-after', 'IEAAAAAQKQAB5BNJ'], 'priorityAfter=IEAAAAAQKQAB5BNJ'],
  [['--priority-after=-starts.with:a=dash'], 'priorityAfter=-starts.with%3Aa%3Ddash'],
  [
    ['--add-super-tasks', 'IEAAAAAQKQAB5BNH,IEAAAAAQKQAB5BNI'],
    'addSuperTasks=%5B%22IEAAAAAQKQAB5BNH%22%2C%22IEAAAAAQKQAB5BNI%22%5D',
  ],
  [
    ['--add-super-tasks', '["IEAAAAAQKQAB5BNH","IEAAAAAQKQAB5BNI"]'],
    'addSuperTasks=%5B%22IEAAAAAQKQAB5BNH%22%2C%22IEAAAAAQKQAB5BNI%22%5D',
  ],
  [
    ['--remove-super-tasks', 'IEAAAAAQKQAB5BRH,IEAAAAAQKQAB5BRI'],
    'removeSuperTasks=%5B%22IEAAAAAQKQAB5BRH%22%2C%22IEAAAAAQKQAB5BRI%22%5D',
  ],
  [
    ['--remove-super-tasks', 'IEAAAAAQKQAB5BRH', '--remove-super-tasks', 'IEAAAAAQKQAB5BRI'],
    'removeSuperTasks=%5B%22IEAAAAAQKQAB5BRH%22%2C%22IEAAAAAQKQAB5BRI%22%5D',
  ],
  [['--metadata', 'colour=blue'], 'metadata=%5B%7B%22key%22%3A%22colour%22%2C%22value%22%3A%22blue%22%7D%5D'],
  [
    ['--metadata', 'a-1=x', '--metadata', 'B_2=y'],
    'metadata=%5B%7B%22key%22%3A%22a-1%22%2C%22value%22%3A%22x%22%7D%2C%7B%22key%22%3A%22B_2%22%2C%22value%22%3A%22y%22%7D%5D',
  ],
  [
    ['--metadata', 'formula=a=b+c'],
    'metadata=%5B%7B%22key%22%3A%22formula%22%2C%22value%22%3A%22a%3Db%2Bc%22%7D%5D',
  ],
  [['--metadata', 'note=a,b'], 'metadata=%5B%7B%22key%22%3A%22note%22%2C%22value%22%3A%22a%2Cb%22%7D%5D'],
  [['--metadata', 'note='], 'metadata=%5B%7B%22key%22%3A%22note%22%2C%22value%22%3A%22%22%7D%5D'],
  [['--metadata', 'note=null'], 'metadata=%5B%7B%22key%22%3A%22note%22%2C%22value%22%3A%22null%22%7D%5D'],
  [
    ['--metadata', 'note=a b+c&d=é"'],
    'metadata=%5B%7B%22key%22%3A%22note%22%2C%22value%22%3A%22a%20b%2Bc%26d%3D%C3%A9%5C%22%22%7D%5D',
  ],
  [
    ['--metadata', 'note={"n":[1,2]}'],
    'metadata=%5B%7B%22key%22%3A%22note%22%2C%22value%22%3A%22%7B%5C%22n%5C%22%3A%5B1%2C2%5D%7D%22%7D%5D',
  ],
  [
    ['--metadata', 'note=one\ntwo\\three'],
    'metadata=%5B%7B%22key%22%3A%22note%22%2C%22value%22%3A%22one%5Cntwo%5C%5Cthree%22%7D%5D',
  ],
  [
    ['--metadata', '[{"key":"colour","value":"blue"},{"key":"stale","value":null}]'],
    'metadata=%5B%7B%22key%22%3A%22colour%22%2C%22value%22%3A%22blue%22%7D%2C%7B%22key%22%3A%22stale%22%2C%22value%22%3Anull%7D%5D',
  ],
  [['--remove-metadata', 'stale'], 'metadata=%5B%7B%22key%22%3A%22stale%22%2C%22value%22%3Anull%7D%5D'],
  [
    ['--metadata', 'colour=blue', '--remove-metadata', 'stale'],
    'metadata=%5B%7B%22key%22%3A%22colour%22%2C%22value%22%3A%22blue%22%7D%2C%7B%22key%22%3A%22stale%22%2C%22value%22%3Anull%7D%5D',
  ],
  [
    ['--remove-metadata', 'stale', '--remove-metadata', 'older'],
    'metadata=%5B%7B%22key%22%3A%22stale%22%2C%22value%22%3Anull%7D%2C%7B%22key%22%3A%22older%22%2C%22value%22%3Anull%7D%5D',
  ],
  [
    ['--custom-field', 'IEAAAAAQJUAAAAAA=Berlin'],
    'customFields=%5B%7B%22id%22%3A%22IEAAAAAQJUAAAAAA%22%2C%22value%22%3A%22Berlin%22%7D%5D',
  ],
  [
    ['--custom-field', 'IEAAAAAQJUAAAAAA=12'],
    'customFields=%5B%7B%22id%22%3A%22IEAAAAAQJUAAAAAA%22%2C%22value%22%3A%2212%22%7D%5D',
  ],
  [
    ['--custom-field', 'IEAAAAAQJUAAAAAA='],
    'customFields=%5B%7B%22id%22%3A%22IEAAAAAQJUAAAAAA%22%2C%22value%22%3A%22%22%7D%5D',
  ],
  [
    ['--custom-field', 'IEAAAAAQJUAAAAAA=x=y'],
    'customFields=%5B%7B%22id%22%3A%22IEAAAAAQJUAAAAAA%22%2C%22value%22%3A%22x%3Dy%22%7D%5D',
  ],
  [
    ['--custom-field', 'IEAAAAAQJUAAAAAA=a b+c&d=é"'],
    'customFields=%5B%7B%22id%22%3A%22IEAAAAAQJUAAAAAA%22%2C%22value%22%3A%22a%20b%2Bc%26d%3D%C3%A9%5C%22%22%7D%5D',
  ],
  [
    ['--custom-field', 'IEAAAAAQJUAAAAAA=KUAAAAAA,KUAAAAAB'],
    'customFields=%5B%7B%22id%22%3A%22IEAAAAAQJUAAAAAA%22%2C%22value%22%3A%22KUAAAAAA%2CKUAAAAAB%22%7D%5D',
  ],
  [
    ['--custom-field', 'IEAAAAAQJUAAAAAA=["Red","Dark blue"]'],
    'customFields=%5B%7B%22id%22%3A%22IEAAAAAQJUAAAAAA%22%2C%22value%22%3A%22%5B%5C%22Red%5C%22%2C%5C%22Dark%20blue%5C%22%5D%22%7D%5D',
  ],
  [
    ['--custom-field', 'IEAAAAAQJUAAAAAA=["say \\"hi\\"","é"]'],
    'customFields=%5B%7B%22id%22%3A%22IEAAAAAQJUAAAAAA%22%2C%22value%22%3A%22%5B%5C%22say%20%5C%5C%5C%22hi%5C%5C%5C%22%5C%22%2C%5C%22%C3%A9%5C%22%5D%22%7D%5D',
  ],
  [
    ['--custom-field', 'IEAAAAAQJUAAAAAA=a\nb\tc\\d 🚀'],
    'customFields=%5B%7B%22id%22%3A%22IEAAAAAQJUAAAAAA%22%2C%22value%22%3A%22a%5Cnb%5Ctc%5C%5Cd%20%F0%9F%9A%80%22%7D%5D',
  ],
  [
    ['--custom-field', 'IEAAAAAQJUAAAAAA=a\u0011b'],
    'customFields=%5B%7B%22id%22%3A%22IEAAAAAQJUAAAAAA%22%2C%22value%22%3A%22a%5Cu0011b%22%7D%5D',
  ],
  [
    ['--custom-field', 'IEAAAAAQJUAAAAAA=1', '--custom-field', 'IEAAAAAQJUAAAAAB=2'],
    'customFields=%5B%7B%22id%22%3A%22IEAAAAAQJUAAAAAA%22%2C%22value%22%3A%221%22%7D%2C%7B%22id%22%3A%22IEAAAAAQJUAAAAAB%22%2C%22value%22%3A%222%22%7D%5D',
  ],
  [
    [
      '--custom-fields',
      '[{"id":"IEAAAAAQJUAAAAAA","value":"[\\"Red\\",\\"Dark blue\\"]"},{"id":"IEAAAAAQJUAAAAAB","value":null}]',
    ],
    'customFields=%5B%7B%22id%22%3A%22IEAAAAAQJUAAAAAA%22%2C%22value%22%3A%22%5B%5C%22Red%5C%22%2C%5C%22Dark%20blue%5C%22%5D%22%7D%2C%7B%22id%22%3A%22IEAAAAAQJUAAAAAB%22%2C%22value%22%3Anull%7D%5D',
  ],
  [
    ['--remove-custom-field', 'IEAAAAAQJUAAAAAA'],
    'customFields=%5B%7B%22id%22%3A%22IEAAAAAQJUAAAAAA%22%2C%22value%22%3Anull%7D%5D',
  ],
  [
    ['--custom-field', 'IEAAAAAQJUAAAAAA=1', '--remove-custom-field', 'IEAAAAAQJUAAAAAB'],
    'customFields=%5B%7B%22id%22%3A%22IEAAAAAQJUAAAAAA%22%2C%22value%22%3A%221%22%7D%2C%7B%22id%22%3A%22IEAAAAAQJUAAAAAB%22%2C%22value%22%3Anull%7D%5D',
  ],
  [['--custom-status', 'IEAAAAAQJMAAAAAA'], 'customStatus=IEAAAAAQJMAAAAAA'],
  [['--restore'], 'restore=true'],
  [['--no-restore', '--title', 'x'], 'restore=false', { also: 'title=x' }],
  [
    ['--effort-allocation', '{"mode":"Basic","totalEffort":480}'],
    'effortAllocation=%7B%22mode%22%3A%22Basic%22%2C%22totalEffort%22%3A480%7D',
  ],
  [['--effort-allocation', '{"mode":"FullTime"}'], 'effortAllocation=%7B%22mode%22%3A%22FullTime%22%7D'],
  [['--effort-allocation', '{"mode":"None"}'], 'effortAllocation=%7B%22mode%22%3A%22None%22%7D'],
  [
    [
      '--effort-allocation',
      '{"mode":"Flexible","dailyAllocationPercentage":50,"allocatedEffort":240,"totalEffort":960,"responsibleAllocation":[{"dailyAllocation":[{"date":"2026-01-05","effortMinutes":240}],"userId":"KUAAAAAA"}]}',
    ],
    'effortAllocation=%7B%22mode%22%3A%22Flexible%22%2C%22dailyAllocationPercentage%22%3A50%2C%22allocatedEffort%22%3A240%2C%22totalEffort%22%3A960%2C%22responsibleAllocation%22%3A%5B%7B%22dailyAllocation%22%3A%5B%7B%22date%22%3A%222026-01-05%22%2C%22effortMinutes%22%3A240%7D%5D%2C%22userId%22%3A%22KUAAAAAA%22%7D%5D%7D',
  ],
  [
    [
      '--set-responsible-allocation',
      '[{"dailyAllocation":[{"date":"2026-01-05","effortMinutes":240},{"date":"2026-01-06","effortMinutes":0}],"userId":"KUAAAAAA"}]',
    ],
    'setResponsibleAllocation=%5B%7B%22dailyAllocation%22%3A%5B%7B%22date%22%3A%222026-01-05%22%2C%22effortMinutes%22%3A240%7D%2C%7B%22date%22%3A%222026-01-06%22%2C%22effortMinutes%22%3A0%7D%5D%2C%22userId%22%3A%22KUAAAAAA%22%7D%5D',
  ],
  [
    [
      '--set-responsible-allocation',
      '[{"dailyAllocation":[{"date":"2026-01-05","effortMinutes":480}],"placeholderId":"IEAAAAAQNVAAAAAA"}]',
    ],
    'setResponsibleAllocation=%5B%7B%22dailyAllocation%22%3A%5B%7B%22date%22%3A%222026-01-05%22%2C%22effortMinutes%22%3A480%7D%5D%2C%22placeholderId%22%3A%22IEAAAAAQNVAAAAAA%22%7D%5D',
  ],
  [
    [
      '--set-responsible-allocation',
      '[{"dailyAllocation":[{"date":"2100-01-01","effortMinutes":240},{"date":"1969-12-31","effortMinutes":0.5}],"userId":"KUAAAAAA"}]',
    ],
    'setResponsibleAllocation=%5B%7B%22dailyAllocation%22%3A%5B%7B%22date%22%3A%222100-01-01%22%2C%22effortMinutes%22%3A240%7D%2C%7B%22date%22%3A%221969-12-31%22%2C%22effortMinutes%22%3A0.5%7D%5D%2C%22userId%22%3A%22KUAAAAAA%22%7D%5D',
  ],
  [['--set-responsible-allocation', '[]'], 'setResponsibleAllocation=%5B%5D'],
  [['--billing-type', 'Billable'], 'billingType=Billable'],
  [['--billing-type', 'NonBillable'], 'billingType=NonBillable'],
  [['--with-invitations', '--title', 'x'], 'withInvitations=true', { also: 'title=x' }],
  [['--no-with-invitations', '--title', 'x'], 'withInvitations=false', { also: 'title=x' }],
  [['--convert-to-custom-item-type', 'IEAAAAAQPIAAAAAA'], 'convertToCustomItemType=IEAAAAAQPIAAAAAA'],
  [['--plain-text-custom-fields', '--title', 'x'], 'plainTextCustomFields=true', { also: 'title=x' }],
  [['--no-plain-text-custom-fields', '--title', 'x'], 'plainTextCustomFields=false', { also: 'title=x' }],
  [['--work-schedule-id', 'IEAAAAAQMLAAAAAA'], 'workScheduleId=IEAAAAAQMLAAAAAA'],
  [
    ['--fields', 'billingType,workScheduleId,effortAllocation,responsiblePlaceholderIds', '--title', 'x'],
    'fields=%5B%22billingType%22%2C%22workScheduleId%22%2C%22effortAllocation%22%2C%22responsiblePlaceholderIds%22%5D',
    { also: 'title=x' },
  ],
  [
    [
      '--fields',
      '["billingType","workScheduleId","effortAllocation","responsiblePlaceholderIds"]',
      '--title',
      'x',
    ],
    'fields=%5B%22billingType%22%2C%22workScheduleId%22%2C%22effortAllocation%22%2C%22responsiblePlaceholderIds%22%5D',
    { also: 'title=x' },
  ],
  [
    ['--fields', 'billingType', '--fields', 'effortAllocation', '--title', 'x'],
    'fields=%5B%22billingType%22%2C%22effortAllocation%22%5D',
    { also: 'title=x' },
  ],
  [['--title', 'x', '--fields', 'workScheduleId'], 'fields=%5B%22workScheduleId%22%5D', { also: 'title=x' }],
  [['--title', 'x'.repeat(1000)], `title=${'x'.repeat(1000)}`],
  [
    ['--metadata', `${'k'.repeat(49)}=${'v'.repeat(999)}`],
    `metadata=%5B%7B%22key%22%3A%22${'k'.repeat(49)}%22%2C%22value%22%3A%22${'v'.repeat(999)}%22%7D%5D`,
  ],
  [
    hundred.flatMap((n) => ['--metadata', `k${n}=v`]),
    `metadata=%5B${hundred.map((n) => `%7B%22key%22%3A%22k${n}%22%2C%22value%22%3A%22v%22%7D`).join('%2C')}%5D`,
  ],
  [
    ['--custom-field', `IEAAAAAQJUAAAAAA=${'v'.repeat(4000)}`],
    `customFields=%5B%7B%22id%22%3A%22IEAAAAAQJUAAAAAA%22%2C%22value%22%3A%22${'v'.repeat(4000)}%22%7D%5D`,
  ],
];

export const taskUpdateLines: readonly TaskUpdateLine[] = written.map(([argv, query, more]) => {
  const [parameter = '', encoded = ''] = query.split('=');
  return { parameter, argv, value: decodeURIComponent(encoded), query, ...more };
});
