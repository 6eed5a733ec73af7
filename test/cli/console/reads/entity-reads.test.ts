import { expect, it } from 'vitest';
import { createEntityReads } from '#cli/console/reads/entity-reads.ts';
import type { Deployment } from '#cli/deployment/deployment.ts';

/** A deployment whose function Advance has these variables. */
function deploymentWith(send: () => Promise<unknown>): Deployment {
  const resources = async () => ({ idOf: (_kind: string, name: string) => name, ofType: () => [] });
  return { resources, clients: { lambda: { send } } } as unknown as Deployment;
}

it('offers the statuses that the environment declares beside those of the specification', async () => {
  const declared = {
    statuses: {
      'natural-person': [{ status: 'FROZEN', after: 'ACTIVE', final: false, from: ['ACTIVE'], to: ['ACTIVE'] }],
    },
  };
  const Variables = { PLATFORM_PROFILE: JSON.stringify(declared) };
  const { statuses } = createEntityReads({ deployment: deploymentWith(async () => ({ Environment: { Variables } })) });
  expect(await statuses.read({ kind: 'natural-person' })).toEqual(expect.arrayContaining(['ACTIVE', 'FROZEN']));
});

it('offers the statuses of the specification to a role that is not allowed to read the settings', async () => {
  const refuse = () => Promise.reject(new Error('AccessDeniedException'));
  const { statuses } = createEntityReads({ deployment: deploymentWith(refuse) });
  expect(await statuses.read({ kind: 'natural-person' })).toContain('ACTIVE');
});
