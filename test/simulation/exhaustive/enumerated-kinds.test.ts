import { beforeAll, describe, expect, it } from 'vitest';
import { chosenFaultKinds, type FaultKind } from '#test/simulation/faults/fault-kinds.ts';
import { createPlatformAppForAll } from '#test/simulation/world/platform-app.ts';
import { readFaults } from './enumerated-fault.ts';
import { runEnumerated } from './enumerated-history.ts';
import { historyNames } from './small-history.ts';
import { notEnumerated, wayNamed } from './ways.ts';

const app = createPlatformAppForAll();

/** The kinds that an occasion of a small history can have; of one without faults, and of those in which news was lost. */
const met = new Set<FaultKind>();
beforeAll(async () => {
  for (const name of historyNames) await meet({ name, faults: '' });
  await meet({ name: 'persons', faults: await firstOf('webhook-without-a-time') });
});

async function meet({ name, faults }: { readonly name: (typeof historyNames)[number]; readonly faults: string }) {
  const { occasions } = await runEnumerated({ seed: 1, name, faults: readFaults(faults) }, { app });
  for (const { ways } of occasions) for (const { kind } of ways) met.add(kind);
}

async function firstOf(name: string): Promise<string> {
  const { occasions } = await runEnumerated({ seed: 1, name: 'persons', faults: [] }, { app });
  const found = occasions.find(({ ways }) => ways.some((way) => way === wayNamed(name)));
  return `${found?.number}:${name}`;
}

describe('each kind of fault', () => {
  const reasonOf = new Map<FaultKind, string>(Object.entries(notEnumerated) as [FaultKind, string][]);

  it.each(chosenFaultKinds)('is enumerated, or it is said why not: %s', (kind) => {
    const reason = reasonOf.get(kind);
    expect([kind, met.has(kind)]).toEqual([kind, reason === undefined]);
    expect(reason ?? 'It is enumerated.').toMatch(/\.$/);
  });
});
