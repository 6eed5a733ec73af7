import { describe, expect, it } from 'vitest';
import { createMakeCall } from '#functions/onboarding/advance/make-call.ts';
import type { Call } from '#functions/onboarding/state-machine/decisions.ts';
import { onboardingSettings } from '#shared/onboarding/onboarding-settings.ts';
import type { PlatformClient } from '#shared/platform/client/client.ts';
import type { CallOptions } from '#shared/platform/client/platform-request.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { sampleOnboarding } from '#test/shared/onboarding/sample-onboarding.ts';

const notedOn = '2026-01-02T03:04:05.000Z';

/** Makes a call that was noted so many milliseconds ago. Gives what came of it, and the deadlines of what was sent. */
async function makeCall(call: Call, age: number) {
  const deadlines: (number | undefined)[] = [];
  const sent = async (_: unknown, options?: CallOptions) => {
    deadlines.push(options?.deadline);
    return {};
  };
  const client = {
    profile: platformProfile.parse({}),
    isLocal: true,
    send: sent,
    request: (_: unknown, request: unknown, options?: CallOptions) =>
      sent(request, options).then(() => ({ naturalPersonId: 'p', identificationVerificationId: 'v' })),
  } as unknown as PlatformClient;
  const make = createMakeCall({
    client,
    settings: onboardingSettings.parse({}),
    now: () => new Date(Date.parse(notedOn) + age),
  });
  const naturalPersonId = call === 'create the person' ? undefined : '5f2f8a3c-0d0e-4d7f-8a55-0d6a3a3f1c11';
  const row = sampleOnboarding('id', { intentOn: notedOn, ...(naturalPersonId !== undefined && { naturalPersonId }) });
  return { outcome: await make(call, row), deadlines };
}

const calls = ['create the person', 'create the verification'] as const;

describe('design, promise 6: a call is made soon after it was noted, or not at all', () => {
  it.each(calls)('makes the call immediately, within what is left of its time: %s', async (call) => {
    expect((await makeCall(call, 1_000)).deadlines).toEqual([19_000]);
  });

  it.each(calls)('%s: never by a process that slept since it was noted', async (call) => {
    const { outcome, deadlines } = await makeCall(call, 20_000);
    expect(deadlines).toEqual([]);
    expect(outcome).toEqual({ occurrence: { type: 'CallNotTaken' } });
  });
});
