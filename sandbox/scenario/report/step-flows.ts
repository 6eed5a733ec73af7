import * as z from 'zod';
import type { AwsCallMoment } from '#sandbox/aws/aws-endpoint.ts';
import type { Flow, FlowNode } from '#sandbox/report/flow-diagram.ts';
import { publishedBy } from '#sandbox/scenario/common/published-changes.ts';
import { onboardingStepWords, stepRow } from '#shared/onboarding/onboarding-steps.ts';

const stepOnBus = z.object({ onboardingId: z.string(), sequence: z.number(), step: z.string() });

type StepOnBus = z.infer<typeof stepOnBus>;

const start = 'requested';

/** Follows the onboardings by what is published about them. */
export function watchStepFlows() {
  /** By onboarding and sequence, because a step can be published twice. */
  const steps = new Map<string, StepOnBus>();

  return {
    onAwsCall: (moment: Pick<AwsCallMoment, 'when' | 'operation' | 'input'>): void => {
      for (const { detail } of publishedBy(moment)) {
        const { success, data } = stepOnBus.safeParse(detail);
        if (success) steps.set(`${data.onboardingId} ${data.sequence}`, data);
      }
    },
    flows: (): readonly Flow[] => countFlows([...steps.values()]),
  };
}

function countFlows(steps: readonly StepOnBus[]): readonly Flow[] {
  const times = new Map<string, Flow>();
  for (const some of Map.groupBy(steps, ({ onboardingId }) => onboardingId).values()) {
    let from: string = start;
    for (const { step: to } of some.toSorted((one, other) => one.sequence - other.sequence)) {
      if (to === from) continue;
      const key = `${from} ${to}`;
      times.set(key, { from, to, times: (times.get(key)?.times ?? 0) + 1 });
      from = to;
    }
  }
  return [...times.values()];
}

/** The steps that were taken, in the order of an onboarding. */
export function nodesOf(flows: readonly Flow[]): readonly FlowNode[] {
  const taken = new Set(flows.flatMap(({ from, to }) => [from, to]));
  return [
    { name: start, label: start, isFinal: false },
    ...onboardingStepWords
      .filter((step) => taken.has(step))
      .map((step) => ({ name: step, label: step, isFinal: stepRow(step).final })),
  ];
}
