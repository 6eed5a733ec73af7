/** Where a schema has no message of its own. Otherwise a locale of the process would decide what the caller reads. */
export const ownMessages = { error: () => 'is missing or malformed' };
