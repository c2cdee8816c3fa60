import type { Answer } from '../pages/server.ts'
import { countWindow } from './count-window.ts'
import { openInstall } from './discord/install.ts'
import { openMessages, type StoredMessage } from './discord/messages.ts'
import { discordRefusals, refuse } from './discord/refuse.ts'
import { discordSeed, showApplication, showChannel, showGuild, showUser } from './discord/seed.ts'
import type { Call, CountedCall, Platform, PublicPost, Route, SimulatorContext, StandIn } from './standin.ts'

export { discordSeed } from './discord/seed.ts'

/** One Discord server with one bot, by the rules of API version 10. */
export const discord: Platform = {
  id: 'discord',
  name: 'Discord',
  tint: '#5865f2',
  maxBodyBytes: 25 * 1024 * 1024,
  app: { clientId: discordSeed.clientId, clientSecret: discordSeed.clientSecret, botToken: discordSeed.botToken },
  async metadata(_text, first) {
    const channel = await first('discord/channels')
    return { channelId: channel.id, channelName: channel.name }
  },
  build,
}

function build(context: SimulatorContext): StandIn {
  const left = context.keep<true>('left-guilds')
  const { bot, guild, channels } = discordSeed
  const isBotIn = () => left.get(guild.id) === undefined
  const { routes: messageRoutes, messages, other } = openMessages(context, isBotIn)

  function ownGuild(call: Call): void {
    if (call.params['guild'] !== guild.id || !isBotIn()) refuse(404, 10004, 'Unknown Guild')
  }
  function readGuild(call: Call): Answer {
    ownGuild(call)
    return { status: 200, body: showGuild() }
  }
  function listChannels(call: Call): Answer {
    ownGuild(call)
    return { status: 200, body: channels.map(showChannel) }
  }
  function readChannel(call: Call): Answer {
    const channel = channels.find(({ id }) => id === call.params['channel'])
    if (channel === undefined) return refuse(404, 10003, 'Unknown Channel')
    if (channel.bot === 'shut out' || !isBotIn()) return refuse(403, 50001, 'Missing Access')
    return { status: 200, body: showChannel(channel) }
  }
  function leave(call: Call): Answer {
    ownGuild(call)
    left.set(guild.id, true)
    return { status: 204 }
  }

  const api = '/api/v10'
  const botRoutes: Route[] = [
    {
      method: 'GET',
      path: `${api}/users/@me`,
      operation: 'me',
      answer: () => ({ status: 200, body: { ...showUser(bot), mfa_enabled: true, locale: 'en-US' } }),
    },
    { method: 'GET', path: `${api}/guilds/:guild`, operation: 'guild', answer: readGuild },
    { method: 'GET', path: `${api}/guilds/:guild/channels`, operation: 'channels', answer: listChannels },
    { method: 'GET', path: `${api}/channels/:channel`, operation: 'channel', answer: readChannel },
    {
      method: 'GET',
      path: `${api}/oauth2/applications/@me`,
      operation: 'application',
      answer: () => ({ status: 200, body: showApplication() }),
    },
    { method: 'DELETE', path: `${api}/users/@me/guilds/:guild`, operation: 'leave', answer: leave },
    ...messageRoutes,
  ]
  // Five messages in five seconds for each channel, as clients meet it; all other calls 50 a second (Rate Limits, 2026-08-06).
  const messageLimit = { max: 5, window: countWindow({ max: 5, perMs: 5000 }, context) }
  const callLimit = { max: 50, window: countWindow({ max: 50, perMs: 1000 }, context) }
  const limitOf = ({ method, path }: CountedCall) =>
    method === 'POST' && path.endsWith('/messages') ? messageLimit : callLimit
  return {
    routes: [...botRoutes.map(asBot), ...openInstall(context, () => void left.delete(guild.id))],
    refusals: discordRefusals(() => context.clock.now() / 1000),
    jsonType: 'application/json',
    secondsToWait: (call) => limitOf(call).window.take(call.path),
    headers(call) {
      const { max, window } = limitOf(call)
      const { left, endsAt } = window.shown(call.path)
      return {
        'x-ratelimit-limit': String(max),
        'x-ratelimit-remaining': String(left),
        'x-ratelimit-reset': (endsAt / 1000).toFixed(3),
        'x-ratelimit-reset-after': ((endsAt - context.clock.now()) / 1000).toFixed(3),
        'x-ratelimit-bucket': 'local-stand-in',
      }
    },
    posts: () => messages.values().map(toPublicPost),
    other,
  }
}

/** Everything under /api is for the bot only, and Discord's edge rejects callers without a User-Agent. */
function asBot(route: Route): Route {
  if (!route.path.startsWith('/api/')) return route
  return {
    ...route,
    answer(call) {
      if (!/^DiscordBot \(/.test(call.headers['user-agent'] ?? '')) refuse(403, 40333, 'internal network error')
      if (call.headers['authorization'] !== `Bot ${discordSeed.botToken}`) refuse(401, 0, '401: Unauthorized')
      return route.answer(call)
    },
  }
}

const extrasOf = ({ embeds = [], poll }: StoredMessage): string[] => [
  ...embeds.map(({ title, description, fields }) => `embed: ${title ?? description ?? `${fields.length} fields`}`),
  ...(poll === undefined
    ? []
    : [
        `poll: ${poll.question.text} ${poll.answers.map((answer) => answer.poll_media.text).join(' | ')} (${poll.duration} h)`,
      ]),
]

function toPublicPost(message: StoredMessage): PublicPost {
  const { id, channelId, content, attachments, sentAt, replyTo } = message
  const channelUrl = `https://discord.com/channels/${discordSeed.guild.id}/${channelId}`
  const channel = discordSeed.channels.find((candidate) => candidate.id === channelId)?.name ?? channelId
  return {
    account: `${discordSeed.guild.name} #${channel}`,
    text: content,
    media: attachments.map((file) => ({ key: file.id, type: file.type, alt: file.description ?? file.filename })),
    replyTo: replyTo === undefined ? null : `${channelUrl}/${replyTo}`,
    url: `${channelUrl}/${id}`,
    publishedAt: sentAt,
    extras: extrasOf(message),
  }
}
