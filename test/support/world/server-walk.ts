import { connectedAssistant } from '../../mcp/assistant.ts'
import { browserOf } from '../../pages/test-browser.ts'
import type { Kit } from '../start.ts'
import { connectOnce } from './preparations.ts'
import { happyTool } from './tool-calls.ts'

const params = { platform: 'mastodon' } as const

/** Accounts at servers that people name: in the request, on the page, and to an assistant. Each server gets its app. */
export const nameServers = async (kit: Kit) => {
  await kit.sessionApi.socialAccounts.connect({ params, body: { server: 'named.mastodon.test' } })
  const { authorizeUrl } = await kit.sessionApi.socialAccounts.connect({ params })
  const someone = browserOf(kit)
  const page = await someone.open(authorizeUrl.slice(kit.url.length))
  const sent = await someone.submit(page, 'connect-accounts', { server: 'entered.mastodon.test' })
  if (sent.status !== 200) throw new Error(`the page does not lead on: ${sent.text}`)
  await connectOnce(kit, 'mastodon')
  const { token } = await connectedAssistant(kit)
  await happyTool(kit, token, 'connect_account', { ...params, server: 'told.mastodon.test' })
}
