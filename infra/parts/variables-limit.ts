import { CfnResource, type IResolvable, Reference, Tokenization } from 'aws-cdk-lib';

/** Lambda measures the variables of a function as one JSON object: names, values, quotes and escapes. */
const maxVariablesBytes = 4_096;

/**
 * The longest values of references in bytes: with the longest name of an environment and of a region, and with the random part
 * that CloudFormation appends to a name.
 */
const maxReferenceBytes: Readonly<Record<string, number>> = {
  'AWS::ApiGatewayV2::Api': 70,
  'AWS::DynamoDB::Table': 90,
  'AWS::SecretsManager::Secret': 120,
};

/** The URL of a queue is the longest of all. */
const maxOtherBytes = 140;

/** What is no reference to a resource: a region, an account, or the UUID in the id of a stack. */
const maxIntrinsicBytes = 40;

/** What is wrong with the variables of a function, in sentences. CloudFormation would fail in the middle of a deployment. */
export function findVariablesFaults(variables: ReadonlyMap<string, string>): readonly string[] {
  const longest = [...variables].map(([name, value]) => [name, longestText(value)] as const);
  const bytes = bytesOf(JSON.stringify(Object.fromEntries(longest)));
  if (bytes <= maxVariablesBytes) return [];
  const [first, second] = longest
    .map(([name, text]) => ({ name, size: bytesOf(JSON.stringify(text)) }))
    .toSorted((one, other) => other.size - one.size)
    .map(({ name, size }) => `${name} (${size})`);
  return [
    `The environment variables take up to ${bytes} bytes, and Lambda takes ${maxVariablesBytes}: shorten the settings behind the longest, ${first} and ${second}`,
  ];
}

/** A value in which what only the deployment knows has the greatest length that it can have. */
function longestText(value: string): string {
  const fragments = Tokenization.reverseString(value).mapTokens({ mapToken: longestValue });
  return String(fragments.join({ join: (left, right) => `${left}${right}` }));
}

function longestValue(token: IResolvable): string {
  if (!Reference.isReference(token)) return 'x'.repeat(maxIntrinsicBytes);
  const type = CfnResource.isCfnResource(token.target) && token.target.cfnResourceType;
  return 'x'.repeat(maxReferenceBytes[String(type)] ?? maxOtherBytes);
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
