// The version, inserted by the build from package.json, so that no file is read for it.

declare const WM_VERSION: string;

export const version = WM_VERSION;
