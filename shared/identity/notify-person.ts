import { sendEmail } from '../aws/email.ts'
import type { Context } from '../context.ts'
import { batchGet, transact } from '../db/table.ts'
import { dayMs } from '../time.ts'
import { accessTokens } from './access-token.ts'
import { claimEmail, releaseEmail } from './email-lease.ts'
import { type Notice, type NoticeMessage, noticeDays, notices } from './notice.ts'
import { noticeEmail } from './notice-emails.ts'
import { type User, users } from './user.ts'

/** The person who owns a workspace now. */
type OwnerOf = (ctx: Context, workspaceId: string) => Promise<string | undefined>

/**
 * Who gets the email; no one once it is useless: there is no expiry warning for a token that has ended. The warning about a
 * token of an application is sent to the current owner of its workspace.
 */
const recipientOf = async (ctx: Context, notice: Notice, user: User | undefined, ownerOf: OwnerOf) => {
  const { kind, userId, facts, dueAtMs } = notice
  if (ctx.clock.now() - dueAtMs > noticeDays * dayMs) return undefined
  if (kind !== 'token-expiring') return user
  const { application, tokenId: id = '', expiresAt } = facts
  const token = await accessTokens.get(ctx, { userId: application ?? userId, id })
  if (token === undefined || token.revokedAt !== null || token.expiresAt !== expiresAt) return undefined
  const ownerId = application === undefined ? userId : await ownerOf(ctx, token.workspaceId)
  return ownerId === undefined || ownerId === userId ? user : users.get(ctx, { id: ownerId })
}

/**
 * Sends the email of a row, and removes the row. If the worker dies in between, the sweeper sends it again: the email
 * is sent twice if SES had already accepted it, and is never lost.
 */
export const notifyPerson = async (
  ctx: Context,
  { userId, noticeId: id }: NoticeMessage,
  ownerOf: OwnerOf,
): Promise<void> => {
  const rows = await batchGet(ctx, [notices.key({ userId, id }), users.key({ id: userId })])
  const [unclaimed, user] = [notices.from(rows, { userId, id }), users.from(rows, { id: userId })]
  if (unclaimed === undefined || unclaimed.dueAtMs > ctx.clock.now()) return
  const notice = await claimEmail(ctx, notices, unclaimed)
  if (notice === undefined) return
  const recipient = await recipientOf(ctx, notice, user, ownerOf)
  if (recipient !== undefined && recipient.deletedAt === undefined) {
    await sendEmail(ctx, noticeEmail(recipient.email, notice, ctx.env('BASE_URL'))).catch(async (error: unknown) => {
      await releaseEmail(ctx, notices, notice)
      throw error
    })
  }
  await transact(ctx, () => [{ delete: notices.key(notice) }])
}
