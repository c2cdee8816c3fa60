import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import * as z from 'zod/mini'
import { StateFormat } from '../start/state-format.ts'

/** `backup.json`, which is written last. */
const BackupFile = z.object({
  ...StateFormat.shape,
  /** Just before the rows were read: what was accepted later is not in the backup. */
  takenAtMs: z.number(),
  files: z.int(),
  bytes: z.int(),
})
type BackupFile = z.infer<typeof BackupFile>

export interface Backup extends BackupFile {
  path: string
}

/** How many backups stay, unless another number is given. */
export const maxBackups = 7

const nameForm = /^\d{4}-\d\d-\d\dT\d{6}Z$/
const unfinished = '.part'

/** The name of a backup, such as 2026-11-30T120000Z. */
const nameAt = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+|:/g, '')
const timeOf = (name: string): number => Date.parse(name.replace(/T(..)(..)/, 'T$1:$2:'))

/** The path of the next backup. Names sort as backups were made, also after a clock was moved back. */
export const nextPath = (folder: string, earlier: Backup | undefined): string => {
  const afterMs = earlier === undefined ? 0 : timeOf(basename(earlier.path)) + 1000
  for (let ms = Math.max(Date.now(), afterMs); ; ms += 1000) {
    const path = join(folder, nameAt(ms))
    if (!existsSync(path)) return path
  }
}

export const partOf = (path: string): string => `${path}${unfinished}`

/** Reads a backup; undefined if the folder is not a complete one. */
export const readBackup = (path: string): Backup | undefined => {
  try {
    const { data } = z.safeParse(BackupFile, JSON.parse(readFileSync(join(path, 'backup.json'), 'utf8')))
    return data && { path, ...data }
  } catch {
    return undefined
  }
}

/** The complete backups of a folder, oldest first. */
export const backupsIn = (folder: string): Backup[] => {
  if (!existsSync(folder)) return []
  const names = readdirSync(folder).filter((name) => nameForm.test(name))
  return names.sort().flatMap((name) => readBackup(join(folder, name)) ?? [])
}

/** Removes what killed backups have left. */
export const removeUnfinished = (folder: string): void => {
  for (const name of readdirSync(folder))
    if (name.endsWith(unfinished) && nameForm.test(basename(name, unfinished)))
      rmSync(join(folder, name), { recursive: true })
}

/** Removes all but the newest backups. Half of one never looks complete. */
export const removeOld = (folder: string, keep: number): void => {
  for (const { path } of backupsIn(folder).slice(0, -keep)) {
    renameSync(path, partOf(path))
    rmSync(partOf(path), { recursive: true })
  }
}
