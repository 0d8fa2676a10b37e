// The environment of a program that needs no secret of wm: a pager, a browser or a tunnel.

/** The variables with secrets end so, and no others. Windows ignores the case of names. */
const secretName = /^WM_(\w+_)?(TOKEN|SECRET|PASSWORD|NKEY)$/i;

export function withoutSecrets<T>(environment: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !secretName.test(name)));
}
