import { AwsServiceError, type AwsServices } from '#sandbox/aws/services/aws-service.ts';
import type { Blueprint } from '#sandbox/aws/stacks/blueprint.ts';
import type { Statement } from '#sandbox/aws/stacks/iam-types.ts';
import { SandboxError } from '#sandbox/errors.ts';
import { isAllowed, statementsOf } from './function-permissions.ts';
import { type Permission, requestedPermissions } from './requested-permissions.ts';

type CallOfFunction = {
  readonly service: keyof AwsServices;
  readonly operation: string;
  /** The name of the function. */
  readonly caller: string;
  /** What is asked for, parsed. */
  readonly input: unknown;
};

/** Throws when the role of the calling function does not allow the call. */
export type Authorize = (call: CallOfFunction) => void;

/** What Lambda does in the name of a function that takes the messages of a queue. */
const pollingActions = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];

/**
 * Checks the calls of the functions as IAM does, by the policies of the stacks.
 *
 * @throws {SandboxError} NOT_HOSTED for a function that may not take the messages of its queue: AWS does not deploy it
 */
export function createAuthorize(blueprint: Blueprint): Authorize {
  const statements = new Map<string, readonly Statement[]>(
    blueprint.functions.map(({ name }) => [name, statementsOf(blueprint, name)]),
  );
  for (const [caller, permission] of pollingPermissions(blueprint)) {
    if (isAllowed(statements.get(caller) ?? [], permission)) continue;
    throw new SandboxError(
      'NOT_HOSTED',
      `The role of ${caller} does not allow ${permission.action} on ${permission.resource}, of which it takes messages.`,
    );
  }
  return ({ caller, ...request }) => {
    const denied = requestedPermissions(blueprint, request).find(
      (permission) => !isAllowed(statements.get(caller) ?? [], permission),
    );
    if (denied === undefined) return;
    throw new AwsServiceError(
      'AccessDeniedException',
      `The role of ${caller} is not authorized to perform ${denied.action} on ${denied.resource}: allow it in infra/.`,
    );
  };
}

/** What the functions that take messages need for it, each with the function's name. */
export function pollingPermissions({
  functions,
  queues,
  eventSourceMappings,
}: Pick<Blueprint, 'functions' | 'queues' | 'eventSourceMappings'>): readonly (readonly [string, Permission])[] {
  return eventSourceMappings.flatMap(({ properties: { FunctionName, EventSourceArn } }) => {
    const consumer = functions.find(({ arn, physicalName }) => [arn, physicalName].includes(FunctionName));
    // Of what the stacks do not declare, the mapping itself complains.
    if (consumer === undefined || queues.every(({ arn }) => arn !== EventSourceArn)) return [];
    return pollingActions.map((action) => [consumer.name, { action, resource: EventSourceArn }] as const);
  });
}
