import type { Context } from '../../context.ts'
import { ifCurrent } from '../../db/condition-failed.ts'
import { allOf, equal } from '../../db/expression.ts'
import { batchGet, update } from '../../db/table.ts'
import { type Asset, assets } from '../../media/asset.ts'
import { imports, type MediaImport } from '../../media/imports/import.ts'
import { isPending, type MediaFile, pendingImportsOf, postMedia } from '../../media/media-file.ts'
import { definitionFor, tierFor } from '../../platforms/definitions.ts'
import { checkPost } from '../../platforms/rules/check-post.ts'
import { type SocialAccount, socialAccounts } from '../../social-accounts/social-account.ts'
import { metadataOf, type Post, posts } from '../lifecycle/row.ts'
import { preparable } from '../lifecycle/state.ts'
import { postLifecycle } from '../lifecycle/transitions.ts'
import { readTexts } from '../texts.ts'

const errorsOf = (media: readonly MediaFile[]) => media.map(({ source }) => source?.error).join('\n')

/** The outcome of a file that was pending. */
const withImport = (file: MediaFile, asset: Asset | undefined, mediaImport: MediaImport | undefined): MediaFile => {
  const url = file.source?.url ?? ''
  if (asset !== undefined) return { ...postMedia(asset), source: { url, status: 'ready' } }
  if (mediaImport?.status === 'pending') {
    return mediaImport.error === undefined
      ? file
      : { ...file, source: { url, status: 'pending', error: mediaImport.error } }
  }
  return { ...file, source: { url, status: 'failed', error: mediaImport?.error ?? 'The file was deleted.' } }
}

/** Why the platform rejects the fetched files, or why there is none. */
const errorOf = (post: Post, media: readonly MediaFile[], account: SocialAccount | undefined, content: string) => {
  const failed = media.find(({ source }) => source?.status === 'failed')
  if (failed?.source !== undefined) return `A file could not be fetched. ${failed.source.error ?? ''}`.trim()
  const [issue] = checkPost(definitionFor(account ?? post), {
    socialAccountId: post.socialAccountId,
    ...(account === undefined ? {} : { externalId: account.externalId, tier: tierFor(account) }),
    content,
    metadata: metadataOf(post),
    media: [...media],
    assets: post.assets ?? {},
  })
  return issue && `${issue.message}${issue.next === undefined ? '' : ` ${issue.next}`}`
}

/**
 * Stores in a post the outcome of its pending files, and the findings of its platform's rules about them. Repeats change
 * nothing. Returns the resulting post; undefined if it has changed in the meantime.
 */
export const finishImports = async (ctx: Context, post: Post): Promise<Post | undefined> => {
  const { workspaceId, pendingImports } = post
  if (pendingImports === undefined) return post
  const ids = new Set(post.media.filter(isPending).map(({ id }) => id))
  const keys = [...ids].map((id) => ({ workspaceId, id }))
  const accountKey = { workspaceId, id: post.socialAccountId }
  const rows = await batchGet(ctx, [
    ...keys.flatMap((key) => [imports.key(key), assets.key(key)]),
    socialAccounts.key(accountKey),
  ])
  const media = post.media.map((file) =>
    isPending(file)
      ? withImport(
          file,
          assets.from(rows, { workspaceId, id: file.id }),
          imports.from(rows, { workspaceId, id: file.id }),
        )
      : file,
  )
  const left = pendingImportsOf(media)
  if (left === pendingImports && errorsOf(media) === errorsOf(post.media)) return post
  const textOf = left === undefined ? await readTexts(ctx, [post]) : undefined
  const mediaError = textOf && errorOf(post, media, socialAccounts.from(rows, accountKey), textOf(post))
  const change = {
    set: { media, pendingImports: left, mediaError },
    remove: left === undefined ? ['pendingImports'] : [],
  }
  // Another writer may know of more files: the remaining number only decreases.
  const when = allOf(preparable(post, ctx.clock.now()), equal('pendingImports', pendingImports))
  const row = await ifCurrent(update(ctx, posts.key(post), postLifecycle.change('settleImports', change), when))
  return row && posts.parse(row)
}
