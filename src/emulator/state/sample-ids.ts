// The fixed ids of the sample, so that documentation and tests can name them. sample.ts has the records.

export const sample = {
  account: 'IEAAAAAQ',
  /** The administrator, and the owner of the permanent token. */
  ada: 'KUAAADAQ',
  /** Sees everything but the private folder. */
  ben: 'KUAABENQ',
  bot: 'KUAABOTQ',
  invitation: 'KXAAINVQ',

  root: 'IEAAAAAQI7777777',
  recycleBin: 'IEAAAAAQI7777776',
  space: 'IEAAAAAQI5AB5SPC',
  secondSpace: 'IEAAAAAQI5AB5SP2',
  folder: 'IEAAAAAQI4AB5FLD',
  subfolder: 'IEAAAAAQI4AB5SUB',
  /** Shared with Ada alone. */
  privateFolder: 'IEAAAAAQI4AB5PRV',
  project: 'IEAAAAAQI4AB5PRJ',

  task: 'IEAAAAAQKQAB5BNG',
  subtask: 'IEAAAAAQKQAB5SUB',
  milestone: 'IEAAAAAQKQAB5MIL',
  backlog: 'IEAAAAAQKQAB5BLG',
  completed: 'IEAAAAAQKQAB5DON',
  deferred: 'IEAAAAAQKQAB5DEF',
  cancelled: 'IEAAAAAQKQAB5CAN',
  recurrent: 'IEAAAAAQKQAB5REC',
  bug: 'IEAAAAAQKQAB5BUG',
  withImage: 'IEAAAAAQKQAB5IMG',
  privateTask: 'IEAAAAAQKQAB5PRV',
  deletedTask: 'IEAAAAAQKQAB5BIN',

  text: 'IEAAAAAQJUAB5TXT',
  numeric: 'IEAAAAAQJUAB5NUM',
  currency: 'IEAAAAAQJUAB5CUR',
  percentage: 'IEAAAAAQJUAB5PCT',
  duration: 'IEAAAAAQJUAB5DUR',
  date: 'IEAAAAAQJUAB5DAT',
  checkbox: 'IEAAAAAQJUAB5CHK',
  dropDown: 'IEAAAAAQJUAB5DRP',
  multiple: 'IEAAAAAQJUAB5MUL',
  contacts: 'IEAAAAAQJUAB5CON',

  standardWorkflow: 'IEAAAAAQK4AB5STD',
  customWorkflow: 'IEAAAAAQK4AB5CUS',
  active: 'IEAAAAAQJMAB5ACT',
  completedStatus: 'IEAAAAAQJMAB5CMP',
  deferredStatus: 'IEAAAAAQJMAB5DFR',
  cancelledStatus: 'IEAAAAAQJMAB5CNC',
  inReview: 'IEAAAAAQJMAB5REV',
  inProgress: 'IEAAAAAQJMAB5PRG',
  published: 'IEAAAAAQJMAB5PUB',
  onHold: 'IEAAAAAQJMAB5HLD',
  dropped: 'IEAAAAAQJMAB5DRO',

  bugType: 'IEAAAAAQPIAB5BUG',
  storyType: 'IEAAAAAQPIAB5STO',
  /** A type for projects: no task can have it. */
  campaignType: 'IEAAAAAQPIAB5CMP',
  workSchedule: 'IEAAAAAQMLAB5STD',
  nightShift: 'IEAAAAAQMLAB5NGT',
  placeholder: 'IEAAAAAQNVAB5DEV',
  secondPlaceholder: 'IEAAAAAQNVAB5DES',
  attachment: 'IEAAAAAQIYAB5PNG',
  dependency: 'IEAAAAAQIUAB5DEP',
  /** The host of the webhooks. */
  receiver: 'lantern.example',
  billingHook: 'IEAAAAAQWAAB5BIL',
  secondBillingHook: 'IEAAAAAQWAAB5BI2',
  folderHook: 'IEAAAAAQWAAB5CHT',
  suspendedHook: 'IEAAAAAQWAAB5OLD',

  writing: 'IEAAAAAQTCAB5WRI',
  design: 'IEAAAAAQTCAB5DSG',

  europeanAccount: 'IEAAEUAQ',
  adaInEurope: 'KUEUADAQ',
  europeanTask: 'IEAAEUAQKQAB5BNG',
  secondAmericanAccount: 'IEAAU2AQ',
  adaInSecondAmerica: 'KUU2ADAQ',
  secondAmericanTask: 'IEAAU2AQKQAB5BNG',
} as const;

/** The registered applications. Their secrets may be public, because a secret alone gives no access. */
export const sampleApplications = {
  /** Accepts any loopback redirect URI. */
  ready: { id: 'Rd7kPq2W', secret: 'VbN0zK4sXy8mTqLw2HdRf6JcGp1uAe9oIi3Z5rUxYtMvBnCkDjSgFhWlQaEs7P0d' },
  /** Has two redirect URIs, so `redirect_uri` is required. */
  two: { id: 'Tw0hX5nB', secret: 'Qm3LzYt8NcVx1RwKp6JgDf4HsAe0uTb9oIi7Z2rUxWyMvBnCkEjSqFhGlPaXs5d8' },
  /** Has one redirect URI, so `redirect_uri` is optional. */
  one: { id: 'On3vJ9sL', secret: 'Hs6DfGj2KlQw9ErTy4UiOp0AzXc7VbNm1Zx3CvBn5MqWe8RtYu6IoPa2SdFg4Hj1' },
} as const;

export const sampleCallbacks = {
  two: ['https://app.example.com/oauth/callback', 'https://staging.example.com/oauth/callback'],
  one: ['https://one.example.com/oauth/callback'],
} as const;

/** The permanent tokens with `--fixed-tokens`. They are public, so without it the tokens are random (sample-tokens.ts). */
export const sampleTokens = {
  ada: 'pmtA7cQ2vXz9LkRw4TnYs6HdJf1GbPe8UoIm3ZrKx5VyWtNqBjCgFhSlDaEu0Mi',
  ben: 'pmtB3kWn8ZsTq1XyVr5LcHj7DfGp2MbUe9OoIi4KaRx6YtNwQvCgFhSlJzEu0Dm',
  /** Ada's permanent token for the application with two redirect URIs. */
  adaOfTwo: 'pmtC5rVm1YwKp9ZxTq3NbHs7JfGd2LcUe8OoIi6MaRk4XtQwBvCgFhSlDzEu0Jn',
  adaInEurope: 'pmtE2yTq7XwLk5ZvRn9McHd3JfGs1PbUe6OoIi8NaRx4KtQwBvCgFhSlVzEu0Dj',
  /** A version 3 refresh token: version 4 only converts it. */
  version3Refresh: 'rtkV3nWs8QzTx1KyLr5VcHj7DfGp2MbUe9OoIi4PaRk6YtNwBvCgFhSlJzEu0Xm',
} as const;

export type SampleTokenName = keyof typeof sampleTokens;
