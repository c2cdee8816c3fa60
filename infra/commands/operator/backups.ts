import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { settleRestore, witnessesIn } from '../../deploy/operator/settle-restore.ts'
import { maxBackups } from '../../local/backup/folder.ts'
import { drill, findBackup, type RestoreOptions, restoreBackup } from '../../local/backup/restore.ts'
import { takeBackup } from '../../local/backup/take.ts'
import { readMasterKey } from '../../local/serve/master-key.ts'
import { root } from '../../local/start/options.ts'
import { Stop } from '../../local/stop.ts'
import type { Command, Values } from './command.ts'

/** Where `npm run serve` has them, by its variables or by default. */
const usualState = process.env['STATE'] ?? join(root, '.serve')
const usualKey = process.env['KEY_FILE'] ?? join(root, '.serve.key')

const timeOf = (ms: number): string => new Date(ms).toISOString()
const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

const readBackup = (path: string, values: Values): RestoreOptions => {
  const backup = findBackup(resolve(path))
  const keyFile = resolve(values['key-file'] ?? usualKey)
  const key = readMasterKey(join(backup.path, 'engines'), keyFile)
  if (key === undefined) throw new Stop(`The backup ${backup.path} names no key: use another one.`)
  const witnesses = values.log === undefined ? undefined : witnessesIn(readFileSync(values.log, 'utf8'))
  return { backup, key, settle: (ctx, takenAtMs) => settleRestore(ctx, takenAtMs, witnesses) }
}

/** Commands on the files of `npm run serve`, which work whether it runs or not. */
export const backupCommands: Readonly<Record<string, Command>> = {
  backup: {
    usage: '<folder of backups> [--keep <n>] [--state <folder>]',
    async run(values, folder) {
      const keep = Number(values.keep ?? maxBackups)
      if (!Number.isInteger(keep) || keep < 1) return undefined
      const state = resolve(values.state ?? usualState)
      const { path, files, bytes } = await takeBackup({ state, folder: resolve(folder), keep })
      return `The backup ${path} is complete: the table, and ${count(files, 'file')} (${megabytes(bytes)}).`
    },
  },
  restore: {
    usage: '<backup, or folder of backups> [--state <folder>] [--key-file <file>] [--log <file>]',
    async run(values, path) {
      const state = resolve(values.state ?? usualState)
      const options = readBackup(path, values)
      const { settled } = await restoreBackup(state, options)
      return `The backup of ${timeOf(options.backup.takenAtMs)} is restored to ${state}. ${settled}`
    },
  },
  drill: {
    usage: '<backup, or folder of backups> [--key-file <file>]',
    async run(values, path) {
      const options = readBackup(path, values)
      const { rows, files, bytes, dataKeys, secrets } = await drill(options)
      return `The backup of ${timeOf(options.backup.takenAtMs)} is whole: ${count(rows, 'row')}, ${count(files, 'file')} (${megabytes(bytes)}), ${count(dataKeys, 'key')}, ${count(secrets, 'secret')}.`
    },
  },
}
