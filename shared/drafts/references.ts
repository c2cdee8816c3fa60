import type { BatchRows, Key } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { findReferenced, referencedKeys } from '../media/asset.ts'
import { assetIdOf, noSuchMedia } from '../media/reference.ts'
import { socialAccounts } from '../social-accounts/social-account.ts'
import type { Draft } from './draft.ts'
import type { UpdateDraftRequest } from './requests.ts'

type Named = Pick<UpdateDraftRequest, 'socialAccountIds' | 'mediaUrls' | 'platformMedia'>

/** The rows that a request refers to, read together with the authorization. */
export const referenceKeys = (workspaceId: string, mediaUrl: string, request: Named): Key[] => {
  const files = [request.mediaUrls ?? [], ...Object.values(request.platformMedia ?? {})].flat()
  return [
    ...(request.socialAccountIds ?? []).map((id) => socialAccounts.key({ workspaceId, id })),
    ...referencedKeys(workspaceId, mediaUrl, files),
  ]
}

/** The existing references of a draft. Decided: references that were deleted since may stay; validate reports them. */
const referencesOf = (draft: Partial<Draft>) =>
  new Set([
    ...(draft.socialAccountIds ?? []),
    ...(draft.mediaUrls ?? []),
    ...Object.values(draft.platformMedia ?? {}).flat(),
  ])

const missing = (what: 'account' | 'media', id: string, field: string) => {
  const text = what === 'media' ? noSuchMedia(id) : `This workspace has no account ${id}.`
  return new Refusal('missing', text, { code: `${what}_not_found` as const, field })
}

/**
 * Replaces files with the ids of their assets. Throws 404 for a reference that neither this workspace nor the draft
 * has.
 */
export const resolveReferences = (
  { workspaceId, mediaUrl }: { workspaceId: string; mediaUrl: string },
  rows: BatchRows,
  request: Named,
  draft: Partial<Draft> = {},
) => {
  const existing = referencesOf(draft)
  const assetId = (reference: string, field: string): string => {
    const asset = findReferenced(rows, workspaceId, mediaUrl, reference)
    const id = asset?.id ?? assetIdOf(reference, workspaceId, mediaUrl)
    if (id !== undefined && (asset || existing.has(id))) return id
    throw missing('media', reference, field)
  }
  for (const id of request.socialAccountIds ?? []) {
    const isThere = existing.has(id) || socialAccounts.from(rows, { workspaceId, id })
    if (!isThere) throw missing('account', id, 'socialAccountIds')
  }
  const { mediaUrls, platformMedia } = request
  const byPlatform = Object.entries(platformMedia ?? {}).map(([platform, references]) => {
    const field = `platformMedia.${platform}`
    return [platform, references.map((reference) => assetId(reference, field))] as const
  })
  return {
    ...(mediaUrls ? { mediaUrls: mediaUrls.map((reference) => assetId(reference, 'mediaUrls')) } : {}),
    ...(platformMedia ? { platformMedia: Object.fromEntries(byPlatform) } : {}),
  }
}
