import { commandsIn, type Remedy } from './remedy.ts';

/** The parts of the picture of the console, one of which an alarm can concern. */
const alarmParts = [
  'receive',
  'webhooks',
  'store',
  'tables',
  'drain',
  'reconcile',
  'api',
  'onboarding',
  'advance',
  'refresh',
  'token',
  'query',
] as const;

export type AlarmPart = (typeof alarmParts)[number];

/** What the description of an alarm says. */
export type AlarmText = Remedy & {
  /** The part that the alarm concerns; empty if it concerns all of them, or if a release before 0.3.0 deployed it. */
  readonly part: AlarmPart | '';
  /** The section of the alarm in the documentation. */
  readonly runbook: string;
};

const fixStart = 'Do: ';
const partStart = 'Part: ';
const runbookStart = 'Runbook: ';
const commandStart = 'drawbridge ';

/** Writes the description of an alarm: one paragraph for each part, which a notification contains. */
export function writeAlarmText({ means, fix, commands, part, runbook }: AlarmText, environment: string): string {
  const paragraphs = [
    means,
    fixStart + fix,
    commandsIn(environment, { commands }).join('\n'),
    part && partStart + part,
    runbookStart + runbook,
  ];
  return paragraphs.filter((paragraph) => paragraph !== '').join('\n\n');
}

/** Reads the description of a deployed alarm. One of a release before 0.3.0 is a single paragraph. */
export function readAlarmText(text: string): AlarmText {
  const [means = '', ...paragraphs] = text.split('\n\n');
  const after = (start: string) =>
    paragraphs.find((paragraph) => paragraph.startsWith(start))?.slice(start.length) ?? '';
  const commands = paragraphs.find((paragraph) => paragraph.startsWith(commandStart))?.split('\n') ?? [];
  return {
    means,
    fix: after(fixStart),
    commands: commands.map((command) => command.slice(0, command.lastIndexOf(' --env '))),
    part: alarmParts.find((part) => part === after(partStart)) ?? '',
    runbook: after(runbookStart),
  };
}
