// Holds the rules of src/README.md by reading the imports: its picture of the floors, which package lives in which file, and
// where the outside world may be touched.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { transform } from 'esbuild';
import { commands } from '#app/commands.ts';
import { scriptCommands } from '#app/completion/script-commands.ts';
import { eventNames } from '#contract/event.ts';
import { taskUpdateParameters } from '#contract/task.ts';
import { controlCommands } from '#emulator/commands/control-commands.ts';

interface Import {
  readonly file: string;
  /** Below src/, or the name of a package or of a Node module. */
  readonly from: string;
  readonly typeOnly: boolean;
  readonly onDemand?: true;
}

const files = (await readdir('src', { recursive: true }))
  // Windows lists them with backslashes.
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts'))
  .toSorted();
const texts = new Map(
  await Promise.all(files.map(async (file) => [file, await readFile(`src/${file}`, 'utf8')] as const)),
);
const imports = files.flatMap((file) => importsOf(file, texts.get(file) ?? ''));
/** The texts of all tests and scripts. */
const tools = await Promise.all(
  ['test', 'scripts'].map(async (folder) => {
    const names = await readdir(folder, { recursive: true });
    const own = names.filter((name) => /\.[cm]?[jt]s$/.test(name) && !name.includes('node_modules'));
    return Promise.all(own.map((name) => readFile(`${folder}/${name}`, 'utf8')));
  }),
).then((found) => found.flat());

function importsOf(file: string, text: string): Import[] {
  const found: Import[] = [];
  const resolve = (from: string) => {
    if (from.startsWith('#')) return from.slice(1);
    return from.startsWith('.') ? new URL(from, `file:///${file}`).pathname.slice(1) : from;
  };
  const statics = /^(?:import|export)\s+(type\s+)?(?:([^;'"]*?)\s+from\s+)?'([^']+)'/gm;
  for (const [, type, names = '', from = ''] of text.matchAll(statics)) {
    const inBraces = /^\{([^}]*)\}$/.exec(names.trim())?.[1];
    const allTypes =
      inBraces?.split(',').every((name) => name.trim() === '' || name.trim().startsWith('type ')) === true;
    found.push({ file, from: resolve(from), typeOnly: type !== undefined || allTypes });
  }
  for (const [, from = ''] of text.matchAll(/\bimport\(\s*'([^']+)'\s*\)/g)) {
    found.push({ file, from: resolve(from), typeOnly: false, onDemand: true });
  }
  return found;
}

/** What stands in src/ itself: `tasks/`, or `failure.ts`. */
const folderOf = (path: string) => path.replace(/\/.*/, '/');
const isOwn = (from: string) => /\.(?:ts|css)$/.test(from);

/** The npm package that is imported. */
function packageOf(from: string): string | undefined {
  if (isOwn(from) || from.startsWith('node:')) return undefined;
  return from
    .split('/')
    .slice(0, from.startsWith('@') ? 2 : 1)
    .join('/');
}

const folders = [
  ...new Set(
    files.flatMap((file) => file.split('/').map((_, depth, parts) => parts.slice(0, depth).join('/'))),
  ),
].toSorted();

const readme = await readFile('src/README.md', 'utf8');
/** The floors as src/README.md draws them, from the top: what stands on each. */
const floors = (/^```\n(main\.ts[\s\S]*?)^```$/m.exec(readme)?.[1] ?? '')
  .split('\n')
  .map((line): readonly string[] => {
    const [names = ''] = /^(?:[\w-]+(?:\/|\.ts)(?: {1,2}|$))+/.exec(line) ?? [];
    return names.match(/[\w-]+(?:\/|\.ts)/g) ?? [];
  })
  .filter((names) => names.length > 0);
const floorOf = (path: string) => floors.findIndex((names) => names.includes(folderOf(path)));

test('src/README.md shows all of src/ on its floors, and imports only go down', () => {
  assert.deepEqual(floors.flat().toSorted(), [...new Set(files.map(folderOf))].toSorted());
  const wrong = imports.filter(
    ({ file, from }) => isOwn(from) && folderOf(file) !== folderOf(from) && floorOf(from) <= floorOf(file),
  );
  assert.deepEqual(wrong, [], 'Correct these imports: src/README.md says who may import whom');
  // Any other form would be an import that this test does not see.
  for (const [file, text] of texts) assert.doesNotMatch(text, /\bimport\((?!\s*')/, file);
});

const doors = ['account/', 'tasks/', 'workspace/', 'webhooks/', 'receiver/', 'emulator/', 'tools/'];

/** What a door may import of another one: a folder or a file. */
const acrossDoors: Readonly<Record<string, readonly string[]>> = {
  'workspace/': ['tasks/'],
  // `listen` names the tasks that changed while nobody listened, as `task list` finds them.
  'receiver/': ['webhooks/', 'tasks/query/task-query.ts'],
  'tools/': doors,
};

const maps = ['README.md', ...doors.map((door) => `${door}README.md`)];

test('a map fits on a screen, each door has one, and the files that it names exist', async () => {
  for (const map of maps) {
    const text = await readFile(`src/${map}`, 'utf8');
    const door = map.replace('README.md', '');
    assert.ok(text.split('\n').length <= (door === '' ? 120 : 40), `${map} is too long`);
    const named = text.matchAll(
      /(?<![\w./-])(?:src\/)?((?:[\w-]+\/)*[\w-]+\.ts|(?:[\w-]+\/)+)(?!\.?[\w/-])/g,
    );
    for (const [, path = ''] of named) {
      const isThere = (from: string) =>
        texts.has(`${from}${path}`) || folders.includes(`${from}${path.slice(0, -1)}`);
      const byName = [...files, ...folders.map((folder) => `${folder}/`)].some(
        (file) => file.startsWith(door) && file.endsWith(`/${path}`),
      );
      assert.ok(isThere('') || isThere(door) || byName || existsSync(path), `${map} names ${path}`);
    }
  }
});

test('src/README.md follows a command: each file is imported by an earlier one', () => {
  const steps = [...readme.matchAll(/^\d+\. (?:\w+ )*?((?:[\w-]+\/)*[\w-]+\.ts)/gm)].map(
    ([, file = '']) => file,
  );
  assert.ok(steps.length > 10, steps.join(' '));
  for (const [at, file] of steps.entries()) {
    const before = [...steps.slice(0, at), 'cli/create-session.ts'];
    const isImported = imports.some((one) => one.from === file && before.includes(one.file));
    assert.ok(at === 0 || isImported, `${file} follows from none of ${before.join(', ')}`);
  }
});

test('a door imports another only where src/README.md says so', () => {
  const wrong = imports.filter(({ file, from }) => {
    const [mine, other] = [folderOf(file), folderOf(from)];
    if (mine === other || !doors.includes(mine) || !doors.includes(other)) return false;
    return !acrossDoors[mine]?.some((allowed) => from.startsWith(allowed));
  });
  assert.deepEqual(wrong, []);
});

/** Two products that programs use too: they know the contract, HTML and the types of the world. */
const isOfProduct = (file: string) => /^(?:emulator\/(?!commands\/)|receiver\/core\/)/.test(file);

test('the receiver core, and the emulator below its commands, import no command', () => {
  const files = [
    ...['failure.ts', 'growing-bytes.ts', 'omit-undefined.ts', 'random-values.ts', 'within-limit.ts'],
  ];
  const allowed = ['contract/', 'contract-document/', 'html-reader/', 'web/', 'world/', ...files];
  const wrong = imports.filter(
    ({ file, from }) =>
      isOfProduct(file) &&
      isOwn(from) &&
      !allowed.includes(folderOf(from)) &&
      !(folderOf(file) === folderOf(from) && isOfProduct(from)),
  );
  assert.deepEqual(wrong, []);
});

test('a room of the receiver imports only from the rooms below it in src/receiver/README.md', async () => {
  const table = await readFile('src/receiver/README.md', 'utf8');
  const rows = [...table.matchAll(/^\| `([\w-]+)\/` \| `([\w/-]+\.ts)` \|/gm)];
  const rooms = rows.map(([, room]) => `receiver/${room}`);
  assert.deepEqual(
    rooms.toSorted(),
    folders.filter((folder) => /^receiver\/[^/]+$/.test(folder)),
  );
  for (const [, room, first] of rows) assert.ok(texts.has(`receiver/${room}/${first}`), `${room}: ${first}`);
  const heightOf = (path: string) => rooms.findIndex((room) => path.startsWith(`${room}/`));
  const wrong = imports.filter(({ file, from }) => {
    const [mine, other] = [heightOf(file), heightOf(from)];
    return mine !== other && mine >= 0 && other >= 0 && other < mine;
  });
  assert.deepEqual(wrong, [], 'Correct these imports, or the order of the rooms there');
});

/** Who meets the real world; everybody else knows its types. */
const realWorld: Readonly<Record<string, readonly string[]>> = {
  'main.ts': files.filter((file) => folderOf(file) === 'world/'),
  'library/': ['create-client-world', 'create-emulator-world', 'print-error'].map(
    (name) => `world/${name}.ts`,
  ),
};

test('only main and the entry points in library/ use the real world', () => {
  const wrong = imports.filter(({ file, from, typeOnly }) => {
    const mine = folderOf(file);
    if (folderOf(from) !== 'world/' || mine === 'world/' || realWorld[mine]?.includes(from)) return false;
    return !(from === 'world/world.ts' && typeOnly);
  });
  assert.deepEqual(wrong, []);
});

test('the imports of the library reach no command', () => {
  const open = ['library/wm-cli.ts', 'library/webhooks.ts', 'library/emulator.ts'];
  const reached = new Set<string>();
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    open.push(...imports.filter((one) => one.file === file && isOwn(one.from)).map(({ from }) => from));
  }
  const commandParts = [...reached].filter(
    (file) =>
      ['app/', 'cli/', 'terminal/', 'bulk/'].includes(folderOf(file)) ||
      (doors.includes(folderOf(file)) && !isOfProduct(file)),
  );
  assert.deepEqual(commandParts, []);
});

/** Those of `graph` that reach themselves: what is left when whatever imports nothing that is left has gone. */
function cyclic(graph: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const reach = (start: string) => {
    const reached = new Set<string>();
    const open = [start];
    for (let at = open.pop(); at !== undefined; at = open.pop())
      for (const next of graph.get(at) ?? []) {
        if (!reached.has(next)) open.push(next);
        reached.add(next);
      }
    return reached;
  };
  return [...graph.keys()].filter((name) => reach(name).has(name)).toSorted();
}

/** What stands in `folder` ('' for src itself), files and folders, each with what it imports there, even as a type. */
function importsWithin(folder: string): Map<string, Set<string>> {
  const prefix = folder === '' ? '' : `${folder}/`;
  const within = (path: string) =>
    path.startsWith(prefix) ? path.slice(prefix.length).split('/')[0] : undefined;
  const graph = new Map<string, Set<string>>();
  for (const { file, from } of imports.filter((one) => isOwn(one.from))) {
    const [mine, other] = [within(file), within(from)];
    if (mine === undefined || other === undefined || (mine === other && file !== from)) continue;
    graph.set(mine, (graph.get(mine) ?? new Set()).add(other));
  }
  return graph;
}

test('no import cycles between files or folders, at any depth, not even for a type', () => {
  const found = folders.map((folder) => ({ folder, cycle: cyclic(importsWithin(folder)) }));
  assert.deepEqual(
    found.filter(({ cycle }) => cycle.length > 0),
    [],
  );
});

test('the deepest chain of runtime imports has at most 25 files', () => {
  const depths = new Map<string, number>();
  const depthOf = (file: string): number => {
    const known = depths.get(file);
    if (known !== undefined) return known;
    const below = imports.filter(
      (one) => one.file === file && isOwn(one.from) && !one.typeOnly && !one.onDemand,
    );
    const depth = 1 + Math.max(0, ...below.map(({ from }) => depthOf(from)));
    depths.set(file, depth);
    return depth;
  };
  assert.ok(Math.max(...files.map(depthOf)) <= 25);
});

/** Tests that are about no one folder of src/, and what they share: the tables of test/README.md. */
const testsReadme = await readFile('test/README.md', 'utf8');
const kinds = [...testsReadme.matchAll(/^\| `([\w-]+)\/` /gm)].map(([, kind = '']) => kind);

/** Folders of src/ whose tests need a browser or three NATS servers: where they are. */
const testedElsewhere: Readonly<Record<string, string>> = {
  'emulator/front-page': 'system',
  'receiver/sink': 'sink',
};

test('each test is in the folder it tests or in that of its kind, and nothing else is at the top of test/', async () => {
  const entries = (await readdir('test', { recursive: true, withFileTypes: true })).map((entry) => ({
    path: `${entry.parentPath}/${entry.name}`.replaceAll('\\', '/').slice('test/'.length),
    isFolder: entry.isDirectory(),
  }));
  const loose = entries.filter(({ path, isFolder }) => !isFolder && !path.includes('/'));
  assert.deepEqual(
    loose.map(({ path }) => path),
    ['README.md'],
  );
  const inTest = entries.filter(({ isFolder }) => isFolder).map(({ path }) => path);
  const unknown = inTest.filter(
    (path) =>
      !folders.includes(path) && !texts.has(`${path}.ts`) && !kinds.includes(path.replace(/\/.*/, '')),
  );
  assert.deepEqual(unknown, []);
  assert.deepEqual(
    kinds.filter((kind) => !inTest.includes(kind)),
    [],
  );
  const tests = entries.map(({ path }) => path).filter((path) => path.endsWith('.test.ts'));
  const untested = folders.filter((folder) => {
    const own = [...texts].filter(([file]) => file.replace(/\/[^/]*$/, '') === folder);
    const lines = own.reduce((sum, [, text]) => sum + text.split('\n').length, 0);
    return lines > 300 && !tests.some((path) => path.startsWith(`${testedElsewhere[folder] ?? folder}/`));
  });
  assert.deepEqual(
    untested,
    [],
    'These folders of src/ have more than 300 lines and no test in theirs of test/',
  );
});

/** Node's own modules that reach nothing outside the process. */
const pure = ['buffer', 'crypto', 'util', 'url', 'net', 'path', 'string_decoder', 'stream', 'zlib'].map(
  (name) => `node:${name}`,
);

const globals = [
  ...['process', 'globalThis', 'global', 'console', 'crypto', 'performance', 'fetch', 'WebSocket', 'Worker'],
  ...['setTimeout', 'setInterval', 'setImmediate', 'Date', 'Math', 'JSON'],
];
const define = Object.fromEntries(globals.map((name) => [name, `global_${name}`]));
/**
 * Each file without types, comments and strings. esbuild renames a global only where the file declares nothing of its name, and
 * takes apart template literals, which may hold code.
 */
const codes = new Map(
  await Promise.all(
    [...texts].map(async ([file, text]) => {
      const supported = { 'template-literal': false };
      const { code } = await transform(text, { loader: 'ts', define, supported, minifyWhitespace: true });
      return [file, code.replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/g, '""')] as const;
    }),
  ),
);
const code = (file: string) => codes.get(file) ?? '';
const globalsIn = (file: string) =>
  code(file).match(/(?:\b(?:new|instanceof) )?\bglobal_\w+(?:\.\w+|\(\)?)?/g) ?? [];

test('only world/ and main use the operating system', () => {
  const wrong = imports.filter(({ file, from, typeOnly }) => {
    if (!from.startsWith('node:') || typeOnly) return false;
    return !pure.includes(from) && folderOf(file) !== 'world/';
  });
  assert.deepEqual(wrong, []);
  // node:net can open sockets too; outside world/ it serves to tell addresses apart.
  for (const { file, from } of imports.filter(
    (one) => one.from === 'node:net' && folderOf(one.file) !== 'world/',
  )) {
    assert.match(
      texts.get(file) ?? '',
      /import \{ isIP(?:, isIPv[46])* \} from 'node:net'/,
      `${file}: ${from}`,
    );
  }
  // node:crypto hashes, compares and signs; only the keys of certificates are made outside the world.
  for (const { file } of imports.filter(
    ({ file, from }) => from === 'node:crypto' && folderOf(file) !== 'world/',
  )) {
    const names = /import \{ ([^}]*) \} from 'node:crypto'/.exec(texts.get(file) ?? '')?.[1] ?? '*';
    const allowed =
      file === 'emulator/certificate.ts' ? /^webcrypto$/ : /^(?:create|timing|scrypt|hash$|type )\w*$/;
    for (const name of names.split(', '))
      assert.match(name, allowed, `${file}: use randomBytes of the world`);
  }
  const harmless =
    /^(?:new global_Date\($|instanceof |global_Date\.(?:parse|UTC)$|global_Math\.(?!random$)\w|global_JSON\b)/;
  const touching = files
    .filter((file) => folderOf(file) !== 'world/' && file !== 'main.ts')
    .map((file) => ({ file, uses: globalsIn(file).filter((use) => !harmless.test(use)) }));
  assert.deepEqual(
    touching.filter(({ uses }) => uses.length > 0),
    [],
  );
});

/** Talks to its parent process over its standard streams, and hands the environment on to nobody. */
const ownStreams = 'login/refresh-process.ts';

test('below the commands nothing prints, prompts or reads the environment', () => {
  const below = ['contract/', 'contract-document/', 'failure.ts', 'client/', 'bulk/', 'login/'];
  for (const file of files.filter((one) => below.includes(folderOf(one)) || isOfProduct(one))) {
    // To hand them on to a child process is not to read them.
    assert.doesNotMatch(code(file).replace('environment:world.environment,', ''), /\benvironment\b/, file);
    if (file !== ownStreams) assert.doesNotMatch(code(file), /\bstreams\b(?!:"")/, file);
  }
});

test('main imports the program, the exit statuses, the two helper processes and the real world', () => {
  const allowed = ['app/program.ts', 'failure.ts', 'internal-commands.ts', 'login/refresh-process.ts'];
  const wrong = imports.filter(
    ({ file, from }) => file === 'main.ts' && folderOf(from) !== 'world/' && !allowed.includes(from),
  );
  assert.deepEqual(wrong, []);
});

test('only one place creates the sessions of commands', () => {
  const creating = files.filter(
    (file) =>
      ['app/', 'cli/', ...doors].includes(folderOf(file)) &&
      !isOfProduct(file) &&
      /\bcreateSession\(/.test(code(file)),
  );
  assert.deepEqual(creating, ['cli/create-session.ts']);
});

test('contract imports only itself, with two exact exceptions', () => {
  const outside = imports.filter(({ file, from }) => folderOf(file) === 'contract/' && !isOwn(from));
  assert.deepEqual(
    outside.map(({ file, from }) => `${file}: ${from}`),
    ['contract/hook-url.ts: ipaddr.js', 'contract/signature.ts: node:crypto'],
  );
});

/** They read JSON of another process of the same `wm`, or of the user's own NATS server, and import nothing of the contract. */
const ownMessages = ['jq-worker', 'keychain-process', 'keychain', 'nats-fault'].map(
  (name) => `world/${name}.ts`,
);

test('lists are read page by page', () => {
  const asWhole = /\bsend\(\s*(?:context,\s*)?(?:\w+\.)?(list(?:[A-Z]\w*)?)\b/g;
  const found = files.flatMap((file) =>
    [...(texts.get(file) ?? '').matchAll(asWhole)].map(([, operation]) => `${file} ${operation}`),
  );
  // The contract knows no pages of webhooks: a list that comes in pages counts as incomplete.
  assert.deepEqual(found, [
    'webhooks/list.ts listWebhooks',
    'webhooks/matching/no-match.ts listWebhooks',
    'webhooks/records/hook.ts listWebhooks',
  ]);
});

test('parses JSON only where its depth is limited', () => {
  const parsing = files.filter(
    (file) =>
      globalsIn(file).some((use) => /^global_JSON(?!\.stringify$)/.test(use)) ||
      // The scripts of our pages, which are in a browser, read what this wm sends.
      (/\.json\(\)/.test(code(file)) && !file.includes('/browser/')),
  );
  assert.deepEqual(
    parsing.filter((file) => !ownMessages.includes(file)),
    ['contract/json.ts'],
  );
});

test('each package is imported by one file, and docs/dependencies.md says why it is used', async () => {
  const places = new Map<string, Set<string>>();
  for (const { file, from } of imports) {
    const name = packageOf(from);
    if (name === undefined) continue;
    places.set(name, (places.get(name) ?? new Set()).add(file));
  }
  for (const [name, where] of places) assert.equal(where.size, 1, `${name}: ${[...where].join(', ')}`);
  const { dependencies, devDependencies } = JSON.parse(await readFile('package.json', 'utf8'));
  // npm installs what cannot be bundled, and the bundles hold the rest.
  assert.deepEqual(Object.keys(dependencies), ['@napi-rs/keyring', 'fs-native-extensions']);
  const page = await readFile('docs/dependencies.md', 'utf8');
  const rowsIn = (text = '') =>
    [...text.matchAll(/^\| (@?\w\S*) +\|/gm)].map(([, name]) => name ?? '').slice(1);
  const [ofProgram, ofTools] = page.split('\n## ').map(rowsIn);
  // Each package has its reason there, and each reason its package.
  assert.deepEqual(ofProgram?.toSorted(), [...places.keys()].toSorted());
  const inManifest = Object.keys({ ...dependencies, ...devDependencies });
  assert.deepEqual([...(ofProgram ?? []), ...(ofTools ?? [])].toSorted(), inManifest.toSorted());
  for (const name of Object.keys(dependencies)) assert.ok(places.has(name), name);
  assert.ok(places.size <= 20);
  const inTools = [...tools, ...configured].join('\n');
  const unused = Object.keys(devDependencies).filter(
    (name) => !places.has(name) && !["'", '/'].some((end) => inTools.includes(`${name}${end}`)),
  );
  assert.deepEqual(unused, []);
});

/** Named in no program: `npm run lint` runs the one, and tsconfig.json names the types. */
const configured = ['@biomejs/biome/', '@types/node/'];

test('no runtime dependency has an install script, and the lock file names no registry', async () => {
  const text = await readFile('package-lock.json', 'utf8');
  assert.doesNotMatch(text, /"resolved"/);
  const lock: { packages: Record<string, LockEntry> } = JSON.parse(text);
  const atRunTime = new Set<string>();
  const open = imports.map(({ from }) => packageOf(from)).filter((name) => name !== undefined);
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (atRunTime.has(name)) continue;
    // In whichever folder: a package may bring another version of its own.
    for (const [path, entry] of Object.entries(lock.packages)) {
      if (!path.endsWith(`node_modules/${name}`)) continue;
      atRunTime.add(name);
      assert.ok(!entry.hasInstallScript, path);
      open.push(...Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }));
    }
  }
  assert.ok(atRunTime.has('undici') && atRunTime.has('fs-native-extensions'));
});

interface LockEntry {
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

test('every export has an importer in src/, test/ or scripts/', () => {
  const namesIn = (text: string) => new Set(text.match(/\b[A-Za-z]\w*\b/g));
  const namesOf = new Map([...texts].map(([file, text]) => [file, namesIn(text)]));
  const inTools = namesIn(tools.join('\n'));
  const exported = /^export (?:async )?(const|function\*?|class|interface|type) (\w+)/gm;
  for (const [file, text] of texts)
    for (const [, kind = '', name = ''] of text.matchAll(exported)) {
      // The declarations of the library name types of the products.
      if (isOfProduct(file) && ['interface', 'type'].includes(kind)) continue;
      const isRead = imports.some((one) => one.from === file && namesOf.get(one.file)?.has(name));
      assert.ok(isRead || inTools.has(name), `${file}: only this file uses ${name}`);
    }
});

test('every file starts by saying what it is for', () => {
  for (const [file, text] of texts) {
    const lead = /^(?:\/\/ .*\n)+/.exec(text)?.[0] ?? '';
    assert.ok(lead.length > 40, `${file} has no first lines`);
  }
});

test('no disabled checks, and no files that only re-export', () => {
  for (const [file, text] of texts) {
    assert.doesNotMatch(text, /@ts-ignore|@ts-expect-error|@ts-nocheck/, file);
    // What programs import is there to hand names on.
    if (!['library/wm-cli.ts', 'library/webhooks.ts', 'library/emulator.ts'].includes(file))
      assert.doesNotMatch(text, /^export [*{]/m, file);
    assert.doesNotMatch(file, /(?:^|[/-])(?:utils?|helpers|common|misc|index)\.ts$/);
  }
});

test('no state outlives a call: modules declare no variables and no empty collections', () => {
  const toFill =
    /^(?:export )?const \w+(?:: (?:(?:Weak)?(?:Map|Set)<.*>|\w+\[\]))? = (?:new (?:Weak)?(?:Map|Set)(?:<.*>)?\(\)|\[\]|\{\});/m;
  for (const [file, text] of texts) {
    assert.doesNotMatch(text, /^(?:export )?(?:let|var) /m, file);
    assert.doesNotMatch(text, toFill, file);
  }
});

/** `webhook rotate-secret` is in webhooks/rotate-secret.ts: the door, then the words, without the door's own noun. */
function pathsOf(words: string): readonly string[] {
  const [noun = '', ...rest] = words.split(' ');
  const own = { task: 'tasks/', webhook: 'webhooks/', emulator: 'emulator/' }[noun];
  const name = `${(own === undefined ? [noun, ...rest] : rest).join('-')}.ts`;
  const received = noun === 'webhook' ? ['receiver/commands/'] : [];
  const places = own === undefined ? ['app/', ...doors] : [own, `${own}commands/`, ...received];
  return places.map((place) => `${place}${name}`);
}

/** The commands that are rows of a table, by their words. */
const tableRows = new Map<string, unknown>([
  ...Object.entries(controlCommands).map(([word, row]) => [`emulator ${word}`, row] as const),
  ...Object.entries(scriptCommands).map(([shell, row]) => [`completion ${shell}`, row] as const),
]);

test('the path of a command is its door and its words, or it is a row of a table of commands', async () => {
  for (const { words, load } of commands) {
    const path = pathsOf(words).find((one) => files.includes(one));
    const row = tableRows.get(words);
    if (row !== undefined && path === undefined) {
      assert.equal((await load()).default, row);
      continue;
    }
    assert.ok(path, words);
    const name = path.replace(/^.*\/|\.ts$/g, '');
    assert.match(load.toString(), new RegExp(`\\b${name.replace('-', '.?')}`, 'i'), words);
  }
});

/** The same thing in two products: what is typed for each, and the scripts of their pages. */
const sameThing = ['commands', 'browser'];

test('folder names are unique, and no file has the name of a folder next to it', () => {
  const names = folders.filter((folder) => folder !== '').map((folder) => folder.replace(/^.*\//, ''));
  const twice = names.filter((name, at) => names.indexOf(name) !== at);
  assert.deepEqual([...new Set(twice)].toSorted(), sameThing.toSorted());
  assert.deepEqual(
    folders.filter((folder) => texts.has(`${folder}.ts`)),
    [],
  );
});

test('an import goes up at most one folder and stays on its floor; any other begins with #', () => {
  for (const [file, text] of texts)
    for (const [, from = ''] of text.matchAll(/(?:\bfrom |\bimport[ (]\s*)'(\.[^']+)'/g)) {
      assert.doesNotMatch(from, /^\.\.\/\.\./, `${file}: ${from}`);
      const there = new URL(from, `file:///${file}`).pathname.slice(1);
      assert.ok(folderOf(there) === folderOf(file) || !file.includes('/'), `${file}: ${from}`);
    }
});

/**
 * Every timer in test/, by file: how many, and what for. A test waits for events; it never sleeps until something may have
 * happened.
 */
const timers: Readonly<Record<string, readonly [number, string]>> = {
  'sink/bounded.ts': [1, 'the limit of every wait'],
  'torture/connections.test.ts': [1, 'the limit of a request'],
  'support/process/stopped-process.ts': [1, 'how long a process stands still is what is tried'],
  'world/clock.test.ts': [2, 'the real clock is what is tried'],
  'world/time-limit.deep.test.ts': [1, 'how long the thread is held up is what is tried'],
  'world/process.test.ts': [5, 'a child writes bytes one by one; four children only stay'],
  'world/http.test.ts': [3, 'two services that dribble; a child only stays'],
  'receiver/core/forwarding/exec-target.test.ts': [3, 'children only stay'],
  'world/lock.test.ts': [1, 'a child only stays'],
  'world/slow-requests.deep.test.ts': [1, 'a client that dribbles'],
  'world/keychain.ts': [2, 'a child only stays; a shell looks whether the prompt still stands'],
  'support/terminal/terminal.ts': [1, 'the limit of a wait for what a terminal shows'],
  'terminal/sign-in.deep.test.ts': [1, 'a child only stays'],
  'support/terminal/run-line.ts': [1, 'the limit of a command'],
  'support/sign-in/person.ts': [1, 'the limit of a request'],
  'system/keychain-silent.test.ts': [1, 'types again until the window has the keys'],
};

test('no sleeps in tests', async () => {
  const found = new Map<string, number>();
  const inTest = (await readdir('test', { recursive: true }))
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /\.(?:ts|cjs)$/.test(file) && !file.includes('/node_modules/'));
  for (const file of inTest.filter((one) => one !== 'structure/architecture.test.ts')) {
    const code = (await readFile(`test/${file}`, 'utf8')).replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
    const count = code.match(
      /\b(?:setTimeout|setInterval|Atomics\.wait|AbortSignal\.timeout|timers\/promises)\b|\bsleep[ (][\d$]/g,
    )?.length;
    if (count !== undefined) found.set(file, count);
  }
  const allowed = Object.entries(timers).map(([file, [count]]) => [file, count] as const);
  assert.deepEqual(Object.fromEntries([...found].toSorted()), Object.fromEntries(allowed.toSorted()));
});

test('no text states the number of parameters or events: a new one would make it wrong', async () => {
  const counts = [eventNames.length, Object.keys(taskUpdateParameters).length].join('|');
  const counted = new RegExp(`\\b(?:${counts})\\b[^.,|\\d]{0,30}\\b(?:parameters|events?)\\b`);
  const pages = ['README.md', 'CONTRIBUTING.md', ...maps.map((map) => `src/${map}`)];
  const inPages = await Promise.all(pages.map(async (page) => [page, await readFile(page, 'utf8')] as const));
  for (const [file, text] of [...texts, ...inPages]) assert.doesNotMatch(text, counted, file);
});

/** Names of two or more files, where the folder says which is meant: the client's request, the emulator's. */
const sharedNames = [
  'account',
  'clock',
  'columns',
  'emulator',
  'flags',
  'http-target',
  'request',
  'response',
  'sanitize',
  'settings',
  'token-endpoint',
  'webhooks',
];

test('file names are unique, except for commands, help topics and names that the folder explains', () => {
  const words = commands.flatMap((one) => pathsOf(one.words));
  const chosen = files.filter((file) => !words.includes(file) && !/\/(?:help|topics)\//.test(file));
  const names = chosen.map((file) => file.replace(/^.*\/|\.ts$/g, ''));
  const twice = names.filter((name, at) => names.indexOf(name) !== at);
  assert.deepEqual([...new Set(twice)].toSorted(), sharedNames);
});

test('files are small', () => {
  const lines = [...texts]
    .map(([file, text]) => ({ file, lines: text.split('\n').length - 1 }))
    .toSorted((a, b) => a.lines - b.lines);
  const at = (share: number) => lines[Math.floor(lines.length * share)]?.lines ?? 0;
  assert.ok(at(0.5) <= 100, `the median is ${at(0.5)} lines`);
  assert.ok(at(0.9) <= 200, `nine in ten have up to ${at(0.9)} lines`);
  // Tables, and the types of the world.
  const longest = lines.at(-1);
  assert.ok(longest && longest.lines <= 900, `${longest?.file} has ${longest?.lines} lines`);
});
