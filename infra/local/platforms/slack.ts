import type { Answer } from '../pages/server.ts'
import { faceUrl } from './face.ts'
import { openChannels } from './slack/channels.ts'
import { openFiles } from './slack/files.ts'
import { inEachForm } from './slack/forms.ts'
import { openInstall } from './slack/install.ts'
import { addressOf, openMessages, type StoredMessage } from './slack/messages.ts'
import { slackRefusals } from './slack/refuse.ts'
import { slackSeed } from './slack/seed.ts'
import type { Call, Platform, PublicPost, Route, SimulatorContext, StandIn } from './standin.ts'

export { slackSeed } from './slack/seed.ts'

/** Slack's Web API: it rejects with a 200. */
export const slack: Platform = {
  id: 'slack',
  name: 'Slack',
  tint: '#4a154b',
  maxBodyBytes: 64 * 1024 * 1024,
  app: slackSeed.app,
  async metadata(_text, first) {
    const channel = await first('slack/channels')
    return { channelId: channel.id, channelName: channel.name }
  },
  build,
}

function build(context: SimulatorContext): StandIn {
  const install = openInstall(context)
  const channels = openChannels(context, install)
  const messages = openMessages(context, install, channels)
  const files = openFiles(context, install, channels, messages)

  function test(call: Call): Answer {
    const { id, name, domain, bot } = install.teamOf(call)
    const url = `https://${domain}.slack.com/`
    return { status: 200, body: { ok: true, url, team: name, team_id: id, user_id: bot.userId, bot_id: bot.botId } }
  }
  function team(call: Call): Answer {
    const { id, name, domain } = install.teamOf(call, 'team:read')
    const icon = { image_132: faceUrl(context, id) }
    return { status: 200, body: { ok: true, team: { id, name, domain, icon } } }
  }
  const about: Route[] = [
    { method: 'POST', path: '/api/auth.test', operation: 'profile', answer: test },
    { method: 'POST', path: '/api/team.info', operation: 'team', answer: team },
  ]
  return {
    routes: [...install.routes, ...inEachForm([...about, ...channels.routes, ...messages.routes, ...files.routes])],
    refusals: slackRefusals,
    headers: () => ({}),
    posts: () => messages.messages.values().map((message) => toPublicPost(message, files.show)),
    other: messages.other,
  }
}

const extrasOf = ({ isBroadcast, isMarkdown, blocks }: StoredMessage): string[] => [
  ...(isBroadcast ? ['shown in the channel'] : []),
  ...(isMarkdown ? ['Markdown'] : []),
  ...(blocks === undefined ? [] : [`blocks: ${blocks.map(({ type }) => type).join(', ')}`]),
]

function toPublicPost(message: StoredMessage, show: (id: string) => PublicPost['media'][number]): PublicPost {
  const { team: teamId, channel, ts, text, files, saidAt, threadTs } = message
  const team = slackSeed.teams.find(({ id }) => id === teamId) ?? slackSeed.teams[0]
  const name = slackSeed.channels.find(({ id }) => id === channel)?.name ?? channel
  return {
    account: `${team.name} #${name}`,
    text: text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
    media: files.map(show),
    replyTo: threadTs === undefined ? null : addressOf(team, channel, threadTs),
    url: addressOf(team, channel, ts),
    publishedAt: saidAt,
    extras: extrasOf(message),
  }
}
