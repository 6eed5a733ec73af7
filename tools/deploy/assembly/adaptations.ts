import { DeploymentError } from '#tools/deploy/errors.ts';
import type { Target } from '#tools/deploy/target.ts';
import { idsOfType, mapObjects, type Template, template } from './template.ts';

/** A place where the emulator refuses a template or differs from AWS, and the change that lets it deploy. */
export type Adaptation = {
  /** The emulator and its version: a newer one may need no adaptation. */
  readonly emulator: string;
  readonly what: string;
  readonly reason: string;
  /** The logical ids of the resources that are adapted. */
  readonly find: (given: Template) => readonly string[];
  readonly adapt: (given: Template, ids: readonly string[]) => Template;
};

const sendMessage = '"sqs:SendMessage"';

const emulator = 'MiniStack 1.5.33';

/** All that `npm run verify:deploy` changes in the synthesized templates. */
export const adaptations: readonly Adaptation[] = [
  removal('AWS::Events::EventBusPolicy', 'The emulator does not know the type, and applies no policy of a bus.'),
  removal('AWS::Events::Archive', 'The emulator does not know the type. Only its API creates archives.'),
  removal('AWS::Logs::QueryDefinition', 'The emulator does not know the type.'),
  {
    emulator,
    what: 'writes no ARN of an AWS::CloudWatch::CompositeAlarm into AWS::CloudWatch::Dashboard',
    reason: 'The emulator does not know the type of the alarm, which the next change removes.',
    find: (given) => idsOfType(given, 'AWS::CloudWatch::Dashboard'),
    adapt: leaveOutComposites,
  },
  removal('AWS::CloudWatch::CompositeAlarm', 'The emulator does not know the type.'),
  {
    emulator,
    what: 'writes Ref of AWS::SecretsManager::Secret as Fn::GetAtt Id',
    reason: 'Both are the ARN on AWS. The emulator answers Ref with the name, which no policy of a function allows.',
    find: (given) => idsOfType(given, 'AWS::SecretsManager::Secret'),
    adapt: refAsId,
  },
  {
    emulator,
    what: 'allows sqs:SendMessageBatch in each policy of a role that allows sqs:SendMessage',
    reason: 'AWS knows no such action: sqs:SendMessage allows both calls. The emulator names the action by the call.',
    find: (given) =>
      idsOfType(given, 'AWS::IAM::Policy').filter((id) => JSON.stringify(given.Resources[id]).includes(sendMessage)),
    adapt: allowBatches,
  },
];

/** The removal of each resource of a type. */
function removal(type: string, reason: string): Adaptation {
  return {
    emulator,
    what: `removes ${type}`,
    reason,
    find: (given) => idsOfType(given, type),
    adapt: removeResources,
  };
}

export type Adapted = { readonly template: Template; readonly applied: readonly Applied[] };

export type Applied = Pick<Adaptation, 'what' | 'reason' | 'emulator'> & { readonly ids: readonly string[] };

/** Applies every adaptation that finds a resource. @throws {DeploymentError} */
export function adaptTemplate(given: Template, all: readonly Adaptation[] = adaptations): Adapted {
  return all.reduce<Adapted>(
    (soFar, { what, reason, emulator: by, find, adapt }) => {
      const ids = find(soFar.template);
      if (ids.length === 0) return soFar;
      return {
        template: adapt(soFar.template, ids),
        applied: [...soFar.applied, { what, reason, emulator: by, ids }],
      };
    },
    { template: given, applied: [] },
  );
}

/** What a target needs: an account takes the templates as they are. */
export const adaptFor =
  ({ isEmulator }: Pick<Target, 'isEmulator'>) =>
  (given: Template): Adapted =>
    adaptTemplate(given, isEmulator ? adaptations : []);

function removeResources(given: Template, ids: readonly string[]): Template {
  const kept = Object.entries(given.Resources).filter(([id]) => !ids.includes(id));
  const left = { ...given, Resources: Object.fromEntries(kept) };
  for (const id of ids)
    if (JSON.stringify(left).includes(`"${id}"`))
      throw new DeploymentError(`${id} cannot be removed: another part of the template names it.`);
  return left;
}

function leaveOutComposites(given: Template, ids: readonly string[]): Template {
  const composites = idsOfType(given, 'AWS::CloudWatch::CompositeAlarm');
  const isArn = ({ 'Fn::GetAtt': attribute }: Readonly<Record<string, unknown>>) =>
    Array.isArray(attribute) && composites.includes(String(attribute[0]));
  const resources = Object.entries(given.Resources).map(([id, one]) => [
    id,
    ids.includes(id) ? mapObjects(one, (part) => (isArn(part) ? '' : part)) : one,
  ]);
  return template.parse({ ...given, Resources: Object.fromEntries(resources) });
}

function refAsId(given: Template, ids: readonly string[]): Template {
  return template.parse(
    mapObjects(given, (one) => {
      const { Ref: id } = one;
      return typeof id === 'string' && ids.includes(id) ? { 'Fn::GetAtt': [id, 'Id'] } : one;
    }),
  );
}

function allowBatches(given: Template, ids: readonly string[]): Template {
  const resources = Object.entries(given.Resources).map(([id, one]) => [id, ids.includes(id) ? allowed(one) : one]);
  return template.parse({ ...given, Resources: Object.fromEntries(resources) });
}

function allowed(policy: unknown): unknown {
  return mapObjects(policy, (one) => {
    const actions = [one['Action']].flat();
    return actions.includes('sqs:SendMessage') ? { ...one, Action: [...actions, 'sqs:SendMessageBatch'] } : one;
  });
}
