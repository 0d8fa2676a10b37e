// Builds dist/: the program in parts (program-parts.mjs), separate files, and V8's compiled code for common commands, so that a
// start compiles nothing. docs/decisions/bundle.md has the figures.

import { execFileSync } from 'node:child_process';
import { cp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, relative } from 'node:path';
import { bundle, bundledFiles } from './bundle.mjs';
import { buildParts, modulePath } from './program-parts.mjs';
import { undiciDispatcher } from './undici-dispatcher.mjs';

/** Nearly all of this is third-party code, whose names our stack traces do not need. */
const ofOthers = ['emulator/certificate.ts', 'world/http-undici.ts', 'world/jq-worker.ts'];
const own = ['emulator/emulator.ts', 'emulator/seed/parse-seed.ts', 'emulator/seed/seed-json-schema.ts'];
/** The program loads it on demand, with what imports it; the emulator at once. */
const htmlReader = 'html-reader/read-html.ts';
/** Separate files, each with its imports: a thread, and what the libraries load too. */
const apart = [...ofOthers, ...own, htmlReader];
/** The imports for programs, `wm-cli`, `wm-cli/webhooks` and `wm-cli/emulator`: each a file in dist/ from one in src/library/. */
export const libraryEntries = {
  library: 'wm-cli',
  'webhook-library': 'webhooks',
  'emulator-library': 'emulator',
};

const leaveApart = (source) => ({
  name: 'leave-apart',
  setup(builder) {
    builder.onResolve({ filter: /\.ts$/ }, ({ path, resolveDir, kind, importer }) => {
      const file = modulePath(source, resolveDir, path);
      if (kind === 'entry-point' || !apart.includes(file)) return undefined;
      if (kind !== 'dynamic-import' && file !== htmlReader) {
        return {
          errors: [
            { text: `${file} is loaded on demand, but ${relative(source, importer)} imports it at once` },
          ],
        };
      }
      return { path: `./${basename(file, '.ts')}.cjs`, external: true };
    });
  },
});

/**
 * Builds the program of the clone in `root`, and returns the bundled files. With a source map, for coverage, compiles nothing beforehand,
 * because V8 counts no blocks in compiled code. `minifyWhitespace` keeps the names for stack traces.
 */
export async function buildProgram(
  root,
  { sourcemap = false, minifyWhitespace = false, target = `${root}dist` } = {},
) {
  const source = `${root}src/`;
  /** Builds in another folder and moves the result, so that a `wm` that starts meanwhile finds one whole build. */
  const work = `${root}build/dist-${process.pid}`;
  const folder = `${work}/dist`;
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
    define: { 'import.meta.url': 'undefined' },
  };

  const { resolve } = createRequire(`${root}package.json`);
  const inputs = await buildParts(root, { ...output, plugins: [undiciDispatcher, leaveApart(source)] });
  for (const files of [ofOthers, [...own, htmlReader]]) {
    const { metafile } = await bundle(root, {
      ...output,
      minifyIdentifiers: minifyWhitespace && files === ofOthers,
      plugins: [undiciDispatcher, leaveApart(source)],
      // As CommonJS: its ES module asks for its own path, which the output does not know.
      alias: { 'jq-wasm/jq.wasm': resolve('jq-wasm/jq.wasm'), 'jq-wasm': resolve('jq-wasm') },
      entryPoints: files.map((file) => `${source}${file}`),
      entryNames: '[name]',
    });
    inputs.push(...bundledFiles(metafile));
    for (const [file, output] of Object.entries(metafile.outputs)) {
      // A program that catches a Failure would not recognise a copy of the class.
      if (Object.keys(output.inputs).some((input) => input.endsWith('src/failure.ts')))
        throw new Error(`${file} holds a copy of src/failure.ts`);
    }
  }
  for (const file of await readdir(folder))
    if (file.endsWith('.cjs')) await escapeOthers(`${folder}/${file}`);
  if (!sourcemap) {
    await cp(`${root}bin`, `${work}/bin`, { recursive: true });
    // Its output is hidden unless it fails.
    execFileSync(process.execPath, [`${root}scripts/compile.cjs`, work], { stdio: 'pipe' });
  }
  await rename(target, `${work}/before`).catch((error) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await rename(folder, target);
  await rm(work, { recursive: true, force: true });
  return inputs;
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
export async function buildLibrary(root, target = `${root}dist`) {
  const inputs = [];
  for (const [name, entry] of Object.entries(libraryEntries)) {
    const { metafile } = await bundle(root, {
      ...(name === 'webhook-library' ? {} : withRequire),
      format: 'esm',
      // Node prints the line of an uncaught error, and without a limit that would be the whole file.
      lineLimit: 160,
      minifyWhitespace: true,
      minifySyntax: true,
      plugins: [undiciDispatcher, leaveApart(`${root}src/`)],
      entryPoints: { [name]: `${root}src/library/${entry}.ts` },
      outdir: target,
    });
    inputs.push(...bundledFiles(metafile));
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
