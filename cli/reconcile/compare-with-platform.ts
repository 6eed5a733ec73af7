import type { Deployment } from '#cli/deployment/deployment.ts';
import {
  type EntityComparison,
  entityComparison,
  type WalkSummary,
  walkSummary,
} from '#shared/api/reconcile-answers.ts';
import type { EntityKey } from '#shared/entities/entity-row.ts';
import { readReconcileAnswer } from './read-reconcile-answer.ts';

/** Has Reconcile read one entity from the platform, and compare it. Changes nothing. @throws {CommandError} */
export async function compareWithPlatform(
  { invoke }: Pick<Deployment, 'invoke'>,
  { kind, id }: EntityKey,
): Promise<EntityComparison> {
  return readReconcileAnswer(await invoke('Reconcile', { mode: 'compare', kind, id }), entityComparison);
}

/** Reads what the walks of repairs have found: those of the schedule, and those of operators. @throws {CommandError} */
export async function readLastWalks({ invoke }: Pick<Deployment, 'invoke'>): Promise<WalkSummary> {
  return readReconcileAnswer(await invoke('Reconcile', { mode: 'last' }), walkSummary);
}

/** What a comparison means for an operator, in a sentence. */
export function describeComparison({ kind, ours, platform, differed }: EntityComparison): string {
  switch (platform) {
    case 'not readable':
      return `The platform has no operation that reads the status of an ${kind}: only its webhooks report it.`;
    case 'gone':
      return `The platform does not know this ${kind}.`;
    case 'unanswered':
      return `The platform gave no answer: it refused the request, or no webhook has named the person of this ${kind}.`;
  }
  if (ours === undefined) return `No webhook has reported this ${kind}. A repair adds it.`;
  if (differed.length > 0) return `They differ in ${differed.join(', ')}. A repair takes what the platform says.`;
  return ours.modifiedOn === platform.modifiedOn
    ? 'Both agree.'
    : 'The stored status is newer than the answer of the platform.';
}
