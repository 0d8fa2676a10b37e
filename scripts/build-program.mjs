// Builds dist/: the program in parts (program-parts.mjs), separate files, and V8's compiled code for common commands, so that a
// start compiles nothing. docs/decisions/bundle.md has the figures.

import { execFileSync } from 'node:child_process';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { relative } from 'node:path';
import { build } from 'esbuild';
import { options } from './esbuild-options.mjs';
import { inlineText } from './inline-plugin.mjs';
import { buildParts, modulePath } from './program-parts.mjs';
import { undiciDispatcher } from './undici-dispatcher.mjs';

/** Nearly all of this is third-party code, whose names our stack traces do not need. */
const ofOthers = ['emulator/certificate.ts', 'world/http-undici.ts', 'world/jq-worker.ts'];
/** Separate files, each with its imports: a thread, and what the libraries load too. */
const apart = [
  ...ofOthers,
  'emulator/emulator.ts',
  'emulator/seed/parse-seed.ts',
  'emulator/seed/seed-json-schema.ts',
];
/** The imports for programs, `wm-cli`, `wm-cli/webhooks` and `wm-cli/emulator`: each a file in dist/ from one in src/library/. */
export const libraryEntries = {
  library: 'wm-cli',
  'webhook-library': 'webhooks',
  'emulator-library': 'emulator',
};
const nameOf = (path) => path.split('/').at(-1).replace(/\.ts$/, '.cjs');

const leaveApart = (source) => ({
  name: 'leave-apart',
  setup(builder) {
    builder.onResolve({ filter: /\.ts$/ }, ({ path, resolveDir, kind, importer }) => {
      const file = modulePath(source, resolveDir, path);
      if (kind === 'entry-point' || !apart.includes(file)) return undefined;
      if (kind !== 'dynamic-import') {
        return {
          errors: [
            { text: `${file} is loaded on demand, but ${relative(source, importer)} imports it at once` },
          ],
        };
      }
      return { path: `./${nameOf(file)}`, external: true };
    });
  },
});

/** Loads jq as CommonJS: its ES module asks for its own path, which the output does not know. */
const requireJq = (root) => ({
  name: 'require-jq',
  setup(builder) {
    const path = createRequire(`${root}package.json`).resolve('jq-wasm');
    builder.onResolve({ filter: /^jq-wasm$/ }, () => ({ path }));
  },
});

/**
 * Builds the program of the clone in `root`, and returns the bundled files. Coverage uses `sourcemap` and `isCompiled: false`,
 * because V8 counts no blocks in compiled code. `minifyWhitespace` keeps the names for stack traces.
 */
export async function buildProgram(
  root,
  { sourcemap = false, isCompiled = true, minifyWhitespace = false } = {},
) {
  const source = `${root}src/`;
  const shared = await options(root);
  /** Builds in another folder and moves the result, so that a `wm` that starts meanwhile finds one whole build. */
  const folder = `${root}build/dist-${process.pid}`;
  const output = {
    outdir: folder,
    format: 'cjs',
    sourcemap,
    minifyWhitespace,
    minifySyntax: minifyWhitespace,
    outExtension: { '.js': '.cjs' },
    // Keep jq's WebAssembly as a file, which its thread reads.
    loader: { '.wasm': 'file' },
    assetNames: '[name]',
    // As `require`: it needs no second loader, and works in code from V8's cache.
    supported: { 'dynamic-import': false },
    // Tells the package `open`, which asks for its own path, that it is bundled.
    define: { ...shared.define, 'import.meta.url': 'undefined' },
  };

  const partInputs = await buildParts(root, {
    ...shared,
    ...output,
    plugins: [undiciDispatcher, leaveApart(source), inlineText],
  });
  const buildApart = (files, options) =>
    build({
      ...shared,
      ...output,
      ...options,
      plugins: [undiciDispatcher, requireJq(root), inlineText],
      entryPoints: files.map((file) => `${source}${file}`),
      entryNames: '[name]',
      metafile: true,
    });
  const { metafile: others } = await buildApart(ofOthers, { minifyIdentifiers: minifyWhitespace });
  const { metafile } = await buildApart(
    apart.filter((file) => !ofOthers.includes(file)),
    {},
  );
  for (const [file, { inputs }] of Object.entries({ ...others.outputs, ...metafile.outputs })) {
    // A program that catches a Failure would not recognise a copy of the class.
    if (Object.keys(inputs).some((input) => input.endsWith('src/failure.ts'))) {
      throw new Error(`${file} holds a copy of src/failure.ts`);
    }
  }
  for (const file of await readdir(folder))
    if (file.endsWith('.cjs')) await escapeOthers(`${folder}/${file}`);
  // Its output is hidden unless it fails.
  if (isCompiled) execFileSync(process.execPath, [`${root}scripts/compile.cjs`, folder], { stdio: 'pipe' });
  // V8 rejects this cache as one of another version, and compiles at run time.
  else await writeFile(`${folder}/main.cache`, Buffer.alloc(64));

  const before = `${folder}-before`;
  await rename(`${root}dist`, before).catch((error) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await rename(folder, `${root}dist`);
  await rm(before, { recursive: true, force: true });
  return new Set([...partInputs, ...Object.keys({ ...others.inputs, ...metafile.inputs })]);
}

/**
 * Replaces `import()`: Node would first search a CommonJS file of this size for its exports, which takes longer than running it.
 */
const withRequire = {
  supported: { 'dynamic-import': false },
  banner: {
    js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
  },
};

/** Adds the libraries for programs to dist/: ES modules that load the separate parts from the program's own files. */
export async function buildLibrary(root) {
  const shared = await options(root);
  const inputs = [];
  for (const [name, entry] of Object.entries(libraryEntries)) {
    const { metafile } = await build({
      ...shared,
      ...(name === 'webhook-library' ? {} : withRequire),
      format: 'esm',
      // Node prints the line of an uncaught error, and without a limit that would be the whole file.
      lineLimit: 160,
      minifyWhitespace: true,
      minifySyntax: true,
      plugins: [undiciDispatcher, leaveApart(`${root}src/`)],
      entryPoints: { [name]: `${root}src/library/${entry}.ts` },
      outdir: `${root}dist`,
      metafile: true,
    });
    inputs.push(...Object.keys(metafile.inputs));
  }
  return inputs;
}

/**
 * Escapes what is not ASCII: esbuild leaves it in regular expressions, tagged templates and comments, and for one such character V8
 * would store the whole file in two bytes each. Safe, because our templates never use raw text.
 */
async function escapeOthers(file) {
  const code = await readFile(file, 'utf8');
  const toEscape = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  // By code unit: a pair of escapes is the same character.
  await writeFile(file, code.replace(/[\u0080-\uffff]/g, toEscape));
}
