import { Duration, Stack } from 'aws-cdk-lib';
import { type HttpApi, HttpMethod } from 'aws-cdk-lib/aws-apigatewayv2';
import { Rule } from 'aws-cdk-lib/aws-events';
import { Construct } from 'constructs';
import type { CapabilityProps } from '#infra/parts/capability.ts';
import { addSignedRoutes, type RouteOwner, type Throttle, throttleEach } from '#infra/parts/http-routes.ts';
import type { PlatformAccess } from '#infra/parts/platform-access.ts';
import { letEventBridgeUse, letRuleSend, queueTarget } from '#infra/parts/rule-target.ts';
import { WorkQueue } from '#infra/parts/work-queue.ts';
import { requestDetailType } from '#shared/bus/event-details.ts';
import { Advance, advanceTimeout } from './advance.ts';
import { Api } from './api.ts';
import { ErasePerson } from './erase-person.ts';
import { queueAlarms, requestAlarms } from './onboarding-alarms.ts';
import { RequestEvent } from './request-event.ts';
import { UpdatePerson } from './update-person.ts';
import { Wake } from './wake.ts';

export type OnboardingProps = CapabilityProps & { readonly platformAccess: PlatformAccess };

const requestRoutes = [
  { method: HttpMethod.POST, path: '/onboardings' },
  { method: HttpMethod.GET, path: '/onboardings' },
  { method: HttpMethod.GET, path: '/onboardings/{externalId}' },
  { method: HttpMethod.GET, path: '/onboardings/{externalId}/progress' },
  { method: HttpMethod.POST, path: '/onboardings/{externalId}/cancel' },
  { method: HttpMethod.POST, path: '/onboardings/{externalId}/retry' },
];
const updateRoutes = [{ method: HttpMethod.PATCH, path: '/onboardings/{externalId}/person' }];
const eraseRoutes = [
  { method: HttpMethod.DELETE, path: '/persons/{externalId}' },
  { method: HttpMethod.GET, path: '/persons/{externalId}' },
];

/**
 * Onboards persons: HTTP API → api, or bus → queue → request-event → onboardings, queue → advance → platform, bus. Every part that learns
 * something about an onboarding wakes it by its queue. An onboarding that waits for a time is sent again on a schedule: schedule → wake → queue.
 */
export class Onboarding extends Construct implements RouteOwner {
  /** Takes the ids of onboardings to wake. */
  readonly queue: WorkQueue;
  readonly api: Api;
  readonly requestEvent: RequestEvent;
  readonly advance: Advance;
  readonly wake: Wake;
  readonly updatePerson: UpdatePerson;
  readonly erasePerson: ErasePerson;
  readonly throttles: ReadonlyMap<string, Throttle>;

  constructor(scope: Construct, id: string, props: OnboardingProps) {
    super(scope, id);
    const { settings, data, alarms } = props;
    this.queue = new WorkQueue(this, 'Onboarding', {
      key: data.key,
      functionTimeout: advanceTimeout,
      retentionPeriod: Duration.days(7),
    });
    this.api = new Api(this, 'Api', { ...props, queue: this.queue });
    this.requestEvent = new RequestEvent(this, 'RequestEvent', { ...props, queue: this.queue });
    this.updatePerson = new UpdatePerson(this, 'UpdatePerson', props);
    this.erasePerson = new ErasePerson(this, 'ErasePerson', props);
    this.advance = new Advance(this, 'Advance', { ...props, queue: this.queue });
    this.wake = new Wake(this, 'Wake', { ...props, queue: this.queue, erasePerson: this.erasePerson });
    this.throttles = throttleEach([...requestRoutes, ...updateRoutes, ...eraseRoutes], settings.onboardingThrottle);
    const ruleName = this.#queueRequestsOf(props);
    const rule = { EventBusName: data.bus.eventBusName, RuleName: ruleName };
    alarms.add(queueAlarms(this.queue, this.advance));
    alarms.add(requestAlarms(data.requests, { requestEvent: this.requestEvent, rule }));
  }

  addRoutes(api: HttpApi): void {
    addSignedRoutes(api, requestRoutes, { name: 'RequestIntegration', of: this.api });
    addSignedRoutes(api, updateRoutes, { name: 'UpdatePersonIntegration', of: this.updatePerson });
    addSignedRoutes(api, eraseRoutes, { name: 'ErasePersonIntegration', of: this.erasePerson });
  }

  /** From every source: permission to publish on the bus distinguishes the partner's own systems from others. */
  #queueRequestsOf({ data }: OnboardingProps): string {
    const { bus, key, requests } = data;
    // The name is given, since CloudFormation's reference to a rule of such a bus is not its name.
    const ruleName = `${Stack.of(this).stackName}-requested`;
    const target = queueTarget(requests, requests.deadLetters);
    new Rule(this, 'Requested', {
      ruleName,
      description: 'Hands OnboardingRequested to the queue of the function that accepts it',
      eventBus: bus,
      eventPattern: { detailType: [requestDetailType] },
      targets: [{ bind: () => target }],
    });
    // By its name: the policies are deployed before the rule. Without them, EventBridge would drop its events.
    const resourceName = `${bus.eventBusName}/${ruleName}`;
    const ruleArn = Stack.of(data).formatArn({ service: 'events', resource: 'rule', resourceName });
    for (const queue of [requests, requests.deadLetters]) letRuleSend(ruleArn, queue);
    letEventBridgeUse(key, data, 'The key of Drawbridge is imported');
    return ruleName;
  }
}
