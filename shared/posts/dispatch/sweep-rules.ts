import * as z from 'zod/mini'
import { sweepRule } from '../../db/sweep-rule.ts'
import { platformIds } from '../../resources.ts'
import type { PrepareMessage, PublishMessage } from './messages.ts'

const prepareLeadMs = 20_000

export const postSweepRules = [
  sweepRule({
    type: 'Post',
    shape: z.object({
      workspaceId: z.string(),
      id: z.string(),
      platform: z.enum(platformIds),
      socialAccountId: z.string(),
      scheduledAtMs: z.number(),
      version: z.int(),
    }),
    message: ({ workspaceId, id: postId, platform, socialAccountId, scheduledAtMs, version }, nowMs) => {
      if (scheduledAtMs - nowMs > prepareLeadMs) {
        const body: PrepareMessage = { workspaceId, postId }
        return { queue: 'prepare', body, group: workspaceId }
      }
      const body: PublishMessage = { workspaceId, postId, socialAccountId, platform, version }
      return { queue: `publish-${platform}`, body, group: workspaceId }
    },
  }),
]
