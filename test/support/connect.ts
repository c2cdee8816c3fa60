import { walkConnect } from '../../infra/local/demo/walk-connect.ts'
import type { PlatformId } from '../../shared/resources.ts'
import type { Kit } from './start.ts'

/** Connects an account as a person does, through the platform's page and back; returns the id of the newest one. */
export const connectOn = async (kit: Kit, platform: PlatformId, person?: string): Promise<string> => {
  const session = { baseUrl: kit.url, token: kit.sessionToken, workspaceId: kit.workspaceId }
  const page = await walkConnect(session, platform, person)
  const accounts = await kit.api.socialAccounts.list()
  const account = accounts.findLast(({ providerId, isConnected }) => providerId === platform && isConnected)
  if (!account) throw new Error(`${platform} was not connected: ${page}`)
  return account.id
}
