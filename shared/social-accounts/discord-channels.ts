import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { described } from '../http/described.ts'
import { DiscordChannel, fetchChannels } from '../platforms/discord/channels.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { findAccount } from './find.ts'
import { cachedAnswer } from './response-cache.ts'

/** The channels of a connected server. */
export const DiscordChannels = z
  .object({
    guildId: described(z.string(), 'The ID of the server at Discord.'),
    source: described(
      z.enum(['live', 'cache']),
      '`live`: just read from Discord. `cache`: read within the last minutes, or earlier while Discord does not respond.',
    ),
    channels: described(z.array(DiscordChannel), 'The channels that the service can post to.'),
  })
  .register(z.globalRegistry, { id: 'DiscordChannels', description: 'The channels of a connected Discord server.' })

export const listDiscordChannels = async (
  ctx: Context,
  workspace: Workspace,
  socialAccountId: string | undefined,
): Promise<z.infer<typeof DiscordChannels>> => {
  const account = await findAccount(ctx, workspace.id, 'discord', socialAccountId)
  const { value: channels, source } = await cachedAnswer(ctx, workspace, account, {
    name: 'channels',
    shape: z.array(DiscordChannel),
    // One bot serves all workspaces: no account has its own token.
    ask: () => fetchChannels(ctx, account.externalId),
  })
  return { guildId: account.externalId, source, channels }
}
