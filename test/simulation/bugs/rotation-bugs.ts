import type { PlantedBug } from './planted-bug.ts';

const rotate = 'functions/webhook-ingest/register/rotate-secret.ts';
const decide = 'functions/webhook-ingest/register/decide-rotation.ts';
const registrations = 'functions/webhook-ingest/register/reconcile-registrations.ts';
const secret = 'shared/secrets/webhook-secret.ts';
const receive = 'functions/webhook-ingest/receive/receive.ts';

/** Bugs in the registration of webhooks, the rotation of their secret, and the check of the secret. */
export const rotationBugs: readonly PlantedBug[] = [
  {
    name: 'a registration without the new secret does not restart the overlap',
    file: rotate,
    find: 'if (stored.registeredOn === undefined || isRotated(before)) return stored;',
    replace: 'return stored;',
    breaks: [1],
  },
  {
    name: 'a new secret is registered before every instance of receive accepts it',
    file: registrations,
    find: 'if (left > 0) await wait(left, signal);',
    replace: '',
    breaks: [1],
  },
  {
    name: 'a rotation never ends',
    file: decide,
    find: "if (registeredOn === undefined) return 'confirm';",
    replace: "if (registeredOn === undefined) return 'wait';",
    breaks: [9],
  },
  {
    name: 'an existing registration is not compared',
    file: 'functions/webhook-ingest/register/plan-registrations.ts',
    find: "if (differences.length > 0) return { eventType, action: 'update', differences };",
    replace: '',
    breaks: [1, 9],
  },
  {
    name: 'receive keeps its cached secret when a delivery has another one',
    file: secret,
    find: 'const after = await accepted(minAgeMs);',
    replace: 'const after = before;',
    breaks: [1],
  },
  {
    name: 'a failed read of the webhook secret is repeated for each delivery',
    file: secret,
    find: 'if (!hasPassed(failedAt, minAgeMs))',
    replace: 'if (Number.isNaN(failedAt))',
    breaks: [9],
  },
  {
    name: 'only the first characters of a secret are compared',
    file: secret,
    find: "return createHash('sha256').update(word).digest();",
    replace: "return createHash('sha256').update(word.slice(0, 16)).digest();",
    breaks: [8],
  },
  {
    name: 'a base64 body is stored undecoded',
    file: receive,
    find: "isBase64Encoded ? 'base64' : 'utf8'",
    replace: "'utf8'",
    breaks: [3],
  },
  {
    name: 'all deliveries have the same id',
    file: receive,
    find: 'await queue.send(writeDeliveryMessage({ deliveryId, eventType, receivedOn, deflatedBody }));',
    replace: "await queue.send(writeDeliveryMessage({ deliveryId: 'one', eventType, receivedOn, deflatedBody }));",
    breaks: [1],
  },
];
