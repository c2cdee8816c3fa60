import { randomUUID } from 'node:crypto'
import { discordSeed } from '../../../infra/local/platforms/discord/seed.ts'
import type { RequestSpec } from './ask.ts'
import type { Author, Child } from './child.ts'

const channel = discordSeed.channels.find(({ name }) => name === 'general')
export const metadata = { discord: { channelId: channel?.id } }

/** A request of an author in their workspace. */
export const requestOf = (
  url: string,
  { pat, workspaceId }: Pick<Author, 'pat' | 'workspaceId'>,
  method: string,
  path: string,
  body?: object,
  more: Readonly<Record<string, string>> = {},
): RequestSpec => ({
  url: `${url}${path}`,
  method,
  headers: {
    Authorization: `Bearer ${pat}`,
    'X-Workspace-Id': workspaceId,
    ...(body ? { 'Content-Type': 'application/json' } : {}),
    ...more,
  },
  ...(body ? { body: JSON.stringify(body) } : {}),
})

/** Schedules one post of one account, under a key by which a repeat of the request would be answered the same. */
export const scheduleOne = (
  { url, author }: Pick<Child, 'url' | 'author'>,
  socialAccountId: string,
  content: string,
  atMs: number,
): RequestSpec => {
  const body = { socialAccountIds: [socialAccountId], content, metadata, scheduledAt: new Date(atMs).toISOString() }
  const key = { 'Idempotency-Key': randomUUID() }
  return requestOf(url, author, 'POST', '/api/posts/schedule', body, key)
}
