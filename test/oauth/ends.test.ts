import { afterAll, beforeAll, expect, test } from 'vitest'
import { client } from '../../functions/client.ts'
import { put } from '../../shared/db/table.ts'
import { digest } from '../../shared/ids.ts'
import { verifyAssistant } from '../../shared/oauth/verify.ts'
import { dayMs, hourMs, minuteMs } from '../../shared/time.ts'
import { join, makePerson } from '../deletion/people.ts'
import { browserOf } from '../pages/test-browser.ts'
import { type Kit, start } from '../support/start.ts'
import { makeMember, password } from '../support/world/preparations.ts'
import { scanTable } from '../support/world/rows.ts'
import { addressIn, connected, consent, redirectUri, refreshed, registered, requestOf, tokenCall } from './assistant.ts'

let kit: Kit
beforeAll(async () => {
  kit = await start()
})
afterAll(() => kit.close())

const isValid = async (token: unknown) => (await verifyAssistant(kit.ctx, String(token), '/api/mcp')).ok
const apiOf = (token: string, workspaceId = kit.workspaceId) => client({ baseUrl: kit.url, token, workspaceId })
const rowsOf = async (type: string) => (await scanTable(kit)).filter((row) => row['type'] === type)

/** The rows that a connection has: itself, and its last use. */
const tracesOf = async (token: string) => {
  const [person, id] = [token.slice(8, 20), token.slice(20, 28)]
  return (await scanTable(kit)).filter((row) => row['userId'] === person && row['id'] === id)
}

/** Connects an assistant, and uses it once. */
const inUse = async (session: string, fields: Record<string, string> = {}) => {
  const assistant = await connected(kit, fields, session)
  const token = assistant.tokens.access_token
  const verified = await verifyAssistant(kit.ctx, token, '/api/mcp')
  if (verified.ok) await verified.assistant.noted
  expect((await tracesOf(token)).map(({ type }) => type).toSorted()).toEqual(['AssistantConnection', 'TokenUse'])
  return { assistant, token }
}

const isOver = async ({ assistant, token }: Awaited<ReturnType<typeof inUse>>) => {
  expect(await isValid(token)).toBe(false)
  const { status, body } = await refreshed(kit, assistant, assistant.refreshToken)
  expect([status, body['error']]).toEqual([400, 'invalid_grant'])
}

test('the deletion of an account ends its connections immediately, whatever the worker does, and removes them', async () => {
  const person = await makePerson(kit)
  await join(kit, kit.sessionApi, kit.workspaceId, person)
  const used = await inUse(person.token)
  kit.service.queues.faults.onSend = ({ queueName }) => (queueName.endsWith('-purge') ? 'lose' : 'keep')
  await person.api.auth.deleteAccount({ body: { password } })
  kit.service.queues.faults.onSend = () => 'keep'
  await isOver(used)
  expect(await tracesOf(used.token)).toEqual([])
})

test('a code of a person who deletes their account is not exchanged', async () => {
  const person = await makePerson(kit)
  await join(kit, kit.sessionApi, kit.workspaceId, person)
  const assistant = await registered(kit)
  const request = await requestOf(kit, assistant)
  const { back } = await consent(kit, request.path, {}, person.token)
  await person.api.auth.deleteAccount({ body: { password } })
  const { body } = await tokenCall(kit, {
    grant_type: 'authorization_code',
    code: back?.searchParams.get('code') ?? '',
    client_id: assistant.client.client_id,
    redirect_uri: redirectUri,
    code_verifier: request.verifier,
  })
  expect(body['error']).toBe('invalid_grant')
})

test('a removed member has no connection in the workspace, even after another invitation', async () => {
  const person = await makePerson(kit)
  await join(kit, kit.sessionApi, kit.workspaceId, person)
  const used = await inUse(person.token)
  const row = (await tracesOf(used.token)).find(({ type }) => type === 'AssistantConnection')
  await kit.sessionApi.team.remove({ params: { id: kit.workspaceId, userId: person.userId } })
  await isOver(used)
  expect(await tracesOf(used.token)).toEqual([])
  kit.clock.pass(1_000)
  await join(kit, kit.sessionApi, kit.workspaceId, person)
  // As if it had been allowed while the first membership ended.
  if (row !== undefined) await put(kit.ctx, row)
  expect(await tracesOf(used.token)).toHaveLength(1)
  expect(await isValid(used.token)).toBe(false)
})

test('the deletion of a workspace ends its connections immediately, and removes them', async () => {
  const { session } = await makeMember(kit)
  const own = await apiOf(session).workspaces.create({ body: { name: 'Short-lived', timezone: 'UTC' } })
  const used = await inUse(session, { workspace: own.id })
  await apiOf(session, own.id).workspaces.delete({ params: { id: own.id }, query: { confirm: own.slug } })
  expect(await isValid(used.token)).toBe(false)
  await kit.service.pass(2 * minuteMs)
  await isOver(used)
  await kit.service.pass(hourMs + 5 * minuteMs, { tickMinutes: 5 })
  expect((await tracesOf(used.token)).filter(({ type }) => type === 'AssistantConnection')).toEqual([])
})

test('a registration has a ttl, is refused after 90 days although its row is still there, and lives on with its use', async () => {
  const [idle, used] = [await registered(kit), await registered(kit)]
  const atMs = kit.clock.now()
  const row = async ({ client: { client_id: id } }: typeof idle) =>
    (await rowsOf('AssistantClient')).find(({ PK }) => PK === `OCL#${digest(id)}`)
  expect((await row(idle))?.['ttl']).toBe((atMs + 90 * dayMs) / 1000)
  const storedRow = await row(idle)
  kit.clock.pass(60 * dayMs)
  const open = async (assistant: typeof idle) => {
    const { path } = await requestOf(kit, assistant)
    return browserOf(kit, (await makeMember(kit)).session).open(path)
  }
  await consent(kit, (await requestOf(kit, used)).path, {}, (await makeMember(kit)).session)
  expect((await row(used))?.['ttl']).toBe((atMs + 150 * dayMs) / 1000)
  kit.clock.pass(30 * dayMs)
  // DynamoDB may remove a row days after its ttl.
  if (storedRow !== undefined) await put(kit.ctx, storedRow)
  const refused = await open(idle)
  expect([refused.status, refused.heading, addressIn(refused)]).toEqual([400, 'Something went wrong', undefined])
  expect((await open(used)).heading).toBe('Connect an assistant?')
})

test('a code has a ttl after the time in which it works, and a connection one after its last refresh token', async () => {
  const { session } = await makeMember(kit)
  const assistant = await registered(kit)
  const request = await requestOf(kit, assistant)
  const atMs = kit.clock.now()
  const { back } = await consent(kit, request.path, {}, session)
  const code = back?.searchParams.get('code') ?? ''
  const ttlOf = async () => (await tracesOf(code)).map(({ ttl }) => Number(ttl) * 1_000)
  expect(await ttlOf()).toEqual([atMs + hourMs])
  const { token } = await inUse(session)
  const row = (await tracesOf(token)).find(({ type }) => type === 'AssistantConnection')
  expect(row?.['ttl']).toBe(Math.ceil((atMs + 30 * dayMs) / 1_000))
  kit.clock.pass(60_000)
  const spent = await tokenCall(kit, {
    grant_type: 'authorization_code',
    code,
    client_id: assistant.client.client_id,
    redirect_uri: redirectUri,
    code_verifier: request.verifier,
  })
  expect(await ttlOf()).toHaveLength(1)
  expect(spent.body['error']).toBe('invalid_grant')
})

test('a refresh token is refused after 30 days although its row is still there', async () => {
  const used = await inUse((await makeMember(kit)).session)
  const row = (await tracesOf(used.token)).find(({ type }) => type === 'AssistantConnection')
  kit.clock.pass(30 * dayMs)
  if (row !== undefined) await put(kit.ctx, row)
  expect((await tracesOf(used.token)).map(({ type }) => type)).toContain('AssistantConnection')
  await isOver(used)
})
