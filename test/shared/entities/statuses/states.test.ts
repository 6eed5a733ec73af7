import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { entityRules } from '#shared/entities/statuses/entity-rules.ts';
import { entityKinds } from '#shared/platform/profile/event-place.ts';
import { writeStates } from './write-states.ts';

describe('the page docs/reference/states.md', () => {
  const states = writeStates();

  it('is what is generated: run npx vitest run test/shared/entities/statuses -u', async () => {
    await expect(states).toMatchFileSnapshot(join(import.meta.dirname, '../../../../docs/reference/states.md'));
  });

  it.each(entityKinds)('has every transition of the table of a %s, which ends in its final statuses', (kind) => {
    const { statuses, transitions, title } = entityRules[kind].statuses.table;
    const diagram = states.split(`## ${title} (`)[1]?.split('```')[1]?.split('\n') ?? [];
    const arrows = transitions.map(({ from, to }) => `  ${from === '(none)' ? '[*]' : from} --> ${to}`);
    const ends = statuses.filter(({ final }) => final).map(({ status }) => `  ${status} --> [*]`);
    expect(diagram).toEqual(['mermaid', 'stateDiagram-v2', ...arrows, ...ends, '']);
  });
});
