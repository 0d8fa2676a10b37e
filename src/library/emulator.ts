// The exports of `wm-cli/emulator`: an emulator in the test's own process, loaded when one is started. Only re-exports, like wm-cli.ts.

export type { EmulatorMode } from '#contract/assumption.ts';
export { type EventName, eventNames } from '#contract/event.ts';
export type { Scope } from '#contract/scope.ts';
export type { Fault, Stub } from '#emulator/http/injections.ts';
export type { LoggedRequest } from '#emulator/http/request-log.ts';
export type { OwnApplication } from '#emulator/state/redirect-uri.ts';
export type { Attempt, Delivery, DeliveryVariant, Mail, User } from '#emulator/state/store.ts';
export type { Emulator, SampleIds, TaskRequest, TokenRequest } from './emulator-handle.ts';
export {
  type EmulatorClock,
  EmulatorError,
  type EmulatorErrorCode,
  type EmulatorFaults,
  type EmulatorStubs,
  type EmulatorUsers,
  type RequestCounts,
  type RequestFilter,
  type RequestName,
  type UserChange,
} from './emulator-parts.ts';
export { type EmulatorStartOptions, startEmulator } from './start-emulator.ts';
