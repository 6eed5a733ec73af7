import { describe, expect, it } from 'vitest';
import { createMakeCall } from '#functions/onboarding/advance/make-call.ts';
import type { Call } from '#functions/onboarding/state-machine/decisions.ts';
import { onboardingSettings } from '#shared/onboarding/onboarding-settings.ts';
import type { OnboardingData } from '#shared/onboarding/onboarding-state.ts';
import { type Answer, createAnsweringPlatform } from '#test/functions/onboarding/answering-platform.ts';
import { sampleOnboarding } from '#test/shared/onboarding/sample-onboarding.ts';
import { sampleIdentification } from '#test/shared/platform/resources/sample-persons.ts';

const naturalPersonId = '0190a6f0-1234-7abc-8def-00000000000a';
const requestor = '0190a6f0-1234-7abc-8def-00000000000b';
const verificationId = '0190a6f0-1234-7abc-8def-00000000000c';
const { data } = sampleOnboarding('partner-1');
const personOf = { naturalPersonId };
const verificationOf = { identificationVerificationId: verificationId };
const calls = ['create the person', 'create the verification', 'send the identification'] as const;

type Given = { readonly age?: number; readonly requestor?: string; readonly data?: OnboardingData };

/** Makes a call that was noted so many milliseconds ago. Gives what came of it, what was sent, and the time for the answer. */
async function makeCall(call: Call, answer: Answer, { age = 0, ...given }: Given = {}) {
  const attempts: number[] = [];
  const { client, clock, sent } = createAnsweringPlatform([answer], {
    profile: { deadlines: { attempt: 60_000 } },
    timeout: (milliseconds) => {
      attempts.push(milliseconds);
      return new AbortController().signal;
    },
  });
  const settings = onboardingSettings.parse({ requestor: given.requestor ?? 'self' });
  const state = { intentOn: new Date(clock.time - age).toISOString(), mode: 'video' } as const;
  const row = sampleOnboarding('partner-1', call === 'create the person' ? state : { ...state, naturalPersonId });
  const make = createMakeCall({ client, settings, now: () => new Date(clock.time) });
  return { outcome: await make(call, { ...row, data: given.data ?? row.data }), sent, attempts };
}

const verificationBody = {
  naturalPersonId,
  externalVerifier: 'EXTERNAL_VERIFIER_ID',
  identificationType: 'VIDEO_IDENT',
  redirectUrl: data.redirectUrl,
};
const { redirectUrl, ...withoutUrl } = verificationBody;

describe('a call of an onboarding', () => {
  it.each([
    ['create the person', personOf, data.person, { type: 'PersonCreated', ...personOf }],
    ['create the verification', verificationOf, verificationBody, { type: 'VerificationCreated', ...verificationOf }],
    ['send the identification', {}, sampleIdentification, { type: 'IdentificationAccepted' }],
  ] as const)('sends what the request has, and tells what came of it: %s', async (call, answer, body, input) => {
    const { outcome, sent } = await makeCall(call, answer);
    expect(outcome).toEqual({ input });
    expect(sent).toEqual([expect.objectContaining({ body })]);
  });

  it('leaves the redirectUrl out where the request has none', async () => {
    const { sent } = await makeCall('create the verification', verificationOf, { data: {} });
    expect(sent).toEqual([expect.objectContaining({ body: withoutUrl })]);
  });

  it.each([
    ['create the person', personOf, 'self', undefined],
    ['create the verification', verificationOf, 'self', naturalPersonId],
    ['create the verification', verificationOf, requestor, requestor],
    ['send the identification', {}, 'self', naturalPersonId],
    ['send the identification', {}, requestor, requestor],
  ] as const)('acts for the requestor of the settings: %s', async (call, answer, configured, expected) => {
    const { sent } = await makeCall(call, answer, { requestor: configured });
    expect(sent.map((one) => one.requestor)).toEqual([expected]);
  });

  it.each([
    ['create the person', 'person'],
    ['send the identification', 'identification'],
  ] as const)('is refused where the request was deleted: %s', async (call, field) => {
    const { outcome, sent } = await makeCall(call, {}, { data: {} });
    const reason = { code: 'REQUEST_DELETED', fields: [field] };
    expect([outcome, sent]).toEqual([{ input: { type: 'CallRefused', reason } }, []]);
  });

  it.each([
    ['an empty id', 'create the person', { naturalPersonId: '' }],
    ['an id that no row takes', 'create the person', { naturalPersonId: 'x'.repeat(3_000) }],
    ['an empty id', 'create the verification', { identificationVerificationId: '' }],
    ['an id that no row takes', 'create the verification', { identificationVerificationId: 'x'.repeat(3_000) }],
  ] as const)('has an unknown outcome with an answer that has %s: %s', async (_, call, answer) => {
    const { outcome } = await makeCall(call, answer);
    expect(outcome).toMatchObject({ input: { type: 'OutcomeUnknown' }, failure: 'UNREADABLE_ANSWER' });
  });
});

describe('promise 6: a call is made soon after it was noted, or not at all', () => {
  it.each(calls)('makes the call within what is left of its time: %s', async (call) => {
    const { attempts } = await makeCall(call, { ...personOf, ...verificationOf }, { age: 1_000 });
    expect(new Set(attempts)).toEqual(new Set([19_000]));
  });

  it.each(calls)('sends nothing from a process that slept since it was noted: %s', async (call) => {
    const { outcome, sent } = await makeCall(call, {}, { age: 20_000 });
    expect([outcome, sent]).toEqual([{ input: { type: 'CallNotTaken' } }, []]);
  });
});
