import * as z from 'zod/mini'
import { platformIds } from '../../resources.ts'

/** To prepare-post: a whole group as it was accepted (version 1), or one post at a version. */
export const PrepareMessage = z.union([
  z.object({ workspaceId: z.string(), groupId: z.string() }),
  z.object({ workspaceId: z.string(), postId: z.string(), version: z.int() }),
])
export type PrepareMessage = z.infer<typeof PrepareMessage>

/** To publish-post: one post at a version; the account is named so that one read fetches all. */
export const PublishMessage = z.object({
  workspaceId: z.string(),
  postId: z.string(),
  socialAccountId: z.string(),
  platform: z.enum(platformIds),
  version: z.int(),
})
export type PublishMessage = z.infer<typeof PublishMessage>
