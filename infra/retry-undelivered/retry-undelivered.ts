import { Construct } from 'constructs';
import { DrawbridgeSchedule } from '#infra/parts/schedule.ts';
import { Drain, drainInterval } from './drain.ts';
import { Reconcile, type ReconcileProps } from './reconcile.ts';

/**
 * Fetches what the platform could not deliver: schedule → drain → events table, webhooks queue; and marks it there. Finds
 * what the platform never sent by asking: schedule → reconcile → webhooks queue.
 */
export class RetryUndelivered extends Construct {
  readonly drain: Drain;
  readonly reconcile: Reconcile;

  constructor(scope: Construct, id: string, props: ReconcileProps) {
    super(scope, id);
    this.drain = new Drain(this, 'Drain', props);
    this.reconcile = new Reconcile(this, 'Reconcile', props);
    new DrawbridgeSchedule(this, 'DrainRuns', {
      ...props,
      description: 'Fetches the webhooks that the platform could not deliver',
      every: drainInterval,
      target: { arn: this.drain.lambda.functionArn, action: 'lambda:InvokeFunction' },
    });
  }
}
