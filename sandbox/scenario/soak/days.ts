import { type Check, checkNone, checkSome } from '#sandbox/scenario/common/checks.ts';
import { formatTable } from '#sandbox/terminal/table.ts';
import { type Figures, growing } from './meter.ts';

/** What happened on a day, and what was wrong at its end. */
export type Day = {
  readonly counts: {
    readonly webhooks: number;
    readonly 'events stored': number;
    readonly lost: number;
    readonly doubled: number;
    readonly stuck: number;
    readonly 'onboardings completed': number;
    readonly 'outage minutes': number;
    readonly rotations: number;
    readonly 'token failures': number;
    readonly redeliveries: number;
    readonly erasures: number;
  };
  /** The rows that each table has gained. */
  readonly rows: Figures;
  /** The requests of functions to each service. */
  readonly requests: Figures;
  /** In MiB, by process: what it keeps after a garbage collection. */
  readonly memory: Figures;
};

/** How much the last day may differ from the second one. */
const tolerance = 0.1;

/** With fewer days, the last is the second. */
const minDays = 3;

/** What must happen on each day: without it the other checks show little. */
const happenings = [
  'webhooks',
  'onboardings completed',
  'outage minutes',
  'rotations',
  'token failures',
  'redeliveries',
  'erasures',
] as const;

/** Formats a table with a column for each day. */
export function formatDays(days: readonly Day[]): string {
  const [first] = days;
  if (first === undefined) return '';
  const line = (name: string, figureOf: (day: Day) => string | number) => [name, ...days.map(figureOf)];
  const counts = Object.entries(first.counts).map(([name]) => line(name, (day) => entryOf(day.counts, name)));
  return formatTable(
    ['', ...days.map((_, index) => `day ${index + 1}`)],
    [
      ...counts,
      ...namesIn(days, 'rows').map((name) =>
        line(`rows of ${name} per webhook`, (day) => perWebhook(day, day.rows[name]).toFixed(3)),
      ),
      ...namesIn(days, 'requests').map((name) =>
        line(`requests to ${name} per webhook`, (day) => perWebhook(day, day.requests[name]).toFixed(2)),
      ),
      ...namesIn(days, 'memory').map((name) =>
        line(`memory kept by ${name}, MiB`, (day) => Math.round(day.memory[name] ?? 0)),
      ),
    ],
  );
}

/** Checks what no day may have, and that each kind of trouble happened on each day. */
export function checkDays(days: readonly Day[]): readonly Check[] {
  const total = (name: keyof Day['counts']) => days.reduce((sum, { counts }) => sum + counts[name], 0);
  const least = (name: keyof Day['counts']) => Math.min(...days.map(({ counts }) => counts[name]));
  return [
    ...happenings.map((name) => checkSome(`${name} on each day, at least`, least(name))),
    checkNone('webhooks lost', total('lost')),
    checkNone('events doubled', total('doubled')),
    checkNone('webhooks, messages and onboardings stuck at the end of a day', total('stuck')),
  ];
}

/** Checks that the last day costs what the second one did. On the first day processes and caches warm up. */
export function checkConstant(days: readonly Day[]): readonly Check[] {
  const [, second] = days;
  const last = days.at(-1);
  if (second === undefined || last === undefined || days.length < minDays) return [];
  const requests = namesIn(days, 'requests').filter((name) => name !== growing);
  const compare = (name: string, sign: '±' | '+', figureOf: (day: Day) => number): Check => {
    const [before, after] = [figureOf(second), figureOf(last)];
    const more = sign === '+' ? after - before : Math.abs(after - before);
    const expected = `${before.toFixed(2)} ${sign} ${tolerance * 100} %`;
    return { name, expected, found: after.toFixed(2), holds: more <= before * tolerance };
  };
  return [
    ...namesIn(days, 'rows').map((name) =>
      compare(`rows of ${name} per webhook`, '±', (day) => perWebhook(day, day.rows[name])),
    ),
    ...requests.map((name) =>
      compare(`requests to ${name} per webhook`, '±', (day) => perWebhook(day, day.requests[name])),
    ),
    ...namesIn(days, 'memory').map((name) =>
      compare(`memory kept by ${name}, MiB`, '+', (day) => day.memory[name] ?? 0),
    ),
  ];
}

function perWebhook({ counts }: Day, count = 0): number {
  return count / counts.webhooks;
}

function namesIn(days: readonly Day[], part: 'rows' | 'requests' | 'memory'): readonly string[] {
  return [...new Set(days.flatMap((day) => Object.keys(day[part])))];
}

function entryOf(counts: Figures, name: string): number {
  return counts[name] ?? 0;
}
