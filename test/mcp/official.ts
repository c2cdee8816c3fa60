import {
  Client as ClientV2,
  type OAuthClientProvider,
  StreamableHTTPClientTransport as TransportV2,
} from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { redirectUri } from '../oauth/assistant.ts'

/**
 * What a client stores of its connection; the person opens the page that it leads to. It registers itself unless it has a
 * metadata document at an address.
 */
export const makeProvider = (back: string = redirectUri, document?: string) => {
  const oauthSession: { client?: never; tokens?: never; verifier: string; page?: URL } = { verifier: '' }
  const provider = {
    redirectUrl: back,
    clientMetadata: { client_name: 'Official client', redirect_uris: [back] },
    clientInformation: () => (document === undefined ? oauthSession.client : { client_id: document }),
    saveClientInformation: (client: never) => {
      oauthSession.client = client
    },
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
  }
  return { oauthSession, provider: provider as unknown as OAuthClientProvider }
}

/** The same steps with each of the official clients: only what differs between them is in here. */
export const kinds = {
  'v2 on the revision 2026-07-28': (
    url: string,
    provider: OAuthClientProvider,
    fetch: typeof globalThis.fetch = globalThis.fetch,
  ) => {
    const transport = new TransportV2(new URL(`${url}/api/mcp`), { authProvider: provider, fetch })
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
  'v2 on the revision 2025-11-25': (
    url: string,
    provider: OAuthClientProvider,
    fetch: typeof globalThis.fetch = globalThis.fetch,
  ) => {
    const transport = new TransportV2(new URL(`${url}/api/mcp`), { authProvider: provider, fetch })
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
  v1: (url: string, provider: OAuthClientProvider, fetch: typeof globalThis.fetch = globalThis.fetch) => {
    const transport = new TransportV1(new URL(`${url}/api/mcp`), { authProvider: provider as never, fetch })
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

export type Kind = keyof typeof kinds

/** The revision of the protocol that each kind negotiates. */
export const revisions: Readonly<Record<Kind, string>> = {
  'v2 on the revision 2026-07-28': '2026-07-28',
  'v2 on the revision 2025-11-25': '2025-11-25',
  v1: '2025-11-25',
}
