// Bundles with esbuild, with the options that the builds of the program and of the tests share.

import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { build, transform } from 'esbuild';
import { stringWidth } from './string-width.mjs';

const quiet = { bundle: true, metafile: true, logLevel: 'warning', legalComments: 'none' };

/**
 * Resolves imports with `?inline`, as Vite does: the text of a style sheet, or of a bundled script. So the program contains its web
 * pages, without extra files.
 */
const inlineText = {
  name: 'inline-text',
  setup(builder) {
    builder.onResolve({ filter: /\?inline$/ }, ({ path, importer }) => ({
      path: resolve(dirname(importer), path.replace(/\?inline$/, '')),
      namespace: 'inline-text',
    }));
    builder.onLoad({ filter: /.*/, namespace: 'inline-text' }, async ({ path }) => {
      const { outputFiles } = await build({
        ...quiet,
        entryPoints: [path],
        minify: true,
        write: false,
        platform: 'browser',
        format: 'iife',
        target: ['chrome115', 'firefox115', 'safari16.4'],
      });
      return { contents: outputFiles[0].text, loader: 'text' };
    });
  },
};

/**
 * Commander loads child_process for commands that are programs of their own. That takes milliseconds, and wm has none. Its comments are
 * half of its text, which every command would read.
 */
const commanderAlone = {
  name: 'commander-alone',
  setup(builder) {
    builder.onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      /[\\/]commander[\\/]/.test(importer) ? { path: 'none', namespace: 'nothing' } : undefined,
    );
    builder.onLoad({ filter: /.*/, namespace: 'nothing' }, () => ({ contents: '' }));
    builder.onLoad({ filter: /[\\/]commander[\\/]lib[\\/]/ }, async ({ path }) => {
      const { code } = await transform(await readFile(path, 'utf8'), { minifyWhitespace: true });
      return { contents: code };
    });
  },
};

/** The files whose code is in a bundle: of a package with many parts, esbuild reads more. */
export function bundledFiles({ outputs }) {
  return Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs));
}

/** Bundles files of the clone in `root`. */
export async function bundle(root, { define, plugins = [], ...options }) {
  const { version } = JSON.parse(await readFile(`${root}package.json`, 'utf8'));
  return build({
    ...quiet,
    platform: 'node',
    target: 'node20.19',
    // Native packages stay where npm installed them. @colors/colors is optional for cli-table3: our cells are already coloured.
    external: ['@napi-rs/keyring', 'fs-native-extensions', '@colors/colors'],
    define: { WM_VERSION: JSON.stringify(version), ...define },
    plugins: [...plugins, inlineText, stringWidth(root), commanderAlone],
    ...options,
  });
}
