import type { IdentificationVerification } from '#sandbox/platform/verifications/identification-verification-schema.ts';
import type { BrokenPromise } from './promise.ts';

const open: ReadonlySet<string> = new Set(['RECEIVED', 'PENDING']);

/** Promise 6: at most one open verification per onboarding at any time. @param verifications all verifications of a person */
export function checkVerifications(verifications: readonly IdentificationVerification[]): BrokenPromise | undefined {
  const running = verifications.filter(({ status }) => open.has(status));
  if (running.length <= 1) return undefined;
  return { promise: 6, what: `${running.length} verifications of ${running[0]?.naturalPersonId} are open.` };
}
