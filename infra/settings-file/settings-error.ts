/** The settings cannot be deployed. The message names the file, the setting, and what to do: no stack trace adds to it. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}
