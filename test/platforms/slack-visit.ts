import { slackSeed } from '../../infra/local/platforms/slack.ts'
import type { PlatformCall } from '../../shared/platforms/adapter.ts'
import type { OutgoingPost } from '../../shared/platforms/post.ts'
import { slack as connector } from '../../shared/platforms/slack/connect.ts'
import { slack } from '../../shared/platforms/slack/publish.ts'
import { visit } from './visit.ts'

export const channelId = (name: string): string =>
  slackSeed.channels.find((channel) => channel.name === name)?.id ?? 'C0NOWHERE'

/** How Slack refuses a call. */
export const no = (error: string) => ({ fault: 'status', status: 200, body: { ok: false, error } }) as const

/** Slack on its site, where a post is a text in a channel unless it has files. */
export async function visitSlack() {
  const visited = await visit(slack, connector)
  const { sentTo: sent } = visited
  const prepared = async (call: PlatformCall) => (await visited.prepared(call)).ready
  return {
    ...visited,
    sent,
    prepared,
    publish: async (call: PlatformCall) => visited.commit(call, await prepared(call)),
    armed: async (call: PlatformCall) => visited.armed(call, await prepared(call)),
    jsonOf: (operation: string) => JSON.parse(String(sent(operation).at(-1)?.body)),
    open: (post: Partial<OutgoingPost> = {}, channel = 'general') =>
      visited.open({ metadata: { channelId: channelId(channel) }, media: [], ...post }),
  }
}
