import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { replaceFileSync, syncToDisk } from '../engines/replace-file.ts'
import { holderOf, holdSocket } from '../start/hold-socket.ts'
import { layoutOf } from '../start/layout.ts'
import { checkFormatFile, ownFormat } from '../start/state-format.ts'
import { codeOf, reasonOf, Stop } from '../stop.ts'
import { addObjects, copySynced, hasSameBytes, type Sizes } from './copy-objects.ts'
import { type Backup, backupsIn, nextPath, partOf, removeOld, removeUnfinished } from './folder.ts'
import { readReferences } from './table-rows.ts'

/** The files beside the table and the buckets; the key that encrypts them is not among them. */
export const sealedFiles = ['secrets.json', 'key-check.json'] as const

/** How often the rows are read again because a file of theirs was deleted meanwhile. */
const maxTries = 3

/**
 * Copies the rows as they are at one moment, while others write them. `vacuum into` reads in one transaction, which blocks no
 * writer; SQLite's backup API starts again after each write of another process (https://www.sqlite.org/backup.html).
 */
const copyTable = (from: string, to: string): void => {
  const database = new DatabaseSync(from, { readOnly: true })
  try {
    database.exec('pragma busy_timeout = 5000')
    database.prepare('vacuum into ?').run(to)
  } finally {
    database.close()
  }
}

/** Copies the state of engines; returns what `backup.json` says. */
const copyEngines = (
  from: string,
  to: string,
  earlier: string | undefined,
): Pick<Backup, 'takenAtMs' | 'files' | 'bytes'> => {
  const table = join(to, 'table.sqlite')
  const folders = { from: join(from, 'buckets'), to: join(to, 'buckets'), earlier: earlier && join(earlier, 'buckets') }
  mkdirSync(folders.to, { recursive: true, mode: 0o700 })
  const sizes: Sizes = new Map()
  // Most files before the rows, so that the second look is short.
  addObjects(folders, sizes)
  for (let tries = 1; ; tries += 1) {
    const takenAtMs = Date.now()
    copyTable(join(from, 'table.sqlite'), table)
    // A file is stored before its row, and deleted after it.
    addObjects(folders, sizes)
    if (tries === maxTries || readReferences(table).files.every((key) => sizes.has(key))) {
      for (const name of sealedFiles) copySynced(join(from, name), join(to, name))
      for (const path of [table, folders.to, to]) syncToDisk(path)
      return { takenAtMs, files: sizes.size, bytes: [...sizes.values()].reduce((sum, size) => sum + size, 0) }
    }
    rmSync(table)
  }
}

const isInside = (path: string, folder: string): boolean => !/^\.\.(?:$|\/)/.test(relative(folder, path))

/** Throws a Stop if backups of a state cannot be in a folder. */
export const checkBackupFolder = (folder: string, state: string): void => {
  // A disk that is not mounted must not become a folder of another one.
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new Stop(`The folder for backups ${folder} does not exist: create it, or mount its disk.`)
  if (isInside(folder, state))
    throw new Stop(`The folder for backups ${folder} is inside of the state ${state}: choose one outside of it.`)
}

export interface BackupOptions {
  state: string
  /** The folder of the backups of this state. */
  folder: string
  /** How many backups stay. */
  keep: number
}

const write = ({ state, folder }: BackupOptions): Backup => {
  removeUnfinished(folder)
  const earlier = backupsIn(folder).at(-1)
  const checkOf = (engines: string) => join(engines, 'key-check.json')
  if (earlier && !hasSameBytes(checkOf(layoutOf(state).engines), checkOf(join(earlier.path, 'engines'))))
    throw new Stop(`${folder} has backups of a state with another key: choose another folder.`)
  const path = nextPath(folder, earlier)
  const part = partOf(path)
  try {
    const engines = join(part, 'engines')
    const copied = copyEngines(layoutOf(state).engines, engines, earlier && join(earlier.path, 'engines'))
    const file = { ...ownFormat, ...copied }
    replaceFileSync(join(part, 'backup.json'), `${JSON.stringify(file)}\n`, true)
    renameSync(part, path)
    syncToDisk(folder)
    return { path, ...file }
  } catch (error) {
    rmSync(part, { recursive: true, force: true })
    throw error
  }
}

/**
 * Copies the state of `npm run serve` into a new backup, while it runs or not, and removes the oldest ones. Throws a Stop with
 * what to fix; then there is no new backup, and no earlier one is removed.
 */
export const takeBackup = async (options: BackupOptions): Promise<Backup> => {
  const { state, folder } = options
  const layout = layoutOf(state)
  if (!existsSync(join(layout.engines, 'key-check.json')))
    throw new Stop(`${state} has no state of "npm run serve": name its folder with --state.`)
  checkFormatFile(state, layout.format)
  checkBackupFolder(folder, state)
  const release = await holdSocket(layout.backup)
  if (release === undefined)
    throw new Stop(`Process ${await holderOf(layout.backup)} makes a backup of ${state}: wait for it, or stop it.`)
  try {
    const backup = write(options)
    removeOld(folder, options.keep)
    return backup
  } catch (error) {
    if (error instanceof Stop || codeOf(error) === undefined) throw error
    throw new Stop(
      `The backup in ${folder} failed: ${reasonOf(error)}. The folder must be writable and have space for the state.`,
    )
  } finally {
    release()
  }
}
