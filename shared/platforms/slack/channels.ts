import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { described } from '../../http/described.ts'
import type { ConnectedAccount } from '../account.ts'
import { PlatformError } from '../platform-error.ts'
import { callSlack } from './api.ts'

/** A channel the service can post to. */
export const SlackChannel = z
  .object({
    id: described(z.string(), 'The ID of the channel. Send it as `metadata.slack.channelId`.'),
    name: described(z.string(), 'The name of the channel without `#`.'),
    type: described(z.enum(['public', 'private']), 'Whether everyone in the workspace can see the channel.'),
    isMember: described(
      z.optional(z.boolean()),
      'Whether the app is a member of the channel. It joins a public channel by itself.',
    ),
  })
  .register(z.globalRegistry, { id: 'SlackChannel', description: 'A Slack channel.' })
export type SlackChannel = z.infer<typeof SlackChannel>

const Listed = z.object({
  id: z.string(),
  name: z.string(),
  is_private: z.optional(z.boolean()),
  is_member: z.optional(z.boolean()),
  is_archived: z.optional(z.boolean()),
})
const Page = z.object({
  channels: z.array(Listed),
  response_metadata: z.optional(z.object({ next_cursor: z.optional(z.string()) })),
})

const pageSize = '200'
const maxPages = 20
/** A caller of the API waits for this. After this long, the results so far must do. */
const timeoutMs = 14_000
const totalMs = 6_000

/** The channels that the app can see; a page may be empty although more follow, so only the cursor marks the end. */
export const fetchChannels = async (ctx: Context, account: ConnectedAccount): Promise<SlackChannel[]> => {
  const channels: SlackChannel[] = []
  const endMs = ctx.clock.now() + timeoutMs
  let cursor = ''
  for (let page = 0; page < maxPages; page += 1) {
    const form = {
      types: 'public_channel,private_channel',
      exclude_archived: 'true',
      limit: pageSize,
      ...(cursor ? { cursor } : {}),
    }
    const answer = await callSlack(ctx, account, { method: 'conversations.list', form, totalMs, reply: Page })
    for (const { id, name, is_private, is_member = false } of answer.channels) {
      channels.push({ id, name, type: is_private ? 'private' : 'public', isMember: is_member })
    }
    cursor = answer.response_metadata?.next_cursor ?? ''
    if (cursor === '' || ctx.clock.now() > endMs) break
  }
  return channels
}

/** Joins a channel: writing and reading files requires membership. Private channels need an invitation. */
export const joinChannel = async (ctx: Context, account: ConnectedAccount, channel: string): Promise<void> => {
  const reply = z.object({ channel: Listed })
  const response = await callSlack(ctx, account, { method: 'conversations.info', form: { channel }, reply })
  const { is_member, is_private, is_archived } = response.channel
  if (is_archived) throw new PlatformError('invalid', 'Slack channel is archived. Choose another one.')
  if (is_member) return
  if (is_private)
    throw new PlatformError(
      'invalid',
      'Slack app is not a member of this private channel. Invite the app, or choose another channel.',
    )
  await callSlack(ctx, account, { method: 'conversations.join', json: { channel }, reply: z.unknown() })
}
