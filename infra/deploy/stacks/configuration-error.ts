/** A setting that is missing or wrong; the message says which, and what it may be. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError'
}
