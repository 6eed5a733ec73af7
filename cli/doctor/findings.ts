import { explainError } from '#cli/deployment/explain-aws-error.ts';

/** What `doctor` found about one thing. */
export type Finding = {
  /** What was checked, such as `registrations`. */
  readonly check: string;
  /** `unknown` if the check itself could not be done, such as for lack of a permission. */
  readonly result: 'good' | 'problem' | 'unknown';
  readonly detail: string;
  /** What the operator does. Absent if nothing is to be done. */
  readonly remedy?: string;
};

/** What a check finds: one finding at least. */
export type Found = readonly Omit<Finding, 'check'>[];

/** A check that works, in words. */
export function good(detail: string): Found {
  return [{ result: 'good', detail }];
}

/** What an operator has to do something about. */
export function problem(detail: string, remedy: string): Found {
  return [{ result: 'problem', detail, remedy }];
}

/** A check that could not be done. */
export function unknown(detail: string, remedy: string): Found {
  return [{ result: 'unknown', detail, remedy }];
}

/**
 * A check that fails is a finding of its own: the other checks still run.
 *
 * @param unreachable what an operator does if the API does not answer
 */
export async function runChecks(
  checks: Readonly<Record<string, () => Promise<Found>>>,
  unreachable: string,
): Promise<readonly Finding[]> {
  const findings = await Promise.all(
    Object.entries(checks).map(async ([check, run]) => {
      const found = await run().catch((error: unknown) => explainFailure(error, unreachable));
      return found.map((finding) => ({ check, ...finding }));
    }),
  );
  return findings.flat();
}

function explainFailure(error: unknown, unreachable: string): Found {
  const { reason, next } = explainError(error);
  // Other commands name doctor. Doctor itself would send its user in a circle.
  const remedy = next === 'drawbridge doctor' ? unreachable : next;
  return unknown(reason, remedy ?? 'Allow what the message names, and run doctor again.');
}
