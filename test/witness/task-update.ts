// The parameters of PUT /tasks/{taskId}: what a person types after `wm task update <taskId>`, and the pair
// that must then stand in the request line. Encodings come from python3, urllib.parse.quote(s, safe='-_.~'),
// and are pasted in. Pairs stand in the contract's order, so `also` (a title) is before the pair of its row.
// Sending and comparing are left to the tests that iterate; refused lines are in refusals.ts.

export interface TaskUpdateLine {
  /** The contract's name of the parameter that the row is about. */
  readonly parameter: string;
  readonly argv: readonly string[];
  readonly name: string;
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

export const taskUpdateLines: readonly TaskUpdateLine[] = [
  {
    parameter: 'title',
    argv: ['--title', 'Ship the release'],
    name: 'title',
    value: 'Ship the release',
    query: 'title=Ship%20the%20release',
    shows: { title: 'Ship the release' },
  },
  {
    parameter: 'title',
    argv: ['--title', 'a b+c&d=é"'],
    name: 'title',
    value: 'a b+c&d=é"',
    query: 'title=a%20b%2Bc%26d%3D%C3%A9%22',
  },
  {
    parameter: 'title',
    argv: ['--title', "It's (really) *done*!"],
    name: 'title',
    value: "It's (really) *done*!",
    query: 'title=It%27s%20%28really%29%20%2Adone%2A%21',
  },
  {
    parameter: 'title',
    argv: ['--title', 'true'],
    name: 'title',
    value: 'true',
    query: 'title=true',
  },
  {
    parameter: 'title',
    argv: ['--title', '12'],
    name: 'title',
    value: '12',
    query: 'title=12',
  },
  {
    parameter: 'title',
    argv: ['--title', 'null'],
    name: 'title',
    value: 'null',
    query: 'title=null',
    shows: { title: 'null' },
  },
  {
    parameter: 'title',
    argv: ['--title', '-'],
    name: 'title',
    value: '-',
    query: 'title=-',
  },
  {
    parameter: 'title',
    argv: ['--title', ' padded '],
    name: 'title',
    value: ' padded ',
    query: 'title=%20padded%20',
  },
  {
    parameter: 'title',
    argv: ['--title', '@notes.txt'],
    name: 'title',
    value: '@notes.txt',
    query: 'title=%40notes.txt',
  },
  {
    parameter: 'title',
    argv: ['--title', '@@team'],
    name: 'title',
    value: '@@team',
    query: 'title=%40%40team',
  },
  {
    parameter: 'title',
    argv: ['--title', 'first line\nsecond line'],
    name: 'title',
    value: 'first line\nsecond line',
    query: 'title=first%20line%0Asecond%20line',
  },
  {
    parameter: 'title',
    argv: ['--title', 'Zażółć gęślą jaźń 日本語'],
    name: 'title',
    value: 'Zażółć gęślą jaźń 日本語',
    query:
      'title=Za%C5%BC%C3%B3%C5%82%C4%87%20g%C4%99%C5%9Bl%C4%85%20ja%C5%BA%C5%84%20%E6%97%A5%E6%9C' +
      '%AC%E8%AA%9E',
  },
  {
    parameter: 'title',
    argv: ['--title', 'party 🎉 👩\u200d🚀'],
    name: 'title',
    value: 'party 🎉 👩\u200d🚀',
    query: 'title=party%20%F0%9F%8E%89%20%F0%9F%91%A9%E2%80%8D%F0%9F%9A%80',
  },
  {
    parameter: 'title',
    argv: ['--title', 'e\u0301 is not é'],
    name: 'title',
    value: 'e\u0301 is not é',
    query: 'title=e%CC%81%20is%20not%20%C3%A9',
  },
  {
    parameter: 'title',
    argv: ['--title', '100% of 50/50?#[a]@b;c:d,e$'],
    name: 'title',
    value: '100% of 50/50?#[a]@b;c:d,e$',
    query: 'title=100%25%20of%2050%2F50%3F%23%5Ba%5D%40b%3Bc%3Ad%2Ce%24',
  },
  {
    parameter: 'title',
    argv: ['--title', '-_.~'],
    name: 'title',
    value: '-_.~',
    query: 'title=-_.~',
  },
  {
    parameter: 'title',
    argv: ['--title', '%20 stays'],
    name: 'title',
    value: '%20 stays',
    query: 'title=%2520%20stays',
  },
  {
    parameter: 'title',
    argv: ['--title', 'back\\slash'],
    name: 'title',
    value: 'back\\slash',
    query: 'title=back%5Cslash',
  },
  {
    parameter: 'title',
    argv: ['--title', 'tab\there'],
    name: 'title',
    value: 'tab\there',
    query: 'title=tab%09here',
  },
  {
    parameter: 'title',
    argv: ['--title', '["a","b"]'],
    name: 'title',
    value: '["a","b"]',
    query: 'title=%5B%22a%22%2C%22b%22%5D',
  },
  {
    parameter: 'title',
    argv: ['--title', '\u202eright to left'],
    name: 'title',
    value: '\u202eright to left',
    query: 'title=%E2%80%AEright%20to%20left',
  },
  {
    parameter: 'title',
    argv: ['--title=--help'],
    name: 'title',
    value: '--help',
    query: 'title=--help',
  },
  {
    parameter: 'description',
    argv: ['--description', '<h1>Plan</h1><br><a href="https://example.com/?a=1&b=2">link</a>'],
    name: 'description',
    value: '<h1>Plan</h1><br><a href="https://example.com/?a=1&b=2">link</a>',
    query:
      'description=%3Ch1%3EPlan%3C%2Fh1%3E%3Cbr%3E%3Ca%20href%3D%22https%3A%2F%2Fexample.com%2F%3Fa' +
      '%3D1%26b%3D2%22%3Elink%3C%2Fa%3E',
  },
  {
    parameter: 'description',
    argv: ['--description', 'a b+c&d=é"'],
    name: 'description',
    value: 'a b+c&d=é"',
    query: 'description=a%20b%2Bc%26d%3D%C3%A9%22',
  },
  {
    parameter: 'description',
    argv: ['--description', 'one\r\ntwo\n'],
    name: 'description',
    value: 'one\r\ntwo\n',
    query: 'description=one%0D%0Atwo%0A',
  },
  {
    parameter: 'description',
    argv: ['--description', '💡 idea: 5 < 6 & 7 > 6'],
    name: 'description',
    value: '💡 idea: 5 < 6 & 7 > 6',
    query: 'description=%F0%9F%92%A1%20idea%3A%205%20%3C%206%20%26%207%20%3E%206',
  },
  {
    parameter: 'description',
    argv: ['--description', ''],
    name: 'description',
    value: '',
    query: 'description=',
  },
  {
    parameter: 'description',
    argv: ['--description', '@@home'],
    name: 'description',
    value: '@home',
    query: 'description=%40home',
  },
  {
    parameter: 'status',
    argv: ['--status', 'Active'],
    name: 'status',
    value: 'Active',
    query: 'status=Active',
  },
  {
    parameter: 'status',
    argv: ['--status', 'Deferred'],
    name: 'status',
    value: 'Deferred',
    query: 'status=Deferred',
  },
  {
    parameter: 'status',
    argv: ['--status', 'Completed'],
    name: 'status',
    value: 'Completed',
    query: 'status=Completed',
    shows: { status: 'Completed' },
  },
  {
    parameter: 'status',
    argv: ['--status', 'Cancelled'],
    name: 'status',
    value: 'Cancelled',
    query: 'status=Cancelled',
  },
  {
    parameter: 'importance',
    argv: ['--importance', 'High'],
    name: 'importance',
    value: 'High',
    query: 'importance=High',
    shows: { importance: 'High' },
  },
  {
    parameter: 'importance',
    argv: ['--importance', 'Low'],
    name: 'importance',
    value: 'Low',
    query: 'importance=Low',
  },
  {
    parameter: 'importance',
    argv: ['--importance', 'Normal'],
    name: 'importance',
    value: 'Normal',
    query: 'importance=Normal',
  },
  {
    parameter: 'dates',
    argv: [
      '--dates',
      '{"type":"Planned","start":"2026-01-05T09:00:00","due":"2026-01-09T17:00:00","duration":2400,' +
        '"workOnWeekends":false}',
    ],
    name: 'dates',
    value:
      '{"type":"Planned","start":"2026-01-05T09:00:00","due":"2026-01-09T17:00:00","duration":2400,' +
      '"workOnWeekends":false}',
    query:
      'dates=%7B%22type%22%3A%22Planned%22%2C%22start%22%3A%222026-01-05T09%3A00%3A00%22%2C%22due' +
      '%22%3A%222026-01-09T17%3A00%3A00%22%2C%22duration%22%3A2400%2C%22workOnWeekends%22%3Afalse' +
      '%7D',
  },
  {
    parameter: 'dates',
    argv: ['--dates', '{"type":"Milestone","due":"2026-03-01T12:30:00"}'],
    name: 'dates',
    value: '{"type":"Milestone","due":"2026-03-01T12:30:00"}',
    query: 'dates=%7B%22type%22%3A%22Milestone%22%2C%22due%22%3A%222026-03-01T12%3A30%3A00%22%7D',
    shows: { dates: { type: 'Milestone', due: '2026-03-01T12:30:00' } },
  },
  {
    parameter: 'dates',
    argv: ['--dates', '{"type":"Backlog"}'],
    name: 'dates',
    value: '{"type":"Backlog"}',
    query: 'dates=%7B%22type%22%3A%22Backlog%22%7D',
  },
  {
    parameter: 'dates',
    argv: ['--dates', '{"type":"Backlog","duration":960}'],
    name: 'dates',
    value: '{"type":"Backlog","duration":960}',
    query: 'dates=%7B%22type%22%3A%22Backlog%22%2C%22duration%22%3A960%7D',
  },
  {
    parameter: 'dates',
    argv: ['--dates', '{"start":"1970-01-01T00:00:00","due":"2099-12-31T23:59:59"}'],
    name: 'dates',
    value: '{"start":"1970-01-01T00:00:00","due":"2099-12-31T23:59:59"}',
    query:
      'dates=%7B%22start%22%3A%221970-01-01T00%3A00%3A00%22%2C%22due%22%3A%222099-12-31T23%3A59%3A5' +
      '9%22%7D',
  },
  {
    parameter: 'dates',
    argv: ['--dates', '{"start":"2026-01-05","due":"2026-01-09","duration":1799999}'],
    name: 'dates',
    value: '{"start":"2026-01-05","due":"2026-01-09","duration":1799999}',
    query:
      'dates=%7B%22start%22%3A%222026-01-05%22%2C%22due%22%3A%222026-01-09%22%2C%22duration%22%3A17' +
      '99999%7D',
  },
  {
    parameter: 'dates',
    argv: ['--start', '2026-01-05', '--due', '2026-01-09'],
    name: 'dates',
    value: '{"start":"2026-01-05","due":"2026-01-09"}',
    query: 'dates=%7B%22start%22%3A%222026-01-05%22%2C%22due%22%3A%222026-01-09%22%7D',
  },
  {
    parameter: 'dates',
    argv: ['--due', '2026-01-09T17:00:00', '--start', '2026-01-05T09:00:00'],
    name: 'dates',
    value: '{"start":"2026-01-05T09:00:00","due":"2026-01-09T17:00:00"}',
    query:
      'dates=%7B%22start%22%3A%222026-01-05T09%3A00%3A00%22%2C%22due%22%3A%222026-01-09T17%3A00%3A0' +
      '0%22%7D',
  },
  {
    parameter: 'dates',
    argv: ['--start', '2026-01-05', '--duration', '960'],
    name: 'dates',
    value: '{"start":"2026-01-05","duration":960}',
    query: 'dates=%7B%22start%22%3A%222026-01-05%22%2C%22duration%22%3A960%7D',
  },
  {
    parameter: 'dates',
    argv: ['--start', '2026-01-05', '--duration', '1'],
    name: 'dates',
    value: '{"start":"2026-01-05","duration":1}',
    query: 'dates=%7B%22start%22%3A%222026-01-05%22%2C%22duration%22%3A1%7D',
  },
  {
    parameter: 'dates',
    argv: ['--start', '2026-01-05', '--due', '2026-01-09', '--duration', '0'],
    name: 'dates',
    value: '{"start":"2026-01-05","due":"2026-01-09","duration":0}',
    query:
      'dates=%7B%22start%22%3A%222026-01-05%22%2C%22due%22%3A%222026-01-09%22%2C%22duration%22%3A0' + '%7D',
  },
  {
    parameter: 'dates',
    argv: ['--start', '2026-01-05', '--due', '2026-01-11', '--duration', '960', '--work-on-weekends'],
    name: 'dates',
    value: '{"start":"2026-01-05","due":"2026-01-11","duration":960,"workOnWeekends":true}',
    query:
      'dates=%7B%22start%22%3A%222026-01-05%22%2C%22due%22%3A%222026-01-11%22%2C%22duration%22%3A96' +
      '0%2C%22workOnWeekends%22%3Atrue%7D',
  },
  {
    parameter: 'dates',
    argv: ['--due', '2026-03-01', '--milestone'],
    name: 'dates',
    value: '{"type":"Milestone","due":"2026-03-01"}',
    query: 'dates=%7B%22type%22%3A%22Milestone%22%2C%22due%22%3A%222026-03-01%22%7D',
  },
  {
    parameter: 'dates',
    argv: ['--start', '2026-01-05', '--duration', '1.5'],
    name: 'dates',
    value: '{"start":"2026-01-05","duration":1.5}',
    query: 'dates=%7B%22start%22%3A%222026-01-05%22%2C%22duration%22%3A1.5%7D',
  },
  {
    parameter: 'dates',
    argv: ['--start', '2026-01-05', '--due', '2026-01-09', '--duration', '0.5'],
    name: 'dates',
    value: '{"start":"2026-01-05","due":"2026-01-09","duration":0.5}',
    query: 'dates=%7B%22start%22%3A%222026-01-05%22%2C%22due%22%3A%222026-01-09%22%2C%22duration%22%3A0.5%7D',
  },
  {
    parameter: 'dates',
    argv: ['--start', '2026-01-05', '--duration', '4.1h'],
    name: 'dates',
    value: '{"start":"2026-01-05","duration":246}',
    query: 'dates=%7B%22start%22%3A%222026-01-05%22%2C%22duration%22%3A246%7D',
  },
  {
    parameter: 'dates',
    argv: ['--dates', '{"type":"Backlog","duration":0}'],
    name: 'dates',
    value: '{"type":"Backlog","duration":0}',
    query: 'dates=%7B%22type%22%3A%22Backlog%22%2C%22duration%22%3A0%7D',
  },
  {
    parameter: 'dates',
    argv: ['--dates', '{"type":"Backlog","duration":0.5}'],
    name: 'dates',
    value: '{"type":"Backlog","duration":0.5}',
    query: 'dates=%7B%22type%22%3A%22Backlog%22%2C%22duration%22%3A0.5%7D',
  },
  {
    parameter: 'addParents',
    argv: ['--add-parents', 'IEAAAAAQI4AB5BGU,IEAAAAAQI4AB5BGV'],
    name: 'addParents',
    value: '["IEAAAAAQI4AB5BGU","IEAAAAAQI4AB5BGV"]',
    query: 'addParents=%5B%22IEAAAAAQI4AB5BGU%22%2C%22IEAAAAAQI4AB5BGV%22%5D',
  },
  {
    parameter: 'addParents',
    argv: ['--add-parents', '["IEAAAAAQI4AB5BGU","IEAAAAAQI4AB5BGV"]'],
    name: 'addParents',
    value: '["IEAAAAAQI4AB5BGU","IEAAAAAQI4AB5BGV"]',
    query: 'addParents=%5B%22IEAAAAAQI4AB5BGU%22%2C%22IEAAAAAQI4AB5BGV%22%5D',
  },
  {
    parameter: 'addParents',
    argv: ['--add-parents', 'IEAAAAAQI4AB5BGU', '--add-parents', 'IEAAAAAQI4AB5BGV'],
    name: 'addParents',
    value: '["IEAAAAAQI4AB5BGU","IEAAAAAQI4AB5BGV"]',
    query: 'addParents=%5B%22IEAAAAAQI4AB5BGU%22%2C%22IEAAAAAQI4AB5BGV%22%5D',
  },
  {
    parameter: 'addParents',
    argv: ['--add-parents', 'IEAAAAAQI4AB5BGU'],
    name: 'addParents',
    value: '["IEAAAAAQI4AB5BGU"]',
    query: 'addParents=%5B%22IEAAAAAQI4AB5BGU%22%5D',
  },
  {
    parameter: 'addParents',
    argv: ['--add-parents', 'a:b.c=d-e_F9'],
    name: 'addParents',
    value: '["a:b.c=d-e_F9"]',
    query: 'addParents=%5B%22a%3Ab.c%3Dd-e_F9%22%5D',
  },
  {
    parameter: 'removeParents',
    argv: ['--remove-parents', 'IEAAAAAQI4AB5BRU,IEAAAAAQI4AB5BRV'],
    name: 'removeParents',
    value: '["IEAAAAAQI4AB5BRU","IEAAAAAQI4AB5BRV"]',
    query: 'removeParents=%5B%22IEAAAAAQI4AB5BRU%22%2C%22IEAAAAAQI4AB5BRV%22%5D',
  },
  {
    parameter: 'removeParents',
    argv: ['--remove-parents', 'IEAAAAAQI4AB5BRU', '--remove-parents', 'IEAAAAAQI4AB5BRV'],
    name: 'removeParents',
    value: '["IEAAAAAQI4AB5BRU","IEAAAAAQI4AB5BRV"]',
    query: 'removeParents=%5B%22IEAAAAAQI4AB5BRU%22%2C%22IEAAAAAQI4AB5BRV%22%5D',
  },
  {
    parameter: 'removeParents',
    argv: ['--remove-parents', 'IEAAAAAQI4AB5BRU'],
    name: 'removeParents',
    value: '["IEAAAAAQI4AB5BRU"]',
    query: 'removeParents=%5B%22IEAAAAAQI4AB5BRU%22%5D',
  },
  {
    parameter: 'addShareds',
    argv: ['--add-shareds', 'KUAAAAAA,KUAAAAAB'],
    name: 'addShareds',
    value: '["KUAAAAAA","KUAAAAAB"]',
    query: 'addShareds=%5B%22KUAAAAAA%22%2C%22KUAAAAAB%22%5D',
  },
  {
    parameter: 'addShareds',
    argv: ['--add-shareds', '["KUAAAAAA","KUAAAAAB"]'],
    name: 'addShareds',
    value: '["KUAAAAAA","KUAAAAAB"]',
    query: 'addShareds=%5B%22KUAAAAAA%22%2C%22KUAAAAAB%22%5D',
  },
  {
    parameter: 'removeShareds',
    argv: ['--remove-shareds', 'KUAAAARA,KUAAAARB'],
    name: 'removeShareds',
    value: '["KUAAAARA","KUAAAARB"]',
    query: 'removeShareds=%5B%22KUAAAARA%22%2C%22KUAAAARB%22%5D',
  },
  {
    parameter: 'removeShareds',
    argv: ['--remove-shareds', 'KUAAAARA', '--remove-shareds', 'KUAAAARB'],
    name: 'removeShareds',
    value: '["KUAAAARA","KUAAAARB"]',
    query: 'removeShareds=%5B%22KUAAAARA%22%2C%22KUAAAARB%22%5D',
  },
  {
    parameter: 'addResponsibles',
    argv: ['--add-responsibles', 'KUAAAAAA,KUAAAAAB'],
    name: 'addResponsibles',
    value: '["KUAAAAAA","KUAAAAAB"]',
    query: 'addResponsibles=%5B%22KUAAAAAA%22%2C%22KUAAAAAB%22%5D',
  },
  {
    parameter: 'addResponsibles',
    argv: ['--add-responsibles', '["KUAAAAAA","KUAAAAAB"]'],
    name: 'addResponsibles',
    value: '["KUAAAAAA","KUAAAAAB"]',
    query: 'addResponsibles=%5B%22KUAAAAAA%22%2C%22KUAAAAAB%22%5D',
  },
  {
    parameter: 'addResponsibles',
    argv: ['--add-responsibles', 'KUAAAAAA', '--add-responsibles', 'KUAAAAAB'],
    name: 'addResponsibles',
    value: '["KUAAAAAA","KUAAAAAB"]',
    query: 'addResponsibles=%5B%22KUAAAAAA%22%2C%22KUAAAAAB%22%5D',
  },
  {
    parameter: 'addResponsibles',
    argv: ['--add-responsibles', 'KUAAAAAA'],
    name: 'addResponsibles',
    value: '["KUAAAAAA"]',
    query: 'addResponsibles=%5B%22KUAAAAAA%22%5D',
  },
  {
    parameter: 'removeResponsibles',
    argv: ['--remove-responsibles', 'KUAAAARA,KUAAAARB'],
    name: 'removeResponsibles',
    value: '["KUAAAARA","KUAAAARB"]',
    query: 'removeResponsibles=%5B%22KUAAAARA%22%2C%22KUAAAARB%22%5D',
  },
  {
    parameter: 'removeResponsibles',
    argv: ['--remove-responsibles', 'KUAAAARA'],
    name: 'removeResponsibles',
    value: '["KUAAAARA"]',
    query: 'removeResponsibles=%5B%22KUAAAARA%22%5D',
  },
  {
    parameter: 'addResponsiblePlaceholders',
    argv: ['--add-responsible-placeholders', 'IEAAAAAQNVAAAAAA,IEAAAAAQNVAAAAAB'],
    name: 'addResponsiblePlaceholders',
    value: '["IEAAAAAQNVAAAAAA","IEAAAAAQNVAAAAAB"]',
    query: 'addResponsiblePlaceholders=%5B%22IEAAAAAQNVAAAAAA%22%2C%22IEAAAAAQNVAAAAAB%22%5D',
  },
  {
    parameter: 'addResponsiblePlaceholders',
    argv: ['--add-responsible-placeholders', '["IEAAAAAQNVAAAAAA","IEAAAAAQNVAAAAAB"]'],
    name: 'addResponsiblePlaceholders',
    value: '["IEAAAAAQNVAAAAAA","IEAAAAAQNVAAAAAB"]',
    query: 'addResponsiblePlaceholders=%5B%22IEAAAAAQNVAAAAAA%22%2C%22IEAAAAAQNVAAAAAB%22%5D',
  },
  {
    parameter: 'removeResponsiblePlaceholders',
    argv: ['--remove-responsible-placeholders', 'IEAAAAAQNVAAAARA,IEAAAAAQNVAAAARB'],
    name: 'removeResponsiblePlaceholders',
    value: '["IEAAAAAQNVAAAARA","IEAAAAAQNVAAAARB"]',
    query: 'removeResponsiblePlaceholders=%5B%22IEAAAAAQNVAAAARA%22%2C%22IEAAAAAQNVAAAARB%22%5D',
  },
  {
    parameter: 'removeResponsiblePlaceholders',
    argv: [
      '--remove-responsible-placeholders',
      'IEAAAAAQNVAAAARA',
      '--remove-responsible-placeholders',
      'IEAAAAAQNVAAAARB',
    ],
    name: 'removeResponsiblePlaceholders',
    value: '["IEAAAAAQNVAAAARA","IEAAAAAQNVAAAARB"]',
    query: 'removeResponsiblePlaceholders=%5B%22IEAAAAAQNVAAAARA%22%2C%22IEAAAAAQNVAAAARB%22%5D',
  },
  {
    parameter: 'addFollowers',
    argv: ['--add-followers', 'KUAAAAAA,KUAAAAAB'],
    name: 'addFollowers',
    value: '["KUAAAAAA","KUAAAAAB"]',
    query: 'addFollowers=%5B%22KUAAAAAA%22%2C%22KUAAAAAB%22%5D',
  },
  {
    parameter: 'addFollowers',
    argv: ['--add-followers', 'KUAAAAAA'],
    name: 'addFollowers',
    value: '["KUAAAAAA"]',
    query: 'addFollowers=%5B%22KUAAAAAA%22%5D',
  },
  {
    parameter: 'follow',
    argv: ['--follow'],
    name: 'follow',
    value: 'true',
    query: 'follow=true',
  },
  {
    parameter: 'follow',
    argv: ['--no-follow'],
    name: 'follow',
    value: 'false',
    query: 'follow=false',
  },
  {
    parameter: 'priorityBefore',
    argv: ['--priority-before', 'IEAAAAAQKQAB5BNH'],
    name: 'priorityBefore',
    value: 'IEAAAAAQKQAB5BNH',
    query: 'priorityBefore=IEAAAAAQKQAB5BNH',
  },
  {
    parameter: 'priorityBefore',
    argv: ['--priority-before', 'a:b.c=d-e_F9'],
    name: 'priorityBefore',
    value: 'a:b.c=d-e_F9',
    query: 'priorityBefore=a%3Ab.c%3Dd-e_F9',
  },
  {
    parameter: 'priorityAfter',
    argv: ['--priority-after', 'IEAAAAAQKQAB5BNJ'],
    name: 'priorityAfter',
    value: 'IEAAAAAQKQAB5BNJ',
    query: 'priorityAfter=IEAAAAAQKQAB5BNJ',
  },
  {
    parameter: 'priorityAfter',
    argv: ['--priority-after=-starts.with:a=dash'],
    name: 'priorityAfter',
    value: '-starts.with:a=dash',
    query: 'priorityAfter=-starts.with%3Aa%3Ddash',
  },
  {
    parameter: 'addSuperTasks',
    argv: ['--add-super-tasks', 'IEAAAAAQKQAB5BNH,IEAAAAAQKQAB5BNI'],
    name: 'addSuperTasks',
    value: '["IEAAAAAQKQAB5BNH","IEAAAAAQKQAB5BNI"]',
    query: 'addSuperTasks=%5B%22IEAAAAAQKQAB5BNH%22%2C%22IEAAAAAQKQAB5BNI%22%5D',
  },
  {
    parameter: 'addSuperTasks',
    argv: ['--add-super-tasks', '["IEAAAAAQKQAB5BNH","IEAAAAAQKQAB5BNI"]'],
    name: 'addSuperTasks',
    value: '["IEAAAAAQKQAB5BNH","IEAAAAAQKQAB5BNI"]',
    query: 'addSuperTasks=%5B%22IEAAAAAQKQAB5BNH%22%2C%22IEAAAAAQKQAB5BNI%22%5D',
  },
  {
    parameter: 'removeSuperTasks',
    argv: ['--remove-super-tasks', 'IEAAAAAQKQAB5BRH,IEAAAAAQKQAB5BRI'],
    name: 'removeSuperTasks',
    value: '["IEAAAAAQKQAB5BRH","IEAAAAAQKQAB5BRI"]',
    query: 'removeSuperTasks=%5B%22IEAAAAAQKQAB5BRH%22%2C%22IEAAAAAQKQAB5BRI%22%5D',
  },
  {
    parameter: 'removeSuperTasks',
    argv: ['--remove-super-tasks', 'IEAAAAAQKQAB5BRH', '--remove-super-tasks', 'IEAAAAAQKQAB5BRI'],
    name: 'removeSuperTasks',
    value: '["IEAAAAAQKQAB5BRH","IEAAAAAQKQAB5BRI"]',
    query: 'removeSuperTasks=%5B%22IEAAAAAQKQAB5BRH%22%2C%22IEAAAAAQKQAB5BRI%22%5D',
  },
  {
    parameter: 'metadata',
    argv: ['--metadata', 'colour=blue'],
    name: 'metadata',
    value: '[{"key":"colour","value":"blue"}]',
    query: 'metadata=%5B%7B%22key%22%3A%22colour%22%2C%22value%22%3A%22blue%22%7D%5D',
  },
  {
    parameter: 'metadata',
    argv: ['--metadata', 'a-1=x', '--metadata', 'B_2=y'],
    name: 'metadata',
    value: '[{"key":"a-1","value":"x"},{"key":"B_2","value":"y"}]',
    query:
      'metadata=%5B%7B%22key%22%3A%22a-1%22%2C%22value%22%3A%22x%22%7D%2C%7B%22key%22%3A%22B_2%22' +
      '%2C%22value%22%3A%22y%22%7D%5D',
  },
  {
    parameter: 'metadata',
    argv: ['--metadata', 'formula=a=b+c'],
    name: 'metadata',
    value: '[{"key":"formula","value":"a=b+c"}]',
    query: 'metadata=%5B%7B%22key%22%3A%22formula%22%2C%22value%22%3A%22a%3Db%2Bc%22%7D%5D',
  },
  {
    parameter: 'metadata',
    argv: ['--metadata', 'note=a,b'],
    name: 'metadata',
    value: '[{"key":"note","value":"a,b"}]',
    query: 'metadata=%5B%7B%22key%22%3A%22note%22%2C%22value%22%3A%22a%2Cb%22%7D%5D',
  },
  {
    parameter: 'metadata',
    argv: ['--metadata', 'note='],
    name: 'metadata',
    value: '[{"key":"note","value":""}]',
    query: 'metadata=%5B%7B%22key%22%3A%22note%22%2C%22value%22%3A%22%22%7D%5D',
  },
  {
    parameter: 'metadata',
    argv: ['--metadata', 'note=null'],
    name: 'metadata',
    value: '[{"key":"note","value":"null"}]',
    query: 'metadata=%5B%7B%22key%22%3A%22note%22%2C%22value%22%3A%22null%22%7D%5D',
  },
  {
    parameter: 'metadata',
    argv: ['--metadata', 'note=a b+c&d=é"'],
    name: 'metadata',
    value: '[{"key":"note","value":"a b+c&d=é\\""}]',
    query:
      'metadata=%5B%7B%22key%22%3A%22note%22%2C%22value%22%3A%22a%20b%2Bc%26d%3D%C3%A9%5C%22%22%7D' + '%5D',
  },
  {
    parameter: 'metadata',
    argv: ['--metadata', 'note={"n":[1,2]}'],
    name: 'metadata',
    value: '[{"key":"note","value":"{\\"n\\":[1,2]}"}]',
    query:
      'metadata=%5B%7B%22key%22%3A%22note%22%2C%22value%22%3A%22%7B%5C%22n%5C%22%3A%5B1%2C2%5D%7D' +
      '%22%7D%5D',
  },
  {
    parameter: 'metadata',
    argv: ['--metadata', 'note=one\ntwo\\three'],
    name: 'metadata',
    value: '[{"key":"note","value":"one\\ntwo\\\\three"}]',
    query: 'metadata=%5B%7B%22key%22%3A%22note%22%2C%22value%22%3A%22one%5Cntwo%5C%5Cthree%22%7D%5D',
  },
  {
    parameter: 'metadata',
    argv: ['--metadata', '[{"key":"colour","value":"blue"},{"key":"stale","value":null}]'],
    name: 'metadata',
    value: '[{"key":"colour","value":"blue"},{"key":"stale","value":null}]',
    query:
      'metadata=%5B%7B%22key%22%3A%22colour%22%2C%22value%22%3A%22blue%22%7D%2C%7B%22key%22%3A%22st' +
      'ale%22%2C%22value%22%3Anull%7D%5D',
  },
  {
    parameter: 'metadata',
    argv: ['--remove-metadata', 'stale'],
    name: 'metadata',
    value: '[{"key":"stale","value":null}]',
    query: 'metadata=%5B%7B%22key%22%3A%22stale%22%2C%22value%22%3Anull%7D%5D',
  },
  {
    parameter: 'metadata',
    argv: ['--metadata', 'colour=blue', '--remove-metadata', 'stale'],
    name: 'metadata',
    value: '[{"key":"colour","value":"blue"},{"key":"stale","value":null}]',
    query:
      'metadata=%5B%7B%22key%22%3A%22colour%22%2C%22value%22%3A%22blue%22%7D%2C%7B%22key%22%3A%22st' +
      'ale%22%2C%22value%22%3Anull%7D%5D',
  },
  {
    parameter: 'metadata',
    argv: ['--remove-metadata', 'stale', '--remove-metadata', 'older'],
    name: 'metadata',
    value: '[{"key":"stale","value":null},{"key":"older","value":null}]',
    query:
      'metadata=%5B%7B%22key%22%3A%22stale%22%2C%22value%22%3Anull%7D%2C%7B%22key%22%3A%22older%22' +
      '%2C%22value%22%3Anull%7D%5D',
  },
  {
    parameter: 'customFields',
    argv: ['--custom-field', 'IEAAAAAQJUAAAAAA=Berlin'],
    name: 'customFields',
    value: '[{"id":"IEAAAAAQJUAAAAAA","value":"Berlin"}]',
    query: 'customFields=%5B%7B%22id%22%3A%22IEAAAAAQJUAAAAAA%22%2C%22value%22%3A%22Berlin%22%7D%5D',
  },
  {
    parameter: 'customFields',
    argv: ['--custom-field', 'IEAAAAAQJUAAAAAA=12'],
    name: 'customFields',
    value: '[{"id":"IEAAAAAQJUAAAAAA","value":"12"}]',
    query: 'customFields=%5B%7B%22id%22%3A%22IEAAAAAQJUAAAAAA%22%2C%22value%22%3A%2212%22%7D%5D',
  },
  {
    parameter: 'customFields',
    argv: ['--custom-field', 'IEAAAAAQJUAAAAAA='],
    name: 'customFields',
    value: '[{"id":"IEAAAAAQJUAAAAAA","value":""}]',
    query: 'customFields=%5B%7B%22id%22%3A%22IEAAAAAQJUAAAAAA%22%2C%22value%22%3A%22%22%7D%5D',
  },
  {
    parameter: 'customFields',
    argv: ['--custom-field', 'IEAAAAAQJUAAAAAA=x=y'],
    name: 'customFields',
    value: '[{"id":"IEAAAAAQJUAAAAAA","value":"x=y"}]',
    query: 'customFields=%5B%7B%22id%22%3A%22IEAAAAAQJUAAAAAA%22%2C%22value%22%3A%22x%3Dy%22%7D%5D',
  },
  {
    parameter: 'customFields',
    argv: ['--custom-field', 'IEAAAAAQJUAAAAAA=a b+c&d=é"'],
    name: 'customFields',
    value: '[{"id":"IEAAAAAQJUAAAAAA","value":"a b+c&d=é\\""}]',
    query:
      'customFields=%5B%7B%22id%22%3A%22IEAAAAAQJUAAAAAA%22%2C%22value%22%3A%22a%20b%2Bc%26d%3D%C3' +
      '%A9%5C%22%22%7D%5D',
  },
  {
    parameter: 'customFields',
    argv: ['--custom-field', 'IEAAAAAQJUAAAAAA=KUAAAAAA,KUAAAAAB'],
    name: 'customFields',
    value: '[{"id":"IEAAAAAQJUAAAAAA","value":"KUAAAAAA,KUAAAAAB"}]',
    query:
      'customFields=%5B%7B%22id%22%3A%22IEAAAAAQJUAAAAAA%22%2C%22value%22%3A%22KUAAAAAA%2CKUAAAAAB' +
      '%22%7D%5D',
  },
  {
    parameter: 'customFields',
    argv: ['--custom-field', 'IEAAAAAQJUAAAAAA=["Red","Dark blue"]'],
    name: 'customFields',
    value: '[{"id":"IEAAAAAQJUAAAAAA","value":"[\\"Red\\",\\"Dark blue\\"]"}]',
    query:
      'customFields=%5B%7B%22id%22%3A%22IEAAAAAQJUAAAAAA%22%2C%22value%22%3A%22%5B%5C%22Red%5C%22' +
      '%2C%5C%22Dark%20blue%5C%22%5D%22%7D%5D',
  },
  {
    parameter: 'customFields',
    argv: ['--custom-field', 'IEAAAAAQJUAAAAAA=["say \\"hi\\"","é"]'],
    name: 'customFields',
    value: '[{"id":"IEAAAAAQJUAAAAAA","value":"[\\"say \\\\\\"hi\\\\\\"\\",\\"é\\"]"}]',
    query:
      'customFields=%5B%7B%22id%22%3A%22IEAAAAAQJUAAAAAA%22%2C%22value%22%3A%22%5B%5C%22say%20%5C' +
      '%5C%5C%22hi%5C%5C%5C%22%5C%22%2C%5C%22%C3%A9%5C%22%5D%22%7D%5D',
  },
  {
    parameter: 'customFields',
    argv: ['--custom-field', 'IEAAAAAQJUAAAAAA=a\nb\tc\\d 🚀'],
    name: 'customFields',
    value: '[{"id":"IEAAAAAQJUAAAAAA","value":"a\\nb\\tc\\\\d 🚀"}]',
    query:
      'customFields=%5B%7B%22id%22%3A%22IEAAAAAQJUAAAAAA%22%2C%22value%22%3A%22a%5Cnb%5Ctc%5C%5Cd' +
      '%20%F0%9F%9A%80%22%7D%5D',
  },
  {
    parameter: 'customFields',
    argv: ['--custom-field', 'IEAAAAAQJUAAAAAA=a\u0011b'],
    name: 'customFields',
    value: '[{"id":"IEAAAAAQJUAAAAAA","value":"a\\u0011b"}]',
    query: 'customFields=%5B%7B%22id%22%3A%22IEAAAAAQJUAAAAAA%22%2C%22value%22%3A%22a%5Cu0011b%22%7D%5D',
  },
  {
    parameter: 'customFields',
    argv: ['--custom-field', 'IEAAAAAQJUAAAAAA=1', '--custom-field', 'IEAAAAAQJUAAAAAB=2'],
    name: 'customFields',
    value: '[{"id":"IEAAAAAQJUAAAAAA","value":"1"},{"id":"IEAAAAAQJUAAAAAB","value":"2"}]',
    query:
      'customFields=%5B%7B%22id%22%3A%22IEAAAAAQJUAAAAAA%22%2C%22value%22%3A%221%22%7D%2C%7B%22id' +
      '%22%3A%22IEAAAAAQJUAAAAAB%22%2C%22value%22%3A%222%22%7D%5D',
  },
  {
    parameter: 'customFields',
    argv: [
      '--custom-fields',
      '[{"id":"IEAAAAAQJUAAAAAA","value":"[\\"Red\\",\\"Dark blue\\"]"},{"id":"IEAAAAAQJUAAAAAB","v' +
        'alue":null}]',
    ],
    name: 'customFields',
    value:
      '[{"id":"IEAAAAAQJUAAAAAA","value":"[\\"Red\\",\\"Dark blue\\"]"},{"id":"IEAAAAAQJUAAAAAB","v' +
      'alue":null}]',
    query:
      'customFields=%5B%7B%22id%22%3A%22IEAAAAAQJUAAAAAA%22%2C%22value%22%3A%22%5B%5C%22Red%5C%22' +
      '%2C%5C%22Dark%20blue%5C%22%5D%22%7D%2C%7B%22id%22%3A%22IEAAAAAQJUAAAAAB%22%2C%22value%22%3An' +
      'ull%7D%5D',
  },
  {
    parameter: 'customFields',
    argv: ['--remove-custom-field', 'IEAAAAAQJUAAAAAA'],
    name: 'customFields',
    value: '[{"id":"IEAAAAAQJUAAAAAA","value":null}]',
    query: 'customFields=%5B%7B%22id%22%3A%22IEAAAAAQJUAAAAAA%22%2C%22value%22%3Anull%7D%5D',
  },
  {
    parameter: 'customFields',
    argv: ['--custom-field', 'IEAAAAAQJUAAAAAA=1', '--remove-custom-field', 'IEAAAAAQJUAAAAAB'],
    name: 'customFields',
    value: '[{"id":"IEAAAAAQJUAAAAAA","value":"1"},{"id":"IEAAAAAQJUAAAAAB","value":null}]',
    query:
      'customFields=%5B%7B%22id%22%3A%22IEAAAAAQJUAAAAAA%22%2C%22value%22%3A%221%22%7D%2C%7B%22id' +
      '%22%3A%22IEAAAAAQJUAAAAAB%22%2C%22value%22%3Anull%7D%5D',
  },
  {
    parameter: 'customStatus',
    argv: ['--custom-status', 'IEAAAAAQJMAAAAAA'],
    name: 'customStatus',
    value: 'IEAAAAAQJMAAAAAA',
    query: 'customStatus=IEAAAAAQJMAAAAAA',
  },
  {
    parameter: 'restore',
    argv: ['--restore'],
    name: 'restore',
    value: 'true',
    query: 'restore=true',
  },
  {
    parameter: 'restore',
    argv: ['--no-restore', '--title', 'x'],
    name: 'restore',
    value: 'false',
    query: 'restore=false',
    also: 'title=x',
  },
  {
    parameter: 'effortAllocation',
    argv: ['--effort-allocation', '{"mode":"Basic","totalEffort":480}'],
    name: 'effortAllocation',
    value: '{"mode":"Basic","totalEffort":480}',
    query: 'effortAllocation=%7B%22mode%22%3A%22Basic%22%2C%22totalEffort%22%3A480%7D',
  },
  {
    parameter: 'effortAllocation',
    argv: ['--effort-allocation', '{"mode":"FullTime"}'],
    name: 'effortAllocation',
    value: '{"mode":"FullTime"}',
    query: 'effortAllocation=%7B%22mode%22%3A%22FullTime%22%7D',
  },
  {
    parameter: 'effortAllocation',
    argv: ['--effort-allocation', '{"mode":"None"}'],
    name: 'effortAllocation',
    value: '{"mode":"None"}',
    query: 'effortAllocation=%7B%22mode%22%3A%22None%22%7D',
  },
  {
    parameter: 'effortAllocation',
    argv: [
      '--effort-allocation',
      '{"mode":"Flexible","dailyAllocationPercentage":50,"allocatedEffort":240,"totalEffort":960,"r' +
        'esponsibleAllocation":[{"dailyAllocation":[{"date":"2026-01-05","effortMinutes":240}],"userI' +
        'd":"KUAAAAAA"}]}',
    ],
    name: 'effortAllocation',
    value:
      '{"mode":"Flexible","dailyAllocationPercentage":50,"allocatedEffort":240,"totalEffort":960,"r' +
      'esponsibleAllocation":[{"dailyAllocation":[{"date":"2026-01-05","effortMinutes":240}],"userI' +
      'd":"KUAAAAAA"}]}',
    query:
      'effortAllocation=%7B%22mode%22%3A%22Flexible%22%2C%22dailyAllocationPercentage%22%3A50%2C%22' +
      'allocatedEffort%22%3A240%2C%22totalEffort%22%3A960%2C%22responsibleAllocation%22%3A%5B%7B%22' +
      'dailyAllocation%22%3A%5B%7B%22date%22%3A%222026-01-05%22%2C%22effortMinutes%22%3A240%7D%5D' +
      '%2C%22userId%22%3A%22KUAAAAAA%22%7D%5D%7D',
  },
  {
    parameter: 'setResponsibleAllocation',
    argv: [
      '--set-responsible-allocation',
      '[{"dailyAllocation":[{"date":"2026-01-05","effortMinutes":240},{"date":"2026-01-06","effortM' +
        'inutes":0}],"userId":"KUAAAAAA"}]',
    ],
    name: 'setResponsibleAllocation',
    value:
      '[{"dailyAllocation":[{"date":"2026-01-05","effortMinutes":240},{"date":"2026-01-06","effortM' +
      'inutes":0}],"userId":"KUAAAAAA"}]',
    query:
      'setResponsibleAllocation=%5B%7B%22dailyAllocation%22%3A%5B%7B%22date%22%3A%222026-01-05%22' +
      '%2C%22effortMinutes%22%3A240%7D%2C%7B%22date%22%3A%222026-01-06%22%2C%22effortMinutes%22%3A0' +
      '%7D%5D%2C%22userId%22%3A%22KUAAAAAA%22%7D%5D',
  },
  {
    parameter: 'setResponsibleAllocation',
    argv: [
      '--set-responsible-allocation',
      '[{"dailyAllocation":[{"date":"2026-01-05","effortMinutes":480}],"placeholderId":"IEAAAAAQNVA' +
        'AAAAA"}]',
    ],
    name: 'setResponsibleAllocation',
    value:
      '[{"dailyAllocation":[{"date":"2026-01-05","effortMinutes":480}],"placeholderId":"IEAAAAAQNVA' +
      'AAAAA"}]',
    query:
      'setResponsibleAllocation=%5B%7B%22dailyAllocation%22%3A%5B%7B%22date%22%3A%222026-01-05%22' +
      '%2C%22effortMinutes%22%3A480%7D%5D%2C%22placeholderId%22%3A%22IEAAAAAQNVAAAAAA%22%7D%5D',
  },
  {
    parameter: 'setResponsibleAllocation',
    argv: [
      '--set-responsible-allocation',
      '[{"dailyAllocation":[{"date":"2100-01-01","effortMinutes":240},{"date":"1969-12-31","effortMinutes":0.5}],"userId":"KUAAAAAA"}]',
    ],
    name: 'setResponsibleAllocation',
    value:
      '[{"dailyAllocation":[{"date":"2100-01-01","effortMinutes":240},{"date":"1969-12-31","effortMinutes":0.5}],"userId":"KUAAAAAA"}]',
    query:
      'setResponsibleAllocation=%5B%7B%22dailyAllocation%22%3A%5B%7B%22date%22%3A%222100-01-01%22%2C%22effortMinutes%22%3A240%7D%2C%7B%22date%22%3A%221969-12-31%22%2C%22effortMinutes%22%3A0.5%7D%5D%2C%22userId%22%3A%22KUAAAAAA%22%7D%5D',
  },
  {
    parameter: 'setResponsibleAllocation',
    argv: ['--set-responsible-allocation', '[]'],
    name: 'setResponsibleAllocation',
    value: '[]',
    query: 'setResponsibleAllocation=%5B%5D',
  },
  {
    parameter: 'billingType',
    argv: ['--billing-type', 'Billable'],
    name: 'billingType',
    value: 'Billable',
    query: 'billingType=Billable',
  },
  {
    parameter: 'billingType',
    argv: ['--billing-type', 'NonBillable'],
    name: 'billingType',
    value: 'NonBillable',
    query: 'billingType=NonBillable',
  },
  {
    parameter: 'withInvitations',
    argv: ['--with-invitations', '--title', 'x'],
    name: 'withInvitations',
    value: 'true',
    query: 'withInvitations=true',
    also: 'title=x',
  },
  {
    parameter: 'withInvitations',
    argv: ['--no-with-invitations', '--title', 'x'],
    name: 'withInvitations',
    value: 'false',
    query: 'withInvitations=false',
    also: 'title=x',
  },
  {
    parameter: 'convertToCustomItemType',
    argv: ['--convert-to-custom-item-type', 'IEAAAAAQPIAAAAAA'],
    name: 'convertToCustomItemType',
    value: 'IEAAAAAQPIAAAAAA',
    query: 'convertToCustomItemType=IEAAAAAQPIAAAAAA',
  },
  {
    parameter: 'plainTextCustomFields',
    argv: ['--plain-text-custom-fields', '--title', 'x'],
    name: 'plainTextCustomFields',
    value: 'true',
    query: 'plainTextCustomFields=true',
    also: 'title=x',
  },
  {
    parameter: 'plainTextCustomFields',
    argv: ['--no-plain-text-custom-fields', '--title', 'x'],
    name: 'plainTextCustomFields',
    value: 'false',
    query: 'plainTextCustomFields=false',
    also: 'title=x',
  },
  {
    parameter: 'workScheduleId',
    argv: ['--work-schedule-id', 'IEAAAAAQMLAAAAAA'],
    name: 'workScheduleId',
    value: 'IEAAAAAQMLAAAAAA',
    query: 'workScheduleId=IEAAAAAQMLAAAAAA',
  },
  {
    parameter: 'fields',
    argv: [
      '--fields',
      'billingType,workScheduleId,effortAllocation,responsiblePlaceholderIds',
      '--title',
      'x',
    ],
    name: 'fields',
    value: '["billingType","workScheduleId","effortAllocation","responsiblePlaceholderIds"]',
    query:
      'fields=%5B%22billingType%22%2C%22workScheduleId%22%2C%22effortAllocation%22%2C%22responsible' +
      'PlaceholderIds%22%5D',
    also: 'title=x',
  },
  {
    parameter: 'fields',
    argv: [
      '--fields',
      '["billingType","workScheduleId","effortAllocation","responsiblePlaceholderIds"]',
      '--title',
      'x',
    ],
    name: 'fields',
    value: '["billingType","workScheduleId","effortAllocation","responsiblePlaceholderIds"]',
    query:
      'fields=%5B%22billingType%22%2C%22workScheduleId%22%2C%22effortAllocation%22%2C%22responsible' +
      'PlaceholderIds%22%5D',
    also: 'title=x',
  },
  {
    parameter: 'fields',
    argv: ['--fields', 'billingType', '--fields', 'effortAllocation', '--title', 'x'],
    name: 'fields',
    value: '["billingType","effortAllocation"]',
    query: 'fields=%5B%22billingType%22%2C%22effortAllocation%22%5D',
    also: 'title=x',
  },
  {
    parameter: 'fields',
    argv: ['--title', 'x', '--fields', 'workScheduleId'],
    name: 'fields',
    value: '["workScheduleId"]',
    query: 'fields=%5B%22workScheduleId%22%5D',
    also: 'title=x',
  },
  {
    parameter: 'title',
    argv: ['--title', 'x'.repeat(1000)],
    name: 'title',
    value: 'x'.repeat(1000),
    query: `title=${'x'.repeat(1000)}`,
  },
  {
    parameter: 'metadata',
    argv: ['--metadata', `${'k'.repeat(49)}=${'v'.repeat(999)}`],
    name: 'metadata',
    value: `[{"key":"${'k'.repeat(49)}","value":"${'v'.repeat(999)}"}]`,
    query:
      `metadata=%5B%7B%22key%22%3A%22${'k'.repeat(49)}%22%2C%22value%22%3A%22` +
      `${'v'.repeat(999)}%22%7D%5D`,
  },
  {
    parameter: 'metadata',
    argv: hundred.flatMap((n) => ['--metadata', `k${n}=v`]),
    name: 'metadata',
    value: `[${hundred.map((n) => `{"key":"k${n}","value":"v"}`).join(',')}]`,
    query:
      'metadata=%5B' +
      hundred.map((n) => `%7B%22key%22%3A%22k${n}%22%2C%22value%22%3A%22v%22%7D`).join('%2C') +
      '%5D',
  },
  {
    parameter: 'customFields',
    argv: ['--custom-field', `IEAAAAAQJUAAAAAA=${'v'.repeat(4000)}`],
    name: 'customFields',
    value: `[{"id":"IEAAAAAQJUAAAAAA","value":"${'v'.repeat(4000)}"}]`,
    query:
      'customFields=%5B%7B%22id%22%3A%22IEAAAAAQJUAAAAAA%22%2C%22value%22%3A%22' +
      `${'v'.repeat(4000)}%22%7D%5D`,
  },
];
