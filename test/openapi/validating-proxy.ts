// A proxy between a client and an emulator that holds every request and every response against the document, with a validator
// that others wrote (express-openapi-validator). Besides the forwarding, only two things are ours: it parses the JSON in a form,
// which that validator leaves to its users, and it notes what the validator objects to.

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import type { Described } from '../contract-document/described.ts';
import { load } from './tools.ts';

export interface ValidatingProxy {
  readonly host: string;
  /** What was objected to, in a request or a response. */
  readonly violations: readonly string[];
  /** The operations that came by: `PUT /tasks/{taskId}`. */
  readonly operations: ReadonlySet<string>;
  readonly responses: number;
}

const formType = 'application/x-www-form-urlencoded';

export async function validatingProxy(
  test: TestContext,
  document: Described,
  upstream: string,
): Promise<ValidatingProxy> {
  const [{ default: express }, { default: validator }] = await Promise.all([
    load('express'),
    load('express-openapi-validator'),
  ]);
  const violations: string[] = [];
  const operations = new Set<string>();
  let responses = 0;
  const app = express();
  app.set('query parser', 'simple');
  const verify = (request: Described, _: unknown, body: Buffer) => {
    request.rawBody = body;
  };
  app.use(express.urlencoded({ extended: false, limit: '5mb', verify }));
  app.use(express.json({ limit: '5mb', verify }));
  app.use(express.raw({ type: 'application/octet-stream', limit: '5mb', verify }));
  app.use((request: Described, _: unknown, next: () => void) => {
    parseJsonMembers(document, request);
    next();
  });
  for (const [prefix, part] of parts(withContent(document))) {
    const checks = express.Router();
    checks.use(
      validator.middleware({
        apiSpec: part,
        // In a form, everything is text.
        validateRequests: { allowUnknownQueryParameters: false, coerceTypes: true },
        validateResponses: {
          onError: (error: Error, body: unknown, request: Described) =>
            violations.push(
              `response to ${request.method} ${request.originalUrl}: ${error.message} ${JSON.stringify(body).slice(0, 300)}`,
            ),
        },
        validateSecurity: true,
      }),
    );
    app.use((request: Described, response: Described, next: () => void) =>
      request.path.startsWith(prefix) ? checks(request, response, next) : next(),
    );
  }
  app.use(async (request: Described, response: Described) => {
    const { openapi, method, originalUrl, rawBody, headers } = request;
    if (openapi) operations.add(`${method} ${openapi.openApiRoute}`);
    else violations.push(`${method} ${originalUrl} is not in the document`);
    const { host: _host, connection: _connection, 'content-length': _length, ...rest } = headers;
    const received = await fetch(`${upstream}${originalUrl}`, {
      method,
      headers: rest,
      redirect: 'manual',
      ...(rawBody === undefined ? {} : { body: rawBody }),
    });
    responses++;
    const type = received.headers.get('content-type') ?? '';
    response.status(received.status);
    for (const name of ['content-type', 'location', 'retry-after', 'emulator-assumption']) {
      const value = received.headers.get(name);
      if (value !== null) response.set(name, value);
    }
    if (type.startsWith('application/json')) response.json(await received.json());
    else response.send(Buffer.from(await received.arrayBuffer()));
  });
  // The last one of express: what a validator threw. The fourth parameter makes it one for errors.
  app.use((error: Described, request: Described, response: Described, _next: unknown) => {
    violations.push(`request ${request.method} ${request.originalUrl}: ${error.message}`);
    response
      .status(error.status ?? 500)
      .type('text')
      .send(error.message);
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  test.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    host: `127.0.0.1:${port}`,
    violations,
    operations,
    get responses() {
      return responses;
    },
  };
}

/** The validator reads JSON in a query only where a parameter has `content`; the document has a text and the schema beside it. */
function withContent(document: Described): Described {
  const copy = structuredClone(document);
  for (const item of Object.values<Described>(copy.paths))
    for (const { parameters = [] } of Object.values<Described>(item))
      for (const parameter of parameters) {
        const schema = parameter.schema?.['x-contentSchema'];
        if (schema === undefined) continue;
        delete parameter.schema;
        parameter.content = { 'application/json': { schema } };
      }
  return copy;
}

/** The validator knows one base address for all paths, but those of OAuth have another. */
function parts(document: Described): readonly (readonly [prefix: string, document: Described])[] {
  const entries: [string, Described][] = Object.entries(document.paths);
  const only = (keep: (item: Described) => boolean) =>
    Object.fromEntries(entries.filter(([, item]) => keep(item)));
  const api = structuredClone({ ...document, paths: only(({ servers }) => servers === undefined) });
  const oauth = structuredClone({ ...document, paths: only(({ servers }) => servers !== undefined) });
  return [
    ['/api/v4/', api],
    ['/oauth2/', { ...oauth, servers: [{ url: '/' }] }],
  ];
}

/** Of a form, the members whose `encoding` says that they are JSON. */
function parseJsonMembers(document: Described, request: Described): void {
  if (request.headers['content-type']?.split(';')[0] !== formType || request.body === undefined) return;
  const steps = request.path.replace('/api/v4', '').split('/');
  for (const [path, item] of Object.entries<Described>(document.paths)) {
    const fits = path.split('/');
    const same =
      fits.length === steps.length && fits.every((one, at) => one.startsWith('{') || one === steps[at]);
    const encoding = item[request.method.toLowerCase()]?.requestBody?.content[formType]?.encoding;
    if (!same || encoding === undefined) continue;
    for (const [name, { contentType }] of Object.entries<Described>(encoding))
      if (contentType === 'application/json' && typeof request.body[name] === 'string')
        request.body[name] = JSON.parse(request.body[name]);
    return;
  }
}
