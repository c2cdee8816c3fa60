import { afterAll, beforeAll, expect, test } from 'vitest'
import { consent, tokenCall } from '../oauth/assistant.ts'
import { type Kit, start } from '../support/start.ts'
import { readResult } from './assistant.ts'
import { type Kind, kinds, makeProvider, revisions } from './official.ts'

let kit: Kit
beforeAll(async () => {
  kit = await start()
})
afterAll(() => kit.close())

test.each(
  Object.keys(kinds) as Kind[],
)('the official client %s connects, calls, refreshes, and gets an error when its connection has ended', async (kind) => {
  const { oauthSession, provider } = makeProvider()
  const first = kinds[kind](kit.url, provider)
  await expect(first.connect()).rejects.toThrow(/authoriz/i)
  const { back } = await consent(kit, `${oauthSession.page?.pathname}${oauthSession.page?.search}`)
  if (back === undefined) throw new Error('the person was not led back')
  await first.finish(back)
  await first.close().catch(() => undefined)

  const client = kinds[kind](kit.url, provider)
  await client.connect()
  expect(client.revision()).toBe(revisions[kind])
  const names = await client.list()
  expect(names).toContain('create_draft')
  expect(names).toEqual([...names].sort())
  const draft = { content: 'From the official client', idempotencyKey: `official-${Object.keys(kinds).indexOf(kind)}` }
  const created = readResult((await client.call('create_draft', draft)) as never)
  expect(created.data).toMatchObject({ content: 'From the official client', version: 1 })

  const before = { ...(oauthSession.tokens as unknown as { access_token: string; refresh_token: string }) }
  await kit.service.pass(31 * 60_000)
  const listed = readResult((await client.call('list_drafts', { limit: 1 })) as never)
  expect(listed.data['items']).toMatchObject([{ content: 'From the official client' }])
  const after = oauthSession.tokens as unknown as { access_token: string; refresh_token: string }
  expect(after.access_token).not.toBe(before.access_token)

  const { client_id } = oauthSession.client as unknown as { client_id: string }
  await tokenCall(kit, { client_id, token: after.refresh_token }, '/api/oauth/revoke')
  await expect(client.call('list_drafts', {})).rejects.toThrow()
  await client.close()
}, 60_000)

/** Responses as API Gateway passes them on: a challenge has another name there (API Gateway guide, "Important notes"). */
const renaming =
  (renamed: string[]): typeof fetch =>
  async (...fetchArguments) => {
    const response = await fetch(...fetchArguments)
    const headers = new Headers(response.headers)
    const challenge = headers.get('WWW-Authenticate')
    if (challenge === null) return response
    headers.delete('WWW-Authenticate')
    headers.set('x-amzn-Remapped-WWW-Authenticate', challenge)
    renamed.push(challenge)
    return new Response(response.body, { status: response.status, headers })
  }

test.each(
  Object.keys(kinds) as Kind[],
)('the official client %s finds the authorization server although WWW-Authenticate is renamed', async (kind) => {
  const { oauthSession, provider } = makeProvider()
  const renamed: string[] = []
  const first = kinds[kind](kit.url, provider, renaming(renamed))
  await expect(first.connect()).rejects.toThrow(/authoriz/i)
  expect(renamed).not.toEqual([])
  const { back } = await consent(kit, `${oauthSession.page?.pathname}${oauthSession.page?.search}`)
  if (back === undefined) throw new Error('the person was not led back')
  await first.finish(back)
  await first.close().catch(() => undefined)
  const client = kinds[kind](kit.url, provider, renaming(renamed))
  await client.connect()
  expect(await client.list()).toContain('create_draft')
  await client.close()
}, 60_000)
