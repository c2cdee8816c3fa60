import { afterAll, beforeAll, expect, test } from 'vitest'
import { client } from '../../functions/client.ts'
import type { FunctionEffect, ObserveFunction } from '../../infra/local/service/invocation.ts'
import { verifyAssistant } from '../../shared/oauth/verify.ts'
import { join, makePerson } from '../deletion/people.ts'
import { type Kit, start } from '../support/start.ts'
import { password } from '../support/world/preparations.ts'
import { connected, refreshed } from './assistant.ts'

let kit: Kit
let intercept: (effect: FunctionEffect) => Promise<void> = async () => {}
beforeAll(async () => {
  const observe: ObserveFunction = async (effect, run) => {
    await intercept(effect)
    return run()
  }
  kit = await start({ observe })
})
afterAll(() => kit.close())

const isValid = async (token: unknown) => (await verifyAssistant(kit.ctx, String(token), '/api/mcp')).ok

const inUse = async (session: string, fields: Record<string, string> = {}) => {
  const assistant = await connected(kit, fields, session)
  return { assistant, token: assistant.tokens.access_token }
}

const isOver = async ({ assistant, token }: Awaited<ReturnType<typeof inUse>>) => {
  expect(await isValid(token)).toBe(false)
  const { status, body } = await refreshed(kit, assistant, assistant.refreshToken)
  expect([status, body['error']]).toEqual([400, 'invalid_grant'])
}

const emailsTo = (address: string) => kit.mail.outbox().filter(({ to }) => to.includes(address))

/** Requests a reset by email and sets a new password with its link. */
const reset = async (email: string, over: object = {}) => {
  const { auth } = client({ baseUrl: kit.url })
  await auth.requestPasswordReset({ body: { email } })
  const token = /token=(\w+)/.exec(emailsTo(email).at(-1)?.text ?? '')?.[1] ?? ''
  await auth.resetPassword({ body: { token, newPassword: 'another good password', ...over } })
  await kit.service.drain()
  return emailsTo(email).at(-1)?.text ?? ''
}

test('a person gets an email about an assistant that was allowed in their name', async () => {
  const person = await makePerson(kit)
  await join(kit, kit.sessionApi, kit.workspaceId, person)
  await inUse(person.token)
  await kit.service.drain()
  const { subject, text = '' } = emailsTo(person.email).at(-1) ?? {}
  expect(subject).toBe('An assistant was connected')
  const { name } = await kit.sessionApi.workspaces.get({ params: { id: kit.workspaceId } })
  for (const part of ['"Desk assistant"', `"${name}"`, 'Write drafts', `${kit.url}/workspace?id=${kit.workspaceId}`]) {
    expect(text).toContain(part)
  }
})

test('a password reset that revokes tokens ends the assistants of all workspaces, and one that does not names them', async () => {
  const person = await makePerson(kit)
  await join(kit, kit.sessionApi, kit.workspaceId, person)
  const own = await person.api.workspaces.create({ body: { name: 'Own corner', timezone: 'UTC' } })
  const used = await inUse(person.token)
  const elsewhere = await inUse(person.token, { workspace: own.id })
  const named = await reset(person.email)
  expect(named).toContain('"Desk assistant" in "Own corner"')
  expect(await isValid(elsewhere.token)).toBe(true)
  const emptied = await reset(person.email, { revokeTokens: true, newPassword: 'a third good password' })
  expect(emptied).not.toContain('Desk assistant')
  await isOver(used)
  await isOver(elsewhere)
})

test('an assistant that is allowed while a reset revokes tokens is ended with the others', async () => {
  const person = await makePerson(kit)
  await join(kit, kit.sessionApi, kit.workspaceId, person)
  const { auth } = client({ baseUrl: kit.url })
  await auth.requestPasswordReset({ body: { email: person.email } })
  const token = /token=(\w+)/.exec(emailsTo(person.email).at(-1)?.text ?? '')?.[1] ?? ''
  let used: Awaited<ReturnType<typeof inUse>> | undefined
  intercept = async ({ functionName, action }) => {
    // The reset is about to store the new password; the session of whoever knew the old one still works.
    if (functionName !== 'auth-reset-password' || action !== 'TransactWriteItems' || used) return
    used = await inUse(person.token)
  }
  await auth.resetPassword({ body: { token, newPassword: 'another good password', revokeTokens: true } })
  intercept = async () => {}
  if (used === undefined) throw new Error('the reset has stored nothing')
  await isOver(used)
})

test('the email about a changed password names the assistants that stay connected', async () => {
  const person = await makePerson(kit)
  await join(kit, kit.sessionApi, kit.workspaceId, person)
  const { token } = await inUse(person.token)
  const body = { currentPassword: password, newPassword: 'another good password' }
  await client({ baseUrl: kit.url, token: person.token }).auth.changePassword({ body })
  await kit.service.drain()
  expect(emailsTo(person.email).at(-1)?.text).toContain('"Desk assistant" in "')
  expect(await isValid(token)).toBe(true)
})
