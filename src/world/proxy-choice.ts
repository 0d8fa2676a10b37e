// Decides whether a request goes through a proxy: by the environment, and never for some requests.

import { parseTarget, type Target } from './http-target.ts';
import type { Environment, HttpOptions } from './world.ts';

export const proxyVariables = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY'] as const;

/** Not for loopback, which a proxy cannot reach, nor if the caller restricts the address: a proxy resolves names itself. */
export function mayUseProxy(url: string, options: Pick<HttpOptions, 'connectTo' | 'allowAddress'>): boolean {
  const hostname = parseTarget(url)?.hostname ?? '';
  const loopback = hostname === 'localhost' || hostname === '::1' || /^127(\.\d+){3}$/.test(hostname);
  return !loopback && !options.connectTo && !options.allowAddress;
}

/** Tells whether a request without restrictions on the address would use a proxy. */
export function isProxied(target: Target, environment: Environment): boolean {
  return chosenProxy(target, environment) !== '';
}

/** Returns the kind of a proxy that wm cannot use, such as `socks5`. Without a scheme it is an http proxy. */
export function unsupportedKind(proxy: string): string | undefined {
  const [, kind = 'http'] = /^([a-z][a-z\d+.-]*):\/\//i.exec(proxy) ?? [];
  return /^https?$/i.test(kind) ? undefined : kind.toLowerCase();
}

/** Reads the variables as undici does. Returns an empty text for no proxy. */
export function chosenProxy(target: Target, environment: Environment): string {
  const proxy = (name: string) => environment[name.toLowerCase()] || environment[name] || '';
  // undici also sends https through HTTP_PROXY without HTTPS_PROXY.
  const chosen = (target.isTls && proxy('HTTPS_PROXY')) || proxy('HTTP_PROXY');
  if (chosen === '' || !mayUseProxy(target.origin, {})) return '';
  const exceptions = environment['no_proxy'] ?? environment['NO_PROXY'] ?? '';
  if (exceptions === '*') return '';
  const host = target.host.replace(/:\d+$/, '').toLowerCase();
  const isExcepted = exceptions.split(/[,\s]/).some((entry) => {
    const [, name = entry, port] = /^(.+):(\d+)$/.exec(entry) ?? [];
    const excepted = name.replace(/^\*?\./, '').toLowerCase();
    if (excepted === '' || (port !== undefined && Number(port) !== target.port)) return false;
    return host === excepted || host.endsWith(`.${excepted}`);
  });
  return isExcepted ? '' : chosen;
}
