// A bulk run that is killed or interrupted, once each: kill.deep.test.ts has more of each.

import { test } from 'node:test';
import { interruptReading, interruptTwice, killAndResume, signals } from './kill.ts';

test('killed once and resumed', (context) => killAndResume(context, 1, 60));

test('after a second SIGINT, every sent row is reported as unknown; tab-separated', (context) =>
  interruptTwice(context, 'tab-separated', signals[0]));

test('SIGINT while reading standard input leaves no files behind', (context) =>
  interruptReading(context, signals[0]));
