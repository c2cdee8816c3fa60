import { setTimeout as sleep } from 'node:timers/promises'
import { client } from '../../../functions/client.ts'
import type { ServiceFile } from '../processes.ts'

/** What a guide can leave behind that breaks another one: lost accounts, endpoints, and settings of the workspace. */
export const tracesIn = async ({ baseUrl, sessionToken, workspaceId }: ServiceFile) => {
  const api = client({ baseUrl, token: sessionToken, workspaceId })
  const [accounts, hooks, workspace] = await Promise.all([
    api.socialAccounts.list(),
    api.webhooks.list(),
    api.workspaces.get({ params: { id: workspaceId } }),
  ])
  return {
    accounts: accounts.map(({ id, isConnected, needsReconnect, externalId }) => ({
      id,
      isConnected,
      needsReconnect,
      externalId,
    })),
    hooks: hooks.map(({ id, enabled }) => ({ id, enabled })),
    workspace,
  }
}

/** What it can leave behind with the person: devices, tokens, invitations, and what they are notified about. */
export const personalTracesIn = async ({ baseUrl, sessionToken, workspaceId }: ServiceFile) => {
  const api = client({ baseUrl, token: sessionToken, workspaceId })
  const [devices, tokens, invitations, settings] = await Promise.all([
    api.notifications.listDevices(),
    api.cli.listTokens(),
    api.team.listInvitations({ params: { id: workspaceId } }),
    api.notifications.getSettings(),
  ])
  const active = JSON.parse(JSON.stringify(tokens)) as { id: string; revokedAt: string | null }[]
  return {
    devices,
    tokens: active.filter(({ revokedAt }) => revokedAt === null).map(({ id }) => id),
    invitations,
    settings,
  }
}

/** Waits until the person can make as many calls as a guide has: a reader is slower than this test. */
export const untilCallsAreLeft = async ({ baseUrl, pat, workspaceId }: ServiceFile, calls: number): Promise<void> => {
  for (let n = 0; n < 30; n += 1) {
    const headers = { Authorization: `Bearer ${pat}`, 'X-Workspace-Id': workspaceId }
    const { headers: answered } = await fetch(`${baseUrl}/api/posts?limit=1`, { headers })
    const left = Number(answered.get('x-ratelimit-remaining') ?? 0)
    if (left >= calls) return
    // Each look costs a call, too.
    await sleep((calls - left + 10) * 600)
  }
  throw new Error(`the person never has ${calls} calls left`)
}
