import type { BusEvent } from './bus-events.ts';

/** What an event is ordered by: of one key, only a higher sequence takes effect. */
export type PlaceInOrder = {
  /** The entity or the onboarding; of an event that has no sequence, the webhook or the request behind it. */
  readonly key: string;
  readonly sequence: number;
};

/**
 * The place of an event. An event without a sequence has a key of its own, so that it takes effect once. DriftRepaired has the sequence
 * of the change that is published beside it: its key differs.
 */
export function placeInOrder(event: BusEvent): PlaceInOrder {
  const { 'detail-type': type } = event;
  switch (event['detail-type']) {
    case 'DriftRepaired': {
      const { kind, id, sequence } = event.detail;
      return { key: `DriftRepaired#${kind}#${id}`, sequence };
    }
    case 'NaturalPersonStatusReported':
    case 'IdentificationVerificationStatusReported':
    case 'OrderStatusReported':
    case 'TransferStatusReported':
    case 'NaturalPersonValidationFailed':
    case 'IdentificationVerificationValidationFailed':
    case 'OrderValidationFailed':
    case 'TransferValidationFailed':
    case 'EventReceived':
    case 'EventQuarantined':
      return { key: `${type}#${event.detail.eventId}`, sequence: 1 };
    case 'OnboardingRejected':
      return { key: `${type}#${event.detail.requestEventId}`, sequence: 1 };
    case 'OnboardingAccepted':
    case 'OnboardingProgressed':
    case 'OnboardingIdentificationReady':
    case 'OnboardingStalled':
    case 'OnboardingStopped':
    case 'OnboardingCompleted':
    case 'OnboardingEnded':
      return { key: `onboarding#${event.detail.onboardingId}`, sequence: event.detail.sequence };
    default:
      return { key: `${event.detail.kind}#${event.detail.id}`, sequence: event.detail.sequence };
  }
}
