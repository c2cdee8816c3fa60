import type { Connection } from '../../shared/platforms/account.ts'
import { type PlatformId, platformIds } from '../../shared/resources.ts'
import { workspaces } from '../../shared/workspaces/workspace.ts'
import { connectedBefore } from './connected-before.ts'
import type { Kit } from './start.ts'

/** An account as a platform would describe it; nothing can be published by it. */
const invented = (platform: PlatformId, details: Connection['details']): Connection => ({
  platform,
  providerName: platform,
  externalId: `invented-${platform}`,
  username: `ann-${platform}`,
  displayName: 'Ann',
  profileImageUrl: null,
  credentials: { accessToken: 'none' },
  details,
})

/** The ids of one account on every platform, for tests of the service's own checks. */
export const inventAccounts = async (
  kit: Kit,
  details: Partial<Record<PlatformId, Connection['details']>> = {},
): Promise<Record<PlatformId, string>> => {
  const workspace = await workspaces.get(kit.ctx, { id: kit.workspaceId })
  if (workspace === undefined) throw new Error('the workspace has no row')
  const made = await Promise.all(
    platformIds.map(async (platform) => {
      const { id } = await connectedBefore(kit.ctx, workspace, invented(platform, details[platform] ?? {}))
      return [platform, id] as const
    }),
  )
  return Object.fromEntries(made) as Record<PlatformId, string>
}
