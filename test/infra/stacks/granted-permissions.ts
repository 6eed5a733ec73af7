import * as z from 'zod';
import type { ReadableResource } from './readable-stack.ts';

const list = z.union([z.string().transform((only) => [only]), z.array(z.string())]);

const statement = z.strictObject({
  Sid: z.string().optional(),
  Effect: z.enum(['Allow', 'Deny']),
  Action: list,
  Resource: list,
  Condition: z.unknown().optional(),
});

const policy = z.strictObject({
  PolicyName: z.string(),
  PolicyDocument: z.strictObject({ Version: z.literal('2012-10-17'), Statement: z.array(statement) }),
  Roles: z.array(z.string()),
});

/** What a policy grants a role: one action on one resource. */
export type Grant = {
  readonly effect: 'Allow' | 'Deny';
  readonly action: string;
  /** With its references as texts: `<Events.Arn>/index/listed`. */
  readonly resource: string;
  readonly condition: unknown;
};

/** What the policies of the stack grant a role, in the order of actions and resources. */
export function grantsOf(resources: readonly ReadableResource[], role: string): readonly Grant[] {
  const grants = resources
    .filter(({ Type }) => Type === 'AWS::IAM::Policy')
    .map(({ Properties }) => policy.parse(Properties))
    .filter(({ Roles }) => Roles.includes(`<${role}>`))
    .flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
    .flatMap(({ Effect, Action, Resource, Condition }) =>
      Action.flatMap((action) =>
        Resource.map((resource) => ({ effect: Effect, action, resource, condition: Condition })),
      ),
    );
  const distinct = new Map(
    grants.map((grant) => [`${grant.action} ${grant.resource} ${JSON.stringify(grant)}`, grant]),
  );
  return [...distinct].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, grant]) => grant);
}
