import { afterAll, beforeAll, expect, test } from 'vitest'
import { client } from '../../../functions/client.ts'
import { dayMs, minuteMs } from '../../../shared/time.ts'
import { type Kit, start } from '../../support/start.ts'
import { makeMember } from '../../support/world/preparations.ts'

let kit: Kit
beforeAll(async () => {
  kit = await start()
  await kit.sessionApi.application.register({ body: { name: 'Planner' } })
})
afterAll(() => kit.close())

const warnings = (text: string) =>
  kit.mail.outbox().filter((email) => email.subject.includes('expires soon') && email.text.includes(text))

/** Lets time pass, so that what is due by then is sent, and nothing that is due later. */
const passTo = async (atMs: number) => {
  kit.clock.pass(atMs - kit.clock.now() - minuteMs)
  await kit.service.pass(5 * minuteMs)
}

test('the owner is warned 30 days and 7 days before a token of the application expires, whoever that is by then', async () => {
  const { application } = kit.sessionApi
  const { id: applicationId } = await application.get()
  const made = await application.createToken({ body: { name: 'Backend', expiresInDays: 40 } })
  const revoked = await application.createToken({ body: { name: 'Revoked', expiresInDays: 40 } })
  await application.createToken({ body: { name: 'Endless', expiresInDays: null } })
  await application.createToken({ body: { name: 'Week', expiresInDays: 7 } })
  await application.revokeToken({ params: { id: revoked.id } })
  const expiresAtMs = Date.parse(made.expiresAt ?? '')
  await passTo(expiresAtMs - 30 * dayMs - 10 * minuteMs)
  expect(warnings('svc_app_')).toEqual([])
  await passTo(expiresAtMs - 30 * dayMs)
  expect(warnings('svc_app_')).toMatchObject([
    {
      to: [kit.user.email],
      subject: 'A token of an application expires soon',
      text: expect.stringContaining(`The token of the application ${applicationId} svc_app_${made.id}… "Backend"`),
    },
  ])
  expect(warnings('in 30 days')).toHaveLength(1)
  const next = await makeMember(kit, 'admin', 'active')
  const owner = client({ baseUrl: kit.url, token: kit.sessionToken, workspaceId: kit.workspaceId })
  await owner.team.transferOwnership({ params: { id: kit.workspaceId }, body: { userId: next.userId } })
  await passTo(expiresAtMs - 7 * dayMs)
  expect(warnings('in 7 days')).toMatchObject([{ to: [next.email], text: expect.stringContaining(made.id) }])
  await passTo(expiresAtMs + dayMs)
  expect(warnings('svc_app_')).toHaveLength(2)
})
