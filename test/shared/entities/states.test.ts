import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { entityRules } from '#shared/entities/entity-rules.ts';
import { entityKinds } from '#shared/platform/event-place.ts';
import { writeStates } from './write-states.ts';

describe('issue 5: a diagram of each state table is generated from its data', () => {
  const states = writeStates();

  it('docs/states.md is what is generated', async () => {
    await expect(states).toMatchFileSnapshot(join(import.meta.dirname, '../../../docs/states.md'));
  });

  it.each(entityKinds)(
    'the diagram of a %s has every transition of its table, and ends in its final statuses',
    (kind) => {
      const { statuses, transitions, title } = entityRules[kind].statuses.table;
      const diagram = states.split(`## ${title} (`)[1]?.split('```')[1]?.split('\n') ?? [];
      const arrows = transitions.map(({ from, to }) => `  ${from === '(none)' ? '[*]' : from} --> ${to}`);
      const ends = statuses.filter(({ final }) => final).map(({ status }) => `  ${status} --> [*]`);
      expect(diagram).toEqual(['mermaid', 'stateDiagram-v2', ...arrows, ...ends, '']);
    },
  );
});
