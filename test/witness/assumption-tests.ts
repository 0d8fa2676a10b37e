// The test of each assumption, by default and in each mode in which it differs: the file below test/, without its ending, the test's
// title, and the rows that it shows. `npm run rows` writes this table into docs/contract-tests.md; rows.test.ts compares both with the
// assumptions and the tests.

import { words } from './words.ts';

export type AssumptionTest = readonly [row: string, mode: string, title: string, file: string];

/** The rows of each title of a file. */
type Files = Readonly<Record<string, Readonly<Record<string, string>>>>;

const testsByMode: Readonly<Record<string, Files>> = {
  default: {
    'emulator/oauth/sign-in': {
      'the token endpoint returns errors as in RFC 6749': 'token-endpoint-errors',
      'a refresh token works only for its application and its data centre': 'refresh-host',
      'a request without a suitable scope is forbidden; one such scope is enough': 'missing-scope',
      'a version 3 refresh token can be converted, for its own account': 'v3-token',
      'a refresh token works once, and each use returns a new one':
        'refresh-response access-token-after-refresh',
      'accepts a bearer token (ignoring case of the scheme), or access_token in the query; anything else is the same 401':
        'unauthorized-body',
      'a code works once and for ten minutes; using it again revokes its tokens': 'code-reuse',
      'a deactivated user is an inactive contact, is not on the consent page, and cannot sign in':
        'inactive-user',
      'the token endpoint reports what it accepts beyond the contract, in default mode':
        'basic-credentials both-credentials pkce unknown-token-parameter empty-token-parameter',
      'the default scope is wsReadWrite and amReadOnlyWorkflow, when refreshing and when reading':
        'refresh-scope',
    },
    'emulator/assumption-rows': {
      'the response to each assumed request names its row': `
        webhook-delete-response root-by-id audit-log task-order state-echo parameterised-events-alone
        list-pages webhook-record webhook-id-pattern batch empty-list unknown-custom-field same-hook-url
        restore priority-list attach-file task-items deleted-task-items task-dependencies version
        timelog-groups other-methods method-parameter contact-filters invitations filter-ids
      `,
      'several webhooks get an event with the same Idempotency-Key, one event per list':
        'events-per-delivery shared-idempotency-key',
      'an attachment keeps its bytes, and a comment with plainText=true its tags':
        'comment-plain-text file-contents',
      'any one of the scopes gives access to the audit log': 'audit-log-scopes',
      'an event does not wait for the retry of an earlier event of its task': 'retry-order',
    },
    'emulator/control/control': {
      'a rate limit counts the requests of each token per minute': 'rate-limit',
      'licence and access of a user': 'licence-status',
      'retries pause while the endpoints of a host keep failing': 'retry-pauses',
      'triggers each event on demand, with the fields of its row': 'events-without-subject',
    },
    'emulator/service/modes': {
      'a rejection not stated in the contract names its row, in default mode':
        'deleted-task-update start-alone unresolved-id other-endpoints repeated-parameter other-account',
      'plain-lists: PUT /tasks/IEAAAAAQKQAB5BNG?addFollowers=%5BKUAABENQ%5D is accepted by default, and rejected with --strict':
        'plain-lists',
      'ignores and reports an unknown parameter where the contract does not list them': 'unknown-parameter',
      'only a path of version 3, or nonsense, is called nonexistent; others are called unsupported':
        'version-3-paths',
      'trailing-slash: PUT /tasks/IEAAAAAQKQAB5BNG/?title=x is accepted by default, and rejected with --strict':
        'trailing-slash',
      'unencoded-json: PUT /tasks/IEAAAAAQKQAB5BNG?addFollowers=[%22KUAABENQ%22] is accepted by default, and rejected with --strict':
        'unencoded-json',
      'plus-sign: PUT /tasks/IEAAAAAQKQAB5BNG?title=a+b is accepted by default, and rejected with --strict':
        'plus-sign',
      'json-in-json: POST /webhooks is accepted by default, and rejected with --strict': 'json-in-json',
      'token-twice: PUT /tasks/IEAAAAAQKQAB5BNG?title=x&access_token=x is accepted by default, and rejected with --strict':
        'token-twice',
    },
    'emulator/dispatch/delivery': {
      'with a secret, every delivery is signed over its exact bytes': 'signature-text delivery-secret-header',
      'a webhook whose receiver cannot be reached for the handshake is not created': 'handshake-failure',
      '500 is retried after 30 and 60 seconds with the same key, then suspends': 'delivery-timing',
      '404 suspends the webhook at once': 'suspension-notice',
      'a custom field value in an event is JSON: text is quoted, numbers and lists are not':
        'empty-custom-field',
      'an update causes its events, each with the previous values': 'old-item-type',
    },
    'emulator/endpoints/webhooks': {
      'a secret is verified by a handshake before the webhook exists': 'handshake-body',
      'task item types are accepted with folder events, and nothing is delivered': 'idle-webhook',
      'a webhook is visible only to the application that created it': 'foreign-webhook',
      'creates a webhook in each of the three scopes': 'space-webhook-folder',
    },
    'emulator/dispatch/deliveries': {
      'an attempt has its date, result and verdict, without a response too': 'delivery-timeout',
    },
    'emulator/task/filter-tasks': {
      'filters by status, assignee, part of the title, and dates': 'task-title-filter',
      'a folder has its own tasks; descendants adds those below, subTasks their subtasks': 'folder-tasks',
      'tasks without a date are last in both directions; without a field, the order is by priority':
        'due-date-sort',
    },
    'emulator/oauth/redirect-uri': {
      'accepts an address of this machine in its usual form, with any port, path and query':
        'loopback-redirect',
    },
    'emulator/update/tolerances': {
      'due-before-start: an update that only an assumption rejects': 'due-before-start',
      'type-without-dates: an update that only an assumption rejects': 'type-without-dates',
      'surrogate-halves: an update that only an assumption rejects': 'surrogate-halves',
      'contradictory-dates: an update that only an assumption rejects': 'contradictory-dates',
      'priority-contradiction: an update that only an assumption rejects': 'priority-contradiction',
      'super-task-loop: an update that only an assumption rejects': 'super-task-loop',
      'custom-field-types: an update that only an assumption rejects': 'custom-field-types',
      'custom-status-group: an update that only an assumption rejects': 'custom-status-group',
      'item-type-of-projects: an update that only an assumption rejects': 'item-type-of-projects',
      'an allocation needs exactly one assignee': 'allocation-assignee',
      'a user who has left can be removed from a task, but not added': 'former-user',
      'effortAllocation resets what it leaves out, except the allocations of assignees': 'effort-replaced',
    },
    'emulator/task/dates': {
      'a duration without start and due clears both': 'duration-with-due',
      'a start and a duration give the due date': 'duration-with-start',
      'a duration with start and due is stored as sent': 'three-dates',
    },
    'emulator/update/update': {
      'limits are exactly those of the contract': 'character-count',
      'accepts parameters in a query, a form or JSON': 'long-values',
      'status changes between all four values, and completing sets a date': 'completed-date',
    },
    'emulator/responses': {
      'a contact of another account, or a folder that the user cannot see, fails the whole request':
        'one-unknown-id',
      'rejects a compressed body; identity counts as uncompressed': 'content-encoding',
    },
    'emulator/control/invalid-requests': {
      'filters contacts by type; an unknown type is invalid': 'contact-type',
    },
    'emulator/task/items': {
      'the deprecated date of a timelog still works; responses have only the new names': 'deprecated-names',
    },
    'emulator/http/request.deep': {
      'a query with a description of a million characters is read; a request line of 16 MB is too long':
        'query-length',
      'a body of 16 MiB is read whole; one more byte is too long': 'body-length',
    },
    'emulator/deep-json': {
      'JSON nested 100,000 levels deep gets a 400 in every kind of request': 'json-depth',
    },
    'emulator/records': {
      'fields adds each allowed name to the payload, of a task and of a folder, and no other':
        'recurrence-field',
    },
  },
  bare: {
    'emulator/oauth/sign-in': {
      'in bare mode, a refresh response has no host': 'refresh-response',
    },
    'emulator/fields': {
      'paging is only assumed: with --bare, a list is complete': 'list-pages',
    },
    'emulator/endpoints/webhooks': {
      'without assumed fields, a webhook record is the bare one': 'webhook-record',
    },
  },
  strict: {
    'emulator/service/modes': {
      'plain-lists: PUT /tasks/IEAAAAAQKQAB5BNG?addFollowers=%5BKUAABENQ%5D is accepted by default, and rejected with --strict':
        'plain-lists',
      'ignores and reports an unknown parameter where the contract does not list them': 'unknown-parameter',
      'trailing-slash: PUT /tasks/IEAAAAAQKQAB5BNG/?title=x is accepted by default, and rejected with --strict':
        'trailing-slash',
      'unencoded-json: PUT /tasks/IEAAAAAQKQAB5BNG?addFollowers=[%22KUAABENQ%22] is accepted by default, and rejected with --strict':
        'unencoded-json',
      'plus-sign: PUT /tasks/IEAAAAAQKQAB5BNG?title=a+b is accepted by default, and rejected with --strict':
        'plus-sign',
      'json-in-json: POST /webhooks is accepted by default, and rejected with --strict': 'json-in-json',
      'token-twice: PUT /tasks/IEAAAAAQKQAB5BNG?title=x&access_token=x is accepted by default, and rejected with --strict':
        'token-twice',
    },
    'emulator/oauth/sign-in': {
      'the token endpoint reports what it accepts beyond the contract, in strict mode':
        'basic-credentials pkce unknown-token-parameter',
    },
  },
};

export const assumptionTests: readonly AssumptionTest[] = Object.entries(testsByMode).flatMap(
  ([mode, files]) =>
    Object.entries(files).flatMap(([file, titles]) =>
      Object.entries(titles).flatMap(([title, rows]) =>
        words(rows).map((row): AssumptionTest => [row, mode, title, file]),
      ),
    ),
);
