import type { DeployRun } from './deploy-run.ts';
import { type Caller, createCaller } from './signed-api.ts';

const callers = new WeakMap<DeployRun, Promise<Caller>>();

/** A system of the partner, which may call every route of the API and nothing else of AWS. */
export function callerOf(deployment: DeployRun): Promise<Caller> {
  const known = callers.get(deployment);
  if (known !== undefined) return known;
  const { region, account } = deployment.target;
  const Resource = `arn:aws:execute-api:${region}:${account}:*/*/*/*`;
  const made = createCaller(deployment, 'partner', [{ Effect: 'Allow', Action: 'execute-api:Invoke', Resource }]);
  callers.set(deployment, made);
  return made;
}
