import { discordSeed } from '../../infra/local/platforms/discord.ts'
import type { PlatformCall } from '../../shared/platforms/adapter.ts'
import { discord as connector } from '../../shared/platforms/discord/connect.ts'
import { discord } from '../../shared/platforms/discord/publish.ts'
import type { OutgoingPost } from '../../shared/platforms/post.ts'
import { accountOf } from './site.ts'
import { visit } from './visit.ts'

const { botToken } = discordSeed
export const { guild, bot } = discordSeed

export const channelId = (name: string): string =>
  discordSeed.channels.find((channel) => channel.name === name)?.id ?? '1'.repeat(18)

export const asBot = { authorization: `Bot ${botToken}`, 'user-agent': 'DiscordBot (https://service.test, 1.0)' }

/** Discord on its site, where a post is a text in a channel unless it has files. */
export async function visitDiscord() {
  const visited = await visit(discord, connector)
  const { site, platforms } = visited
  const api = `${platforms.urls['discord']}/api/v10`
  const prepared = async (call: PlatformCall) => (await visited.prepared(call)).ready
  return {
    ...visited,
    api,
    prepared,
    publish: async (call: PlatformCall) => visited.commit(call, await prepared(call)),
    armed: async (call: PlatformCall) => visited.armed(call, await prepared(call)),
    open(post: Partial<OutgoingPost> = {}, channel = 'general'): PlatformCall {
      const account = accountOf({ externalId: guild.id, credentials: {}, details: {} })
      return { ctx: site.ctx(), account, post: site.post({ metadata: { channelId: channelId(channel) }, ...post }) }
    },
    /** The stand-in's response to a message of the bot that is not a post. */
    async say(json: unknown, channel = 'general') {
      const headers = { ...asBot, 'content-type': 'application/json' }
      const address = `${api}/channels/${channelId(channel)}/messages`
      return (await fetch(address, { method: 'POST', headers, body: JSON.stringify(json) })).json()
    },
    /** The bot leaves the server. */
    leave: () => fetch(`${api}/users/@me/guilds/${guild.id}`, { method: 'DELETE', headers: asBot }),
  }
}
