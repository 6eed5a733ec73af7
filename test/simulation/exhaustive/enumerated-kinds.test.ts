import { beforeAll, describe, expect, it } from 'vitest';
import { chosenFaultKinds, type FaultKind } from '#test/simulation/faults/fault-kinds.ts';
import { createPlatformAppForAll } from '#test/simulation/system/platform-app.ts';
import { readFaults } from './enumerated-fault.ts';
import { runEnumerated } from './enumerated-history.ts';
import { notEnumerated, variantNamed } from './fault-variants.ts';
import { historyNames } from './small-history.ts';

const app = createPlatformAppForAll();

/** The kinds at the fault points of small histories without faults, and of one with a webhook that lost its timestamp. */
const reached = new Set<FaultKind>();
beforeAll(async () => {
  for (const name of historyNames) await collectKinds({ name, faults: '' });
  await collectKinds({ name: 'persons', faults: await firstOf('webhook-without-a-timestamp') });
});

async function collectKinds({
  name,
  faults,
}: {
  readonly name: (typeof historyNames)[number];
  readonly faults: string;
}) {
  const { faultPoints } = await runEnumerated({ seed: 1, name, faults: readFaults(faults) }, { app });
  for (const { variants } of faultPoints) for (const { kind } of variants) reached.add(kind);
}

async function firstOf(name: string): Promise<string> {
  const { faultPoints } = await runEnumerated({ seed: 1, name: 'persons', faults: [] }, { app });
  const found = faultPoints.find(({ variants }) => variants.some((variant) => variant === variantNamed(name)));
  return `${found?.number}:${name}`;
}

describe('each kind of fault in small histories', () => {
  const reasonOf = new Map<FaultKind, string>(Object.entries(notEnumerated) as [FaultKind, string][]);

  it.each(chosenFaultKinds)('is enumerated or has a documented reason: %s', (kind) => {
    const reason = reasonOf.get(kind);
    expect([kind, reached.has(kind)]).toEqual([kind, reason === undefined]);
    expect(reason ?? 'The kind is enumerated.').toMatch(/\.$/);
  });
});
