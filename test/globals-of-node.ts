/**
 * The server of Hono replaces `Request` and `Response` of the whole process by classes of its own, which lack `bytes()`. Test
 * files share a process: each starts with the classes of Node, so that no result depends on the order of files.
 */
for (const name of ['Request', 'Response'] as const) {
  const parent: unknown = Object.getPrototypeOf(globalThis[name]);
  // The classes of Hono inherit from those of Node, which inherit from no other class.
  if (parent !== Function.prototype) Object.defineProperty(globalThis, name, { value: parent });
}
