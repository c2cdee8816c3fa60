import * as z from 'zod/mini'

const Usage = z.record(z.string(), z.array(z.object({ estimated_time_to_regain_access: z.optional(z.number()) })))

/** Where Meta says nothing of the end of a limit (Graph API, Rate Limiting). */
const unsaidSeconds = 15 * 60

/** How long a rate limit lasts, from a header in minutes. */
export const limitSeconds = (headers: Readonly<Record<string, string>>): number => {
  let said: unknown
  try {
    said = JSON.parse(headers['x-business-use-case-usage'] ?? '')
  } catch {
    return unsaidSeconds
  }
  const usage = z.safeParse(Usage, said)
  const minutes = Object.values(usage.data ?? {}).flatMap((uses) =>
    uses.map((use) => use.estimated_time_to_regain_access ?? 0),
  )
  const longest = Math.max(0, ...minutes)
  return longest > 0 ? longest * 60 : unsaidSeconds
}
