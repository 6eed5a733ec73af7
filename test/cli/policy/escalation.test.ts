import { describe, expect, it } from 'vitest';
import { partitions } from '#cli/policy/deployment/policy.ts';
import { deploymentPolicies } from '#cli/policy/deployment-policies.ts';
import { everything, policyCases } from '#tools/deploy/policy-cases.ts';
import { isAllowed } from './is-allowed.ts';

describe.each(partitions)('a set of deployment policies in the partition %s', (partition) => {
  const scope = { partition, account: '111122223333', environment: 'production' };

  it.each(
    policyCases(scope).map(
      (one) => [one.isAllowed ? 'allows' : 'refuses', one.policies.join(', '), one.name, one] as const,
    ),
  )('%s %s to %s', (_effect, _policies, _name, { policies, isBounded, isAllowed: expected, ...request }) => {
    const printed = policies.map((name) => deploymentPolicies[name](scope));
    expect(isBounded ? isAllowed(request, [everything], printed[0]) : isAllowed(request, printed)).toBe(expected);
  });
});
