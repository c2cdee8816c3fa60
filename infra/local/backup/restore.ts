import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { syncToDisk } from '../engines/replace-file.ts'
import { claimFolder } from '../start/claim-folder.ts'
import { holderOf } from '../start/hold-socket.ts'
import { layoutOf } from '../start/layout.ts'
import { checkFormat, writeFormatFile } from '../start/state-format.ts'
import { codeOf, reasonOf, Stop } from '../stop.ts'
import { type Contents, checkContents } from './check.ts'
import { copySynced, linkOrCopy } from './copy-objects.ts'
import { type Backup, backupsIn, readBackup } from './folder.ts'
import { type Settle, settleTable } from './settle-table.ts'
import { sealedFiles } from './take.ts'

/** A backup, or the newest one of a folder of backups. Throws a Stop if there is none that this release can read. */
export const findBackup = (path: string): Backup => {
  const backup = readBackup(path) ?? backupsIn(path).at(-1)
  if (backup === undefined)
    throw new Stop(`There is no complete backup in ${path}: name a folder of backups, or one of them.`)
  checkFormat(`The backup ${backup.path}`, backup)
  return backup
}

export interface RestoreOptions {
  backup: Backup
  /** The key of the state that the backup was made of. */
  key: Buffer
  settle: Settle
}

export interface Restored {
  contents: Contents
  /** What settling says. */
  settled: string
}

const copyEngines = (from: string, to: string): void => {
  const [buckets, copied] = [join(from, 'buckets'), join(to, 'buckets')]
  mkdirSync(copied, { recursive: true, mode: 0o700 })
  for (const name of readdirSync(buckets)) linkOrCopy(join(buckets, name), join(copied, name))
  for (const name of ['table.sqlite', ...sealedFiles]) copySynced(join(from, name), join(to, name))
  for (const folder of [copied, to]) syncToDisk(folder)
}

/** Restores into an empty folder, or leaves none. */
const restoreInto = async (folder: string, { backup, key, settle }: RestoreOptions): Promise<Restored> => {
  const name = basename(backup.path)
  await claimFolder(folder)
  const layout = layoutOf(folder)
  try {
    // What a killed restore has left.
    for (const left of readdirSync(folder).filter((file) => file !== basename(layout.claim)))
      rmSync(join(folder, left), { recursive: true })
    copyEngines(join(backup.path, 'engines'), layout.engines)
    const contents = checkContents(layout.engines, key)
    const [first, ...others] = contents.faults
    if (first !== undefined)
      throw new Stop(
        `The backup ${name} is broken: ${first}${others.length === 0 ? '' : `, and ${others.length} more faults`}. Use another one.`,
      )
    const settled = await settleTable(layout.engines, backup.takenAtMs, settle)
    writeFormatFile(layout.format)
    return { contents, settled }
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    if (codeOf(error) === undefined) throw error
    throw new Stop(
      `The backup ${name} was not restored: ${reasonOf(error)}. ${dirname(folder)} must be writable and have space.`,
    )
  }
}

const checkEmpty = async (state: string): Promise<void> => {
  if (!existsSync(state) || readdirSync(state).length === 0) return
  const holder = await holderOf(layoutOf(state).claim)
  if (holder !== undefined)
    throw new Stop(`A service runs on ${state}, as process ${holder}: stop it, and move the folder away.`)
  throw new Stop(`The state folder ${state} is not empty: name another one with --state, or move it away.`)
}

/**
 * Restores a backup as the state of `npm run serve`, in which nothing that may have been published is published again. Throws
 * a Stop with what to fix; then nothing is at `state`.
 */
export const restoreBackup = async (state: string, options: RestoreOptions): Promise<Restored> => {
  await checkEmpty(state)
  const part = `${state}.restoring`
  const restored = await restoreInto(part, options)
  // The claim moves with the folder, and ends with this process.
  renameSync(part, state)
  syncToDisk(dirname(state))
  return restored
}

/** Restores a backup next to it, checks it, and removes what was restored. Throws a Stop with what is wrong. */
export const drill = async (options: RestoreOptions): Promise<Contents> => {
  const scratch = join(dirname(options.backup.path), 'drill.part')
  const { contents } = await restoreInto(scratch, options)
  rmSync(scratch, { recursive: true })
  return contents
}
