import * as z from 'zod';
import type { Template } from '#sandbox/aws/stacks/cloud-assembly.ts';
import { type Deployed, refTo, resolved, resourcesOf } from './deployed-stack.ts';

const list = z.unknown().transform((value): readonly unknown[] => (Array.isArray(value) ? value : [value]));

const statement = z.strictObject({
  Sid: z.string().optional(),
  Effect: z.enum(['Allow', 'Deny']),
  Principal: z.unknown().optional(),
  Action: list.pipe(z.array(z.string())),
  Resource: list.transform((resources) => resources.map(resolved)),
  Condition: z.unknown().optional(),
});

type Statement = z.infer<typeof statement>;

const policyDocument = z.object({ Version: z.literal('2012-10-17'), Statement: z.array(statement) });
const identityPolicy = z.object({ PolicyDocument: policyDocument, Roles: z.array(z.unknown()) });

/** The permissions of a function's role. */
export function statementsOf(template: Template, role: Deployed): readonly Statement[] {
  return resourcesOf(template, 'AWS::IAM::Policy')
    .map(({ Properties }) => identityPolicy.parse(Properties))
    .filter(({ Roles }) => Roles.some((name) => JSON.stringify(name) === JSON.stringify(refTo(role))))
    .flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
}

/** The role of a function. */
export function roleOf(template: Template, { Properties }: Deployed): Deployed {
  const role = resourcesOf(template, 'AWS::IAM::Role').find(
    ({ id }) => JSON.stringify(Properties.Role) === JSON.stringify({ 'Fn::GetAtt': [id, 'Arn'] }),
  );
  if (role === undefined) throw new Error('The function has no role of the stack.');
  return role;
}
