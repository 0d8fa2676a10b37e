// The version, put in by the build from package.json, so that nothing is read when it is asked for.

declare const WM_VERSION: string;

export const version = WM_VERSION;
