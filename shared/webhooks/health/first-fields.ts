import { type HealthKey, healths, newHealth } from './row.ts'

/** What the first write of a row sets, in addition to its key and its expiry. */
export const firstFields = (endpoint: HealthKey, nowMs: number) => {
  const { PK: _, SK: __, ttl: ___, ...fields } = healths.item(newHealth(endpoint, nowMs))
  return fields
}
