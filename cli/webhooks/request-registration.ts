import type { Deployment } from '#cli/deployment/deployment.ts';
import { type RecordDeployment, type RecordDeps, recordAction } from '#cli/deployment/record-action.ts';
import type { RegisterMode } from './format-register-report.ts';
import { type RegisterReport, readRegisterReport } from './register-report.ts';

/** Invokes Register. The log records before what changes webhooks or the header secret. @throws {CommandError} */
export async function requestRegistration(
  deployment: RecordDeployment & Pick<Deployment, 'invoke'>,
  request: { readonly mode: RegisterMode; readonly takeOver: readonly string[]; readonly remove: readonly string[] },
  deps: RecordDeps,
): Promise<RegisterReport> {
  const { mode } = request;
  const chosen = { takeOver: listOf(request.takeOver), remove: listOf(request.remove) };
  if (mode === 'apply') await recordAction(deployment, { message: 'webhooks change requested', ...chosen }, deps);
  else if (mode !== 'plan')
    await recordAction(deployment, { message: 'secret rotation requested', reason: mode, ...chosen }, deps);
  return readRegisterReport(await deployment.invoke('Register', request));
}

const listOf = (eventTypes: readonly string[]) => (eventTypes.length === 0 ? undefined : eventTypes.join(','));
