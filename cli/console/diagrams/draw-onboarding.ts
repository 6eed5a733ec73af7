import type { IdentificationMode } from '#shared/onboarding/onboarding-state.ts';
import { isFinalStep, type OnboardingStep, stepRow } from '#shared/onboarding/onboarding-steps.ts';
import { drawGraph, pathEdges, type Way } from './draw-graph.ts';

export type DrawOnboardingProps = {
  readonly direction: 'LR' | 'TB';
  readonly mode: IdentificationMode;
  readonly current: OnboardingStep;
  /** The steps that the onboarding took, in their order, as far as they are known. */
  readonly path: readonly OnboardingStep[];
};

type Planned = readonly [from: OnboardingStep, to: OnboardingStep];

/** How an onboarding goes that meets no obstacle, by how the person is identified. A test compares the ways with the state machine. */
export const plannedWays: Readonly<Record<IdentificationMode, readonly Planned[]>> = {
  video: [
    ['REQUESTED', 'CREATING_PERSON'],
    ['CREATING_PERSON', 'AWAITING_CHECKS'],
    ['AWAITING_CHECKS', 'CREATING_VERIFICATION'],
    ['CREATING_VERIFICATION', 'AWAITING_IDENTIFICATION_URL'],
    ['AWAITING_IDENTIFICATION_URL', 'AWAITING_VIDEO_CALL'],
    ['AWAITING_VIDEO_CALL', 'AWAITING_ACTIVATION'],
    ['AWAITING_ACTIVATION', 'COMPLETED'],
  ],
  supplied: [
    ['REQUESTED', 'CREATING_PERSON'],
    ['CREATING_PERSON', 'AWAITING_CHECKS'],
    ['AWAITING_CHECKS', 'SENDING_IDENTIFICATION'],
    ['SENDING_IDENTIFICATION', 'AWAITING_ACTIVATION'],
    ['AWAITING_ACTIVATION', 'COMPLETED'],
  ],
  none: [
    ['REQUESTED', 'CREATING_PERSON'],
    ['CREATING_PERSON', 'AWAITING_CHECKS'],
    ['AWAITING_CHECKS', 'AWAITING_ACTIVATION'],
    ['AWAITING_ACTIVATION', 'COMPLETED'],
  ],
};

/** The steps as states: the present one lit, the path that was taken bold, and what the plan does not have added. */
export function drawOnboarding({ direction, mode, current, path }: DrawOnboardingProps): Promise<string> {
  const steps = [...path, ...(path.at(-1) === current ? [] : [current])];
  const taken = steps.slice(1).flatMap((to, index): readonly Way[] => {
    const from = steps[index];
    return from === undefined || from === to ? [] : [{ from, to }];
  });
  const planned = plannedWays[mode];
  const isPathKnown = path.length > 0;
  const nodes = [...new Set([...planned.flat(), ...steps])];
  return drawGraph({
    direction,
    nodes: nodes.map((step) => ({
      name: step,
      label: step.replaceAll('_', '\n'),
      classes: [
        'state',
        ...(isFinalStep(step) ? ['final'] : []),
        ...(isPathKnown && steps.includes(step) ? ['visited'] : []),
        ...(step === current ? ['current'] : []),
        ...(step === current && step === 'STOPPED' ? ['warn'] : []),
      ],
      tooltip: `${step}: ${stepRow(step).meaning}`,
    })),
    edges: pathEdges(
      planned.map(([from, to]) => ({ from, to })),
      taken,
      'detour',
    ),
  });
}
