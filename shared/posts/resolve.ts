import type { Context } from '../context.ts'
import type { Found, Key } from '../db/table.ts'
import { type Asset, assets } from '../media/asset.ts'
import { assetIdOf } from '../media/reference.ts'
import { cardOf } from '../platforms/catalogue.ts'
import type { Issue, PostMedia } from '../platforms/platform.ts'
import { checkPost } from '../platforms/rules.ts'
import type { PlatformId } from '../resources.ts'
import { isUsable, type SocialAccount, socialAccounts } from '../social-accounts/social-account.ts'
import type { PostRequest } from './requests.ts'

/** One account's share of a request: everything its post will be made of. */
export interface PlannedPost {
  account: SocialAccount
  content: string
  metadata: unknown
  media: PostMedia[]
}

/** A request looked at against the rows it names. Nothing is written, nothing thrown. */
export interface Plan {
  posts: PlannedPost[]
  issues: Issue[]
  /** Accounts and media that are not in this workspace. */
  missing: { accounts: string[]; media: string[] }
}

const mediaReferences = (request: PostRequest, platform: PlatformId) =>
  request.platformMedia?.[platform] ?? request.mediaUrls ?? []

/** The rows a request names, for the read that also authorizes. */
export const requestKeys = ({
  ctx,
  workspaceId,
  body,
}: {
  ctx: Context
  workspaceId: string
  body: PostRequest
}): Key[] => planKeys(workspaceId, ctx.env('MEDIA_URL'), body)

/** The rows a request names: its accounts and every asset it may use. */
export const planKeys = (workspaceId: string, mediaUrl: string, request: PostRequest): Key[] => {
  const references = [request.mediaUrls ?? [], ...Object.values(request.platformMedia ?? {})].flat()
  const assetIds = references.flatMap((reference) => assetIdOf(reference, workspaceId, mediaUrl) ?? [])
  return [
    ...request.socialAccountIds.map((id) => socialAccounts.key({ workspaceId, id })),
    ...assetIds.map((id) => assets.key({ workspaceId, id })),
  ]
}

const postMedia = (asset: Asset): PostMedia => ({
  id: asset.id,
  storageKey: asset.storageKey,
  mimeType: asset.mimeType,
  fileSize: asset.fileSize,
  originalFilename: asset.originalFilename,
  width: asset.width,
  height: asset.height,
  durationMs: asset.durationMs,
  altText: asset.altText ?? undefined,
})

const issue = (platform: string, socialAccountId: string, code: string, message: string, next: string): Issue => ({
  socialAccountId,
  platform,
  code,
  message,
  next,
})

/** Looks a request over: `validate` shows the plan's issues, `schedule` and `publish-now` act on the same plan. */
export const planPosts = (workspaceId: string, mediaUrl: string, request: PostRequest, found: Found): Plan => {
  const plan: Plan = { posts: [], issues: [], missing: { accounts: [], media: [] } }
  const seen = new Set<string>()
  for (const id of request.socialAccountIds) {
    const account = socialAccounts.from(found, { workspaceId, id })
    if (!account) {
      plan.missing.accounts.push(id)
      plan.issues.push(
        issue(
          '',
          id,
          'account_missing',
          `No account ${id} in this workspace.`,
          'Take an id from GET /api/social-accounts.',
        ),
      )
      continue
    }
    const { platform } = account
    if (seen.has(id)) {
      plan.issues.push(
        issue(platform, id, 'account_duplicate', 'The account is named twice.', 'Name each account once.'),
      )
      continue
    }
    seen.add(id)
    if (!isUsable(account)) {
      const text = `The ${account.providerName} account ${account.username ?? id} is not connected.`
      plan.issues.push(issue(platform, id, 'account_disconnected', text, 'Connect the account again.'))
    }
    const media = mediaReferences(request, platform).flatMap((reference) => {
      const assetId = assetIdOf(reference, workspaceId, mediaUrl)
      const asset = assetId === undefined ? undefined : assets.from(found, { workspaceId, id: assetId })
      if (asset) return [postMedia(asset)]
      plan.missing.media.push(reference)
      plan.issues.push(
        issue(
          platform,
          id,
          'media_missing',
          `No media ${reference} in this workspace.`,
          'Upload it, then complete it.',
        ),
      )
      return []
    })
    const content = request.platformContent?.[platform] ?? request.content
    const metadata = request.metadata?.[platform]
    plan.issues.push(...checkPost(cardOf(platform), { socialAccountId: id, content, metadata, media }))
    plan.posts.push({ account, content, metadata, media })
  }
  return plan
}
