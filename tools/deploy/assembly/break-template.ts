import { AdaptationError } from './adaptations.ts';
import { idsOfType, type Template } from './template.ts';

const busType = 'AWS::Events::EventBus';

/**
 * Adds a resource that cannot be created, once all others are: a second bus with the name of the first. A deployment of
 * the template ends as one does that AWS refuses at its last resource.
 *
 * @throws {AdaptationError} without a bus
 */
export function breakTemplate(given: Template): Template {
  const [bus] = idsOfType(given, busType);
  const properties = bus === undefined ? undefined : given.Resources[bus]?.Properties;
  if (properties === undefined) throw new AdaptationError('The template has no bus.');
  const second = {
    Type: busType,
    Properties: { Name: properties['Name'] },
    DependsOn: Object.keys(given.Resources),
  };
  return { ...given, Resources: { ...given.Resources, SecondBus: second } };
}
