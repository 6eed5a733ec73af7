import {
  GetAccountSettingsCommand,
  GetEventSourceMappingCommand,
  GetFunctionConcurrencyCommand,
} from '@aws-sdk/client-lambda';
import { docsPage } from '#cli/command/docs-page.ts';
import type { Deployment } from '#cli/deployment/deployment.ts';
import { type Found, good, problem } from './findings.ts';

/** Concurrent executions of Lambda. */
export type Concurrency = {
  /** Of the account in the region, and what no function has reserved of it. */
  readonly account: number;
  readonly unreserved: number;
  /** What Receive has reserved for itself. */
  readonly reserved: number;
  /** What Store and Advance take at most, together. */
  readonly batches: number;
};

/** Executions for requests, while Store and Advance take all that they may. */
const forRequests = 50;

/** Whether the account lets the functions run as concurrently as they are configured to. */
export async function checkQuotas({ clients, resources }: Deployment): Promise<Found> {
  const { idOf, ofType } = await resources();
  const [{ AccountLimit }, { ReservedConcurrentExecutions = 0 }, mappings] = await Promise.all([
    clients.lambda.send(new GetAccountSettingsCommand({})),
    clients.lambda.send(new GetFunctionConcurrencyCommand({ FunctionName: idOf('function', 'Receive') })),
    Promise.all(
      ofType('AWS::Lambda::EventSourceMapping').map(({ physicalId }) =>
        clients.lambda.send(new GetEventSourceMappingCommand({ UUID: physicalId })),
      ),
    ),
  ]);
  return evaluateConcurrency({
    account: AccountLimit?.ConcurrentExecutions ?? 0,
    unreserved: AccountLimit?.UnreservedConcurrentExecutions ?? 0,
    reserved: ReservedConcurrentExecutions,
    batches: mappings.reduce((sum, { ScalingConfig }) => sum + (ScalingConfig?.MaximumConcurrency ?? 0), 0),
  });
}

export function evaluateConcurrency({ account, unreserved, reserved, batches }: Concurrency): Found {
  const quota = `${unreserved} of ${account} concurrent executions of Lambda are not reserved (${reserved} are for Receive)`;
  if (unreserved >= batches + forRequests) return good(`${quota}. Store and Advance take up to ${batches}`);
  return problem(
    `${quota}: too few for Store and Advance, which take up to ${batches}, and ${forRequests} requests`,
    `Ask AWS for 1,000 concurrent executions, or lower storeConcurrency: ${docsPage('docs/how-to/deploy.md')}.`,
  );
}
