import * as z from 'zod/mini'
import { countKeysOf } from '../db/counters.ts'
import type { OwnedRows } from '../db/owned-rows.ts'
import { sweepRule } from '../db/sweep-rule.ts'
import { platformIds } from '../resources.ts'
import type { PrepareMessage, PublishMessage } from './dispatch/messages.ts'
import { recentTextsOf } from './intake/recent-text.ts'
import { posts } from './lifecycle/row.ts'
import { bodiesOf } from './texts.ts'

export const postRows: OwnedRows = {
  keys: (workspaceId) => countKeysOf(workspaceId, 'POST'),
  partitions: (workspaceId) => [
    posts.key({ workspaceId, id: '' }).PK,
    bodiesOf(workspaceId),
    recentTextsOf(workspaceId),
  ],
}

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
