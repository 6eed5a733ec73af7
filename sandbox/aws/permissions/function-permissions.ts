import type { Blueprint } from '#sandbox/aws/stacks/blueprint.ts';
import type { Statement } from '#sandbox/aws/stacks/iam-types.ts';
import { SandboxError } from '#sandbox/errors.ts';
import type { Permission } from './requested-permissions.ts';

type Policies = Pick<Blueprint, 'functions' | 'roles' | 'policies'>;

/**
 * What the policies of its role allow and deny a function.
 *
 * @throws {SandboxError} NOT_HOSTED for a function whose role is not in the stacks
 */
export function statementsOf({ functions, roles, policies }: Policies, functionName: string): readonly Statement[] {
  const role = functions.find(({ name }) => name === functionName)?.properties.Role;
  const declared = roles.find(({ arn }) => arn === role);
  if (declared === undefined)
    throw new SandboxError(
      'NOT_HOSTED',
      `The sandbox does not know the role of ${functionName}: declare it in one of the stacks.`,
    );
  const ofPolicies = policies
    .filter(({ properties }) => properties.Roles.includes(declared.ref))
    .flatMap(({ properties }) => properties.PolicyDocument.Statement);
  return [...ofPolicies, ...declared.properties.Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement)];
}

/** Whether the statements allow it: at least one does, and none denies it. */
export function isAllowed(statements: readonly Statement[], { action, resource, via }: Permission): boolean {
  const concerned = statements.filter(
    ({ Action, Resource, Condition }) =>
      Action.some((pattern) => matchesIam(pattern, action)) &&
      Resource.some((pattern) => matchesIam(pattern, resource)) &&
      (Condition?.StringLike['kms:ViaService'].some((pattern) => via !== undefined && matchesIam(pattern, via)) ??
        true),
  );
  return concerned.some(({ Effect }) => Effect === 'Allow') && concerned.every(({ Effect }) => Effect === 'Allow');
}

/** Whether a text is as a pattern of IAM says, in which `*` stands for any characters. */
export function matchesIam(pattern: string, text: string): boolean {
  if (!pattern.includes('*')) return pattern === text;
  return new RegExp(`^${pattern.split('*').map(RegExp.escape).join('.*')}$`, 's').test(text);
}
