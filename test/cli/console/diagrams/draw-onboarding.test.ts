import { expect, it } from 'vitest';
import { drawOnboarding, plannedWays } from '#cli/console/diagrams/draw-onboarding.ts';
import { onboardingTransitions } from '#functions/onboarding/state-machine/transitions.ts';

it('draws only ways that the state machine has', () => {
  const stated = onboardingTransitions.map(({ from, to }) => `${from} ${to}`);
  const drawn = Object.values(plannedWays).flatMap((ways) => ways.map(([from, to]) => `${from} ${to}`));
  expect(drawn.filter((way) => !stated.includes(way))).toEqual([]);
});

it('adds the steps of a detour to the plan, and marks the path', async () => {
  const svg = await drawOnboarding({
    direction: 'LR',
    mode: 'none',
    current: 'STOPPED',
    path: ['REQUESTED', 'CREATING_PERSON', 'FINDING_PERSON', 'STOPPED'],
  });
  expect(svg.match(/class="edge taken"/g)).toHaveLength(1);
  expect(svg.match(/class="edge detour taken"/g)).toHaveLength(2);
  expect(svg).toMatch(/STOPPED" class="node state visited current warn"/);
});
