// The requests that list tasks, as literal lines: what is typed after `wm task list`, and the target that must then stand in
// the request line. The encodings come from python3, urllib.parse.quote(s, safe='-_.~'), and are pasted in. The contract
// shows none of these requests: what they mean is an assumption.

export interface TaskListLine {
  readonly argv: readonly string[];
  /** Below the base address. */
  readonly target: string;
  /** What the same line finds in the emulator's sample, in its order. */
  readonly finds: readonly string[];
}

/** Asked for with each list: whom a task is assigned to. */
const assignees = 'fields=%5B%22responsibleIds%22%5D';
const page = 'pageSize=1000';

export const taskListLines: readonly TaskListLine[] = [
  {
    argv: ['--status', 'deferred,Cancelled'],
    target: `/tasks?status=%5B%22Deferred%22%2C%22Cancelled%22%5D&${assignees}&${page}`,
    finds: ['IEAAAAAQKQAB5DEF', 'IEAAAAAQKQAB5CAN'],
  },
  {
    argv: ['--responsible', 'KUAABENQ'],
    target: `/tasks?responsibles=%5B%22KUAABENQ%22%5D&${assignees}&${page}`,
    finds: ['IEAAAAAQKQAB5BNG'],
  },
  {
    argv: ['--due-before', '2026-02-10'],
    target: `/tasks?dueDate=%7B%22end%22%3A%222026-02-10%22%7D&${assignees}&${page}`,
    finds: ['IEAAAAAQKQAB5BNG', 'IEAAAAAQKQAB5REC'],
  },
  {
    argv: ['--updated-since', '2026-01-05T09:00:00Z', '--title', 'the l'],
    target: `/tasks?updatedDate=%7B%22start%22%3A%222026-01-05T09%3A00%3A00Z%22%7D&${assignees}&${page}`,
    finds: ['IEAAAAAQKQAB5BNG', 'IEAAAAAQKQAB5IMG'],
  },
  {
    argv: ['--folder', 'IEAAAAAQI4AB5SUB'],
    target: `/folders/IEAAAAAQI4AB5SUB/tasks?${assignees}&${page}`,
    finds: ['IEAAAAAQKQAB5BLG'],
  },
  {
    argv: ['--folder', 'IEAAAAAQI4AB5FLD', '--recursive', '--status', 'Active', '--sort', 'title'],
    target: `/folders/IEAAAAAQI4AB5FLD/tasks?descendants=true&subTasks=true&status=%5B%22Active%22%5D&sortField=Title&sortOrder=Asc&${assignees}&${page}`,
    finds: [
      'IEAAAAAQKQAB5SUB',
      'IEAAAAAQKQAB5MIL',
      'IEAAAAAQKQAB5BLG',
      'IEAAAAAQKQAB5REC',
      'IEAAAAAQKQAB5BNG',
    ],
  },
  {
    argv: ['--space', 'IEAAAAAQI5AB5SP2', '--recursive', '--limit', '5'],
    target: `/spaces/IEAAAAAQI5AB5SP2/tasks?descendants=true&subTasks=true&${assignees}&pageSize=5`,
    finds: ['IEAAAAAQKQAB5PRV'],
  },
  {
    argv: ['--sort', 'due', '--reverse', '--limit', '2'],
    target: `/tasks?sortField=DueDate&sortOrder=Desc&${assignees}&pageSize=2`,
    finds: ['IEAAAAAQKQAB5MIL', 'IEAAAAAQKQAB5BUG'],
  },
  {
    argv: ['--title', 'LAUNCH'],
    target: `/tasks?${assignees}&${page}`,
    finds: ['IEAAAAAQKQAB5BNG', 'IEAAAAAQKQAB5MIL'],
  },
];
