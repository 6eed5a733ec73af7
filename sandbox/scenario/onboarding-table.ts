import { paginateScan } from '@aws-sdk/client-dynamodb';
import type { Host } from '#sandbox/aws/host.ts';
import { formatTable } from '#sandbox/table.ts';
import { isErased, type OnboardingRow, readOnboarding } from '#shared/onboarding-row.ts';
import { identificationModes } from '#shared/onboarding-state.ts';
import { onboardingStepWords } from '#shared/onboarding-steps.ts';

/** Every onboarding as its table has it: those whose persons were erased are known by their ids alone. */
export type OnboardingRows = { readonly rows: readonly OnboardingRow[]; readonly erased: readonly string[] };

export async function readOnboardingRows({
  blueprint,
  clients,
}: Pick<Host, 'blueprint' | 'clients'>): Promise<OnboardingRows> {
  const TableName = blueprint.tables.find(({ name }) => name === 'onboardings')?.physicalName;
  const rows: OnboardingRow[] = [];
  const erased: string[] = [];
  for await (const { Items = [] } of paginateScan({ client: clients.dynamodb }, { TableName, ConsistentRead: true }))
    for (const row of Items.map(readOnboarding))
      if (isErased(row)) erased.push(row.onboardingId);
      else rows.push(row);
  return { rows, erased };
}

/** At which steps onboardings are, some moment of the platform's time. */
export type StepsShown = {
  readonly time: Date;
  readonly rows: readonly Pick<OnboardingRow, 'state'>[];
  /** Onboardings whose persons were erased. */
  readonly erased: readonly unknown[];
  /** What the partner's people have done so far, and how often. */
  readonly deeds: Readonly<Record<string, number>>;
};

/** A table of the steps, with how many onboardings of each mode are there; below it, what people did. */
export function formatSteps({ time, rows, erased, deeds }: StepsShown): string {
  const lines = onboardingStepWords.flatMap((step) => {
    const there = rows.filter(({ state }) => state.step === step);
    const ofMode = (mode: string) => there.filter(({ state }) => state.mode === mode).length;
    return there.length === 0 ? [] : [[step, ...identificationModes.map(ofMode), there.length]];
  });
  const ofErased = erased.length === 0 ? [] : [['erased', ...identificationModes.map(() => ''), erased.length]];
  const table = formatTable([clockOf(time), ...identificationModes, 'all'], [...lines, ...ofErased]);
  return [table, ...formatDeeds(deeds)].join('\n');
}

/** The same in one line. */
export function formatStepsInLine({ time, rows, erased, deeds }: StepsShown): string {
  const counts = onboardingStepWords.flatMap((step) => {
    const there = rows.filter(({ state }) => state.step === step).length;
    return there === 0 ? [] : [`${there} ${step}`];
  });
  const ofErased = erased.length === 0 ? [] : [`${erased.length} erased`];
  const steps = [...counts, ...ofErased].join(' · ') || 'none yet';
  return [`  ${clockOf(time)}  ${steps}`, ...formatDeeds(deeds)].join('; ');
}

function formatDeeds(deeds: StepsShown['deeds']): readonly string[] {
  const counts = Object.entries(deeds).map(([what, count]) => `${what} ${count}`);
  return counts.length === 0 ? [] : [`done: ${counts.join(' · ')}`];
}

function clockOf(time: Date): string {
  return time.toISOString().slice(0, 16).replace('T', ' ');
}

export type Terminal = { readonly isTTY: boolean; readonly write: (text: string) => void };

/** Shows the steps while they change: on a terminal in place of what was shown before, elsewhere a line each time. */
export function createLiveTable({ isTTY, write }: Terminal) {
  let height = 0;
  return {
    show: (steps: StepsShown): void => {
      const shown = isTTY ? `\n${formatSteps(steps)}\n` : `${formatStepsInLine(steps)}\n`;
      write(isTTY && height > 0 ? `\x1b[${height}A\x1b[J${shown}` : shown);
      height = shown.split('\n').length - 1;
    },
    /** What is written next stands below what is shown. */
    leave: (): void => {
      height = 0;
    },
  };
}
