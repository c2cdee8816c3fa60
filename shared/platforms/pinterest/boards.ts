import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { described } from '../../http/described.ts'
import type { ConnectedAccount } from '../account.ts'
import { callPinterest } from './api.ts'

/** A board Pins can be put on. */
export const PinterestBoard = z
  .object({
    id: described(z.string(), 'The ID of the board. Send it as `metadata.pinterest.boardId`.'),
    name: described(z.string(), 'The name of the board.'),
    url: described(z.optional(z.string()), 'The URL of the board. Absent where it does not follow from the name.'),
    privacy: described(z.optional(z.enum(['PUBLIC', 'SECRET'])), 'Who can see the board.'),
  })
  .register(z.globalRegistry, { id: 'PinterestBoard', description: 'A Pinterest board.' })
export type PinterestBoard = z.infer<typeof PinterestBoard>

const Listed = z.object({
  id: z.string(),
  name: z.string(),
  privacy: z.optional(z.string()),
  owner: z.optional(z.object({ username: z.optional(z.string()) })),
  is_ads_only: z.optional(z.boolean()),
})
const Page = z.object({ items: z.array(Listed), bookmark: z.optional(z.nullable(z.string())) })

const pageSize = '250'
const maxPages = 20
/** A caller of the API waits for this. After this long, the results so far must do. */
const timeoutMs = 14_000
const totalMs = 6_000

/** Pinterest returns no URL; it can be derived from the name only if the name is plain (Pinterest API v5, boards/list). */
const addressOf = ({ name, owner }: z.infer<typeof Listed>) =>
  owner?.username && /^[A-Za-z0-9 -]+$/.test(name)
    ? { url: `https://www.pinterest.com/${owner.username}/${name.toLowerCase().replaceAll(' ', '-')}/` }
    : {}

const show = (board: z.infer<typeof Listed>): PinterestBoard => ({
  id: board.id,
  name: board.name,
  ...addressOf(board),
  privacy: board.privacy === 'SECRET' || board.privacy === 'PROTECTED' ? 'SECRET' : 'PUBLIC',
})

/** The boards of an account, page after page; boards only for advertisements are left out. */
export const fetchBoards = async (ctx: Context, account: ConnectedAccount): Promise<PinterestBoard[]> => {
  const boards: PinterestBoard[] = []
  const endMs = ctx.clock.now() + timeoutMs
  let bookmark: string | null | undefined
  for (let page = 0; page < maxPages; page += 1) {
    const query = { page_size: pageSize, ...(bookmark ? { bookmark } : {}) }
    const answer = await callPinterest(ctx, account, { path: '/boards', query, totalMs, reply: Page })
    boards.push(...answer.items.filter(({ is_ads_only }) => !is_ads_only).map(show))
    bookmark = answer.bookmark
    if (!bookmark || ctx.clock.now() > endMs) break
  }
  return boards
}

/** Creates a board; Pinterest rejects a name that is taken. */
export const createBoard = async (
  ctx: Context,
  account: ConnectedAccount,
  board: { name: string; privacy: 'PUBLIC' | 'SECRET' },
): Promise<PinterestBoard> =>
  show(await callPinterest(ctx, account, { path: '/boards', body: { json: board }, reply: Listed }))
