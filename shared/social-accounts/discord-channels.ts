import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { get, put } from '../db/table.ts'
import { Refusal } from '../errors.ts'
import { DiscordChannel, fetchChannels } from '../platforms/discord/channels.ts'
import { PlatformError } from '../platforms/platform.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { findAccount } from './find.ts'
import { loseConnection } from './lose-connection.ts'
import { refusalOf } from './refuse-platform.ts'
import type { SocialAccount } from './social-account.ts'

/** The channels of a connected server (spec, DiscordChannels). */
export const DiscordChannels = z
  .object({ guildId: z.string(), source: z.enum(['live', 'cache']), channels: z.array(DiscordChannel) })
  .register(z.globalRegistry, { id: 'DiscordChannels' })
type DiscordChannels = z.infer<typeof DiscordChannels>

const freshMs = 5 * 60_000
const keptSeconds = 7 * 86_400

const Kept = z.object({ channels: z.array(DiscordChannel), fetchedAtMs: z.number() })

const key = ({ workspaceId, id }: SocialAccount) => ({ PK: `WS#${workspaceId}`, SK: `CHANNELS#${id}` })

const fetchAndKeep = async (ctx: Context, account: SocialAccount) => {
  const channels = await fetchChannels(ctx, account.externalId)
  const fetchedAtMs = ctx.clock.now()
  const ttl = Math.ceil(fetchedAtMs / 1000) + keptSeconds
  await put(ctx, { ...key(account), type: 'DiscordChannels', channels, fetchedAtMs, ttl })
  return channels
}

/** A list is asked for at most every five minutes; while Discord is in trouble the last good one serves. */
export const listDiscordChannels = async (
  ctx: Context,
  workspace: Workspace,
  socialAccountId: string | undefined,
): Promise<DiscordChannels> => {
  const account = await findAccount(ctx, workspace.id, 'discord', socialAccountId)
  const item = await get(ctx, key(account))
  const kept = item && z.parse(Kept, item)
  const guildId = account.externalId
  if (kept && ctx.clock.now() - kept.fetchedAtMs < freshMs) {
    return { guildId, source: 'cache', channels: kept.channels }
  }
  try {
    return { guildId, source: 'live', channels: await fetchAndKeep(ctx, account) }
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    if (error.errorClass === 'auth' && !error.facts.operator) {
      await loseConnection(ctx, workspace, account, error.message)
      throw new Refusal('missing', error.message, { code: 'account_disconnected', field: 'socialAccountId' })
    }
    if (kept) return { guildId, source: 'cache', channels: kept.channels }
    throw refusalOf(ctx, error)
  }
}
