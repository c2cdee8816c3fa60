import * as z from 'zod/mini'
import { platformIds } from '../../resources.ts'

/**
 * The message to prepare-post: a whole group as accepted, or one post. It names no version: whatever the post is by then
 * is prepared if it is due soon.
 */
export const PrepareMessage = z.union([
  z.object({ workspaceId: z.string(), groupId: z.string() }),
  z.object({ workspaceId: z.string(), postId: z.string() }),
])
export type PrepareMessage = z.infer<typeof PrepareMessage>

/**
 * The message to publish-post: one post with its version; it names the account, so that one read fetches everything.
 */
export const PublishMessage = z.object({
  workspaceId: z.string(),
  postId: z.string(),
  socialAccountId: z.string(),
  platform: z.enum(platformIds),
  version: z.int(),
})
export type PublishMessage = z.infer<typeof PublishMessage>
