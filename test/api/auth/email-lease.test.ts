import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Context, Effect } from '../../../shared/context.ts'
import { leaseMsOf } from '../../../shared/db/lease.ts'
import { put } from '../../../shared/db/table.ts'
import { makeNotice, notices } from '../../../shared/identity/notice.ts'
import { notifyPerson } from '../../../shared/identity/notify-person.ts'
import { retryEmail } from '../../../shared/identity/retry-email.ts'
import { unsentEmails } from '../../../shared/identity/unsent-email.ts'
import { timeoutSecondsOf } from '../../../shared/resources.ts'
import { dayMs } from '../../../shared/time.ts'
import { type Kit, start } from '../../support/start.ts'

let kit: Kit

beforeAll(async () => {
  kit = await start()
}, 120_000)
afterAll(() => kit.close())

/** Each kind of email: stores one, and returns the worker that sends it. */
const kinds: Readonly<Record<string, () => Promise<(ctx: Context) => Promise<void>>>> = {
  'a notice': async () => {
    const notice = makeNotice(kit.ctx, kit.user.id, 'password-changed')
    await put(kit.ctx, notices.item(notice))
    return (ctx) => notifyPerson(ctx, { userId: kit.user.id, noticeId: notice.id }, async () => undefined)
  },
  'an email that SES did not take': async () => {
    const failedAtMs = kit.clock.now()
    const row = { id: 'unsent', to: 'ann@example.com', tokenHash: '', failedAtMs, untilMs: failedAtMs + dayMs }
    await put(kit.ctx, unsentEmails.item({ ...row, kind: 'address-taken' }))
    return (ctx) => retryEmail(ctx, { emailId: row.id })
  },
}

/** The context of a worker that does something before it sends. */
const beforeSending = (act: () => Promise<unknown>): Context => ({
  ...kit.ctx,
  async observe<T>({ action }: Effect, run: () => Promise<T>) {
    if (action === 'SendEmail') await act()
    return run()
  },
})

test.each(
  Object.entries(kinds),
)('a worker that outlived its lease of %s does not free that of another', async (_, store) => {
  const send = await store()
  const sentBefore = kit.mail.outbox().length
  const [isSending, mayFinish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let second: Promise<void> | undefined
  const first = send(
    beforeSending(async () => {
      kit.clock.pass(leaseMsOf(timeoutSecondsOf.drain))
      second = send(
        beforeSending(async () => {
          isSending.resolve()
          await mayFinish.promise
        }),
      )
      await isSending.promise
      throw new Error('down')
    }),
  )
  await first.catch(() => undefined)
  await send(kit.ctx)
  mayFinish.resolve()
  await second
  expect(kit.mail.outbox().length - sentBefore).toBe(1)
})
