import type { Statement } from '#cli/policy/deployment/policy.ts';
import type { PolicyRequest } from '#tools/deploy/policy-cases.ts';

type Judged = Omit<Statement, 'Sid'>;
type Policy = { readonly Statement: readonly Judged[] };

/**
 * Whether IAM allows a call by the policies of an identity within its permissions boundary:
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html. `npm run verify:deploy` evaluates the
 * same cases by MiniStack.
 */
export function isAllowed(request: PolicyRequest, policies: readonly Policy[], boundary?: Policy): boolean {
  const layers = [policies, ...(boundary === undefined ? [] : [[boundary]])].map((layer) =>
    layer.flatMap(({ Statement: all }) => all.filter((statement) => applies(statement, request))),
  );
  return layers.flat().every(({ Effect }) => Effect === 'Allow') && layers.every((statements) => statements.length > 0);
}

function applies({ Action, Resource, Condition = {} }: Judged, { action, resource, context }: PolicyRequest): boolean {
  return (
    Action.some((pattern) => isLike(action.toLowerCase(), pattern.toLowerCase())) &&
    [Resource].flat().some((pattern) => isLike(resource, pattern)) &&
    Object.entries(Condition).every(([operator, keys]) =>
      Object.entries(keys).every(([key, expected]) => isMet(operator, context[key], [expected].flat())),
    )
  );
}

function isMet(operator: string, actual: string | undefined, expected: readonly string[]): boolean {
  switch (operator) {
    case 'Null':
      return expected.includes(String(actual === undefined));
    case 'Bool':
    case 'StringEquals':
      return actual !== undefined && expected.includes(actual);
    case 'StringLike':
    case 'ArnEquals':
    case 'ArnLike':
      return actual !== undefined && expected.some((pattern) => isLike(actual, pattern));
    default:
      throw new TypeError(`No policy of Drawbridge has the operator ${operator}.`);
  }
}

function isLike(text: string, pattern: string): boolean {
  const source = RegExp.escape(pattern).replaceAll(/\\\*/g, '.*').replaceAll(/\\\?/g, '.');
  return new RegExp(`^${source}$`).test(text);
}
