import * as z from 'zod/mini'
import { openStateFile } from '../../local/engines/state-file.ts'

/** The state between two starts, so that an app keeps its secret and misses nothing. */
const Stored = z.object({
  secret: z.optional(z.string()),
  /** Of the endpoint. */
  endpointId: z.optional(z.string()),
  port: z.optional(z.int()),
  /** In the event log. */
  cursor: z.optional(z.string()),
})

export interface ListenState {
  stored: z.infer<typeof Stored>
  save(): void
}

/** The position in one workspace of one service. */
export const openListenState = (
  path: string,
  { baseUrl, workspaceId, fromLog }: { baseUrl: string; workspaceId: string; fromLog: boolean },
): ListenState => {
  const file = openStateFile(path, z.record(z.string(), Stored), {})
  const key = `${baseUrl} ${workspaceId} ${fromLog ? 'log' : 'endpoint'}`
  const stored = file.value[key] ?? {}
  file.value[key] = stored
  return { stored, save: () => file.save() }
}
