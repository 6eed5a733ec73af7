import type { IdentificationMode } from '#shared/onboarding/onboarding-state.ts';
import { isFinalStep, type OnboardingStep, stepRow } from '#shared/onboarding/onboarding-steps.ts';
import { drawGraph, type GraphEdge } from './draw-graph.ts';

export type DrawOnboardingProps = {
  readonly direction: 'LR' | 'TB';
  readonly mode: IdentificationMode;
  readonly current: OnboardingStep;
  /** The steps that the onboarding took, in their order, as far as they are known. */
  readonly path: readonly OnboardingStep[];
};

type Way = readonly [from: OnboardingStep, to: OnboardingStep];

/** How an onboarding goes that meets no obstacle, by how the person is identified. A test compares the ways with the state machine. */
export const plannedWays: Readonly<Record<IdentificationMode, readonly Way[]>> = {
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
    return from === undefined || from === to ? [] : [[from, to]];
  });
  const keyOf = ([from, to]: Way) => `${from} ${to}`;
  const planned = plannedWays[mode];
  const plannedKeys = new Set(planned.map(keyOf));
  const isPathKnown = path.length > 0;
  const takenKeys = new Set(isPathKnown ? taken.map(keyOf) : []);
  const detours = [...new Map(taken.map((way) => [keyOf(way), way])).values()].filter(
    (way) => isPathKnown && !plannedKeys.has(keyOf(way)),
  );
  const nodes = [...new Set([...planned.flat(), ...(isPathKnown ? steps : [current])])];
  const edgeOf = (way: Way, classes: readonly string[]): GraphEdge => ({
    from: way[0],
    to: way[1],
    classes: [...classes, ...(takenKeys.has(keyOf(way)) ? ['taken'] : [])],
  });
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
    edges: [...planned.map((way) => edgeOf(way, [])), ...detours.map((way) => edgeOf(way, ['detour']))],
  });
}
