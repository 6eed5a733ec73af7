import { commandsIn, type Remedy } from './remedy.ts';

/** What the description of an alarm says. */
export type AlarmText = Remedy & {
  /** The section of the alarm in the documentation. */
  readonly runbook: string;
};

const fixStart = 'Do: ';
const runbookStart = 'Runbook: ';
const commandStart = 'drawbridge ';

/** Writes the description of an alarm: one paragraph for each part, which a notification contains. */
export function writeAlarmText({ means, fix, commands, runbook }: AlarmText, environment: string): string {
  return [means, fixStart + fix, commandsIn(environment, { commands }).join('\n'), runbookStart + runbook]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** Reads the description of a deployed alarm. One of a release before 0.3.0 is a single paragraph. */
export function readAlarmText(text: string): AlarmText {
  const [means = '', ...parts] = text.split('\n\n');
  const after = (start: string) => parts.find((part) => part.startsWith(start))?.slice(start.length) ?? '';
  const commands = parts.find((part) => part.startsWith(commandStart))?.split('\n') ?? [];
  return {
    means,
    fix: after(fixStart),
    commands: commands.map((command) => command.slice(0, command.lastIndexOf(' --env '))),
    runbook: after(runbookStart),
  };
}
