// What programs of others send, as their HTTP libraries write it: request lines, headers and bodies, by hand, and what such a
// program then reads of the response. Each speaks in a style of its own, which was seen in several public integrations: where
// the parameters are, how a list is written, what is percent-encoded, how a file is sent. The contract shows few of these
// requests.

export interface IntegratorStep {
  /** Method and target below the base address. `{name}`: what an earlier step kept. */
  readonly request: string;
  readonly headers?: readonly string[];
  readonly body?: string;
  /** 200 by default. */
  readonly status?: number;
  /** What it reads, by the place in the JSON, and what must be there. */
  readonly reads?: Readonly<Record<string, unknown>>;
  /** What it keeps of the response, by name, from this place in the JSON. */
  readonly keeps?: Readonly<Record<string, string>>;
  /** The bytes that it downloads. */
  readonly bytes?: string;
}

export interface Integrator {
  readonly style: string;
  /** Sent with each request; `{token}` is the token. */
  readonly headers: readonly string[];
  readonly steps: readonly IntegratorStep[];
}

const json = 'Content-Type: application/json';
const form = 'Content-Type: application/x-www-form-urlencoded';

/** Part by part, as a library writes them. */
const multipart = (boundary: string, parts: readonly string[]) =>
  `${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('')}--${boundary}--\r\n`;

export const integrators: readonly Integrator[] = [
  {
    style: 'JSON bodies; a query with brackets and commas as they are, and quotes encoded',
    headers: ['Accept: application/json, text/plain, */*', 'Authorization: bearer {token}'],
    steps: [
      { request: 'GET /version', reads: { kind: 'version', 'data.0.major': 4 } },
      { request: 'GET /contacts?me=true', reads: { 'data.0.me': true }, keeps: { me: 'data.0.id' } },
      {
        request: 'GET /spaces',
        reads: { kind: 'spaces', 'data.0.title': 'Studio' },
        keeps: { space: 'data.0.id' },
      },
      {
        request: 'GET /spaces/{space}/folders',
        reads: { kind: 'folderTree', 'data.1.title': 'Website', 'data.1.scope': 'WsFolder' },
        keeps: { folder: 'data.1.id' },
      },
      {
        request:
          'GET /folders/{folder}/tasks?fields=[%22parentIds%22,%22responsibleIds%22,%22description%22]&status=[%22Active%22]&pageSize=2',
        headers: [json],
        reads: {
          kind: 'tasks',
          'data.0.title': 'Write the launch page',
          'data.0.responsibleIds.0': 'KUAABENQ',
          'data.0.parentIds.0': 'IEAAAAAQI4AB5FLD',
          responseSize: 3,
        },
        keeps: { next: 'nextPageToken', link: 'data.0.permalink' },
      },
      {
        request: 'GET /folders/{folder}/tasks?status=[%22Active%22]&pageSize=2&nextPageToken={next}',
        reads: { 'data.0.title': 'Weekly report', 'data.length': 1, nextPageToken: undefined },
      },
      {
        request: 'POST /folders/{folder}/tasks',
        headers: [json],
        body: '{"title":"Proofread","description":"<b>All</b> of it","status":"Active","dates":{"start":"2026-12-01","due":"2026-12-04"},"responsibles":["{me}"]}',
        reads: { 'data.0.title': 'Proofread', 'data.0.status': 'Active', 'data.0.dates.type': 'Planned' },
        keeps: { task: 'data.0.id' },
      },
      {
        request: 'PUT /tasks/{task}',
        headers: [json],
        body: '{"addResponsibles":["KUAABENQ"],"importance":"High"}',
        reads: { 'data.0.responsibleIds.1': 'KUAABENQ', 'data.0.importance': 'High' },
      },
      {
        request: 'POST /tasks/{task}/comments',
        headers: [json],
        body: '{"text":"a < b & c","plainText":true}',
        reads: { kind: 'comments', 'data.0.text': 'a < b & c' },
        keeps: { comment: 'data.0.id' },
      },
      {
        request: 'GET /comments/{comment}',
        reads: { 'data.0.text': 'a &lt; b &amp; c', 'data.0.taskId': '{task}', 'data.0.authorId': '{me}' },
      },
      {
        request: 'POST /tasks/{task}/attachments',
        headers: ['Content-Type: application/octet-stream', 'X-File-Name: r%C3%A9sum%C3%A9.txt'],
        body: 'One\u0000 two\r\n',
        reads: { kind: 'attachments', 'data.0.name': 'résumé.txt', 'data.0.size': 10 },
        keeps: { attachment: 'data.0.id' },
      },
      { request: 'GET /attachments/{attachment}/download', bytes: 'One\u0000 two\r\n' },
      {
        request: 'POST /tasks/{task}/timelogs',
        headers: [json],
        body: '{"hours":1.5,"trackedDate":"2026-04-01","comment":"Reading"}',
        reads: { kind: 'timelogs', 'data.0.hours': 1.5, 'data.0.trackedDate': '2026-04-01' },
        keeps: { timelog: 'data.0.id' },
      },
      { request: 'DELETE /timelogs/{timelog}', reads: { kind: 'timelogs' } },
      {
        request: 'PUT /tasks/{task}',
        headers: [json],
        body: '{"status":"Completed"}',
        reads: { 'data.0.status': 'Completed' },
      },
      { request: 'DELETE /tasks/{task}', reads: { 'data.0.id': '{task}', 'data.0.scope': 'RbTask' } },
    ],
  },
  {
    style: 'everything in the query, also of a POST; multipart files; a slash at the end',
    headers: ['User-Agent: python', 'Accept-Encoding: gzip, deflate', 'Authorization: Bearer {token}'],
    steps: [
      {
        request: "GET /folders/IEAAAAAQI4AB5FLD/tasks?fields=['description']",
        reads: { 'data.0.description': 'Three sections, <b>one</b> message.' },
      },
      {
        request: 'GET /contacts?name=Ben',
        reads: { 'data.0.firstName': 'Ben', 'data.0.profiles.0.email': 'ben@paper-lantern.example' },
        keeps: { ben: 'data.0.id' },
      },
      { request: 'GET /users/{ben}', reads: { kind: 'users', 'data.0.lastName': 'Okafor' } },
      {
        request:
          'POST /folders/IEAAAAAQI4AB5FLD/tasks?title=Order+paper&description=200+g%2Fm%C2%B2&status=Active&responsibles=%5B{ben}%5D',
        headers: ['Content-Length: 0'],
        reads: { 'data.0.title': 'Order paper', 'data.0.responsibleIds.0': '{ben}' },
        keeps: { task: 'data.0.id' },
      },
      {
        request: 'POST /tasks/{task}/comments?text=Ordered+%3Cbr%3E+today&plainText=false',
        headers: ['Content-Length: 0'],
        reads: { 'data.0.text': 'Ordered <br /> today' },
      },
      {
        request: 'POST /tasks/{task}/attachments',
        headers: ['Content-Type: multipart/form-data; boundary=d41d8cd98f00b204e9800998ecf8427e'],
        body: multipart('d41d8cd98f00b204e9800998ecf8427e', [
          'Content-Disposition: form-data; name="X-File-Name"; filename="bill.pdf"\r\n\r\n%PDF-1.7\r\n--not a boundary\r\n',
        ]),
        reads: { 'data.0.name': 'bill.pdf', 'data.0.size': 28 },
        keeps: { attachment: 'data.0.id' },
      },
      {
        request: 'GET /tasks/{task}/attachments?withUrls=true',
        reads: { 'data.0.id': '{attachment}', 'data.0.version': 1, 'data.0.taskId': '{task}' },
      },
      {
        request: 'PUT /attachments/{attachment}',
        headers: ['X-File-Name: bill.pdf', 'Content-Type: application/octet-stream'],
        body: '%PDF-1.7\r\n--not a boundary\r\n',
        reads: { 'data.0.version': 2, 'data.0.originVersionId': '{attachment}' },
      },
      {
        request: 'GET /attachments/{attachment}/download/bill.pdf',
        bytes: '%PDF-1.7\r\n--not a boundary\r\n',
      },
      {
        request: 'POST /tasks/{task}/timelogs?hours=0.5&trackedDate=2026-04-01',
        headers: ['Content-Length: 0'],
        reads: { 'data.0.hours': 0.5 },
      },
      {
        request: 'GET /timelogs?trackedDate=%7B%22equal%22%3A+%222026-04-01%22%7D&me=true',
        reads: { 'data.length': 1, 'data.0.taskId': '{task}' },
      },
      { request: 'PUT /tasks/{task}/?status=Completed', reads: { 'data.0.status': 'Completed' } },
      { request: 'DELETE /tasks/{task}', reads: { kind: 'tasks' } },
      { request: 'GET /tasks/{task}', reads: { 'data.0.scope': 'RbTask' } },
    ],
  },
  {
    style: 'forms, and a query in alphabetical order, percent-encoded throughout',
    headers: ['User-Agent: Go-http-client/1.1', 'Authorization: BEARER {token}', 'Accept-Encoding: gzip'],
    steps: [
      {
        request:
          'GET /tasks?createdDate=%7B%22start%22%3A%222026-01-01T00%3A00%3A00Z%22%7D&descendants=true&fields=%5B%22authorIds%22%2C%22customFields%22%2C%22recurrent%22%5D&sortField=CreatedDate&sortOrder=Desc&status=%5B%22Completed%22%5D',
        reads: { 'data.length': 1, 'data.0.title': 'Buy the domain', 'data.0.authorIds.0': 'KUAAADAQ' },
      },
      {
        request: 'GET /folders/IEAAAAAQI4AB5FLD/folders',
        reads: { 'data.1.title': 'Copy' },
        keeps: { folder: 'data.1.id' },
      },
      {
        request: 'POST /folders/{folder}/folders',
        headers: [form],
        body: 'description=Drafts+only&title=Drafts',
        reads: { kind: 'folders', 'data.0.title': 'Drafts', 'data.0.parentIds.0': '{folder}' },
        keeps: { drafts: 'data.0.id' },
      },
      {
        request: 'POST /folders/{drafts}/tasks',
        headers: [form],
        body: 'customFields=%5B%7B%22id%22%3A%22IEAAAAAQJUAB5NUM%22%2C%22value%22%3A%2212%22%7D%5D&responsibles=%5B%22KUAABENQ%22%5D&title=Print',
        reads: { 'data.0.customFields.0.value': '12', 'data.0.parentIds.0': '{drafts}' },
        keeps: { task: 'data.0.id', link: 'data.0.permalink' },
      },
      { request: 'GET /tasks?permalink={link|encoded}', reads: { 'data.length': 1, 'data.0.id': '{task}' } },
      {
        request: 'GET /customfields/IEAAAAAQJUAB5NUM',
        reads: { kind: 'customfields', 'data.0.title': 'Copies', 'data.0.type': 'Numeric' },
      },
      {
        request: 'POST /tasks/{task}/comments',
        headers: [form],
        body: 'text=%3Ca+class%3D%22stream-user-id+avatar%22+rel%3D%22KUAABENQ%22%3E%40Ben%3C%2Fa%3E',
        reads: { 'data.0.text': '<a class="stream-user-id avatar" rel="KUAABENQ">&#64;Ben</a>' },
      },
      {
        request: 'POST /folders/{drafts}/attachments',
        headers: ['Content-Type: multipart/form-data; boundary="xYzZY"'],
        body: multipart('xYzZY', [
          'Content-Disposition: form-data; name="note"\r\n\r\nfor print',
          'Content-Disposition: form-data; name="file"; filename="a b.csv"\r\nContent-Type: text/csv\r\n\r\na,b',
        ]),
        reads: { 'data.0.name': 'a b.csv', 'data.0.folderId': '{drafts}', 'data.0.contentType': 'text/csv' },
        keeps: { attachment: 'data.0.id' },
      },
      { request: 'GET /attachments/{attachment}/download', bytes: 'a,b' },
      {
        request: 'POST /folders/{drafts}/comments',
        headers: [form],
        body: 'text=Two+drafts',
        reads: { 'data.0.folderId': '{drafts}', 'data.0.text': 'Two drafts' },
        keeps: { comment: 'data.0.id' },
      },
      {
        request: 'PUT /comments/{comment}',
        headers: [form],
        body: 'text=Three+drafts',
        reads: { 'data.0.text': 'Three drafts' },
      },
      {
        request: 'POST /spaces/IEAAAAAQI5AB5SPC/folders',
        headers: [form],
        body: 'title=Archive',
        reads: { 'data.0.title': 'Archive', 'data.0.parentIds.0': 'IEAAAAAQI5AB5SPC' },
      },
      {
        request: 'POST /spaces/IEAAAAAQI5AB5SPC/tasks',
        headers: [form],
        body: 'title=Tidy+up',
        reads: { 'data.0.title': 'Tidy up', 'data.0.parentIds.0': 'IEAAAAAQI5AB5SPC' },
      },
      { request: 'DELETE /attachments/{attachment}', reads: { kind: 'attachments' } },
      {
        request: 'GET /attachments/{attachment}/download',
        status: 404,
        reads: { error: 'resource_not_found' },
      },
      {
        request: 'POST /tasks/{task}/timelogs',
        headers: [form],
        body: 'comment=&hours=2&trackedDate=2026-04-01',
        reads: { 'data.0.hours': 2 },
        keeps: { timelog: 'data.0.id' },
      },
      {
        request: 'PUT /timelogs/{timelog}',
        headers: [form],
        body: 'hours=2.25',
        reads: { 'data.0.hours': 2.25, 'data.0.trackedDate': '2026-04-01' },
      },
      {
        request: 'GET /folders/{folder}/timelogs?descendants=true',
        reads: { 'data.length': 1, 'data.0.taskId': '{task}' },
      },
      {
        request: 'PUT /tasks/{task}',
        headers: [form],
        body: 'status=Completed',
        reads: { 'data.0.status': 'Completed' },
      },
      { request: 'DELETE /tasks/{task}', reads: { 'data.0.scope': 'RbTask' } },
      {
        request: 'PUT /tasks/{task}',
        headers: [form],
        body: 'restore=true',
        reads: { 'data.0.scope': 'WsTask' },
      },
      {
        request: 'PUT /folders/{drafts}',
        headers: [form],
        body: 'addParents=%5B%22IEAAAAAQI4AB5PRJ%22%5D&title=Old+drafts',
        reads: { kind: 'folders', 'data.0.title': 'Old drafts', 'data.0.parentIds.1': 'IEAAAAAQI4AB5PRJ' },
      },
      { request: 'DELETE /folders/{drafts}', reads: { kind: 'folders', 'data.0.scope': 'RbFolder' } },
    ],
  },
  {
    style: 'multipart forms in place of a query; lists in bare brackets; names with []',
    headers: ['Accept: */*', 'Authorization: Bearer {token}'],
    steps: [
      {
        request: 'GET /tasks?fields=[responsibleIds,parentIds]&responsibles=[KUAABENQ]',
        reads: { 'data.0.id': 'IEAAAAAQKQAB5BNG', 'data.0.responsibleIds.0': 'KUAABENQ' },
      },
      {
        request:
          'GET /folders/IEAAAAAQI4AB5FLD/tasks?fields[]=responsibleIds&fields[]=metadata&fields[]=superTaskIds&subTasks=true',
        reads: { 'data.0.metadata.0.key': 'source', 'data.1.superTaskIds.0': 'IEAAAAAQKQAB5BNG' },
      },
      {
        request: 'POST /folders/IEAAAAAQI4AB5FLD/tasks',
        headers: ['Content-Type: multipart/form-data; boundary=------------------------3b8c6d'],
        body: multipart('------------------------3b8c6d', [
          'Content-Disposition: form-data; name="title"\r\n\r\nAsk for a quote',
          'Content-Disposition: form-data; name="responsibles"\r\n\r\n["KUAABENQ"]',
        ]),
        reads: { 'data.0.title': 'Ask for a quote', 'data.0.responsibleIds.0': 'KUAABENQ' },
        keeps: { task: 'data.0.id' },
      },
      {
        request: 'PUT /tasks/{task}',
        headers: ['Content-Type: multipart/form-data; boundary=------------------------3b8c6d'],
        body: multipart('------------------------3b8c6d', [
          'Content-Disposition: form-data; name="customFields"\r\n\r\n[{"id":"IEAAAAAQJUAB5NUM","value":"7"}]',
          'Content-Disposition: form-data; name="dates"\r\n\r\n{"start":"2026-11-30","due":"2026-12-01"}',
        ]),
        reads: { 'data.0.customFields.0.value': '7' },
      },
      {
        request: 'POST /tasks/{task}/comments',
        headers: [form],
        body: 'text=Asked',
        keeps: { comment: 'data.0.id' },
      },
      { request: 'GET /tasks/{task}/comments?plainText=true', reads: { 'data.0.text': 'Asked' } },
      { request: 'DELETE /comments/{comment}', reads: { kind: 'comments', 'data.length': 0 } },
      {
        request: 'POST /tasks/{task}/dependencies',
        headers: [form],
        body: 'predecessorId=IEAAAAAQKQAB5BNG&relationType=FinishToStart',
        reads: { kind: 'dependencies', 'data.0.successorId': '{task}' },
        keeps: { dependency: 'data.0.id' },
      },
      { request: 'GET /tasks/{task}/dependencies', reads: { 'data.0.id': '{dependency}' } },
      {
        request: 'PUT /dependencies/{dependency}?relationType=StartToStart',
        reads: { 'data.0.relationType': 'StartToStart' },
      },
      { request: 'DELETE /dependencies/{dependency}', reads: { kind: 'dependencies' } },
      { request: 'GET /timesheets', reads: { kind: 'timesheet', 'data.length': 0 } },
      { request: 'GET /tasks/{task}/timelog_lock_periods', reads: { kind: 'timelogLockPeriods' } },
      { request: 'GET /workflows', keeps: { workflow: 'data.0.id' } },
      { request: 'GET /workflows/{workflow}', reads: { kind: 'workflows', 'data.0.id': '{workflow}' } },
      { request: 'GET /spaces/IEAAAAAQI5AB5SPC/tasks?descendants=true&limit=1', reads: { 'data.length': 1 } },
      {
        request: 'GET /folders/IEAAAAAQI4AB5FLD,IEAAAAAQI4AB5PRJ',
        reads: { 'data.1.project.ownerIds.0': 'KUAAADAQ' },
      },
      { request: 'PUT /tasks/{task}?method=ignored', status: 400, reads: { error: 'invalid_parameter' } },
      { request: 'GET /tasks/{task}?method=DELETE', reads: { 'data.0.scope': 'RbTask' } },
    ],
  },
  {
    style:
      'an assistant that calls tools: a base address with a slash at its end, flags by their names alone',
    headers: ['Accept: application/json', 'Content-Type: application/json', 'Authorization: Bearer {token}'],
    steps: [
      { request: 'GET //contacts?me', reads: { 'data.length': 1, 'data.0.me': true } },
      {
        request: 'GET //tasks?title=launch&limit=5&fields=[%22description%22]',
        reads: { 'data.length': 2, 'data.1.title': 'Launch' },
        keeps: { task: 'data.1.id' },
      },
      {
        request: 'POST //tasks/{task}/comments',
        body: '{"text":"On it"}',
        reads: { 'data.0.text': 'On it' },
      },
      {
        request: 'PUT //tasks/{task}',
        body: '{"status":"completed","importance":"high"}',
        reads: { 'data.0.status': 'Completed', 'data.0.importance': 'High' },
      },
    ],
  },
  {
    style: 'a connector that quotes each text of a query',
    headers: ['accept: application/json,text/html,application/xhtml+xml', 'Authorization: Bearer {token}'],
    steps: [
      {
        request: 'GET /tasks?status=%22Completed%22&sortField=%22UpdatedDate%22&sortOrder=%22Desc%22',
        reads: { 'data.length': 1, 'data.0.title': 'Buy the domain' },
      },
      {
        request: 'GET /tasks?title=%22LAUNCH%22&importance=%22Normal%22',
        reads: { 'data.length': 2, 'data.1.title': 'Launch' },
        keeps: { link: 'data.1.permalink', task: 'data.1.id' },
      },
      { request: 'GET /tasks?permalink=%22{link|encoded}%22', reads: { 'data.0.id': '{task}' } },
      { request: 'GET /contacts?name=%22Ben%22', reads: { 'data.0.id': 'KUAABENQ' } },
    ],
  },
  {
    style: 'an action of a pipeline: finds the task of a permalink in a commit, and sets its status',
    headers: ['user-agent: actions/http-client', 'authorization: bearer {token}'],
    steps: [
      { request: 'GET /tasks/IEAAAAAQKQAB5MIL', keeps: { link: 'data.0.permalink' } },
      {
        request: 'GET /tasks?permalink={link|encoded}&fields=[%22customFields%22]',
        reads: { 'data.0.id': 'IEAAAAAQKQAB5MIL', 'data.0.customFields.length': 0 },
      },
      {
        request: 'GET /workflows',
        reads: { 'data.0.customStatuses.1.group': 'Completed' },
        keeps: { done: 'data.0.customStatuses.1.id' },
      },
      {
        request: 'PUT /tasks/IEAAAAAQKQAB5MIL',
        headers: [form],
        body: 'customStatus={done}',
        reads: { 'data.0.status': 'Completed', 'data.0.customStatusId': '{done}' },
      },
    ],
  },
  {
    style: 'an extractor that reads everything page by page, and writes flags as Python does',
    headers: [
      'User-Agent: python-requests/2.31.0',
      'Accept-Encoding: gzip, deflate',
      'Authorization: Bearer {token}',
    ],
    steps: [
      {
        request: 'GET /folders?descendants=True&fields=%5B%27customFields%27%5D',
        reads: { kind: 'folders', 'data.0.project': undefined },
        keeps: { workflow: 'data.1.workflowId' },
      },
      { request: 'GET /workflows/{workflow}', reads: { 'data.0.standard': true } },
      {
        request:
          'GET /tasks?pageSize=4&descendants=True&subTasks=True&sortField=UpdatedDate&sortOrder=asc&updatedDate=%7B%22start%22%3A+%222020-01-01T00%3A00%3A00Z%22%7D',
        reads: { 'data.length': 4 },
        keeps: { next: 'nextPageToken' },
      },
      {
        request:
          'GET /tasks?pageSize=4&descendants=True&subTasks=True&sortField=UpdatedDate&sortOrder=asc&nextPageToken={next}',
        reads: { 'data.length': 4 },
      },
      { request: 'GET /timelogs?me=False', reads: { 'data.length': 0 } },
      { request: 'GET /contacts?deleted=False&active=True', reads: { 'data.0.deleted': false } },
    ],
  },
  {
    style: 'a typed client: legacy numbers become ids, and forms are in alphabetical order',
    headers: ['User-Agent: Go-http-client/2.0', 'Authorization: Bearer {token}', 'Accept-Encoding: gzip'],
    steps: [
      {
        request: 'GET /ids?ids=%5B1002000294%5D&type=ApiV2Task',
        reads: { kind: 'ids', 'data.0.apiV2Id': '1002000294' },
        keeps: { task: 'data.0.id' },
      },
      {
        request: 'POST /tasks/{task}/attachments',
        headers: ['Content-Type: application/octet-stream', 'X-File-Name: a.txt'],
        body: 'a',
        reads: { 'data.0.version': 1, 'data.0.size': 1 },
      },
      {
        request: 'PUT /tasks/{task}',
        headers: [form],
        body: 'addResponsibles=%5B%22KUAAADAQ%22%5D&follow=1&title=Legacy',
        reads: { 'data.0.title': 'Legacy', 'data.0.followedByMe': true },
      },
    ],
  },
  {
    style: 'a client in PHP: lists by their numbers, flags as 1 and 0',
    headers: ['User-Agent: GuzzleHttp/7', 'Authorization: Bearer {token}'],
    steps: [
      {
        request:
          'GET /tasks?fields%5B0%5D=responsibleIds&fields%5B1%5D=parentIds&descendants=1&responsibles%5B0%5D=KUAABENQ',
        reads: { 'data.0.id': 'IEAAAAAQKQAB5BNG', 'data.length': 1 },
      },
      {
        request: 'PUT /tasks/IEAAAAAQKQAB5BNG',
        headers: [form],
        body: 'addFollowers%5B0%5D=KUAABENQ&addFollowers%5B1%5D=KUAAADAQ&follow=0&title=Texte+%C3%A9crit',
        reads: {
          'data.0.title': 'Texte écrit',
          'data.0.followedByMe': false,
          'data.0.followerIds.length': 1,
        },
      },
      { request: 'GET /contacts?me=1', reads: { 'data.0.id': 'KUAAADAQ' } },
    ],
  },
  {
    style: 'a client in Ruby: filters that the record has a field for',
    headers: ['User-Agent: Faraday v2.7.4', 'Accept: */*', 'Authorization: Bearer {token}'],
    steps: [
      {
        request:
          'GET /tasks?customItemTypes=%5B%22IEAAAAAQPIAB5BUG%22%5D&descendants=true&fields=%5B%22customItemTypeId%22%5D',
        reads: { 'data.length': 1, 'data.0.customItemTypeId': 'IEAAAAAQPIAB5BUG' },
        keeps: { bug: 'data.0.id' },
      },
      { request: 'GET /folders?title=copy', reads: { 'data.length': 1, 'data.0.title': 'Copy' } },
      {
        request: 'POST /tasks/{bug}/timelogs',
        headers: [json],
        body: '{"hours":0.25,"trackedDate":"2026-04-02","comment":"Found it"}',
        keeps: { timelog: 'data.0.id' },
      },
      { request: 'GET /timelogs?taskIds=[{bug}]', reads: { 'data.length': 1, 'data.0.id': '{timelog}' } },
    ],
  },
  {
    style: 'a client in C#: flags as True and False in forms, words of enums in lower case',
    headers: ['Authorization: Bearer {token}', 'Connection: close'],
    steps: [
      {
        request: 'GET /tasks?descendants=True&status=active&type=milestone',
        reads: { 'data.0.title': 'Launch' },
        keeps: { task: 'data.0.id' },
      },
      {
        request: 'PUT /tasks/{task}',
        headers: [form],
        body: 'follow=False&dates=%7B%22type%22%3A%22backlog%22%7D&fields=%5B%22BillingType%22%5D',
        reads: { 'data.0.dates.type': 'Backlog', 'data.0.billingType': 'NonBillable' },
      },
      { request: 'DELETE /tasks/{task}', reads: { 'data.0.scope': 'RbTask' } },
      { request: 'PUT /tasks/{task}?restore=True', reads: { 'data.0.scope': 'WsTask' } },
    ],
  },
  {
    style: 'a script that calls curl -g -d, with the brackets of the contract',
    headers: ['User-Agent: curl/8.5.0', 'Accept: */*', 'Authorization: bearer {token}'],
    steps: [
      {
        request: 'POST /folders/IEAAAAAQI4AB5FLD/webhooks',
        headers: [form],
        body: 'hookUrl=https://hooks.example.com/script&events=[TaskStatusChanged,TaskCreated]&recursive=true',
        reads: {
          kind: 'webhooks',
          'data.0.folderId': 'IEAAAAAQI4AB5FLD',
          'data.0.events.0': 'TaskStatusChanged',
          'data.0.recursive': true,
        },
        keeps: { webhook: 'data.0.id' },
      },
      { request: 'PUT /webhooks/{webhook}?status=suspended', reads: { 'data.0.status': 'Suspended' } },
      { request: 'GET /webhooks/{webhook}', reads: { 'data.0.hookUrl': 'https://hooks.example.com/script' } },
      { request: 'DELETE /webhooks/{webhook}', reads: { kind: 'webhooks' } },
    ],
  },
  {
    style: 'a trigger of a flow: a webhook as JSON, with its filters, found again by its URL',
    headers: ['Content-Type: application/json; charset=utf-8', 'Authorization: Bearer {token}'],
    steps: [
      {
        request: 'POST /spaces/IEAAAAAQI5AB5SPC/webhooks',
        body: '{"hookUrl":"https://hooks.example.com/flow?key=1","recursive":"True","parameterisedEvents":[{"event":"taskCreated","recurrent":false,"fields":["Title"]}]}',
        status: 400,
        reads: { error: 'invalid_parameter' },
      },
      {
        request: 'POST /spaces/IEAAAAAQI5AB5SPC/webhooks',
        body: '{"hookUrl":"https://hooks.example.com/flow?key=1","recursive":"True","parameterisedEvents":[{"event":"taskCreated","recurrent":0,"fields":["title"]}]}',
        reads: { 'data.0.recursive': true, 'data.0.status': 'Active' },
        keeps: { webhook: 'data.0.id' },
      },
      // Behind the four of the sample.
      { request: 'GET /webhooks', reads: { 'data.4.id': '{webhook}' } },
      {
        request: 'PUT /webhooks/{webhook}',
        body: '{"status":"Suspended"}',
        reads: { 'data.0.status': 'Suspended' },
      },
      { request: 'DELETE /webhooks/{webhook}', reads: { 'data.length': 0 } },
    ],
  },
  {
    style: 'an OAuth library: parameters of the token endpoint in the query, and Basic beside a form',
    headers: ['Accept: application/json'],
    steps: [
      {
        request:
          'POST /oauth2/token?grant_type=authorization_code&client_id={clientId}&client_secret={clientSecret}&code=unknown',
        headers: ['Content-Length: 0'],
        status: 400,
        reads: { error: 'invalid_grant' },
      },
      {
        request: 'POST /oauth2//token',
        headers: [form],
        body: 'client_id={clientId}&client_secret={clientSecret}&grant_type=refresh_token&refresh_token=unknown',
        status: 400,
        reads: { error: 'invalid_grant' },
      },
      {
        request: 'GET /contacts?me=true&access_token={token}&state=back',
        reads: { state: 'back', 'data.0.me': true },
      },
    ],
  },
  {
    style:
      'an administration script: groups, invitations and fields in the query, copies and exports in forms',
    headers: ['Authorization: Bearer {token}'],
    steps: [
      { request: 'GET /colors', reads: { kind: 'colors', 'data.0.hex': '#795548' } },
      {
        request: 'POST /groups?title=Print%20shop&members=[%22KUAABENQ%22]',
        reads: { kind: 'groups', 'data.0.title': 'Print shop', 'data.0.memberIds.0': 'KUAABENQ' },
        keeps: { group: 'data.0.id' },
      },
      {
        request: 'PUT /groups/{group}',
        headers: [json],
        body: '{"addMembers":["KUAAADAQ"],"removeMembers":["KUAABENQ"]}',
        reads: { 'data.0.memberIds.0': 'KUAAADAQ', 'data.0.memberIds.length': 1 },
      },
      { request: 'GET /contacts?type=Group', reads: { 'data.0.id': '{group}', 'data.0.lastName': '' } },
      { request: 'DELETE /groups/{group}?test=true', reads: { kind: 'groups', 'data.length': 0 } },
      { request: 'DELETE /groups/{group}', reads: { kind: 'groups', 'data.length': 0 } },
      {
        request: 'POST /invitations',
        headers: [form],
        body: 'email=new%40example.com&firstName=Nora&role=User&external=false',
        reads: { kind: 'invitations', 'data.0.status': 'Pending', 'data.0.firstName': 'Nora' },
        keeps: { invitation: 'data.0.id' },
      },
      { request: 'PUT /invitations/{invitation}?resend=true', reads: { 'data.0.email': 'new@example.com' } },
      { request: 'DELETE /invitations/{invitation}', reads: { kind: 'invitations', 'data.length': 0 } },
      {
        request: 'PUT /users/KUAABENQ?profile={%22accountId%22:%22IEAAAAAQ%22,%22role%22:%22Collaborator%22}',
        reads: { kind: 'users', 'data.0.profiles.0.role': 'Collaborator' },
      },
      {
        request: 'POST /customfields',
        headers: [form],
        body: 'title=Paper&type=DropDown&settings=%7B%22values%22%3A%5B%22Matt%22%5D%7D',
        reads: { kind: 'customfields', 'data.0.settings.values.0': 'Matt' },
        keeps: { field: 'data.0.id' },
      },
      { request: 'PUT /customfields/{field}?title=Stock', reads: { 'data.0.title': 'Stock' } },
      {
        request: 'POST /data_export',
        status: 202,
        reads: { kind: 'dataExport' },
        keeps: { file: 'data.0.id' },
      },
      { request: 'GET /data_export/{file}', reads: { 'data.0.id': '{file}' } },
      {
        request: 'POST /copy_folder/IEAAAAAQI4AB5FLD',
        headers: [form],
        body: 'parent=IEAAAAAQI5AB5SPC&title=Website+2',
        reads: { kind: 'folders', 'data.0.title': 'Website 2' },
      },
      {
        request: 'POST /copy_folder_async/IEAAAAAQI4AB5FLD',
        headers: [json],
        body: '{"parent":"IEAAAAAQI5AB5SPC","title":"Website 3","copyDescriptions":false}',
        reads: { kind: 'asyncJob', 'data.0.type': 'CopyFolder' },
      },
    ],
  },
];
