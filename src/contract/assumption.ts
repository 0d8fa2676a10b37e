// What the contract does not show, and what is assumed instead: one row each, which the emulator shows to users. The client
// does not depend on an assumption where it can also accept something else; `alsoAccepted` says what.

/** How the emulator handles what the contract does not show. */
export const emulatorModes = ['default', 'bare', 'strict'] as const;
export type EmulatorMode = (typeof emulatorModes)[number];

/** Where a row comes from: a recording of the service, notes of who made it, its reference of 2019, or no source at all. */
const sources = ['recorded', 'noted', 'reference', 'assumed'] as const;
export type Source = (typeof sources)[number];

interface AssumptionNotes {
  readonly about: string;
  /** What `wm` and other careful clients accept as well. */
  readonly alsoAccepted?: string;
  /** With --bare, which omits from responses what the contract does not show. */
  readonly bare?: string;
  /** With --strict, which rejects requests that go beyond the letter of the contract. */
  readonly strict?: string;
  /** Several public integrations of the service show it. */
  readonly seen?: true;
}
/** The name of its text is its source. */
type AssumptionRow = AssumptionNotes & { [S in Source]: { readonly [K in S]: string } }[Source];

const rows = {
  'token-endpoint-errors': {
    about: 'errors of the token endpoint',
    assumed: '400 with error and error_description (RFC 6749, 5.2)',
    alsoAccepted: '401; any JSON or none; unauthorized_client for a wrong secret',
    seen: true,
  },
  'webhook-delete-response': {
    about: 'the response to deleting a webhook',
    assumed: '200, kind webhooks, empty data',
    alsoAccepted: 'the deleted record; 204',
  },
  'rate-limit': {
    about: 'the rate limit',
    assumed: 'off by default; when on, 429 too_many_requests, sometimes with Retry-After',
    alsoAccepted: 'rate_limit_exceeded; no header',
    seen: true,
  },
  'deleted-task-update': {
    about: 'changing a deleted task',
    assumed: '403 access_forbidden',
    alsoAccepted: '400, 404',
  },
  'signature-text': { about: 'signatures', assumed: 'lower-case hex', alsoAccepted: 'any case', seen: true },
  'handshake-body': {
    about: "the handshake's body",
    assumed: '{"requestType":"WebHook secret verification"}',
    alsoAccepted: 'any text, any spacing, in a list of its own',
    seen: true,
  },
  'handshake-failure': { about: 'a failed handshake', assumed: 'creating fails: 400 invalid_parameter' },
  'delivery-timing': {
    about: 'time limit and retry intervals of a delivery',
    assumed: '10 s; 30 s and 60 s, unless the program that starts the emulator sets others',
  },
  'delivery-timeout': {
    about: 'a delivery that gets no response in time',
    assumed: 'it is retried, like one that got 503',
    alsoAccepted: 'it is not retried: the receiver responds with 503 after 8 s',
  },
  'task-read': {
    about: 'reading tasks',
    recorded:
      'GET /tasks/{id},{id} up to 100; all members but attachmentCount, cascadingFieldSettings, finance, recurrent and the four that the contract shows on request, unless fields names them; PUT, POST and DELETE have attachmentCount too',
    alsoAccepted: 'more members',
    seen: true,
  },
  'read-by-id': {
    about: 'reading contacts, users, folders, spaces, custom fields and workflows by id',
    recorded: 'GET /contacts/{id},{id}, up to 100; one unknown id: 404 for all; a user is shown as a contact',
    alsoAccepted: 'records in another order',
    bare: 'a user has its id alone',
    seen: true,
  },
  'root-by-id': { about: 'reading the root', noted: '400 invalid_parameter', alsoAccepted: 'its record' },
  'folder-list-kind': {
    about: 'the list of all folders',
    recorded:
      'kind folderTree, with the root, the recycle bin and what is in it: id, title, childIds, scope and project; deleted=false and deleted=true choose among them; with any other parameter, or descendants=false: kind folders, without the root, and the members that record-shapes names',
    alsoAccepted: 'kind folders, and records in place of a tree',
  },
  'audit-log': {
    about: 'the audit log',
    reference:
      'entries of id, operation, userId, userEmail, eventDate, ipAddress, objectType, objectName, objectId and details, the newest first; filtered by eventDate and operations; for administrators',
    alsoAccepted: 'any of them missing, in any order',
    bare: 'its entries have no members',
  },
  'task-lists': {
    about: 'listing tasks',
    recorded:
      'GET /tasks, /folders/{id}/tasks and /spaces/{id}/tasks, with descendants, which changes nothing in the list of the account; of a task only id, accountId, title, status, importance, the dates, scope, customStatusId, permalink and priority, and what fields names; recurrent, customItemTypeId and workScheduleId only of a task that has them; 400 invalid_parameter for an unknown name',
    alsoAccepted: 'filters that are ignored: wm applies them too; more members',
    seen: true,
  },
  'task-filters': {
    about: 'filters and the order of lists of tasks',
    reference:
      'by the fields of a task: status, responsibles, authors, permalink, importance, type, customStatuses, customItemTypes, billingTypes, metadata, and dates ({"start","end"}, without the end, or {"equal"}); scheduledDate, which a part of the schedule meets; customField and customFields, whose comparators read the value by the type of the field, and texts ignoring case but for EqualTo; sortField, of which LastAccessDate is UpdatedDate; sortOrder and limit',
    alsoAccepted: 'filters that are ignored, or include the end: wm applies them too',
    seen: true,
  },
  'task-title-filter': {
    about: 'the filter title of a list of tasks',
    assumed: 'a part of the title, ignoring case, as of folders; wm filters by itself',
    alsoAccepted: 'the whole title alone, as the reference says; the filter is ignored',
    seen: true,
  },
  'folder-tasks': {
    about: 'the tasks of a folder without descendants',
    recorded: 'its own alone; with descendants also those of the folders below',
  },
  'bin-tasks': {
    about: 'the tasks of the recycle bin',
    noted: 'deleted tasks; with descendants also those deleted with a folder',
  },
  'folder-subtasks': {
    about: 'the subtasks of the tasks of a folder or a space',
    reference:
      'come only with subTasks, also where descendants is true; one that is in the folder itself comes without',
    alsoAccepted: 'come with descendants',
  },
  'task-order': {
    about: 'the order of a list of tasks without sortField',
    assumed: 'that of priority',
    alsoAccepted: 'any order, such as that of updatedDate, which recordings fit',
  },
  'due-date-sort': { about: 'tasks without a due date in a list sorted by it', assumed: 'last' },
  'state-echo': { about: 'where state is echoed', assumed: 'beside kind', alsoAccepted: 'none' },
  'loopback-redirect': {
    about: 'http loopback as a redirect address',
    assumed: 'accepted when registered; any port for the ready application',
    alsoAccepted: 'rejected; wm then needs an https address and a paste',
    seen: true,
  },
  'refresh-host': {
    about: 'where to refresh a token',
    assumed: 'https://<host of the token>/oauth2/token',
    alsoAccepted: 'the authorization address',
  },
  'operation-scopes': {
    about: 'the scopes of every operation but creating and updating a task',
    reference:
      'a GET needs Default, wsReadOnly or wsReadWrite, and any other request Default or wsReadWrite; reading workflows also accepts their own scopes; users, groups and invitations accept only those with their names; GET /version needs none; scopes outside the list of the contract do not exist; 403 access_forbidden',
    alsoAccepted: 'any 403',
  },
  'missing-scope': {
    about: 'a missing scope that the contract requires',
    assumed: '403 access_forbidden',
    alsoAccepted: '403 not_allowed',
  },
  'parameterised-events-alone': { about: 'parameterisedEvents alone', assumed: 'only these are delivered' },
  'start-alone': { about: 'a start date alone', noted: '400 invalid_parameter', alsoAccepted: 'any 400' },
  'due-before-start': { about: 'a due date before the start', assumed: '400 invalid_parameter' },
  'duration-with-due': { about: 'a duration with a due date and no start', assumed: 'clears the dates' },
  'duration-with-start': { about: 'a duration with a start and no due date', assumed: 'sets the due date' },
  'licence-status': { about: 'a licence too low for a status', assumed: '403 not_allowed' },
  'v3-token': { about: 'a version 3 token on version 4', assumed: '401 not_authorized' },
  'refresh-response': {
    about: 'the response to a refresh',
    assumed: 'all five fields',
    alsoAccepted: 'host or refresh_token missing: the old one is kept',
    bare: 'no host',
    seen: true,
  },
  'date-without-time': {
    about: 'a date without a time, and a start on a day off',
    recorded: 'start 09:00, due 17:00; without workOnWeekends, such a start moves to the next working day',
    seen: true,
  },
  'weekend-dates': {
    about: 'a due date on a day off, and the time of a start there',
    assumed: 'it stays, unless the start has moved past it: then it moves too; both keep their time of day',
    alsoAccepted: 'any other start and due date',
  },
  'list-pages': {
    about: 'pages of lists',
    recorded:
      'parameters pageSize (up to 1000) and nextPageToken; nextPageToken and responseSize beside data, only if there are more records than the page holds; a token has 45 upper-case letters and digits, replaces all other parameters, and is valid for its list alone; comments have no pages, the list of all folders only with a filter; in a list of tasks the next page begins after the last task of the one before, even if tasks were added or removed meanwhile',
    alsoAccepted: 'no pages; empty pages before the last; a token on the last page; responseSize on each',
    bare: 'a list comes whole; pageSize and nextPageToken are ignored',
    seen: true,
  },
  'webhook-record': {
    about: "a webhook's record",
    assumed: "the contract's fields, and events and recursive",
    alsoAccepted: 'either',
    bare: "the contract's fields",
    seen: true,
  },
  'webhook-id-pattern': {
    about: 'the pattern of the ids of webhooks, workflows, comments, attachments, timelogs and jobs',
    recorded:
      'none, though those recorded have 16 upper-case letters and digits; an id that a path cannot contain is rejected',
  },
  'space-id-pattern': { about: 'the pattern of a space id', recorded: "a FolderId's: a space is a folder" },
  'unauthorized-body': {
    about: 'the body of a 401',
    assumed: '{"errorDescription":"Access token is unknown or invalid","error":"not_authorized"}',
    seen: true,
  },
  batch: {
    about: 'the shapes of a batch',
    assumed:
      'operations of method, path and parameters; returns an async job, which GET /async_job/{id} reads; once it is Completed, results has one entry for each operation, with the status that it would have by itself',
    alsoAccepted: 'other words for a job that is still at work; no results',
    bare: 'a job has its id alone',
  },
  'character-count': {
    about: 'what a limit counts as a character',
    assumed: 'a Unicode code point, as the description language of the service (OpenAPI 3.0) counts',
  },
  'long-values': {
    about: 'long values',
    assumed:
      'a query of up to 16,000 bytes is read; all parameters of a longer one, or of one rejected with 414 or 431, go into a form body, and the response to it shows them',
    alsoAccepted: 'a query of any length',
    seen: true,
  },
  'plain-lists': {
    about: 'lists of ids and names in a query or a form',
    reference:
      "besides a JSON list: a list in bare brackets ([A,B]), which the contract shows for events alone, or in single quotes (['A','B']), a repeated name, name[] or name[0], or a lone item; lists of records are JSON",
    strict: '400 invalid_parameter but for one JSON list; wm sends that',
  },
  'events-per-delivery': {
    about: 'the number of events in a delivery',
    assumed: 'one, in a list',
    alsoAccepted: 'several events in one list; a single object',
  },
  'shared-idempotency-key': {
    about: 'the Idempotency-Key of an event that several webhooks receive',
    assumed: 'the same for all of them',
    alsoAccepted: 'one for each delivery',
  },
  'suspension-notice': { about: 'the notice to the author when a 4xx suspends a webhook', assumed: 'none' },
  'retry-pauses': {
    about: 'when retries are paused',
    assumed: 'after each tenth failure in a row at a host, for five minutes',
  },
  'unresolved-id': {
    about: 'an id in a parameter that no record has',
    assumed: '400 invalid_parameter',
    alsoAccepted: '404 resource_not_found',
  },
  'one-unknown-id': {
    about: 'one unknown id among several of a GET',
    assumed: '404 resource_not_found for all of them',
    alsoAccepted: 'the others are returned',
  },
  'empty-list': {
    about: 'an empty list of events, of custom item types, or of custom fields in a filter',
    assumed: '400 invalid_parameter; wm does not send it',
    alsoAccepted: 'a webhook that never fires',
  },
  'unknown-custom-field': {
    about: 'a custom field or custom item type of a webhook that does not exist',
    assumed: '400 invalid_parameter; wm looks custom fields up first',
    alsoAccepted: 'a webhook that never fires',
  },
  'idle-webhook': {
    about: 'custom item types of a webhook whose events concern no such items',
    assumed: 'accepted; it never fires',
    alsoAccepted: '400 invalid_parameter',
  },
  'same-hook-url': {
    about: 'several webhooks with the same hookUrl',
    assumed: 'accepted; each gets its own deliveries',
    alsoAccepted: '400 invalid_parameter',
  },
  'contact-type': {
    about: 'the type by which contacts are filtered',
    recorded: 'Person, Group or Robot; any other word: 400 invalid_parameter',
    alsoAccepted: 'no contacts',
  },
  'foreign-webhook': {
    about: 'a webhook of another application',
    assumed: '404 resource_not_found',
    alsoAccepted: '403 access_forbidden',
  },
  'space-webhook-folder': { about: 'the folderId of a webhook on a space', assumed: 'none' },
  'completed-date': {
    about: 'completedDate of a task that is active again',
    noted: 'goes; a second status=Completed leaves it as it is',
    alsoAccepted: 'stays',
  },
  restore: { about: 'restore=true on a task that is not deleted', assumed: 'changes nothing' },
  'type-without-dates': {
    about: 'type Planned or Milestone without dates beside it',
    assumed: "the task's dates are used; if it has none: 400 invalid_parameter",
  },
  'three-dates': {
    about: 'start, due and duration together',
    assumed: 'the duration is taken as it is sent, the dates as without it',
  },
  'empty-custom-field': {
    about: 'no value, in an event of a custom field',
    assumed: 'null as JSON',
    alsoAccepted: 'an empty string',
  },
  'old-item-type': {
    about: 'oldWorkItemTypeId of a task that had no custom item type',
    assumed: 'null',
    alsoAccepted: 'omitted',
  },
  'priority-list': { about: 'what priorityBefore and priorityAfter order', assumed: 'one list of all tasks' },
  'access-token-after-refresh': {
    about: 'an access token whose refresh token was used',
    assumed: 'stays valid to the end of its hour',
  },
  'code-reuse': { about: 'a code used twice', assumed: 'rejected, and its tokens revoked (RFC 6749, 4.1.2)' },
  'token-query': {
    about: 'parameters of the token endpoint in the query',
    assumed: 'accepted; one that is in the form too: 400 invalid_request',
    alsoAccepted: 'rejected; wm sends a form',
    strict: '400 invalid_request',
    seen: true,
  },
  'record-shapes': {
    about: 'shapes of accounts, contacts, folders, spaces, custom fields and workflows',
    recorded:
      'as `wm contract openapi` has them; a list of folders lacks superParentIds, hasAttachments, metadata and customFields unless fields names them; briefDescription, attachmentCount, customColumnIds, color and space need it everywhere',
    alsoAccepted: 'folders without a scope: the account says which are the root and the recycle bin',
    bare: 'a folder has id, title, childIds, customFields, customItemTypeId and, if it is one, project; spaces, custom fields and workflows have their id; what is in profiles and project is left out',
    seen: true,
  },
  permalinks: {
    about: 'permalinks, and the records that they lead to',
    recorded:
      '/open.htm?id= and the ten digits of a number; a filter reads the number alone, whatever the host; GET /ids?type=ApiV2Task&ids=["NUMBER"] (or Folder, Account, User, Comment, Attachment, Timelog) returns the id beside each number, in an order of its own, and leaves out what has none or may not be seen',
    alsoAccepted: '/open?id= and an id',
    bare: 'GET /ids returns the id alone',
    seen: true,
  },
  'create-records': {
    about: 'creating a task or a folder',
    recorded:
      'POST /folders/{id}/tasks and /folders/{id}/folders, or /spaces/{id}/ in place of /folders/{id}/; a task takes title and the parameters of an update, its lists without add; a folder takes title, description, shareds, metadata, customFields, customColumns, fields and project {ownerIds, startDate, endDate, customStatusId, status, contractType, budget}; its workflow is that of its parent; what is created in a private folder is shared with its author alone',
    seen: true,
  },
  'new-assignee': {
    about: 'a user who is assigned to a task',
    recorded: 'follows the task, before its other followers, and shares it',
    alsoAccepted: 'neither',
  },
  'subtask-parent': {
    about: 'parentIds of a subtask that is in no folder',
    recorded: 'the root, whose list of tasks lacks it',
    alsoAccepted: 'empty',
  },
  'attach-file': {
    about: 'attaching a file to a task or a folder',
    reference:
      'POST /tasks/{id}/attachments with the bytes as body and the percent-encoded name in X-File-Name, or as the one file of multipart/form-data; without a file, the parameter name attaches a name alone',
    seen: true,
  },
  'task-items': {
    about: 'comments and attachments of tasks and folders, timelogs of tasks',
    recorded:
      'list, create, change and delete below /tasks/{id}/ or /folders/{id}/ and at their own paths; timelogs also by /contacts/{id}/; comments newest first, timelogs oldest first; the ids of the attachments of a comment are not in a list, and its type and the states of a timelog only if fields names them; a change leaves updatedDate of a comment as it is',
    alsoAccepted: 'any order, any of these members missing',
    bare: 'comments and attachments have their id, timelogs also trackedDate and createdDate',
    seen: true,
  },
  'item-limits': {
    about: 'limits of comments and timelogs',
    noted: 'a comment changes for 5 minutes, then 403 access_forbidden; hours 0 to 24, else 400',
    alsoAccepted: '400 for a late change',
  },
  'item-lists': {
    about: 'lists of comments and timelogs without parameters',
    reference:
      'GET /comments: the last 7 days unless a date is given, at most 1000 unless limit is; a longer range is accepted; timelogs: with those of subtasks, and in a folder of the folders below; an attachment needs no range',
    alsoAccepted: 'all of them',
  },
  'deleted-task-items': {
    about: 'a comment, an attachment or a timelog on a deleted task',
    assumed: '403 access_forbidden',
    alsoAccepted: '400, 404',
  },
  'deprecated-names': {
    about: 'deprecated names',
    recorded: 'the parameter date of a timelog still works; responses contain only the new names',
    alsoAccepted: 'both names in responses',
  },
  'other-html': {
    about: 'HTML outside the list of the contract, in a description or a comment',
    assumed: 'its tags are removed, and their text stays',
    alsoAccepted: '400 invalid_parameter',
  },
  'stored-html': {
    about: 'the form in which HTML is stored',
    recorded:
      '<br />, <img src="..." />, <span style="background-color: #c8e6c9;">; the text of a comment with &#39; &#64; &gt; and &#x1f44d; for those characters; briefDescription has no tags and at most 125 characters, then ...',
    alsoAccepted: 'any form',
  },
  'comment-plain-text': {
    about: 'plainText=true when a comment is created or changed',
    reference: 'its text is not HTML: tags and entities stay, and the response returns it unchanged',
    alsoAccepted: 'the response has its HTML',
  },
  'delete-task': {
    about: 'deleting a task',
    recorded:
      'DELETE /tasks/{id} moves it into the recycle bin and returns its record; its parentIds name the recycle bin, and superTaskIds and dependencyIds are empty; its subtasks stay',
    alsoAccepted: 'an empty list in place of the record',
    seen: true,
  },
  'change-folder': {
    about: 'changing and deleting a folder, a project or a space',
    recorded:
      'PUT /folders/{id} takes title, description (an empty text changes nothing), addParents, removeParents, addShareds, removeShareds, metadata, customFields, customColumns, fields, restore, which also brings back what was deleted with it, without dependencies, and project {ownersAdd, ownersRemove, startDate, endDate, customStatusId, status, contractType, budget}, which makes a project of a folder, as project=null makes a folder of it; DELETE moves it into the recycle bin with the folders and tasks that are nowhere else, and returns its record; a folder in itself, or a space as a project: 400 invalid_parameter; the root, or one that is deleted, also as a new parent: 403 access_forbidden',
    alsoAccepted: 'an empty list in place of the record',
  },
  'already-deleted': {
    about: 'deleting a task or a folder that is in the recycle bin, or restoring a folder that is not',
    noted: '400: invalid_request for deleting, invalid_parameter for restore=true',
    alsoAccepted: '403 access_forbidden',
  },
  'several-records': {
    about: 'changing several tasks or folders by one request',
    reference:
      'PUT /tasks/{id},{id} takes customFields and effortAllocation, PUT /folders/{id},{id} customFields and fields; up to 100, all of them or none',
  },
  'folder-lists': {
    about: 'the folders of a folder or a space',
    recorded:
      'GET /folders/{id}/folders and /spaces/{id}/folders: the folder itself, then all below it, or with descendants=false those directly in it; a tree or records as in the list of all folders',
    alsoAccepted: 'without the folder itself; those directly in it alone',
  },
  'task-dependencies': {
    about: 'dependencies of tasks',
    recorded:
      'GET and POST /tasks/{id}/dependencies, GET and DELETE /dependencies/{id}; predecessorId, successorId, relationType (FinishToStart by default) and lagTime; a new one takes one of the two ids, of another task; 400 invalid_parameter for one that exists already or closes a loop, a predecessor without dates, and a successor that is not planned',
    alsoAccepted: 'tasks without dates',
    bare: 'a dependency has its id alone',
    seen: true,
  },
  'file-contents': {
    about: 'the bytes of an attachment',
    recorded:
      'GET /attachments/{id}/download, also with a name at the end, returns what was uploaded, with its type and name; GET /attachments/{id}/url, and with withUrls=true each record, have a signed address, which needs no token for 24 hours, then 403 access_forbidden; the emulator keeps files in memory, up to 16 MiB each and 64 MiB in all: 404 resource_not_found for others',
    alsoAccepted: 'an address that needs the token',
    bare: 'GET /attachments/{id}/url has no url',
    seen: true,
  },
  version: {
    about: 'GET /version',
    reference: 'major 4 and minor 0, as numbers',
    alsoAccepted: 'texts',
    bare: 'neither',
  },
  'reference-endpoints': {
    about:
      'groups, colors, data exports, copies of folders, previews, and changes of custom fields, invitations, users, dependencies and files',
    reference:
      'paths and parameters as `wm contract openapi` has them, and errors as everywhere; a group is a contact too, and in sharedIds gives its members no access; no e-mail is sent; a data export starts at most once an hour, with 202, and its files are CSV of the columns that GET /data_export_schema lists, without a token; a copy is made at once, also for a job, without comments, attachments and dependencies; one of more entries than entryLimit, with other dates or without custom statuses: 400; a dependency takes relationType; a file becomes the next version, under a new id, in the place of the one before, which only versions=true lists, with currentAttachmentId; a preview is the picture itself in each size, and 404 resource_not_found for other files',
    alsoAccepted: '404 method_not_found',
    bare: 'a group, a data export and its tables have their id alone, a color has nothing, and a job no result',
  },
  'timelog-groups': {
    about: 'categories and lock periods of timelogs, and timesheets',
    reference: 'categories of id, name, order and hidden; the others exist, as empty lists',
    bare: 'a category has no members',
  },
  'unknown-parameter': {
    about: 'an unknown parameter of an endpoint whose parameters the contract does not show',
    noted:
      'of a list: 400 invalid_parameter, except fields; of others: accepted and ignored; the header Emulator-Ignored-Parameters and the output of the emulator name it',
    alsoAccepted: '400 invalid_parameter for all; accepted and ignored',
    strict: '400 invalid_parameter',
  },
  'other-endpoints': {
    about: 'a path or a method that the contract does not show',
    assumed:
      '404 method_not_found, saying that it is not part of the emulator: the service may have it; the header Emulator-Warning and the output of the emulator say how to stub it',
  },
  'version-3-paths': { about: 'a path of version 3', assumed: '404 method_not_found' },
  'other-methods': { about: 'HEAD and OPTIONS', assumed: 'GET without the body; the methods of a path' },
  'method-parameter': {
    about: 'the parameter method in a request other than GET',
    assumed: '400 invalid_parameter',
    alsoAccepted: 'ignored',
  },
  'double-slash': {
    about: 'two slashes in a row in a path',
    assumed: 'read as one, by the API and the token endpoint',
    alsoAccepted: '404 method_not_found',
    strict: '400 invalid_request',
    seen: true,
  },
  'loose-booleans': {
    about:
      'a flag as True, False, 1 or 0, as a name without a value (?follow, ?me=), or inside JSON as text ("workOnWeekends":"true")',
    reference: 'accepted; a name without a value is true, with = only that of a filter',
    alsoAccepted: '400 invalid_parameter; wm sends true and false',
    strict: '400 invalid_parameter',
    seen: true,
  },
  'letter-case': {
    about: 'a word of a closed list in another letter case, such as sortOrder=desc',
    assumed: 'accepted',
    alsoAccepted: '400 invalid_parameter',
    strict: '400 invalid_parameter',
    seen: true,
  },
  'quoted-filter': {
    about: 'quotes around the text or the word of a filter',
    assumed: 'removed',
    alsoAccepted: 'part of the text',
    strict: '400 invalid_parameter',
    seen: true,
  },
  'trailing-slash': {
    about: 'a slash at the end of a path',
    assumed: 'ignored',
    alsoAccepted: '404 method_not_found',
    strict: '400 invalid_request',
  },
  'repeated-parameter': {
    about: 'a parameter that is given more than once',
    assumed: '400 invalid_parameter, unless it is a list of ids or names',
    alsoAccepted: 'the first or the last one counts',
  },
  'unencoded-json': {
    about: 'JSON in a query or a form with characters that a URI cannot contain, as brackets or quotes',
    reference: 'accepted',
    strict: '400 invalid_parameter',
    seen: true,
  },
  'lenient-json': {
    about: 'JSON as a map is printed, in a query or a form: [{id=X;value=1}]',
    assumed: 'accepted: words without quotes, = or => for :, ; for a comma, and everywhere a number as text',
    alsoAccepted: '400 invalid_parameter; wm sends JSON',
    strict: '400 invalid_parameter',
    seen: true,
  },
  'plus-sign': {
    about: 'a plus sign in a query',
    assumed: 'a space, as in a form; write %20 for it, and %2B for a plus sign, as wm does',
    alsoAccepted: 'a plus sign',
    strict: '400 invalid_request',
  },
  'json-in-json': { about: 'a list as text in JSON', assumed: 'accepted', strict: '400 invalid_parameter' },
  'parameter-place': { about: 'a task update in a body', recorded: 'accepted: JSON or a form', seen: true },
  'webhook-query': {
    about: 'parameters of a new webhook in the query',
    assumed: 'accepted',
    strict: '400 invalid_request',
    seen: true,
  },
  'multipart-parameters': {
    about: 'parameters in a body of multipart/form-data',
    assumed: 'accepted, as a form; with a file where none is taken: 400 invalid_request',
    strict: '400 invalid_request',
    seen: true,
  },
  'token-twice': {
    about: 'a token in the header and another one in the query',
    assumed: 'the one in the header counts',
    strict: '400 invalid_request',
  },
  'query-length': {
    about: 'how long a query may be',
    assumed:
      '16 MB with the headers, then 431; enough for a description of a million characters; up to 10,000 parameters, and 100,000 entries of a list in bare brackets: 400',
    alsoAccepted: '414, or a closed connection, after 8 KB',
  },
  'body-length': { about: 'a long body', assumed: '16 MiB, then 400 invalid_request', alsoAccepted: '413' },
  'content-encoding': { about: 'a compressed body', assumed: '400 invalid_request', alsoAccepted: 'read' },
  'json-depth': { about: 'JSON that is nested more than 64 levels deep', assumed: '400' },
  'surrogate-halves': { about: 'half of a surrogate pair in a text', assumed: '400 invalid_parameter' },
  'other-account': {
    about: 'an id of another account',
    assumed: '404 resource_not_found',
    alsoAccepted: '403 access_forbidden',
  },
  'contradictory-dates': {
    about: 'a start, a due date or a duration that the type beside it does not have',
    assumed: '400 invalid_parameter; wm does not send it',
    alsoAccepted: 'ignored',
  },
  'priority-contradiction': {
    about: 'priorityBefore and priorityAfter that contradict each other, or name the task itself',
    assumed: '400 invalid_parameter',
  },
  'super-task-loop': { about: 'a task as its own subtask, at any depth', assumed: '400 invalid_parameter' },
  'custom-field-types': {
    about: 'the value of a custom field that does not fit its type',
    noted:
      '400 invalid_parameter: numbers as texts, dates as yyyy-MM-dd, true or false, and items of a list in its exact words; an empty text fits each',
  },
  'field-of-other-space': { about: 'a custom field outside its space', noted: '200, and nothing is stored' },
  'field-without-value': {
    about: 'an entry of customFields without value',
    reference: 'removes the field, as null does',
    alsoAccepted: '400 invalid_parameter; wm sends null',
    strict: '400 invalid_parameter',
  },
  'custom-status-group': { about: 'customStatus that contradicts status', assumed: '400 invalid_parameter' },
  'item-type-of-projects': { about: 'converting a task to a project type', assumed: '400 invalid_parameter' },
  'allocation-assignee': {
    about: 'an allocation with both or neither of userId and placeholderId',
    assumed: '400 invalid_parameter',
  },
  'contact-filters': {
    about: 'the filters of the list of contacts',
    recorded:
      'me, which may stand without a value, active and deleted are true or false; email is the whole address, and name a part of the name, both ignoring case; metadata finds no contact',
  },
  invitations: {
    about: 'the list of invitations',
    reference: 'each with its status, inviter, date and role; with the scopes of invitations',
    alsoAccepted: 'any of them missing',
    bare: 'an invitation has its id alone',
  },
  'former-user': {
    about: 'a user who has left the account, in a parameter of a task',
    assumed: '400 invalid_parameter in one that adds; one that removes accepts it',
    alsoAccepted: '400 in both',
  },
  'effort-replaced': {
    about: 'members that effortAllocation omits',
    assumed: 'removed, except responsibleAllocation, which stays; allocatedEffort follows from it',
    alsoAccepted: 'all of them stay',
  },
  'filter-ids': {
    about: 'an id in a filter that no record has',
    assumed: 'an empty list',
    alsoAccepted: '400 invalid_parameter',
  },
  'recurrence-field': {
    about: 'recurrence, among the fields of a parameterised event',
    assumed: 'true or false, as recurrent of a task',
    alsoAccepted: 'any JSON',
  },
  'audit-log-scopes': {
    about: 'the scopes that reading the audit log needs',
    assumed: 'any of all scopes: the one of its own is not in the list of the contract',
    alsoAccepted: '403 access_forbidden',
  },
  'events-without-subject': {
    about: 'the id in events whose row names neither taskId nor folderId',
    assumed:
      'createdTaskGroupId, parentTaskGroupId or workItemId alone; ProjectStatusChanged has the id of the project as taskId',
    alsoAccepted: 'taskId or folderId besides',
  },
  'delivery-secret-header': {
    about: 'the header X-Hook-Secret in deliveries of a webhook with a secret',
    assumed:
      'HMAC-SHA256 of the body under the secret, as two independent receivers in production require it; only the body tells a handshake apart',
    alsoAccepted: 'none; any text',
    bare: 'none',
    strict: 'none',
    seen: true,
  },
  'delivery-spacing': {
    about: 'white space in the body of a delivery',
    assumed: 'two spaces for each level, as JSON.stringify(body, null, 2); none with --compact',
    alsoAccepted: 'any: the signature covers the bytes that came in',
    seen: true,
  },
  'other-statuses': {
    about: 'a response to a delivery with a 2XX status other than 200, 201, 202 and 204, or with 1XX or 3XX',
    assumed: 'the attempt failed and is retried; a redirect is not followed',
    alsoAccepted: 'suspends at once: a receiver responds with 200',
  },
  'payload-field-members': {
    about: 'the members of fields.dates and fields.project in a payload',
    assumed:
      'those of an event: type, startDate, dueDate, duration and workOnWeekends; ownerIds, customStatusId, startDate and endDate',
    alsoAccepted: 'any JSON',
  },
  'retry-order': {
    about: 'the order of deliveries when one of them is retried',
    assumed: 'later events do not wait for it, even of the same task',
    alsoAccepted: 'in order',
  },
  'inactive-user': {
    about: 'a user who is deactivated',
    assumed:
      'stays a contact that is not active, and in tasks; is not on the consent page, cannot sign in, and a code from before is invalid',
  },
  'inactive-author': {
    about: 'the webhooks of a user who is deactivated',
    assumed: 'go on delivering what the user may see; only removing the user deletes them',
    alsoAccepted: 'stop',
  },
  'basic-credentials': {
    about: 'HTTP Basic at the token endpoint, without client_id and client_secret in the form',
    assumed: 'accepted (RFC 6749, 2.3.1)',
    alsoAccepted: 'rejected',
    strict: '400 invalid_request',
  },
  'both-credentials': {
    about: 'HTTP Basic beside client_id and client_secret in the form',
    assumed: 'accepted if they are the same; others: 400 invalid_request (RFC 6749, 2.3)',
    strict: '400 invalid_request',
    seen: true,
  },
  pkce: {
    about: 'code_challenge and code_verifier (RFC 7636)',
    assumed: 'ignored, also a wrong verifier: the contract has neither',
    alsoAccepted: '400 invalid_grant for a wrong verifier',
    strict: '400 invalid_request for a verifier',
  },
  'unknown-token-parameter': {
    about: 'a parameter of the token endpoint that the contract does not show',
    assumed: 'ignored (RFC 6749, 3.2)',
    strict: '400 invalid_request',
  },
  'empty-token-parameter': {
    about: 'a parameter of the token endpoint without a value',
    assumed: 'as if it were omitted (RFC 6749, 3.2)',
  },
  'authorization-errors': {
    about: 'errors of the authorization endpoint, besides a user who denies access',
    assumed:
      'a page for an unknown application or redirect_uri; others go back to the application with error and error_description (RFC 6749, 4.1.2.1); unknown parameters are ignored',
    alsoAccepted: 'a page for all of them',
  },
  'unknown-scope': {
    about: 'a scope outside the list of the contract',
    assumed:
      'left out of what is granted, and named in the header Emulator-Warning and on the consent page; with no other scope: invalid_scope',
    alsoAccepted: 'invalid_scope',
    strict: 'invalid_scope',
    seen: true,
  },
  'refresh-scope': {
    about: 'scope in a refresh',
    assumed:
      'the new access token has only these; 400 invalid_scope for one that was not granted (RFC 6749, 6); the refresh token keeps all',
  },
} satisfies Record<string, AssumptionRow>;

/** The id of a row, as in the header Emulator-Assumption of a response that depends on it. */
export type AssumptionId = keyof typeof rows;

/** Rows that accept more than the contract does; --strict rejects that. */
export type ToleranceId = Exclude<
  {
    [K in AssumptionId]: (typeof rows)[K] extends { readonly strict: string } ? K : never;
  }[AssumptionId],
  'delivery-secret-header'
>;

export interface Assumption extends AssumptionNotes {
  readonly id: AssumptionId;
  readonly source: Source;
  readonly assumed: string;
}

export const sourceOf = (id: AssumptionId): Source => sources.find((name) => name in rows[id]) ?? 'assumed';

// The keys come from an object of literals; Object.keys loses their type.
export const assumptions = (Object.keys(rows) as AssumptionId[]).map((id): Assumption => {
  const source = sourceOf(id);
  const { about, [source]: assumed = '', ...notes }: AssumptionNotes & { [S in Source]?: string } = rows[id];
  return { id, source, about, assumed, ...notes };
});

/** Recordings of the service show these: a response that depends on one names nothing. */
export const recordedRows: ReadonlySet<AssumptionId> = new Set(
  assumptions.filter(({ source }) => source === 'recorded').map(({ id }) => id),
);
