const mebibyte = 1024 * 1024

/**
 * The limits of a server with default settings (Mastodon API, Instance, configuration, 2026-07-02). A file is smaller than
 * its limit (Mastodon source, MediaAttachment, less_than, 2026-11-26).
 */
export const usualLimits = {
  maxCharacters: 500,
  maxMedia: 4,
  imageBytes: 16 * mebibyte,
  imagePixels: 33_177_600,
  videoBytes: 99 * mebibyte,
  videoPixels: 8_294_400,
  videoFramesPerSecond: 120,
  pollOptions: 4,
  pollOptionCharacters: 50,
  pollMinSeconds: 300,
  /** A month, as Ruby counts it. */
  pollMaxSeconds: 2_629_746,
}
export type ServerLimits = typeof usualLimits

/** The names of the details that say them. */
export const limitNames = Object.keys(usualLimits) as (keyof ServerLimits)[]

/** The limits that are stored with an account. Where a server reports none, those of a server with default settings. */
export const limitsOf = (details: Readonly<Record<string, string | number>>): ServerLimits => ({
  ...usualLimits,
  ...Object.fromEntries(
    limitNames.flatMap((name) => (typeof details[name] === 'number' ? [[name, details[name]]] : [])),
  ),
})
