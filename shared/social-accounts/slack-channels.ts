import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { described } from '../http/described.ts'
import { fetchChannels, SlackChannel } from '../platforms/slack/channels.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { findAccount } from './find.ts'
import { cachedAnswer } from './response-cache.ts'
import { withFreshCredentials } from './with-fresh-credentials.ts'

/** The channels of a connected Slack workspace. */
export const SlackChannels = z
  .object({
    teamId: described(z.string(), 'The ID of the workspace at Slack.'),
    source: described(
      z.enum(['live', 'cache']),
      '`live`: just read from Slack. `cache`: read within the last minutes, or earlier while Slack does not respond.',
    ),
    channels: described(z.array(SlackChannel), 'The channels that the service can post to.'),
  })
  .register(z.globalRegistry, { id: 'SlackChannels', description: 'The channels of a connected Slack workspace.' })

export const listSlackChannels = async (
  ctx: Context,
  workspace: Workspace,
  socialAccountId: string | undefined,
): Promise<z.infer<typeof SlackChannels>> => {
  const account = await findAccount(ctx, workspace.id, 'slack', socialAccountId)
  const { value: channels, source } = await cachedAnswer(ctx, workspace, account, {
    name: 'channels',
    shape: z.array(SlackChannel),
    ask: () => withFreshCredentials(ctx, workspace, account, (connected) => fetchChannels(ctx, connected)),
  })
  return { teamId: account.externalId, source, channels }
}
