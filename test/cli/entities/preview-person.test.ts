import { describe, expect, it } from 'vitest';
import { describePerson } from '#cli/entities/preview-person.ts';
import type { PersonAnswer } from '#shared/api/onboarding-answers.ts';

const nothing: PersonAnswer = {
  onboardingId: 'a'.repeat(64),
  naturalPersonIds: [],
  identificationVerificationIds: [],
  events: [],
  kept: [],
  others: { onboardingIds: [], naturalPersonIds: [] },
  isIndexed: true,
  isComplete: true,
};
const eventOf = (eventId: string) => ({ eventId, eventType: 'A_NOTIFICATION' });
const ofOrder = (eventId: string, id: string) => ({ ...eventOf(eventId), entity: { kind: 'order', id } as const });

describe('the preview of an erasure', () => {
  it('counts what goes and what stays: an order once, however many events it has', () => {
    const preview = describePerson({
      ...nothing,
      onboarding: 'COMPLETED',
      events: ['1', '2', '3', '4'].map(eventOf),
      naturalPersonIds: ['p'],
      identificationVerificationIds: ['v', 'w'],
      kept: [ofOrder('5', 'o'), ofOrder('6', 'o'), ofOrder('7', 'o2'), eventOf('8')],
    });
    expect(preview).toBe(
      '4 events, 1 onboarding (COMPLETED), 1 person, 2 verifications; kept: 2 orders, 1 other event',
    );
  });

  it('says that there can be more where not all is listed, of what goes and of what stays', () => {
    const listed = { ...nothing, events: [eventOf('1')], isComplete: false };
    expect(describePerson({ ...listed, kept: [ofOrder('2', 'o')] })).toBe('at least 1 event; kept: at least 1 order');
    expect(describePerson(listed)).toBe('at least 1 event; kept: not listed');
  });

  it('says where there is nothing', () => {
    expect(describePerson({ ...nothing, onboarding: 'ERASED' })).toBe('0 events; kept: nothing');
  });
});
