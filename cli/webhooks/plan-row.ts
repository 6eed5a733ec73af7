/** What `Register` says of one webhook. */
export type PlanRow = {
  /** `+` is added, `~` changed, `-` removed, `!` needs a decision; a space is unchanged. */
  readonly mark: string;
  readonly eventType: string;
  readonly what: string;
  /** What an operator can ask for: to replace the webhook of another system, or to remove ours. */
  readonly decision: 'take over' | 'remove' | undefined;
};

/** Reads a line of a plan. A line of another form, of a later release, is shown as it is. */
export function readPlanRow(line: string): PlanRow {
  const [, mark = ' ', eventType = '', what = line.trim()] = /^([-+~! ]) ([A-Z0-9_]+): (.*)$/.exec(line) ?? [];
  return { mark, eventType, what, decision: mark === '!' ? decisionOf(what) : undefined };
}

function decisionOf(what: string): PlanRow['decision'] {
  if (what.startsWith('ours')) return 'remove';
  return what.startsWith('leads to') ? 'take over' : undefined;
}
