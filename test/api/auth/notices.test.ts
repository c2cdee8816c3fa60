import { request } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { client } from '../../../functions/client.ts'
import type { FunctionEffect } from '../../../infra/local/service/invocation.ts'
import { notifyPerson } from '../../../shared/identity/notify-person.ts'
import { openSession } from '../../../shared/identity/open-session.ts'
import { random62 } from '../../../shared/ids.ts'
import { dayMs, minuteMs } from '../../../shared/time.ts'
import { ownerOf } from '../../../shared/workspaces/list-members.ts'
import { Crash } from '../../support/crash.ts'
import { type Kit, start } from '../../support/start.ts'
import { password, settle } from '../../support/world/preparations.ts'
import { scanTable } from '../../support/world/rows.ts'

const newPassword = 'another good password'

let kit: Kit
let intercept: (effect: FunctionEffect, run: () => Promise<unknown>) => Promise<unknown> = (_, run) => run()

beforeAll(async () => {
  kit = await start({ observe: (effect, run) => intercept(effect, run) as ReturnType<typeof run> })
}, 120_000)
afterAll(() => kit.close())
beforeEach(async () => {
  intercept = (_, run) => run()
  await kit.service.drain()
})

const subjects = (email: string) =>
  kit.mail.outbox().flatMap(({ to, subject }) => (to.includes(email) ? [subject] : []))
const newest = (email: string) => kit.mail.outbox().findLast(({ to }) => to.includes(email))?.text ?? ''
const waiting = async () =>
  (await scanTable(kit)).filter(({ type, dueAtMs }) => type === 'Notice' && Number(dueAtMs) <= kit.clock.now())

/** A user with an account, a session and a workspace. */
const resident = async () => {
  const email = `${random62(12).toLowerCase()}@mail.test`
  const { userId } = await settle(kit.ctx, email, 'Ann')
  const { token } = await openSession(kit.ctx, { email, userId, name: 'Ann', userAgent: 'node' })
  const api = client({ baseUrl: kit.url, token })
  const { id: workspaceId } = await api.workspaces.create({ body: { name: 'Acme', timezone: 'UTC' } })
  const change = () => api.auth.changePassword({ body: { currentPassword: password, newPassword } })
  const createToken = (over: object = {}) =>
    api.cli.createToken({ body: { name: 'ci runner', workspaceId, scopes: ['posts:read'], ...over } })
  return { email, token, api, workspaceId, change, createToken }
}

const linkMailedTo = async (email: string) => {
  await client({ baseUrl: kit.url }).auth.requestPasswordReset({ body: { email } })
  return /token=(\w+)/.exec(newest(email))?.[1] ?? ''
}

/** Signs in from one of the addresses of this machine. */
const signInFrom = (localAddress: string, email: string) =>
  new Promise<number>((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json' }
    const url = new URL('/api/auth/sign-in/email', kit.url)
    const sent = request(url, { method: 'POST', headers, localAddress }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
    })
    sent.on('error', reject).end(JSON.stringify({ email, password }))
  })

test('emails the owner when someone else changes their password', async () => {
  const { email, change } = await resident()
  await change()
  await kit.service.drain()
  expect(subjects(email)).toEqual(['Your password was changed'])
  expect(newest(email)).toContain(`${kit.url}/forgot-password`)
  expect(newest(email)).not.toContain(newPassword)
  expect(await waiting()).toEqual([])
})

test('the email about a reset lists the access tokens that remain; a reset that revokes them leaves none', async () => {
  const { email, createToken, workspaceId } = await resident()
  const { token: pat, id } = await createToken()
  const { token: second } = await createToken({ name: 'other' })
  const use = async (bearer: string) => {
    const headers = { Authorization: `Bearer ${bearer}`, 'X-Workspace-Id': workspaceId }
    return (await fetch(`${kit.url}/api/posts`, { headers })).status
  }
  const { auth } = client({ baseUrl: kit.url })
  await auth.resetPassword({ body: { token: await linkMailedTo(email), newPassword } })
  await kit.service.drain()
  expect(subjects(email)).toContain('Your password was reset')
  expect(newest(email)).toContain(`svc_pat_${id}… "ci runner"`)
  expect(newest(email)).toContain('"other"')
  for (const secret of [pat, second]) expect(newest(email)).not.toContain(secret)
  expect([await use(pat), await use(second)]).toEqual([200, 200])

  await auth.resetPassword({ body: { token: await linkMailedTo(email), newPassword: password, revokeTokens: true } })
  await kit.service.drain()
  expect(newest(email)).toContain('no active personal access tokens')
  expect([await use(pat), await use(second)]).toEqual([401, 401])
})

test('the emails about a new password name the tokens of applications, which stay also after a reset that revokes', async () => {
  const { email, api, workspaceId, change } = await resident()
  const inWorkspace = { workspaceId }
  await api.application.register({ body: { name: 'Planner' }, ...inWorkspace })
  const { id } = await api.application.createToken({ body: { name: 'Backend' }, ...inWorkspace })
  const ended = await api.application.createToken({ body: { name: 'Ended' }, ...inWorkspace })
  await api.application.revokeToken({ params: { id: ended.id }, ...inWorkspace })
  const named = `These tokens of applications stay active:\n\nsvc_app_${id}… "Backend"\n`
  await change()
  await kit.service.drain()
  expect(newest(email)).toContain(named)
  const { auth } = client({ baseUrl: kit.url })
  await auth.resetPassword({ body: { token: await linkMailedTo(email), newPassword: password, revokeTokens: true } })
  await kit.service.drain()
  expect(subjects(email).at(-1)).toBe('Your password was reset')
  expect(newest(email)).toContain(named)
  expect(newest(email)).not.toContain('Ended')
})

test('emails the owner about a new access token, with its scopes and without its secret', async () => {
  const { email, createToken } = await resident()
  const { token, id, expiresAt } = await createToken()
  await kit.service.drain()
  expect(subjects(email)).toEqual(['A personal access token was created'])
  for (const part of [`svc_pat_${id}…`, 'posts:read', String(expiresAt)]) expect(newest(email)).toContain(part)
  expect(newest(email)).not.toContain(token)
})

test('emails a sign-in from a new location once per location, and not the first sign-in', async () => {
  const { email } = await resident()
  const sentNotices = async () => {
    await kit.service.drain()
    return subjects(email).length
  }
  expect(await signInFrom('127.0.0.21', email)).toBe(200)
  expect(await sentNotices()).toBe(0)
  expect([await signInFrom('127.0.0.22', email), await signInFrom('127.0.0.22', email)]).toEqual([200, 200])
  expect(await sentNotices()).toBe(1)
  expect(newest(email)).toContain('127.0.0.22')
  expect(await signInFrom('127.0.0.21', email)).toBe(200)
  expect(await sentNotices()).toBe(1)
  expect(await signInFrom('127.0.0.23', email)).toBe(200)
  expect(await sentNotices()).toBe(2)
})

test('an access token expires after a year, and its owner is warned once at 30 days and once at 7 days', async () => {
  const { email, createToken } = await resident()
  const made = await createToken()
  expect(Date.parse(made.expiresAt ?? '') - Date.parse(made.createdAt)).toBe(365 * dayMs)
  await kit.service.drain()
  const warnings = () => subjects(email).filter((subject) => subject.includes('expires soon')).length
  kit.clock.pass(335 * dayMs - 2 * minuteMs)
  await kit.service.pass(minuteMs)
  expect(warnings()).toBe(0)
  await kit.service.pass(5 * minuteMs)
  expect(warnings()).toBe(1)
  expect(newest(email)).toContain('in 30 days')
  kit.clock.pass(23 * dayMs - 10 * minuteMs)
  await kit.service.pass(minuteMs)
  expect(warnings()).toBe(1)
  await kit.service.pass(10 * minuteMs)
  expect(warnings()).toBe(2)
  expect(newest(email)).toContain('in 7 days')
})

test('sends no warning for a token that is revoked, never expires, or lives for a week', async () => {
  const { email, createToken, api } = await resident()
  expect(await createToken({ expiresInDays: null })).toMatchObject({ expiresAt: null })
  await createToken({ expiresInDays: 7 })
  const { id } = await createToken({ expiresInDays: 31 })
  await api.cli.revokeToken({ params: { id } })
  await kit.service.drain()
  kit.clock.pass(dayMs)
  await kit.service.pass(5 * minuteMs)
  kit.clock.pass(25 * dayMs)
  await kit.service.pass(5 * minuteMs)
  expect(subjects(email).filter((subject) => subject.includes('expires soon'))).toEqual([])
})

test('a failed email fails no request and is sent once email works again', async () => {
  const { email, change, createToken } = await resident()
  intercept = ({ action, functionName }, run) =>
    action === 'SendEmail' || (action === 'SendMessage' && functionName !== 'sweep')
      ? Promise.reject(new Error('down'))
      : run()
  await change()
  expect((await createToken()).token).toMatch(/^svc_pat_/)
  await kit.service.drain()
  expect(subjects(email)).toEqual([])
  intercept = (_, run) => run()
  await kit.service.pass(20 * minuteMs, { tickMinutes: 3 })
  expect(subjects(email).sort()).toEqual(['A personal access token was created', 'Your password was changed'])
  expect(await waiting()).toEqual([])
})

test('a crash before or after any effect never loses the email, and duplicates it only after it was sent', async () => {
  for (const side of ['before', 'after'] as const) {
    for (const action of ['BatchGetItem', 'UpdateItem', 'SendEmail', 'TransactWriteItems']) {
      const { email, change } = await resident()
      await kit.service.drain()
      let armed = true
      intercept = async (effect, run) => {
        if (!armed || effect.functionName !== 'drain-endpoint' || effect.action !== action) return run()
        armed = false
        if (side === 'after') await run()
        throw new Crash(`${side} ${action}`)
      }
      await change()
      await kit.service.pass(20 * minuteMs, { tickMinutes: 3 })
      expect(armed).toBe(false)
      const maxAttempts = action === 'TransactWriteItems' || (action === 'SendEmail' && side === 'after') ? 2 : 1
      expect(subjects(email).length, `${side} ${action}`).toBeGreaterThanOrEqual(1)
      expect(subjects(email).length, `${side} ${action}`).toBeLessThanOrEqual(maxAttempts)
      expect(await waiting()).toEqual([])
    }
  }
})

test('a message delivered five times concurrently sends one email', async () => {
  const { email, change } = await resident()
  intercept = async (effect, run) =>
    effect.functionName === 'auth-change-password' && effect.action === 'SendMessage' ? undefined : run()
  await change()
  const [row] = await waiting()
  const message = { userId: String(row?.['PK']).slice(5), noticeId: String(row?.['id']) }
  await Promise.all(Array.from({ length: 5 }, () => notifyPerson(kit.ctx, message, ownerOf)))
  expect(subjects(email)).toEqual(['Your password was changed'])
})
