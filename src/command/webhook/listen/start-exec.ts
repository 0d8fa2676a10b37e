// `--exec`: starts the user's command in a shell, for each delivery.

import type { ExecTargetOptions } from '../../../receiver/forwarding/exec-target.ts';
import type { World } from '../../../world/world.ts';
import { shellCommand } from '../../shell-command.ts';

export function startExec(
  world: Pick<World, 'environment' | 'process'>,
  command: string,
): ExecTargetOptions['start'] {
  return (variables, run) =>
    world.process.start(shellCommand(world, command), {
      environment: { ...world.environment, ...variables },
      streams: 'pipe',
      // Ctrl-C at the terminal must not end it: wm lets it finish, within a limit.
      ownGroup: true,
      ...run,
    });
}
