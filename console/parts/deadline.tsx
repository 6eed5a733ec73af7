import { clockNow, durationOf, timeText, useTicks } from './time.tsx';

export type DeadlineProps = {
  readonly since: string;
  /** Undefined if the step has no deadline, or if the settings cannot be read. */
  readonly deadlineOn?: string | undefined;
};

/** Of its time: an onboarding that has used so much soon needs an operator. */
const nearly = 0.75;

/** How long an onboarding is at its step, of the time that it may take. */
export function Deadline({ since, deadlineOn }: DeadlineProps) {
  useTicks();
  const age = Math.max(0, clockNow() - Date.parse(since));
  if (deadlineOn === undefined) return <span class="none">for {durationOf(age)}</span>;
  const time = Date.parse(deadlineOn) - Date.parse(since);
  const share = time <= 0 ? 1 : age / time;
  return (
    <span class={`deadline ${toneOf(share)}`} title={`The deadline is ${timeText(deadlineOn)}.`}>
      <span>
        {share < 1
          ? `${durationOf(age)} of ${durationOf(time)}`
          : `${durationOf(age)}: ${durationOf(age - time)} over its deadline`}
      </span>
      <meter value={Math.min(1, share)} aria-label="Age against the deadline" />
    </span>
  );
}

function toneOf(share: number): 'plain' | 'warn' | 'bad' {
  if (share >= 1) return 'bad';
  return share >= nearly ? 'warn' : 'plain';
}
