import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { good, key, trust } from '../net/certificates.ts'
import { browserOf } from '../pages/test-browser.ts'
import { type Kit, start } from '../support/start.ts'
import { consent, discover, exchanged, redirectUri, refreshed, requestOf } from './assistant.ts'

/** The response of the document's host, and the number of its requests. */
const host = { status: 200, headers: {} as Record<string, string>, body: '', requestCount: 0 }
const server = createServer({ key, cert: good }, (_request, response) => {
  host.requestCount += 1
  response.writeHead(host.status, host.headers).end(host.body)
})

let kit: Kit
let distrust: () => void
let origin: string
beforeAll(async () => {
  distrust = trust(good)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  origin = `https://localhost:${(server.address() as AddressInfo).port}`
  kit = await start({ allowedOrigins: [origin] })
})
afterAll(async () => {
  await kit.close()
  server.close()
  distrust()
})

let documents = 0
/** An address that no test before has used. */
const newId = () => {
  documents += 1
  return `${origin}/assistants/${documents}.json`
}
const documentOf = (id: string) => ({ client_id: id, client_name: 'Web assistant', redirect_uris: [redirectUri] })

/** The host answers with a document; the client is known by its address. */
const publish = (id: string, change: object = {}) => {
  Object.assign(host, { status: 200, headers: {}, body: JSON.stringify({ ...documentOf(id), ...change }) })
  return { client: { client_id: id, token_endpoint_auth_method: 'none' } }
}
beforeEach(() => {
  host.requestCount = 0
})

test('an assistant with a metadata document is connected without a registration, and shown with its host', async () => {
  const { server: issuer } = await discover(kit)
  const assistant = { server: issuer, ...publish(newId()) }
  const request = await requestOf(kit, assistant)
  const { page, back } = await consent(kit, request.path)
  expect(page.text).toContain('<dd>Web assistant</dd>')
  expect(page.text).toContain(`<dd>${new URL(origin).host}</dd>`)
  if (back === undefined) throw new Error('the person was not led back')
  const tokens = await exchanged(assistant, request, back)
  expect(tokens.scope).toBe('posts:read drafts:write')
  const { items } = await kit.sessionApi.workspaces.listConnections({ params: { id: kit.workspaceId } })
  expect(items).toMatchObject([
    { clientId: assistant.client.client_id, clientName: 'Web assistant', clientHost: new URL(origin).host },
  ])
  // Neither the exchange nor a refresh needs the host.
  const requestCount = host.requestCount
  expect((await refreshed(kit, assistant, tokens.refresh_token ?? '')).status).toBe(200)
  expect(host.requestCount).toBe(requestCount)
})

test('a document is read again after an hour, and a redirect URI that it no longer names is refused', async () => {
  const { server: issuer } = await discover(kit)
  const id = newId()
  const { path } = await requestOf(kit, { server: issuer, ...publish(id) })
  const open = () => browserOf(kit, kit.sessionToken).open(path)
  expect((await open()).heading).toBe('Connect an assistant?')
  publish(id, { redirect_uris: ['https://elsewhere.example/callback'] })
  expect((await open()).heading).toBe('Connect an assistant?')
  expect(host.requestCount).toBe(1)
  kit.clock.pass(3_600_000)
  const page = await open()
  expect([page.status, page.heading, host.requestCount]).toEqual([400, 'Something went wrong', 2])
})

test.each([
  ['of another client', (id: string) => publish(id, { client_id: `${id}x` })],
  ['without redirect URIs', (id: string) => publish(id, { redirect_uris: [] })],
  ['with a redirect URI that runs code', (id: string) => publish(id, { redirect_uris: ['javascript:alert(1)'] })],
  ['of a client with a secret', (id: string) => publish(id, { token_endpoint_auth_method: 'client_secret_basic' })],
  ['larger than 5 KB', (id: string) => publish(id, { padding: 'x'.repeat(6_000) })],
  ['that is no JSON', () => Object.assign(host, { status: 200, body: '<html>' })],
  ['that is not there', () => Object.assign(host, { status: 404, body: '' })],
  [
    'that redirects',
    (id: string) => {
      publish(id)
      Object.assign(host, { status: 302, headers: { Location: `${origin}/other.json` } })
    },
  ],
])('a document %s is refused, and read once', async (_, answer) => {
  const { server: issuer } = await discover(kit)
  const id = newId()
  const { path } = await requestOf(kit, { server: issuer, ...publish(id) })
  answer(id)
  const page = await browserOf(kit, kit.sessionToken).open(path)
  expect([page.status, page.heading, host.requestCount]).toEqual([400, 'Something went wrong', 1])
})

test('a document on a port of this machine that the configuration does not allow is not fetched', async () => {
  const { server: issuer } = await discover(kit)
  const id = newId().replace('localhost', '127.0.0.1')
  const { path } = await requestOf(kit, { server: issuer, ...publish(id) })
  const page = await browserOf(kit, kit.sessionToken).open(path)
  expect([page.status, host.requestCount]).toEqual([400, 0])
})
