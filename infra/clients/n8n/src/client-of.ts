import type { ICredentialDataDecryptedObject } from 'n8n-workflow'
import { version } from '../../../../shared/version.ts'
import { type Client, createClient } from '../../javascript/src/index.ts'
import own from '../package.json' with { type: 'json' }

/** The client with the token and the workspace of the credentials. */
export const clientOf = (credentials: ICredentialDataDecryptedObject): Client => {
  const [baseUrl, token, workspaceId] = ['baseUrl', 'accessToken', 'workspaceId'].map((name) =>
    String(credentials[name] ?? '').trim(),
  )
  if (!baseUrl || !URL.canParse(baseUrl)) {
    throw new Error('The Base URL of the credentials is not an address, such as https://api.example.com.')
  }
  return createClient({ baseUrl, token, workspaceId, headers: { 'User-Agent': `${own.name}/${version}` } })
}
