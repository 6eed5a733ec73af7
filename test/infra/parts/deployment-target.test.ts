import { Aws, Stack, Stage } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it, vi } from 'vitest';
import { Drawbridge } from '#infra/drawbridge.ts';
import { refuseOtherTarget, targetOf } from '#infra/parts/deployment-target.ts';
import { settings } from '#infra/settings.ts';
import { createPartnerApp, createTrialApp, createTrialAppOf } from '#test/infra/shared-trial-apps.ts';
import { trialSettings } from '#test/infra/stacks/trial-apps.ts';

const pinned = { account: '111122223333', region: 'eu-central-1' };
const others = { CDK_DEFAULT_ACCOUNT: '444455556666', CDK_DEFAULT_REGION: 'us-east-1' };

describe('the target of a deployment', () => {
  it.each([
    ['the credentials', undefined, others, { account: '444455556666', region: 'us-east-1' }],
    ['the environment that the app gives its stacks', pinned, others, pinned],
    [
      'the credentials where the environment of the stacks is a reference',
      { account: Aws.ACCOUNT_ID, region: Aws.REGION },
      others,
      { account: '444455556666', region: 'us-east-1' },
    ],
    ['unknown without credentials', undefined, { CDK_DEFAULT_REGION: 'us-east-1' }, {}],
  ])('is %s', (_, env, variables, target) => {
    expect(targetOf(env, variables)).toEqual(target);
  });

  it('is refused where account and region differ from the settings, and the refusal says what to do about each', () => {
    expect(() => refuseOtherTarget(pinned, { account: '444455556666', region: 'us-east-1' })).toThrow(
      [
        'This is not the target of the environment:',
        '  - account: 111122223333 in the settings, 444455556666 here. To deploy, use credentials of the account 111122223333, such as AWS_PROFILE=NAME.',
        '  - region: eu-central-1 in the settings, us-east-1 here. To deploy, set AWS_REGION=eu-central-1.',
        'Change the settings only if the environment moves.',
      ].join('\n'),
    );
  });

  it.each([
    ['the settings pin it', pinned, pinned],
    ['the settings pin nothing', {}, { account: '444455556666', region: 'us-east-1' }],
    ['it is unknown', pinned, {}],
  ])('is accepted where %s', (_, settings, target) => {
    expect(() => refuseOtherTarget(settings, target)).not.toThrow();
  });

  it('is refused when the stacks are synthesized with credentials of another account', () => {
    vi.stubEnv('CDK_DEFAULT_ACCOUNT', others.CDK_DEFAULT_ACCOUNT);
    expect(() => createTrialAppOf('trial', pinned)).toThrow('AWS_PROFILE');
    vi.unstubAllEnvs();
    expect(() => createTrialAppOf('trial', pinned)).not.toThrow();
  });

  it.each([
    ['is that of the stage around the construct', (stage: Stage) => stage],
    ['is that of the stage around a stack without an environment', (stage: Stage) => new Stack(stage, 'partner')],
  ])('%s, whatever the credentials', (_, scopeOf) => {
    vi.stubEnv('CDK_DEFAULT_ACCOUNT', others.CDK_DEFAULT_ACCOUNT);
    vi.stubEnv('CDK_DEFAULT_REGION', others.CDK_DEFAULT_REGION);
    const create = (env: typeof pinned) => {
      const scope = scopeOf(new Stage(createPartnerApp(), 'Prod', { env }));
      return new Drawbridge(scope, 'Drawbridge', { settings: settings.parse({ ...trialSettings, ...pinned }) });
    };
    try {
      expect(create(pinned).data.account).toBe(pinned.account);
      expect(() => create({ ...pinned, account: '777788889999' })).toThrow('777788889999 here');
    } finally {
      vi.unstubAllEnvs();
    }
  });
});

describe('the template of an environment', () => {
  it('has CloudFormation refuse another account and another region than those of the settings', () => {
    const { data, service } = createTrialApp(pinned);
    for (const stack of [data, service])
      expect(Template.fromStack(stack).toJSON()['Rules']).toMatchObject({
        PinnedAccount: { Assertions: [{ Assert: { 'Fn::Equals': [{ Ref: 'AWS::AccountId' }, '111122223333'] } }] },
        PinnedRegion: { Assertions: [{ Assert: { 'Fn::Equals': [{ Ref: 'AWS::Region' }, 'eu-central-1'] } }] },
      });
  });

  it('pins neither account nor region without the settings', () => {
    expect(Object.keys(Template.fromStack(createTrialApp().data).toJSON()['Rules'])).toEqual(['CheckBootstrapVersion']);
  });
});
