import type { Webhook, WebhookData } from './webhook-schema.ts';

export type RegistrationsDeps = {
  readonly timestamp: () => string;
  /** The event types that this platform knows, in the order in which it lists them. */
  readonly eventTypes: () => readonly string[];
};

export type Registrations = ReturnType<typeof createRegistrations>;

/** The webhooks that are registered (section 2.1): one per event type. */
export function createRegistrations({ timestamp, eventTypes }: RegistrationsDeps) {
  const webhooks = new Map<string, Webhook>();

  /** Creates or replaces. No headers are shown if none were set. */
  function register({ eventType, url, headers = [] }: WebhookData): void {
    const modifiedOn = timestamp();
    const createdOn = webhooks.get(eventType)?.createdOn ?? modifiedOn;
    webhooks.set(eventType, { eventType, url, ...(headers.length > 0 && { headers }), createdOn, modifiedOn });
  }

  return {
    /** The event types that this platform knows. */
    get eventTypes() {
      return eventTypes();
    },
    register,
    get: (eventType: string) => webhooks.get(eventType),
    list: () => [...webhooks.values()],
    missing: () =>
      eventTypes()
        .filter((eventType) => !webhooks.has(eventType))
        .map((eventType) => ({ eventType })),
    unregister: (eventType: string) => webhooks.delete(eventType),
    knows: (eventType: string) => eventTypes().includes(eventType),
  };
}
