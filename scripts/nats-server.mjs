// Provides the nats-server for the tests and benchmarks of a sink: a Debian package, pinned by version and checksum, because stable
// releases have only older ones. Run directly, it unpacks the package into node_modules/.cache.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { arch } from 'node:process';
import { fileURLToPath } from 'node:url';

const version = '2.15.1';
const name = `nats-server_${version}-1_amd64.deb`;
const sha256 = '31ef4ceaa84e8248d449e508472e3770c17c3695cb5cb0ee96e03912724ea884';
/** The second archive stores what a Debian release no longer has. */
const places = [
  'http://deb.debian.org/debian/pool/main/n/nats-server',
  'http://snapshot.debian.org/archive/debian/20261126T000000Z/pool/main/n/nats-server',
];

const folder = fileURLToPath(new URL(`../node_modules/.cache/nats-server-${version}`, import.meta.url));
const programs = `${folder}/usr/sbin`;

export const hasNatsServer = () => existsSync(`${programs}/nats-server`);

/** An environment in which `nats-server` is the pinned one. */
export const withNatsServer = (environment) => ({
  ...environment,
  PATH: `${programs}:${environment.PATH ?? ''}`,
});

function install() {
  if (arch !== 'x64') throw new Error(`No package of nats-server ${version} is pinned for ${arch}`);
  const part = `${folder}.part`;
  rmSync(part, { recursive: true, force: true });
  mkdirSync(part, { recursive: true });
  const run = (...words) => spawnSync(words[0], words.slice(1), { stdio: 'inherit' }).status === 0;
  // apt uses its proxy, retries, and compares the checksum.
  const helper = '/usr/lib/apt/apt-helper';
  const fetched = places.some((place) =>
    run(helper, 'download-file', `${place}/${name}`, `${part}/${name}`, `SHA256:${sha256}`),
  );
  if (!fetched) throw new Error(`${name} is not available`);
  if (!run('dpkg-deb', '-x', `${part}/${name}`, part)) throw new Error(`${name} cannot be unpacked`);
  rmSync(folder, { recursive: true, force: true });
  renameSync(part, folder);
}

if (process.argv[1] === fileURLToPath(import.meta.url) && !hasNatsServer()) install();
