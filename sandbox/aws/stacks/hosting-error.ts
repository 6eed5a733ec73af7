/** The sandbox cannot host what was synthesized. The message names what it does not know, and where. */
export class HostingError extends Error {
  override readonly name = 'HostingError';
}
