import * as z from 'zod/mini'
import { type Caller, call } from './caller.ts'

const Named = z.object({ id: z.string(), name: z.string() })

const channel = async (caller: Caller, platform: 'discord' | 'slack') => {
  const Channels = z.object({ channels: z.array(Named) })
  const { channels } = await call(caller, `GET /api/social-accounts/${platform}/channels`, Channels)
  const [first] = channels
  return first && { channelId: first.id, channelName: first.name }
}

const board = async (caller: Caller, text: string) => {
  const Boards = z.object({ boards: z.array(Named) })
  const { boards } = await call(caller, 'GET /api/social-accounts/pinterest/boards', Boards)
  const [first] = boards
  return first && { boardId: first.id, boardName: first.name, title: 'Good evening', description: text }
}

const blocks: Readonly<Record<string, (caller: Caller, text: string) => unknown>> = {
  discord: (caller) => channel(caller, 'discord'),
  slack: (caller) => channel(caller, 'slack'),
  pinterest: board,
  instagram: () => ({ format: 'feed_image' }),
  tiktok: () => ({ privacyLevel: 'PUBLIC_TO_EVERYONE' }),
  reddit: () => ({ subreddit: 'test', title: 'Good evening', kind: 'image' }),
  youtube: () => ({ title: 'Good evening' }),
}

/** Metadata that the platforms need in addition to the text; channels and boards are taken from the lists of the service. */
export const metadataFor = async (
  caller: Caller,
  platforms: readonly string[],
  text: string,
): Promise<Record<string, unknown>> => {
  const known = platforms.filter((platform) => blocks[platform] !== undefined)
  return Object.fromEntries(
    await Promise.all(known.map(async (platform) => [platform, await blocks[platform]?.(caller, text)] as const)),
  )
}
