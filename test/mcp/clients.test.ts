import {
  Client as ClientV2,
  type OAuthClientProvider,
  StreamableHTTPClientTransport as TransportV2,
} from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { consent, redirectUri, tokenCall } from '../oauth/assistant.ts'
import { type Kit, start } from '../support/start.ts'
import { readResult } from './assistant.ts'

let kit: Kit
beforeAll(async () => {
  kit = await start()
})
afterAll(() => kit.close())

/** What a client stores of its connection; the person opens the page that it leads to. */
const makeProvider = () => {
  const held: { client?: never; tokens?: never; verifier: string; page?: URL } = { verifier: '' }
  const provider = {
    redirectUrl: redirectUri,
    clientMetadata: { client_name: 'Official client', redirect_uris: [redirectUri] },
    clientInformation: () => held.client,
    saveClientInformation: (client: never) => {
      held.client = client
    },
    tokens: () => held.tokens,
    saveTokens: (tokens: never) => {
      held.tokens = tokens
    },
    redirectToAuthorization: (page: URL) => {
      held.page = page
    },
    saveCodeVerifier: (verifier: string) => {
      held.verifier = verifier
    },
    codeVerifier: () => held.verifier,
  }
  return { held, provider: provider as unknown as OAuthClientProvider }
}

/** The same steps with each of the clients: only what differs between them is in here. */
const kinds = {
  'v2 on the revision 2026-07-28': (provider: OAuthClientProvider) => {
    const transport = new TransportV2(new URL(`${kit.url}/api/mcp`), { authProvider: provider })
    const client = new ClientV2({ name: 'v2', version: '1' }, { versionNegotiation: { mode: 'auto' } })
    return {
      connect: () => client.connect(transport),
      finish: (back: URL) => transport.finishAuth(back.searchParams),
      list: async () => (await client.listTools()).tools.map(({ name }) => name),
      call: (name: string, args: object) => client.callTool({ name, arguments: { ...args } }),
      revision: () => client.getNegotiatedProtocolVersion(),
      close: () => client.close(),
    }
  },
  'v2 on the revision 2025-11-25': (provider: OAuthClientProvider) => {
    const transport = new TransportV2(new URL(`${kit.url}/api/mcp`), { authProvider: provider })
    const client = new ClientV2({ name: 'v2', version: '1' }, { versionNegotiation: { mode: 'legacy' } })
    return {
      connect: () => client.connect(transport),
      finish: (back: URL) => transport.finishAuth(back.searchParams),
      list: async () => (await client.listTools()).tools.map(({ name }) => name),
      call: (name: string, args: object) => client.callTool({ name, arguments: { ...args } }),
      revision: () => client.getNegotiatedProtocolVersion(),
      close: () => client.close(),
    }
  },
  v1: (provider: OAuthClientProvider) => {
    const transport = new TransportV1(new URL(`${kit.url}/api/mcp`), { authProvider: provider as never })
    const client = new ClientV1({ name: 'v1', version: '1' })
    return {
      connect: () => client.connect(transport as never),
      finish: (back: URL) => transport.finishAuth(back.searchParams.get('code') ?? ''),
      list: async () => (await client.listTools()).tools.map(({ name }) => name),
      call: (name: string, args: object) => client.callTool({ name, arguments: { ...args } }),
      revision: () => transport.protocolVersion,
      close: () => client.close(),
    }
  },
}

const revisions = { 'v2 on the revision 2026-07-28': '2026-07-28' } as Readonly<Record<string, string>>

test.each(
  Object.keys(kinds) as (keyof typeof kinds)[],
)('the official client %s connects, calls, refreshes, and is told when its connection ended', async (kind) => {
  const { held, provider } = makeProvider()
  const first = kinds[kind](provider)
  await expect(first.connect()).rejects.toThrow(/authoriz/i)
  const { back } = await consent(kit, `${held.page?.pathname}${held.page?.search}`)
  if (back === undefined) throw new Error('the person was not led back')
  await first.finish(back)
  await first.close().catch(() => undefined)

  const client = kinds[kind](provider)
  await client.connect()
  expect(client.revision()).toBe(revisions[kind] ?? '2025-11-25')
  const names = await client.list()
  expect(names).toContain('create_draft')
  expect(names).toEqual([...names].sort())
  const draft = { content: 'From the official client', idempotencyKey: `official-${Object.keys(kinds).indexOf(kind)}` }
  const created = readResult((await client.call('create_draft', draft)) as never)
  expect(created.data).toMatchObject({ content: 'From the official client', version: 1 })

  const before = { ...(held.tokens as unknown as { access_token: string; refresh_token: string }) }
  await kit.service.pass(31 * 60_000)
  const listed = readResult((await client.call('list_drafts', { limit: 1 })) as never)
  expect(listed.data['items']).toMatchObject([{ content: 'From the official client' }])
  const after = held.tokens as unknown as { access_token: string; refresh_token: string }
  expect(after.access_token).not.toBe(before.access_token)

  const { client_id } = held.client as unknown as { client_id: string }
  await tokenCall(kit, { client_id, token: after.refresh_token }, '/api/oauth/revoke')
  await expect(client.call('list_drafts', {})).rejects.toThrow()
  await client.close()
}, 60_000)
