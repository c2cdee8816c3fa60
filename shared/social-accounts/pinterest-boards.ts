import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { invalidate } from '../db/cached-response.ts'
import { described } from '../http/described.ts'
import { Id } from '../http/id.ts'
import { createBoard, fetchBoards, PinterestBoard } from '../platforms/pinterest/boards.ts'
import { singleLine } from '../text/single-line.ts'
import { wellFormed } from '../text/well-formed.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { findAccount } from './find.ts'
import { cachedAnswer } from './response-cache.ts'
import { throwRefusal, withFreshCredentials } from './with-fresh-credentials.ts'

/** The boards of an account. */
export const PinterestBoards = z
  .object({
    boards: described(z.array(PinterestBoard), 'The boards. Send the ID of one as `metadata.pinterest.boardId`.'),
  })
  .register(z.globalRegistry, { id: 'PinterestBoards', description: 'The boards of a connected Pinterest account.' })

/** A request to create a board (Pinterest API v5, boards/create: at most 50 characters). */
export const CreatePinterestBoardRequest = z
  .strictObject({
    name: described(
      z.string().check(z.trim(), z.minLength(1), z.maxLength(50), wellFormed, singleLine),
      'The name of the board, 1 to 50 characters.',
    ),
    privacy: described(
      z._default(z.enum(['PUBLIC', 'SECRET']), 'PUBLIC'),
      'Who can see the board. `PUBLIC` by default.',
    ),
    socialAccountId: described(
      z.optional(Id),
      'The ID of the Pinterest account, `acc_…`. By default the one that was connected first.',
    ),
  })
  .register(z.globalRegistry, { id: 'CreatePinterestBoardRequest', description: 'A new board at Pinterest.' })

export const CreatePinterestBoardResponse = z
  .object({
    board: PinterestBoard,
    socialAccountId: described(z.string(), 'The ID of the Pinterest account, `acc_…`.'),
  })
  .register(z.globalRegistry, { id: 'CreatePinterestBoardResponse', description: 'A board that was created.' })

const name = 'boards'

export const listPinterestBoards = async (
  ctx: Context,
  workspace: Workspace,
  socialAccountId: string | undefined,
): Promise<z.infer<typeof PinterestBoards>> => {
  const account = await findAccount(ctx, workspace.id, 'pinterest', socialAccountId)
  const ask = () => withFreshCredentials(ctx, workspace, account, (connected) => fetchBoards(ctx, connected))
  const shape = z.array(PinterestBoard)
  return { boards: (await cachedAnswer(ctx, workspace, account, { name, shape, ask })).value }
}

/** Creates a real board at Pinterest and expires the cached list of boards. */
export const createPinterestBoard = async (
  ctx: Context,
  workspace: Workspace,
  { socialAccountId, ...fields }: z.infer<typeof CreatePinterestBoardRequest>,
): Promise<z.infer<typeof CreatePinterestBoardResponse>> => {
  const account = await findAccount(ctx, workspace.id, 'pinterest', socialAccountId)
  const board = await withFreshCredentials(ctx, workspace, account, (connected) =>
    createBoard(ctx, connected, fields),
  ).catch((error: unknown) => throwRefusal(ctx, workspace, account, error))
  await invalidate(ctx, account, name)
  return { board, socialAccountId: account.id }
}
