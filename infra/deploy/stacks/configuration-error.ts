/** A missing or invalid setting; the message names it, and its allowed values. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError'
}
