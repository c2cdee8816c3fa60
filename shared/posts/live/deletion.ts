import * as z from 'zod/mini'
import { entity } from '../../db/entity.ts'
import { present } from '../../db/expression.ts'
import { workFields } from '../../db/lease.ts'
import { work } from '../../db/work.ts'
import { platformIds } from '../../resources.ts'
import { publishQueue } from '../lifecycle/work.ts'

/** The removal of a live post from its platform, until the platform has done it or has refused. */
const LiveDeletion = z.object({
  /** The ID of the post. */
  id: z.string(),
  workspaceId: z.string(),
  socialAccountId: z.string(),
  platform: z.enum(platformIds),
  requestedAtMs: z.number(),
  failedTries: z.int(),
  ...workFields,
  sweepAtMs: z.optional(z.number()),
})
export type LiveDeletion = z.infer<typeof LiveDeletion>

export const liveDeletionsOf = (workspaceId: string): string => `WS#${workspaceId}#LIVEDELETION`

export const liveDeletions = entity({
  type: 'LiveDeletion',
  shape: LiveDeletion,
  key: ({ workspaceId, id }: Pick<LiveDeletion, 'workspaceId' | 'id'>) => ({
    PK: liveDeletionsOf(workspaceId),
    SK: id,
  }),
})

/** The message to publish-post: it removes a live post. */
export const LiveDeletionMessage = z.object({ workspaceId: z.string(), liveDeletionId: z.string() })
export type LiveDeletionMessage = z.infer<typeof LiveDeletionMessage>

/** A live post is removed by the worker that publishes on its platform, which has the connectors and their limits. */
export const liveDeletionWork = work({
  entity: liveDeletions,
  queue: 'prepare',
  timeoutSeconds: 60,
  open: present('PK'),
  ref: z.object({ workspaceId: z.string(), id: z.string(), platform: z.enum(platformIds) }),
  message(ref) {
    const body: LiveDeletionMessage = { workspaceId: ref.workspaceId, liveDeletionId: ref.id }
    return { queue: publishQueue(ref), body, group: ref.workspaceId }
  },
})
