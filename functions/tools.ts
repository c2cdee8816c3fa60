import type { Tool, Tools } from '../shared/mcp/tool.ts'
import { platformIds } from '../shared/resources.ts'
import { handler as createDraft } from './api/drafts/create.ts'
import { handler as deleteDraft } from './api/drafts/delete.ts'
import { handler as getDraft } from './api/drafts/get.ts'
import { handler as listDrafts } from './api/drafts/list.ts'
import { handler as updateDraft } from './api/drafts/update.ts'
import { handler as createMedia } from './api/media/create.ts'
import { handler as getMedia } from './api/media/get.ts'
import { handler as listMedia } from './api/media/list.ts'
import { handler as createMemory } from './api/memory/create.ts'
import { handler as deleteMemory } from './api/memory/delete.ts'
import { handler as listMemories } from './api/memory/list.ts'
import { handler as listCollections } from './api/memory/list-collections.ts'
import { handler as searchMemories } from './api/memory/search.ts'
import { handler as listPlatforms } from './api/platforms/list.ts'
import { handler as cancelPost } from './api/posts/cancel.ts'
import { handler as deletePost } from './api/posts/delete.ts'
import { handler as getPost } from './api/posts/get.ts'
import { handler as listPosts } from './api/posts/list.ts'
import { handler as listAttempts } from './api/posts/list-attempts.ts'
import { handler as publishNow } from './api/posts/publish-now.ts'
import { handler as publishThreadNow } from './api/posts/publish-thread-now.ts'
import { handler as reschedulePost } from './api/posts/reschedule.ts'
import { handler as schedulePost } from './api/posts/schedule.ts'
import { handler as scheduleThread } from './api/posts/schedule-thread.ts'
import { handler as updatePost } from './api/posts/update.ts'
import { handler as validatePost } from './api/posts/validate.ts'
import { handler as getXCapUsage } from './api/posts/x-cap-usage.ts'
import { handler as connectAccount } from './api/social-accounts/connect.ts'
import { handler as listAccounts } from './api/social-accounts/list.ts'
import { handler as getWorkspace } from './api/workspaces/get.ts'

/** Endpoints differ only in their type parameters; a tool uses what they share. */
const tool = (
  endpoint: Tool['endpoint'],
  effect: Tool['effect'],
  more: Omit<Tool, 'endpoint' | 'effect'> = {},
): Tool => ({
  endpoint,
  effect,
  ...more,
})

const excerpt = (text: unknown) => (typeof text === 'string' ? `"${text.slice(0, 200)}"` : 'the post')

/**
 * The tools of the MCP server, by name. Decided: only what an assistant does for a person, not every operation. Routes that
 * need a session are never tools, and neither are those of owners and admins.
 */
export const tools: Tools = {
  cancel_post: tool(cancelPost, 'change', {
    hint: 'A canceled post cannot be scheduled again: to move it, use reschedule_post.',
  }),
  connect_account: tool(connectAccount, 'add', {
    hint: 'Give the link to the person: they connect the account in their browser.',
  }),
  create_draft: tool(createDraft, 'add', {
    without: ['firstComment', 'firstCommentByAccount'],
    hint: 'Use it when the person wants to look at a post before it is published.',
  }),
  create_memory: tool(createMemory, 'add', { hint: 'The collection comes from list_memory_collections.' }),
  delete_draft: tool(deleteDraft, 'remove', { question: ({ id }) => `Delete the draft ${id}? It cannot be restored.` }),
  delete_memory: tool(deleteMemory, 'remove', {
    description: 'Deletes one memory of a collection. Searches no longer find it.',
    without: ['memoryId'],
    question: ({ id }) => `Delete the memory ${id}? It cannot be restored.`,
  }),
  delete_post: tool(deletePost, 'remove', {
    question: ({ id, live }) =>
      live === 'true'
        ? `Delete the live post ${id} at its platform, for everyone? It cannot be restored.`
        : `Delete the record of the post ${id}? It cannot be restored. A published post stays on its platform.`,
  }),
  get_draft: tool(getDraft, 'read', {
    description:
      'Returns one draft. Send its `version` as `ifVersion` when you change the draft, so that you overwrite no other change.',
  }),
  get_media: tool(getMedia, 'read'),
  get_platform_rules: tool(listPlatforms, 'read', {
    picks: {
      argument: 'platform',
      field: 'id',
      values: platformIds,
      description: 'The platform whose rules to return.',
    },
  }),
  get_post: tool(getPost, 'read'),
  get_post_attempts: tool(listAttempts, 'read'),
  get_workspace: tool(getWorkspace, 'read', {
    namesWorkspace: true,
    adds: 'now',
    hint: 'Its `now` is the present time, and `localTime` the same on the clocks of the workspace: read them before you turn "tomorrow at nine" into a time.',
  }),
  get_x_cap_usage: tool(getXCapUsage, 'read'),
  list_accounts: tool(listAccounts, 'read', { hint: 'Call it first: posts name accounts by these IDs.' }),
  list_drafts: tool(listDrafts, 'read', { without: ['offset'] }),
  list_media: tool(listMedia, 'read', {
    description: 'Lists the files of the library, newest first. Send their IDs in `mediaUrls` of posts.',
    without: ['sha256', 'offset'],
  }),
  list_memories: tool(listMemories, 'read', { hint: 'To find memories by what they say, use search_memories.' }),
  list_memory_collections: tool(listCollections, 'read'),
  list_posts: tool(listPosts, 'read', {
    description:
      'Lists posts, the newest first. A page can have fewer items than `limit`: continue with `nextCursor` while `hasMore` is true. With a filter, a change can appear a moment later.',
    hint: 'Use `sort=scheduledAt` and `order=asc` with `from` and `to` to see what is planned, in the order of time.',
  }),
  publish_post_now: tool(publishNow, 'publish', {
    without: ['firstCommentByAccount'],
    reachesPlatforms: true,
    hint: 'Nobody can take it back. Call validate_post with the same fields first, and use it only when the person asks for it.',
    question: ({ content }) => `Publish now: ${excerpt(content)}?`,
  }),
  publish_thread_now: tool(publishThreadNow, 'publish', {
    reachesPlatforms: true,
    hint: 'Nobody can take it back. Use it only when the person asks for it.',
    question: () => 'Publish the thread now?',
  }),
  reschedule_post: tool(reschedulePost, 'change', { reachesPlatforms: true, without: ['firstComment'] }),
  schedule_post: tool(schedulePost, 'add', {
    without: ['firstCommentByAccount'],
    reachesPlatforms: true,
    hint: 'Call validate_post with the same fields first.',
  }),
  schedule_posts: tool(schedulePost, 'add', {
    rows: {
      argument: 'posts',
      max: 25,
      keeps: ['id', 'socialAccountId', 'plannedAt', 'warnings'],
      description: 'The arguments of schedule_post for each post, without `idempotencyKey`.',
    },
    reachesPlatforms: true,
    description:
      'Schedules up to 25 posts, such as a week of them. Each is accepted or refused alone: `items` has the outcome of each, `made` or `error`.',
  }),
  schedule_thread: tool(scheduleThread, 'add', { reachesPlatforms: true }),
  search_memories: tool(searchMemories, 'read'),
  update_draft: tool(updateDraft, 'change', { without: ['firstComment', 'firstCommentByAccount'] }),
  update_post: tool(updatePost, 'change', {
    reachesPlatforms: true,
    question: ({ id, live, content }) =>
      live === 'true' ? `Change the live post ${id} at its platform, in public, to: ${excerpt(content)}?` : undefined,
  }),
  upload_media: tool(createMedia, 'add', {
    standsFor: ['POST /api/media/upload-url'],
    description:
      'Adds a file to the library, such as an image that you made. Send its `id` in `mediaUrls` of a post. A file with a public address needs no upload: send the address in `mediaUrls`.',
  }),
  validate_post: tool(validatePost, 'read', {
    without: ['firstCommentByAccount'],
    hint: 'Takes the arguments of schedule_post and publish_post_now.',
  }),
}
