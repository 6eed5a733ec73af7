import type { AwsCallMoment } from '#sandbox/aws/aws-endpoint.ts';
import type { PromiseInRuns } from '#sandbox/report/promises.ts';
import type { Sandbox } from '#sandbox/sandbox.ts';
import type { Check } from '#sandbox/scenario/common/checks.ts';
import { type DepthWatch, watchDepths } from './depths.ts';
import { watchStepFlows } from './step-flows.ts';
import { writeScenarioReport } from './write-scenario-report.ts';

export type ScenarioRecord = {
  /** Records a step that was printed. */
  readonly add: (what: string) => void;
  readonly onAwsCall: (moment: AwsCallMoment) => void;
  /** Measures what waits, from the next step on. */
  readonly begin: (sandbox: Sandbox) => void;
  /** Ends the record. @returns the report as an HTML page */
  readonly end: (checks: readonly Check[]) => Promise<string>;
};

export type ScenarioRecordProps = {
  readonly name: string;
  readonly description: string;
  /** The promises that the checks are about: docs/explanation/promises.md. */
  readonly promises: readonly PromiseInRuns[];
  readonly options: Readonly<Record<string, unknown>>;
};

/** Records a scenario for its report. */
export function recordScenario(props: ScenarioRecordProps): ScenarioRecord {
  const startedAt = performance.now();
  const exactSeconds = () => (performance.now() - startedAt) / 1_000;
  const seconds = () => Math.round(exactSeconds());
  const story: (readonly [number, string])[] = [];
  const { onAwsCall, flows } = watchStepFlows();
  let sandbox: Sandbox | undefined;
  let depths: DepthWatch | undefined;
  return {
    add: (what) => {
      story.push([seconds(), what]);
      // Before its first step a scenario prepares the platform, which can take days of the platform's time.
      if (sandbox !== undefined) depths ??= watchDepths(sandbox, exactSeconds);
    },
    onAwsCall,
    begin: (started) => {
      sandbox = started;
    },
    end: async (checks) =>
      writeScenarioReport({
        ...props,
        checks,
        story,
        seconds: seconds(),
        depths: await depths?.end(),
        flows: flows(),
      }),
  };
}
