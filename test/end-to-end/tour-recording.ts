/** Replaces what differs in each run of the tour: ids, times, and the steps that a watching command happens to see. */
export function recordingOf(output: string): string {
  const id = namesFor((number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`);
  const hash = namesFor((number) => String(number).padStart(64, '0'));
  const delivery = namesFor((number) => `dlv-${number}`);
  return (
    output
      .replaceAll(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, id)
      .replaceAll(/\b[\da-f]{64}\b/g, hash)
      .replaceAll(/\bdlv-\d+/g, delivery)
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '2026-01-02T08:00:00Z')
      .replaceAll(/(?:^2026-01-02T08:00:00Z +[A-Z_]+\n)+/gm, '…\n')
      .replaceAll(/^(sequence) +\d+$/gm, '$1  …')
      // A run of the schedule may have stored them first.
      .replaceAll(/(\d+) undelivered webhooks found, \d+ stored/g, '$1 undelivered webhooks found, $1 stored')
      .replaceAll(/ {3,}/g, '  ')
      .replaceAll(/ +$/gm, '')
  );
}

/** The same name for the same text, and the next one for another. */
function namesFor(nameOf: (number: number) => string): (text: string) => string {
  const names = new Map<string, string>();
  return (text) => {
    const name = names.get(text) ?? nameOf(names.size + 1);
    names.set(text, name);
    return name;
  };
}
