import * as z from 'zod/mini'
import { type Context, perContext } from '../../context.ts'
import { described } from '../../http/described.ts'
import { PlatformError } from '../platform-error.ts'
import { callDiscord } from './api.ts'

/** A channel the service can post to. */
export const DiscordChannel = z
  .object({
    id: described(z.string(), 'The ID of the channel. Send it as `metadata.discord.channelId`.'),
    name: described(z.string(), 'The name of the channel.'),
    type: described(
      z.enum(['text', 'announcement']),
      'A text channel, or an announcement channel that other servers can follow.',
    ),
    parentId: described(z.optional(z.string()), 'The ID of the category that the channel is in. Absent without one.'),
    position: described(z.int(), 'The position of the channel in its list, from 0.'),
    nsfw: described(z.boolean(), 'Whether the channel is marked as age-restricted.'),
  })
  .register(z.globalRegistry, { id: 'DiscordChannel', description: 'A Discord channel.' })
export type DiscordChannel = z.infer<typeof DiscordChannel>

const Listed = z.array(
  z.object({
    id: z.string(),
    type: z.int(),
    name: z.optional(z.nullable(z.string())),
    parent_id: z.optional(z.nullable(z.string())),
    position: z.optional(z.int()),
    nsfw: z.optional(z.boolean()),
  }),
)

// Discord's numbers: GUILD_TEXT and GUILD_ANNOUNCEMENT.
const types = new Map([
  [0, 'text'],
  [5, 'announcement'],
] as const)

/** The text and announcement channels of a server, in the order people see them. */
export const fetchChannels = async (ctx: Context, guildId: string): Promise<DiscordChannel[]> => {
  const listed = await callDiscord(ctx, { path: '/guilds/{guild}/channels', params: { guild: guildId }, reply: Listed })
  const channels = listed.flatMap(({ id, type: number, name, parent_id: parentId, position = 0, nsfw = false }) => {
    const type = types.get(number as 0 | 5)
    return type ? [{ id, name: name ?? id, type, ...(parentId ? { parentId } : {}), position, nsfw }] : []
  })
  return channels.sort((a, b) => a.position - b.position || (BigInt(a.id) < BigInt(b.id) ? -1 : 1))
}

const maxKnown = 5_000
const knownChannels = perContext(() => new Set<string>())

/**
 * Refuses a channel of another server: all workspaces share one bot, so Discord would let anyone post anywhere the bot is. A
 * channel never moves to another server, so an earlier result stays valid.
 */
export const assertChannel = async (ctx: Context, guildId: string, channelId: string): Promise<void> => {
  const known = knownChannels(ctx)
  if (known.has(`${guildId}/${channelId}`)) return
  const channels = await fetchChannels(ctx, guildId)
  if (!channels.some(({ id }) => id === channelId)) {
    const text = 'Discord channel is not a text or announcement channel of the connected server. Choose another one.'
    throw new PlatformError('invalid', text)
  }
  if (known.size >= maxKnown) known.clear()
  known.add(`${guildId}/${channelId}`)
}
