import type { Transitions } from '#sandbox/platform/core/transitions.ts';

/** The statuses of section 3.2 that are known. Every other word stands for a failure. */
export type VerificationStage = 'RECEIVED' | 'PENDING' | 'APPROVED' | 'FAILED';

/** Section 3.2 shows no transitions: these were seen. */
export const identificationVerificationTransitions: Transitions<VerificationStage> = {
  RECEIVED: ['PENDING'],
  PENDING: ['APPROVED', 'FAILED'],
  APPROVED: [],
  FAILED: [],
};

export function stageOf(status: string): VerificationStage {
  return status === 'RECEIVED' || status === 'PENDING' || status === 'APPROVED' ? status : 'FAILED';
}
