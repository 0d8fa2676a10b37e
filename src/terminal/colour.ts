// Implements the styles of style.ts with colours. Loaded only if a terminal shows colours.

import { Chalk } from 'chalk';
import type { Style } from './style.ts';

const chalk = new Chalk({ level: 1 });

export const colourStyle: Style = {
  strong: chalk.bold,
  faint: chalk.dim,
  good: chalk.green,
  bad: chalk.red,
  notice: chalk.yellow,
};
