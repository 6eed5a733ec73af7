import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeTable } from '#docs/generate/write-table.ts';
import type { StepResult } from '#tools/deploy/run-steps.ts';
import type { Plan } from './plan.ts';
import type { Removal } from './removal.ts';

/** What a run keeps, as evidence for auditors. Its files have no secret, no data of a person, and no address of the platform. */
export type AccountRecord = {
  readonly plan: Plan;
  readonly release: string;
  /** Of git. `isChanged` if the working tree has other files than the commit. */
  readonly commit: { readonly id: string; readonly isChanged: boolean };
  readonly startedOn: string;
  readonly endedOn: string;
  readonly steps: readonly StepResult[];
  /** The stacks of the run by CloudFormation, which keeps them for 90 days. */
  readonly stacks: readonly { readonly name: string; readonly id: string }[];
  readonly removal: Removal;
};

/** Whether every step that ran passed, and nothing is left. */
export function hasPassed({ steps, removal }: Pick<AccountRecord, 'steps' | 'removal'>): boolean {
  return steps.every(({ result }) => result !== 'FAILED') && removal.left.length === 0;
}

/** The record as a page. */
export function formatRecord(record: AccountRecord): string {
  const { plan, release, commit, startedOn, endedOn, steps, stacks, removal } = record;
  const { account, region, caller, environment, isRehearsal, estimate } = plan;
  const line = (text: string) => text.split('\n', 1).join();
  const skipped = steps.filter(({ result }) => result === 'skipped').length;
  const passed = skipped === 0 ? 'passed' : `passed, ${skipped} of ${steps.length} steps skipped`;
  const rows = steps.map(({ name, startedOn: on, result, seconds, text }) => [
    name,
    on,
    result,
    seconds.toFixed(1),
    line(text),
  ]);
  const list = (title: string, items: readonly string[]) =>
    items.length === 0 ? [`- ${title}: none`] : [`- ${title}:`, ...items.map((item) => `  - ${line(item)}`)];
  return [
    `# ${isRehearsal ? 'Rehearsal on an emulator, not evidence of AWS' : 'Run on AWS'}: ${hasPassed(record) ? passed : 'FAILED'}`,
    '',
    `- Account ${account}, region ${region}, as ${caller}`,
    `- Environment ${environment}, from ${startedOn} to ${endedOn}`,
    `- Release ${release}, commit ${commit.id}${commit.isChanged ? ' with changes that are not committed' : ''}`,
    `- Cost: ${estimate}`,
    ...list(
      'Stacks',
      stacks.map(({ name, id }) => `${name}: ${id}`),
    ),
    ...list('Left', removal.left),
    ...list('Keys that KMS deletes later', removal.pending),
    ...list('Failed during the removal', removal.failures),
    '',
    writeTable(['Step', 'Started', 'Result', 'Seconds', 'Saw'], rows),
    '',
  ].join('\n');
}

/** Writes both forms, and returns the path of the page. */
export function writeRecord(folder: string, record: AccountRecord): string {
  mkdirSync(folder, { recursive: true });
  const { plan, startedOn } = record;
  // Who knows the address can change what is in the sandbox.
  const kept = { ...record, plan: { ...plan, platformUrl: undefined } };
  const name = `${startedOn.slice(0, 10)}-${plan.isRehearsal ? 'rehearsal' : plan.account}-${plan.run}`;
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(kept, undefined, 2)}\n`);
  const page = join(folder, `${name}.md`);
  writeFileSync(page, formatRecord(record));
  return page;
}
