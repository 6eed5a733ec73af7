import { drawFlow, type Flow } from '#sandbox/report/flow-diagram.ts';
import { formatReport, type ReportSection, tableOf } from '#sandbox/report/page.ts';
import { type PromiseInRuns, promiseSentences } from '#sandbox/report/promises.ts';
import type { Check } from '#sandbox/scenario/common/checks.ts';
import type { Depths } from './depths.ts';
import { nodesOf } from './step-flows.ts';

export type ScenarioRun = {
  readonly name: string;
  readonly description: string;
  readonly promises: readonly PromiseInRuns[];
  readonly options: Readonly<Record<string, unknown>>;
  readonly checks: readonly Check[];
  /** What was printed, with the seconds since the start. */
  readonly story: readonly (readonly [seconds: number, what: string])[];
  readonly seconds: number;
  /** Without it the scenario had no step. */
  readonly depths: Depths | undefined;
  readonly flows: readonly Flow[];
};

/** The report of `npm run scenario … --report`: what happened, what was checked, and what waited when. */
export async function writeScenarioReport(run: ScenarioRun): Promise<string> {
  const failing = run.checks.filter(({ holds }) => !holds).length;
  const options = Object.entries(run.options).filter(([name]) => name !== 'report' && name !== 'directory');
  return formatReport({
    title: `Scenario ${run.name}`,
    verdict: failing === 0 ? 'Every check holds.' : `FAILED: ${failing} of ${run.checks.length} checks do not hold.`,
    holds: failing === 0,
    facts: [...options.map(([name, value]) => [name, String(value)] as const), ['seconds', String(run.seconds)]],
    sections: [
      await describeStory(run),
      ...(run.depths === undefined ? [] : describeDepths(run.depths)),
      ...(run.flows.length === 0 ? [] : [await describeSteps(run.flows)]),
      await describePromises(run.promises),
      await describeChecks(run.checks),
    ],
  });
}

async function describeStory({ description, story }: ScenarioRun): Promise<ReportSection> {
  // A space that never wraps: a number above its unit is hard to read.
  const rows = story.map(([seconds, what]) => [`${seconds}\u00a0s`, asSentence(what.trim())]);
  return { title: 'What happens', note: description, content: await tableOf(['after', 'step'], rows) };
}

function asSentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function describeDepths({ byTime, bySeconds }: Depths): readonly ReportSection[] {
  return [
    {
      title: 'What waits, by the time of the platform',
      note: 'In UTC. A webhook that cannot be delivered waits on the platform until the drain fetches it.',
      plot: byTime,
    },
    {
      title: 'What waits, by the seconds of the run',
      note: 'The same numbers. The time of the platform jumps; the functions work in real time.',
      plot: bySeconds,
    },
  ];
}

async function describeSteps(flows: readonly Flow[]): Promise<ReportSection> {
  return {
    title: 'Steps of the onboardings',
    note: 'A number says how often onboardings took this way. Green steps are final.',
    content: await drawFlow(nodesOf(flows), flows),
  };
}

async function describePromises(promises: readonly PromiseInRuns[]): Promise<ReportSection> {
  const rows = promises.map((promise) => [String(promise), promiseSentences[promise]]);
  return {
    title: 'Promises',
    note: 'The checks below are about these promises of docs/explanation/promises.md.',
    content: await tableOf(['', 'promise'], rows),
  };
}

async function describeChecks(checks: readonly Check[]): Promise<ReportSection> {
  const rows = checks.map(({ name, expected, found, holds }) => [
    name.trim(),
    expected,
    found,
    holds ? 'ok' : 'FAILED',
  ]);
  const head = ['check', 'expected', 'found', ''];
  return { title: 'Checks', content: await tableOf(head, rows, (row) => row.at(-1) === 'FAILED') };
}
