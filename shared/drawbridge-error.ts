/**
 * An error of our own. Its message says what to do, and carries nothing of what was received: no personal data, token
 * or secret. That is why it may be logged, where the message of any other error may not.
 */
export class DrawbridgeError extends Error {}
