// How dist/ is made: the program in parts (program-parts.mjs), a file for each thing that stands apart, and the code that V8
// compiled of what most commands run, so that a start compiles nothing. docs/decisions/bundle.md has the figures.

import { spawnSync } from 'node:child_process';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { relative } from 'node:path';
import { build } from 'esbuild';
import { options } from './esbuild-options.mjs';
import { inlineText } from './inline-plugin.mjs';
import { buildParts, modulePath } from './program-parts.mjs';
import { undiciDispatcher } from './undici-dispatcher.mjs';

/** Nearly all of these is code of others, whose names no stack trace of ours needs. */
const ofOthers = ['emulator/certificate.ts', 'world/http-undici.ts', 'world/jq-worker.ts'];
/** Each a file of its own, with all that it imports: a thread, and what the libraries for programs load too. */
const apart = [
  ...ofOthers,
  'emulator/emulator.ts',
  'emulator/seed/parse-seed.ts',
  'emulator/seed/seed-json-schema.ts',
];
/** What programs import, `wm-cli`, `wm-cli/webhooks` and `wm-cli/emulator`: the file in dist/, and the one in src/library/. */
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

/** As CommonJS: its ES module asks where it is, which the output cannot say. */
const requireJq = (root) => ({
  name: 'require-jq',
  setup(builder) {
    const path = createRequire(`${root}package.json`).resolve('jq-wasm');
    builder.onResolve({ filter: /^jq-wasm$/ }, () => ({ path }));
  },
});

/**
 * Builds the program of the clone in `root`. For coverage: `sourcemap`, and `isCompiled: false`, since V8
 * counts no blocks in code that it compiled beforehand. `minifyWhitespace` keeps the names in a stack trace. Gives the files that the bundles were made of.
 */
export async function buildProgram(
  root,
  { sourcemap = false, isCompiled = true, minifyWhitespace = false } = {},
) {
  const source = `${root}src/`;
  const shared = await options(root);
  /** Built aside and put in place whole, so that a `wm` that starts meanwhile finds one build or the other. */
  const folder = `${root}build/dist-${process.pid}`;
  const output = {
    outdir: folder,
    format: 'cjs',
    sourcemap,
    minifyWhitespace,
    minifySyntax: minifyWhitespace,
    outExtension: { '.js': '.cjs' },
    // jq is a file of its own, which its thread reads.
    loader: { '.wasm': 'file' },
    assetNames: '[name]',
    // As `require`, which needs no second loader, and which code out of V8's cache is allowed to do.
    supported: { 'dynamic-import': false },
    // What asks where it is (open) takes this for being bundled, and is prepared for it.
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
    // A copy of Failure would be no Failure to the program that catches it.
    if (Object.keys(inputs).some((input) => input.endsWith('src/failure.ts'))) {
      throw new Error(`${file} holds a copy of src/failure.ts`);
    }
  }
  for (const file of await readdir(folder))
    if (file.endsWith('.cjs')) await escapeOthers(`${folder}/${file}`);
  if (isCompiled) compile(root, folder);
  // V8 takes it for that of another version, and compiles as the program runs.
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
 * For `require` in an ES module: an `import()` of a CommonJS file of this size would first be searched for what it exports, which
 * takes longer than to run it.
 */
const withRequire = {
  supported: { 'dynamic-import': false },
  banner: {
    js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
  },
};

/** Adds the libraries for programs to dist/: ES modules, which load the parts that stand apart from the files that the program has. */
export async function buildLibrary(root) {
  const shared = await options(root);
  const inputs = [];
  for (const [name, entry] of Object.entries(libraryEntries)) {
    const { metafile } = await build({
      ...shared,
      ...(name === 'webhook-library' ? {} : withRequire),
      format: 'esm',
      // Node shows the line of an error that nobody catches, and one line would be the whole file.
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
 * Escapes what is not ASCII. esbuild leaves it in regular expressions, templates with a tag and comments, and for one such
 * character V8 would hold the whole file with two bytes for each. No template's raw text is looked at.
 */
async function escapeOthers(file) {
  const code = await readFile(file, 'utf8');
  const toEscape = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  // By code unit: a pair of escapes is the same character.
  await writeFile(file, code.replace(/[\u0080-\uffff]/g, toEscape));
}

/** What the program prints as it runs is of no interest, unless it fails. */
function compile(root, folder) {
  const compiled = spawnSync(process.execPath, [`${root}scripts/compile.cjs`, folder], { encoding: 'utf8' });
  if (compiled.status !== 0) throw new Error(`The program could not be compiled:\n${compiled.stderr}`);
}
