import { sendEmail } from '../aws/email.ts'
import type { Context } from '../context.ts'
import { wasCurrent } from '../db/condition-failed.ts'
import { allOf, present } from '../db/expression.ts'
import { leaseFree, leaseMsOf } from '../db/lease.ts'
import { batchGet, transact, update } from '../db/table.ts'
import { timeoutSecondsOf } from '../resources.ts'
import { dayMs } from '../time.ts'
import { accessTokens } from './access-token.ts'
import { type Notice, type NoticeMessage, noticeDays, notices } from './notice.ts'
import { noticeEmail } from './notice-emails.ts'
import { type User, users } from './user.ts'

const leaseMs = leaseMsOf(timeoutSecondsOf.drain)

/** Claims the email; false if another worker holds it. */
const claim = (ctx: Context, notice: Notice): Promise<boolean> => {
  const nowMs = ctx.clock.now()
  const free = allOf(present('PK'), leaseFree('leaseUntilMs', nowMs))
  return wasCurrent(update(ctx, notices.key(notice), { set: { leaseUntilMs: nowMs + leaseMs } }, free))
}

/** The person who owns a workspace now. */
type OwnerOf = (ctx: Context, workspaceId: string) => Promise<string | undefined>

/**
 * Who gets the email; nobody once it is useless: there is no expiry warning for a token that has ended. The warning about a
 * token of an application goes to whoever owns its workspace by then.
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
  const [notice, user] = [notices.from(rows, { userId, id }), users.from(rows, { id: userId })]
  if (notice === undefined || notice.dueAtMs > ctx.clock.now() || !(await claim(ctx, notice))) return
  const recipient = await recipientOf(ctx, notice, user, ownerOf)
  if (recipient !== undefined && recipient.deletedAt === undefined) {
    const release = () => update(ctx, notices.key(notice), { remove: ['leaseUntilMs'] }, present('PK'))
    await sendEmail(ctx, noticeEmail(recipient.email, notice, ctx.env('BASE_URL'))).catch(async (error: unknown) => {
      await release()
      throw error
    })
  }
  await transact(ctx, () => [{ delete: notices.key(notice) }])
}
