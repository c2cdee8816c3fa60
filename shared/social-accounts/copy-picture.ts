import { readObject, removeObject } from '../aws/bucket.ts'
import { putDerived } from '../aws/derived-file.ts'
import type { Context } from '../context.ts'
import { wasCurrent } from '../db/condition-failed.ts'
import { equal } from '../db/expression.ts'
import { batchGet, transact, type Write } from '../db/table.ts'
import { ImageError, isLastingFailure } from '../media/convert/image-job.ts'
import { makeImage } from '../media/convert/image-process.ts'
import { fetchFile, ImportError, usualPace } from '../media/imports/fetch-file.ts'
import { jobs, type MediaJob, type MediaMessage, startAttempt } from '../media/job.ts'
import { incomingKeyOf } from '../media/reference.ts'
import { isImage } from '../media/types.ts'
import { type SocialAccount, socialAccounts } from './social-account.ts'

/** The sweeper waits 1, 2, and 4 minutes between them. After a fifth try, it would report overdue work. */
const maxTries = 4

/** Far below the timeout of the worker, which also has to scale the picture. */
const pace = { ...usualPace, totalMs: 20_000 }

/** Ends a job, unless the account was connected again and has another one. */
const endJob = ({ workspaceId, id, storageKey }: MediaJob): Write => ({
  delete: jobs.key({ workspaceId, id }),
  when: equal('storageKey', storageKey),
})

const giveUp = async (ctx: Context, job: MediaJob): Promise<void> => {
  await wasCurrent(transact(ctx, () => [endJob(job)]))
}

/** Fetches a picture and scales it; undefined if the address has no image that can be decoded. */
const fetchPicture = async (ctx: Context, { workspaceId, id }: MediaJob, sourceUrl: string) => {
  const { mimeType, storageKey } = await fetchFile(ctx, { workspaceId, id, sourceUrl }, pace)
  const incomingKey = incomingKeyOf(storageKey)
  try {
    return isImage(mimeType)
      ? await makeImage({ kind: 'preview', bytes: await readObject(ctx, incomingKey) })
      : undefined
  } finally {
    // The bucket expires leftovers after a day.
    await removeObject(ctx, incomingKey).catch(() => undefined)
  }
}

/** Stores a picture, and removes the one before it. A picture of an account that has changed or is gone is removed again. */
const storePicture = async (
  ctx: Context,
  job: MediaJob,
  { pictureKey: before, profileImageUrl }: SocialAccount,
): Promise<void> => {
  const pictureKey = job.storageKey
  const isStored = await wasCurrent(
    transact(ctx, () => [
      {
        update: socialAccounts.key(job),
        change: { set: { pictureKey } },
        when: equal('profileImageUrl', profileImageUrl),
      },
      endJob(job),
    ]),
  )
  // Another delivery of the same message may have stored it.
  const current = isStored ? pictureKey : (await socialAccounts.get(ctx, job))?.pictureKey
  for (const key of new Set([before, pictureKey])) {
    if (key !== undefined && key !== current) await removeObject(ctx, key)
  }
}

/**
 * Copies the picture of an account to the media host, because its address at the platform expires. A picture that cannot be
 * fetched or decoded is left out.
 */
export const copyPicture = async (ctx: Context, { workspaceId, assetId: id }: MediaMessage): Promise<void> => {
  const key = { workspaceId, id }
  const rows = await batchGet(ctx, [jobs.key(key), socialAccounts.key(key)])
  const job = jobs.from(rows, key)
  if (job === undefined) return
  const account = socialAccounts.from(rows, key)
  const sourceUrl = account?.profileImageUrl ?? null
  if (account === undefined || sourceUrl === null) return giveUp(ctx, job)
  const tries = await startAttempt(ctx, job)
  if (tries === undefined) return
  if (tries > maxTries) return giveUp(ctx, job)
  try {
    const effect = { service: 'picture', action: 'GET', resource: new URL(sourceUrl).origin }
    const picture = await ctx.observe(effect, () => fetchPicture(ctx, job, sourceUrl))
    if (picture === undefined) return await giveUp(ctx, job)
    await putDerived(ctx, job.storageKey, picture)
    await storePicture(ctx, job, account)
  } catch (error) {
    if (!(error instanceof ImportError || error instanceof ImageError)) throw error
    ctx.log.info('the picture of an account is not copied', { socialAccountId: id, tries, reason: error.message })
    const isLasting = error instanceof ImageError ? isLastingFailure(error.failure) : !error.isTemporary
    if (isLasting || tries === maxTries) await giveUp(ctx, job)
  }
}
