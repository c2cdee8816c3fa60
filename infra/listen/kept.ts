import * as z from 'zod/mini'
import { openStateFile } from '../local/engines/state-file.ts'
import type { ListenOptions } from './options.ts'

/** What one start leaves to the next, so that an app keeps its secret and misses nothing. */
const Place = z.object({
  secret: z.optional(z.string()),
  /** Of the endpoint. */
  endpointId: z.optional(z.string()),
  port: z.optional(z.int()),
  /** In the event log. */
  cursor: z.optional(z.string()),
})

/** The place in one workspace of one service. */
export const openPlace = ({ kept, baseUrl, workspaceId, fromLog }: ListenOptions) => {
  const file = openStateFile(kept, z.record(z.string(), Place), {})
  const key = `${baseUrl} ${workspaceId} ${fromLog ? 'log' : 'endpoint'}`
  const place = file.value[key] ?? {}
  file.value[key] = place
  return { place, save: () => file.save() }
}
