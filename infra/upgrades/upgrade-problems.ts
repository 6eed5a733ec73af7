import { isDeepStrictEqual } from 'node:util';
import { diffTemplate, ResourceImpact } from '@aws-cdk/cloudformation-diff';
import * as z from 'zod';
import type { ReleaseTemplate, ReleaseTemplates } from './release-templates.ts';

/**
 * What keeps data, or has an address that is known outside the stacks: the platform delivers to the API, engineers subscribed to
 * the topic, auditors read the logs. An upgrade neither replaces nor removes any.
 */
const keptTypes: ReadonlySet<string> = new Set([
  'AWS::ApiGatewayV2::Api',
  'AWS::DynamoDB::Table',
  'AWS::Events::Archive',
  'AWS::Events::EventBus',
  'AWS::KMS::Key',
  'AWS::Logs::LogGroup',
  'AWS::SecretsManager::Secret',
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

/**
 * Why an upgrade would not deploy, or would lose something: a sentence for each problem, which says what to do. None if the upgrade
 * is safe (promise 11). Judges the templates alone, not the rows and messages that the code reads.
 */
export function upgradeProblems(before: ReleaseTemplates, after: ReleaseTemplates): readonly string[] {
  return [
    ...(['data', 'service'] as const).flatMap((stack) => [
      ...lostResources(before[stack], after[stack]),
      ...changedIndexes(before[stack], after[stack]),
      ...lostOutputs(before[stack], after[stack]),
    ]),
    ...brokenImports(before, after),
  ];
}

function lostResources(before: ReleaseTemplate, after: ReleaseTemplate): readonly string[] {
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

const table = z.looseObject({
  GlobalSecondaryIndexes: z._default(z.array(z.looseObject({ IndexName: z.string() })), []),
});

/** DynamoDB creates or deletes one index of a table in one update of a stack, and edits none. */
function changedIndexes(before: ReleaseTemplate, after: ReleaseTemplate): readonly string[] {
  return Object.entries(before.Resources)
    .filter(([id, { Type }]) => Type === 'AWS::DynamoDB::Table' && after.Resources[id]?.Type === Type)
    .flatMap(([id, { Properties }]) => {
      const old = indexesOf(Properties);
      const now = indexesOf(after.Resources[id]?.Properties);
      const edited = [...old].filter(([name, index]) => now.has(name) && !isDeepStrictEqual(index, now.get(name)));
      const moved = [
        ...[...old.keys()].filter((name) => !now.has(name)),
        ...[...now.keys()].filter((name) => !old.has(name)),
      ];
      return [
        ...edited.map(
          ([name]) => `Index ${name} of ${id} is edited: add an index of another name, and remove this one later.`,
        ),
        ...(moved.length > 1
          ? [`Indexes ${moved.join(', ')} of ${id} are created or deleted: change one in each release.`]
          : []),
      ];
    });
}

function indexesOf(properties: unknown): ReadonlyMap<string, object> {
  return new Map(table.parse(properties ?? {}).GlobalSecondaryIndexes.map((index) => [index.IndexName, index]));
}

function lostOutputs(before: ReleaseTemplate, after: ReleaseTemplate): readonly string[] {
  return Object.keys(before.Outputs)
    .filter((name) => before.Outputs[name]?.Export === undefined && !(name in after.Outputs))
    .map((name) => `Output ${name} is removed: scripts of operators read it, so keep it.`);
}

/** The new data stack is deployed while the old service stack still imports from the old one. */
function brokenImports(before: ReleaseTemplates, after: ReleaseTemplates): readonly string[] {
  const old = exportsOf(before.data);
  const now = exportsOf(after.data);
  const used = importsOf(before.service);
  return [...old]
    .filter(([name, value]) => used.has(name) && !isDeepStrictEqual(now.get(name), value))
    .map(([name]) => {
      const what = now.has(name) ? 'has another value' : 'is removed';
      return `Export ${name} of the data stack ${what} while the earlier service stack imports it: keep it with exportValue for one release.`;
    });
}

function exportsOf({ Outputs }: ReleaseTemplate): ReadonlyMap<string, unknown> {
  return new Map(
    Object.values(Outputs).flatMap(({ Value, Export }) => (Export === undefined ? [] : [[nameOf(Export.Name), Value]])),
  );
}

/** What a template imports, at any depth. */
function importsOf(value: unknown): ReadonlySet<string> {
  if (typeof value !== 'object' || value === null) return new Set();
  return new Set(
    Object.entries(value).flatMap(([key, part]) => (key === 'Fn::ImportValue' ? [nameOf(part)] : [...importsOf(part)])),
  );
}

/** The name of an export can be an expression. */
function nameOf(name: unknown): string {
  return typeof name === 'string' ? name : JSON.stringify(name);
}
