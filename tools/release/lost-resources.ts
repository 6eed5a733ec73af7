import { diffTemplate, ResourceImpact } from '@aws-cdk/cloudformation-diff';
import type { ReleaseTemplate } from './release-templates.ts';

/**
 * What keeps data, or has an address that is known outside the stacks: the platform delivers to the API and the domain, engineers
 * confirmed their subscriptions to the topic, auditors read the logs. An upgrade neither replaces nor removes any.
 */
const keptTypes: ReadonlySet<string> = new Set([
  'AWS::ApiGatewayV2::Api',
  'AWS::ApiGatewayV2::DomainName',
  'AWS::Backup::BackupVault',
  'AWS::DynamoDB::Table',
  'AWS::Events::Archive',
  'AWS::Events::EventBus',
  'AWS::KMS::Key',
  'AWS::Logs::LogGroup',
  'AWS::SecretsManager::Secret',
  'AWS::SNS::Subscription',
  'AWS::SNS::Topic',
  'AWS::SQS::Queue',
]);

/** How a change of a resource loses it. Every other change keeps it. */
const losses: ReadonlyMap<ResourceImpact | undefined, string> = new Map([
  [ResourceImpact.WILL_REPLACE, 'is replaced'],
  [ResourceImpact.MAY_REPLACE, 'may be replaced'],
  [ResourceImpact.WILL_DESTROY, 'is removed'],
  [ResourceImpact.WILL_ORPHAN, 'is removed from the stack'],
]);

/** What CloudFormation replaces or removes, although it keeps data or is known outside. */
export function lostResources(before: ReleaseTemplate, after: ReleaseTemplate): readonly string[] {
  const problems: string[] = [];
  diffTemplate(before, after).resources.forEachDifference((id, { changeImpact, oldValue, propertyUpdates }) => {
    const type = oldValue?.Type;
    const loss = losses.get(changeImpact);
    if (type === undefined || loss === undefined || !keptTypes.has(type)) return;
    const causes = Object.entries(propertyUpdates).filter(([, update]) => losses.has(update.changeImpact));
    const because = causes.length === 0 ? '' : `, because of ${causes.map(([name]) => name).join(', ')}`;
    problems.push(`${type} ${id} ${loss}${because}: keep its id and these properties as the release has them.`);
  });
  return problems;
}

const policies = ['DeletionPolicy', 'UpdateReplacePolicy'] as const;

/** Resources that a release keeps, and that could be deleted together with their stack, or at a replacement, from now on. */
export function unretainedResources(before: ReleaseTemplate, after: ReleaseTemplate): readonly string[] {
  return Object.entries(before.Resources).flatMap(([id, old]) => {
    const now = after.Resources[id];
    if (now === undefined) return [];
    return policies
      .filter((policy) => isRetained(old[policy]) && !isRetained(now[policy]))
      .map((policy) => {
        const value = now[policy] ?? 'not set';
        return `${policy} of ${old.Type} ${id} is ${value}: keep ${old[policy]}, so that its data survives.`;
      });
  });
}

function isRetained(policy: string | undefined): boolean {
  return policy?.startsWith('Retain') ?? false;
}
