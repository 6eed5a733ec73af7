/** What each cold start has: Node, and nothing else. */
export const handler = async () => ({ statusCode: 200, batchItemFailures: [] });
