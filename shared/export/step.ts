import { headObject } from '../aws/bucket.ts'
import { abortUploadsBelow, createUpload, isUploadLost } from '../aws/multipart.ts'
import { removeFilesBelow } from '../aws/remove-files.ts'
import type { Context } from '../context.ts'
import { type Claimed, LeaseLost } from '../db/lease.ts'
import { batchGet } from '../db/table.ts'
import { workspaces } from '../workspaces/workspace.ts'
import { Archive, ArchiveTooLarge, partBytes } from './archive.ts'
import { isLast, stepsAfter } from './entries.ts'
import { archiveKeyOf, type Checkpoint, type Export, exports, filesOfExport, segmentsOf } from './export.ts'
import { manifestFile, readmeFile } from './manifest.ts'
import {
  awaitExpiry,
  completeExport,
  continueExport,
  type ExportMessage,
  exportWork,
  failExport,
  forgetExport,
  restartExport,
  saveCheckpoint,
} from './work.ts'

/** How long a step works, how much an archive grows between checkpoints, and the size of its parts. */
export interface StepBounds {
  stepMs: number
  checkpointBytes: number
  partBytes: number
}

// A file of 1 GiB that is started at the last moment still fits into the function's timeout.
const usual: StepBounds = { stepMs: 150_000, checkpointBytes: 8 * partBytes, partBytes }

/** After as many crashes between two checkpoints, or restarts, an export fails. */
const maxCrashes = 5
const maxRestarts = 3

const removeFiles = async (ctx: Context, prefix: string): Promise<void> => {
  while ((await removeFilesBelow(ctx, prefix)) > 0);
}

/** Removes everything that an export has on S3. */
const removeAll = async (ctx: Context, of: Pick<Export, 'workspaceId' | 'id'>): Promise<void> => {
  await abortUploadsBelow(ctx, filesOfExport(of))
  await removeFiles(ctx, filesOfExport(of))
}

/** Starts an archive. Data of an earlier worker is removed, including an upload whose ID it could not store. */
const begin = async (ctx: Context, claimed: Claimed<Export>): Promise<Checkpoint> => {
  await removeAll(ctx, claimed)
  const uploadId = await createUpload(ctx, archiveKeyOf(claimed), 'application/zip')
  const checkpoint: Checkpoint = {
    uploadId,
    position: { source: 0, after: '', file: 1 },
    progress: { records: 0, mediaFiles: 0, missingFiles: 0, bytes: 0 },
  }
  await saveCheckpoint(ctx, claimed, checkpoint)
  return checkpoint
}

/** Adds files until all are added or the time is over; returns the last checkpoint. */
const addFiles = async (
  ctx: Context,
  claimed: Claimed<Export>,
  { from, archive }: { from: Checkpoint; archive: Archive },
  { stepMs, checkpointBytes }: StepBounds,
): Promise<Checkpoint> => {
  const overAtMs = ctx.clock.now() + stepMs
  let stored = from
  let progress = from.progress
  for await (const { entry, missing, next } of stepsAfter(ctx, claimed, from.position)) {
    if (entry !== undefined) await archive.add(entry)
    if (missing !== undefined) archive.miss(missing)
    progress = {
      records: progress.records + (entry?.records ?? 0),
      mediaFiles: progress.mediaFiles + (entry?.name.startsWith('media/') ? 1 : 0),
      missingFiles: progress.missingFiles + (missing === undefined ? 0 : 1),
      bytes: archive.bytes,
    }
    const isOver = ctx.clock.now() >= overAtMs || isLast(next)
    if (isOver || archive.bytes - stored.progress.bytes >= checkpointBytes) {
      stored = { ...stored, position: next, progress, segment: await archive.save() }
      await saveCheckpoint(ctx, claimed, stored)
    }
    if (isOver) break
  }
  return stored
}

/** Adds what describes the archive, and its directory: all parts are on S3 then. */
const finish = async (
  ctx: Context,
  claimed: Claimed<Export>,
  from: Checkpoint,
  archive: Archive,
): Promise<Checkpoint> => {
  await archive.add(readmeFile(claimed))
  const { entries, missing } = await archive.contents()
  await archive.add(manifestFile(claimed, entries, missing))
  await archive.close()
  const progress = { ...from.progress, bytes: archive.bytes }
  const last: Checkpoint = { ...from, segment: await archive.save(), progress, joined: true }
  await saveCheckpoint(ctx, claimed, last)
  return last
}

/** Joins the parts. An earlier holder can have done it, and have died before it could store that. */
const join = async (ctx: Context, claimed: Claimed<Export>, archive: Archive): Promise<void> => {
  try {
    await archive.join()
  } catch (error) {
    if (!isUploadLost(error) || (await headObject(ctx, archiveKeyOf(claimed))) === undefined) throw error
  }
}

/** One step of a running export. */
const step = async (ctx: Context, claimed: Claimed<Export>, bounds: StepBounds): Promise<void> => {
  let checkpoint = claimed.checkpoint ?? (await begin(ctx, claimed))
  const archive = await new Archive(ctx, claimed, checkpoint, bounds.partBytes).open()
  if (!isLast(checkpoint.position)) {
    checkpoint = await addFiles(ctx, claimed, { from: checkpoint, archive }, bounds)
    if (!isLast(checkpoint.position)) return void (await continueExport(ctx, claimed))
  }
  if (checkpoint.joined !== true) await finish(ctx, claimed, checkpoint, archive)
  await join(ctx, claimed, archive)
  await completeExport(ctx, claimed)
}

/** Removes what an export that has ended does not need anymore: the segments, and the archive when it has expired. */
const tidy = async (ctx: Context, ended: Export): Promise<void> => {
  const isAvailable = ended.status === 'completed' && ctx.clock.now() < Date.parse(ended.expiresAt ?? '')
  if (isAvailable) {
    await removeFiles(ctx, segmentsOf(ended))
    await awaitExpiry(ctx, ended)
  } else {
    await removeAll(ctx, ended)
    await forgetExport(ctx, ended)
  }
}

const tidyIfEnded = async (ctx: Context, { workspaceId, exportId: id }: ExportMessage): Promise<void> => {
  const row = await exports.get(ctx, { workspaceId, id })
  const isSwept = row !== undefined && row.status !== 'running' && row.ttl === undefined
  if (isSwept) await tidy(ctx, row)
}

/** What ends or restarts an archive that cannot be continued; after every other error, the lease expires. */
const recover = async (ctx: Context, claimed: Claimed<Export>, error: unknown): Promise<void> => {
  if (error instanceof LeaseLost) {
    // Its rows are removed with its workspace, and its files, too; this holder may have written some since then.
    if (error.isDeleted) await removeAll(ctx, claimed)
    return
  }
  if (error instanceof ArchiveTooLarge) return failExport(ctx, claimed, 'too_large')
  if (!isUploadLost(error)) throw error
  if (claimed.restarts >= maxRestarts) return failExport(ctx, claimed, 'internal_error')
  await restartExport(ctx, claimed)
}

/**
 * Runs one step of an export, which the message names. It continues from the last checkpoint, so a crashed step is repeated.
 */
export const makeExport = async (ctx: Context, message: ExportMessage, bounds: Partial<StepBounds> = {}) => {
  const { workspaceId, exportId: id } = message
  const claimed = await exportWork.claim(ctx, { workspaceId, id }, { add: { crashes: 1 } })
  if (claimed === undefined) return tidyIfEnded(ctx, message)
  const rows = await batchGet(ctx, [workspaces.key({ id: claimed.workspaceId })])
  // Decided: an export ends with its workspace.
  if (workspaces.from(rows, { id: claimed.workspaceId }) === undefined) return removeAll(ctx, claimed)
  if (claimed.crashes > maxCrashes) return failExport(ctx, claimed, 'internal_error')
  try {
    await step(ctx, claimed, { ...usual, ...bounds })
  } catch (error) {
    await recover(ctx, claimed, error)
  }
}
