import type { Deployment } from '#cli/deployment/deployment.ts';
import { type RecordDeployment, type RecordDeps, recordAction } from '#cli/deployment/record-action.ts';
import type { RegisterMode } from './format-register-report.ts';
import { type RegisterReport, readRegisterReport } from './register-report.ts';

/** Invokes Register. The log records a rotation of the header secret and its end before. @throws {CommandError} */
export async function requestRegistration(
  deployment: RecordDeployment & Pick<Deployment, 'invoke'>,
  request: { readonly mode: RegisterMode; readonly takeOver: readonly string[]; readonly remove: readonly string[] },
  deps: RecordDeps,
): Promise<RegisterReport> {
  const { mode } = request;
  if (mode === 'rotate' || mode === 'retire')
    await recordAction(deployment, { message: 'secret rotation requested', reason: mode }, deps);
  return readRegisterReport(await deployment.invoke('Register', request));
}
