// The columns of `wm config list` and `get`.

import type { Column } from '#terminal/table.ts';
import { booleanFlag } from '../flags/flag.ts';
import type { ResolvedSetting } from './resolve-setting.ts';

export const settingColumns: readonly [Column<ResolvedSetting>, Column<ResolvedSetting>] = [
  { title: 'key', cell: ({ key }) => key },
  { title: 'value', cell: ({ text }) => text },
];

export const originColumn: Column<ResolvedSetting> = { title: 'origin', cell: ({ origin }) => origin };

export const originFlag = booleanFlag('Show where the value comes from');
