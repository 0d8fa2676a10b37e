// Prints the Nth command block of README.md, so that CI runs what README shows.

import { readFile } from 'node:fs/promises';

const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
const blocks = [...readme.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block);
const block = blocks[Number(process.argv[2]) - 1];
if (block === undefined) throw new Error(`README.md has ${blocks.length} blocks`);
process.stdout.write(block);
