import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client, type OAuthClientProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, onTestFinished, test } from 'vitest'
import { consent, redirectUri } from '../oauth/assistant.ts'
import { start } from '../support/start.ts'
import { callTool } from './assistant.ts'

test('a client that is known by its metadata document connects without registration', async () => {
  const host = createServer((_, answer) => {
    const document = { client_id: id, client_name: 'Documented', redirect_uris: [redirectUri] }
    answer.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(document))
  })
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void host.close())
  const origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`
  const id = `${origin}/client.json`
  const kit = await start({ allowedOrigins: [origin] })
  const oauthSession: { tokens?: never; verifier: string; page?: URL } = { verifier: '' }
  const authProvider = {
    redirectUrl: redirectUri,
    clientMetadata: { redirect_uris: [redirectUri] },
    clientInformation: () => ({ client_id: id }),
    tokens: () => oauthSession.tokens,
    saveTokens: (tokens: never) => {
      oauthSession.tokens = tokens
    },
    redirectToAuthorization: (page: URL) => {
      oauthSession.page = page
    },
    saveCodeVerifier: (verifier: string) => {
      oauthSession.verifier = verifier
    },
    codeVerifier: () => oauthSession.verifier,
  } as unknown as OAuthClientProvider
  const address = new URL(`${kit.url}/api/mcp`)
  const makeClient = () => new Client({ name: 'v2', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  const first = new StreamableHTTPClientTransport(address, { authProvider })
  await expect(makeClient().connect(first)).rejects.toThrow(/authoriz/i)
  const { page, back } = await consent(kit, `${oauthSession.page?.pathname}${oauthSession.page?.search}`)
  expect(page.text).toContain('Documented')
  await first.finishAuth(back?.searchParams ?? new URLSearchParams())
  const client = makeClient()
  await client.connect(new StreamableHTTPClientTransport(address, { authProvider }))
  onTestFinished(() => client.close())
  expect((await callTool(client, 'get_workspace')).data).toMatchObject({ id: kit.workspaceId })
}, 60_000)
