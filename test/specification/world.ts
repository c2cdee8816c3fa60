import { put } from '../../shared/db/table.ts'
import { ulid } from '../../shared/ids.ts'
import { assets } from '../../shared/media/asset.ts'
import type { PlatformId } from '../../shared/resources.ts'
import { workspaces } from '../../shared/workspaces/workspace.ts'
import { connectedBefore } from '../support/connected-before.ts'
import { inventAccounts } from '../support/every-account.ts'
import type { Kit } from '../support/start.ts'
import { type Actors, makeActors } from '../support/world/actors.ts'
import { connectOnce, rotatingTeam } from '../support/world/preparations.ts'

/** What a check may name in its call: a running service, its people, and one account per platform. */
export interface World {
  kit: Kit
  accounts: Record<PlatformId, string>
  /** An X account of the premium tier. */
  premiumX: string
  actors(): Promise<Actors>
  /** The id of a file of this type and size; the same call answers the same file. */
  file(mimeType: string, n?: number, fileSize?: number): Promise<string>
  /** The moment so many milliseconds from now, as the API writes it. */
  at(inMs: number): string
}

/** What a film of a minute looks like to every platform. */
const film = { width: 1080, height: 1080, durationMs: 30_000 }
const picture = { width: 1000, height: 1000 }

const fileMaker = ({ ctx, workspaceId, clock }: Kit) => {
  const made = new Map<string, Promise<string>>()
  const make = async (mimeType: string, fileSize: number) => {
    const id = `med_${ulid(clock.now())}`
    const extension = mimeType.slice(mimeType.indexOf('/') + 1)
    await put(
      ctx,
      assets.item({
        id,
        workspaceId,
        mimeType,
        fileSize,
        altText: null,
        originalFilename: `file.${extension}`,
        storageKey: `media/uploads/${workspaceId}/${id}.${extension}`,
        createdAt: new Date(clock.now()).toISOString(),
        ...(mimeType.startsWith('video/') ? film : picture),
      }),
    )
    return id
  }
  return (mimeType: string, n = 0, fileSize = 100_000) => {
    const key = `${mimeType} ${n} ${fileSize}`
    const file = made.get(key) ?? make(mimeType, fileSize)
    made.set(key, file)
    return file
  }
}

const inventPremium = async (kit: Kit): Promise<string> => {
  const workspace = await workspaces.get(kit.ctx, { id: kit.workspaceId })
  if (workspace === undefined) throw new Error('the workspace has no row')
  const premium = {
    platform: 'x' as const,
    providerName: 'X',
    externalId: 'invented-premium',
    username: 'premium',
    displayName: 'Bea',
    profileImageUrl: null,
    credentials: { accessToken: 'none' },
    details: { tier: 'premium' },
  }
  const { id } = await connectedBefore(kit.ctx, workspace, premium)
  return id
}

export const makeWorld = async (kit: Kit): Promise<World> => {
  // First those that good calls use: they look for the newest account.
  const reddit = await connectOnce(kit, 'reddit')
  for (const platform of ['x', 'pinterest'] as const) await connectOnce(kit, platform)
  await connectOnce(kit, 'slack', rotatingTeam)
  const accounts = { ...(await inventAccounts(kit)), ...kit.accounts, reddit }
  const premiumX = await inventPremium(kit)
  let actors: Promise<Actors> | undefined
  return {
    kit,
    accounts,
    premiumX,
    actors: () => {
      actors ??= makeActors(kit)
      return actors
    },
    file: fileMaker(kit),
    at: (inMs) => new Date(kit.clock.now() + inMs).toISOString(),
  }
}
