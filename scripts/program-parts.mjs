// Builds the program as a few CommonJS files: `main`, loaded by every command; `sending`, by a command that sends a request; one for each
// product's commands; `common` for code that several need; and one for each large, rarely loaded part. No module is in two files.

import { mkdir, writeFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { bundle, bundledFiles } from './bundle.mjs';
import { slashed } from './choose-tests.mjs';

/** Where main's on-demand modules go: the first part whose pattern matches the path. */
const parts = [
  ['help', /^app\/(command-help|help-topic)\.ts$/],
  ['csv', /^bulk\/(format|parse)-csv\.ts$/],
  ['yaml', /^cli\/yaml-document\.ts$/],
  ['page', /^receiver\/page\/start-page\.ts$/],
  ['colour', /^terminal\/colour\.ts$/],
  ['table', /^terminal\/table\.ts$/],
  ['plain-prompt', /^terminal\/plain-prompt\.ts$/],
  ['screen-prompt', /^terminal\/screen-prompt\.ts$/],
  ['nats', /^world\/nats-connection\.ts$/],
  [
    'sending',
    /^(cli\/create-session|local-records\/history\/change-recorder|world\/(http-node|lock|log-file))\.ts$/,
  ],
  ['tasks', /^tasks\/(update|list)\.ts$/],
  ['tasks-rest', /^((tasks|workspace)\/[^/]+|tools\/(api|batch)|account\/(account|audit-log))\.ts$/],
  ['webhooks', /^(webhooks\/(list|suspend)|local-records\/webhook-records)\.ts$/],
  ['webhooks-rest', /^webhooks\/(?!trigger|verify|diagnose|check)[^/]+\.ts$/],
  ['receiver', /^(receiver\/commands|webhooks)\/[^/]+\.ts$/],
  ['emulating', /^(emulator\/commands\/[^/]+|app\/demo)\.ts$/],
  ['tools', /^(app\/([^/]+|(completion|reference|topics)\/[^/]+)|tools\/(contract-[^/]+|history))\.ts$/],
  ['account', /^(account\/[^/]+|tools\/(config-[^/]+|doctor))\.ts$/],
];
/** What these parts share is in `common`; what only the others share, in `common-rest`. */
const frequent = ['sending', 'tasks', 'webhooks'];
const partOf = (path) => parts.find(([, pattern]) => pattern.test(path))?.[0];

/** Builds the parts with `options`, which name the separate files. Returns the bundled files. */
export async function buildParts(root, options) {
  const source = `${root}src/`;
  const { metafile } = await bundle(root, {
    ...options,
    entryPoints: [`${source}main.ts`],
    write: false,
  });
  const imports = importsOf(metafile.inputs, source);
  const homes = assignHomes(imports);
  await mkdir(options.outdir, { recursive: true });
  await Promise.all(
    [...new Set(homes.values())].map(async (part) => {
      const { outputFiles } = await bundle(root, {
        ...options,
        plugins: [stayIn(part, homes, source), ...options.plugins],
        stdin: { contents: entryOf(part, homes, imports), resolveDir: source, sourcefile: part },
        outfile: `${options.outdir}/${part}.cjs`,
        outdir: undefined,
        outExtension: undefined,
        write: false,
      });
      for (const { path, text } of outputFiles) await writeFile(path, withoutInterop(text));
    }),
  );
  return bundledFiles(metafile);
}

/** The path below src/ of an import: `#contract/task.ts`, or a path relative to its file. */
export function modulePath(source, resolveDir, path) {
  return path.startsWith('#') ? path.slice(1) : slashed(relative(source, resolve(resolveDir, path)));
}

/** The imports of each module of src/, by path. A package of npm goes where it is imported. */
function importsOf(inputs, source) {
  const nameOf = (path) => slashed(relative(source, resolve(path)));
  const isOwn = (path) => path.endsWith('.ts') && !nameOf(path).startsWith('..');
  return new Map(
    Object.entries(inputs)
      .filter(([path]) => isOwn(path))
      .map(([path, { imports }]) => [
        nameOf(path),
        imports
          .filter((one) => !one.external && isOwn(one.path))
          .map((one) => ({ to: nameOf(one.path), isOnDemand: one.kind === 'dynamic-import' })),
      ]),
  );
}

/**
 * Assigns modules to parts: main's static imports to main; one part's to that part; those of two to the first, of more to `common`.
 * The rest, imported only on demand, goes to a second file of its part.
 */
function assignHomes(imports) {
  const main = reach(imports, ['main.ts'], ({ isOnDemand }) => !isOnDemand);
  const roots = new Map();
  for (const [from, all] of imports) {
    for (const { to, isOnDemand } of all) {
      const part = partOf(to) ?? (main.has(from) ? 'common' : undefined);
      if (isOnDemand && !main.has(to) && part !== undefined) roots.set(to, part);
    }
  }
  const homes = new Map();
  const order = ['common', ...parts.map(([part]) => part)];
  for (const [atOnce, suffix] of [
    [true, ''],
    [false, '-more'],
  ]) {
    const reachedBy = new Map();
    for (const part of atOnce ? order.slice(1) : order) {
      const own = [...roots].filter(([, other]) => other === part).map(([to]) => to);
      // Commands may import at once what main loads on demand.
      const followed = [part, undefined, atOnce ? 'common' : part];
      const isWithin = ({ to, isOnDemand }) =>
        !main.has(to) && !(isOnDemand && atOnce) && followed.includes(roots.get(to));
      for (const module of reach(imports, own, isWithin))
        reachedBy.set(module, [...(reachedBy.get(module) ?? []), part]);
    }
    for (const [module, all] of reachedBy) {
      const [first] = all;
      const products = new Set(all.map((part) => part.replace(/-rest$/, '')));
      const shared = all.some((part) => frequent.includes(part)) ? 'common' : 'common-rest';
      const home = products.size > 2 || first === 'common' ? shared : first;
      if (!homes.has(module)) homes.set(module, `${home}${suffix}`);
    }
  }
  for (const module of main) homes.set(module, 'main');
  return homes;
}

function reach(imports, from, follows) {
  const reached = new Set();
  const waiting = [...from];
  for (let module = waiting.pop(); module !== undefined; module = waiting.pop()) {
    if (reached.has(module)) continue;
    reached.add(module);
    for (const followed of imports.get(module)) if (follows(followed)) waiting.push(followed.to);
  }
  return reached;
}

/** Exports the part's modules that other parts import. Each runs on first use; main's have run by then. */
function entryOf(part, homes, imports) {
  const asked = [...imports].flatMap(([from, all]) =>
    all.map(({ to }) => to).filter((to) => homes.get(to) === part && homes.get(from) !== part),
  );
  const modules = [...new Set(asked)].sort();
  return part === 'main'
    ? `import './main.ts';
${modules.map((module, number) => `import * as module${number} from './${module}';`).join('\n')}
export const modules = { ${modules.map((module, number) => `'${module}': () => module${number}`).join(', ')} };`
    : `export const modules = { ${modules.map((module) => `'${module}': () => require('./${module}')`).join(', ')} };`;
}

const stayIn = (part, homes, source) => ({
  name: 'stay-in',
  setup(builder) {
    builder.onResolve({ filter: /\.ts$/ }, ({ path, resolveDir }) => {
      const module = modulePath(source, resolveDir, path);
      const home = homes.get(module) ?? part;
      return home === part ? undefined : { path: `./${home}.cjs#${module}`, external: true };
    });
  },
});

/** Parts exchange namespaces of ES modules, which need no conversion. */
function withoutInterop(code) {
  return code
    .replaceAll(/__toESM\((require\("\.\/[\w-]+\.cjs#[^"]+"\))(?:, ?1)?\)/g, '$1')
    .replaceAll(/__toCommonJS\((\w+_exports)\)/g, '$1');
}
