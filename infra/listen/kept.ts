import * as z from 'zod/mini'
import { openStateFile } from '../local/engines/state-file.ts'

/** What one start leaves to the next, so that an app keeps its secret and misses nothing. */
const Place = z.object({
  secret: z.optional(z.string()),
  /** Of the endpoint. */
  endpointId: z.optional(z.string()),
  port: z.optional(z.int()),
  /** In the event log. */
  cursor: z.optional(z.string()),
})

export interface Kept {
  place: z.infer<typeof Place>
  save(): void
}

/** The place in one workspace of one service. */
export const openPlace = (
  path: string,
  { baseUrl, workspaceId, fromLog }: { baseUrl: string; workspaceId: string; fromLog: boolean },
): Kept => {
  const file = openStateFile(path, z.record(z.string(), Place), {})
  const key = `${baseUrl} ${workspaceId} ${fromLog ? 'log' : 'endpoint'}`
  const place = file.value[key] ?? {}
  file.value[key] = place
  return { place, save: () => file.save() }
}
