import { accessSync, constants, mkdirSync, statfsSync } from 'node:fs'
import { isLoopback } from '../../../shared/oauth/client.ts'
import { hourMs } from '../../../shared/time.ts'
import { backupsIn } from '../backup/folder.ts'
import { checkBackupFolder } from '../backup/take.ts'
import { layoutOf } from '../start/layout.ts'
import { checkFormatFile } from '../start/state-format.ts'
import { reasonOf } from '../stop.ts'
import { checkSmtp } from './mail.ts'
import { readMasterKey } from './master-key.ts'
import { platformsWithoutApp, type Settings } from './settings.ts'

/** Returns a detail to show; throws what to fix. */
type Check = (settings: Settings) => string | Promise<string>

const leastFreeBytes = 1_000_000_000
const maxClockErrorMs = 5_000

/** A server whose clock is right, and that answers without an account. */
const timeSource = 'https://bsky.social/xrpc/_health'

const checks: Readonly<Record<string, Check>> = {
  'State folder': ({ state }) => {
    mkdirSync(state, { recursive: true, mode: 0o700 })
    accessSync(state, constants.W_OK)
    checkFormatFile(state, layoutOf(state).format)
    const { bavail, bsize } = statfsSync(state)
    const free = bavail * bsize
    if (free < leastFreeBytes) throw new Error(`${state} has less than 1 GB of free space: free some.`)
    return `${state}, ${(free / 1e9).toFixed(1)} GB free`
  },
  Key: ({ state, keyFile }) => {
    const isThere = readMasterKey(layoutOf(state).engines, keyFile) !== undefined
    return isThere ? keyFile : `${keyFile} is made at the first start`
  },
  Backups: ({ backupFolder, state }) => {
    if (backupFolder === undefined) return 'none: set "backupFolder" to make them'
    checkBackupFolder(backupFolder, state)
    accessSync(backupFolder, constants.W_OK)
    const newest = backupsIn(backupFolder).at(-1)
    if (newest === undefined) return `${backupFolder}, the first one is made after the start`
    return `${backupFolder}, the newest is ${((Date.now() - newest.takenAtMs) / hourMs).toFixed(1)} hours old`
  },
  'Base URL': async ({ baseUrl }) => {
    if (isLoopback(baseUrl)) return `${baseUrl}, for this machine only`
    if (!baseUrl.startsWith('https:')) throw new Error(`"baseUrl" must start with "https:" unless it is on loopback.`)
    // While nothing answers, the name and its certificate are checked.
    await fetch(baseUrl, { redirect: 'manual', signal: AbortSignal.timeout(10_000) })
    return baseUrl
  },
  Emails: async ({ smtpUrl }) => {
    if (smtpUrl === undefined) return 'are printed: set "smtpUrl" to send them'
    await checkSmtp(smtpUrl)
    return `${new URL(smtpUrl).host} takes them`
  },
  Clock: async () => {
    const startedAtMs = Date.now()
    const response = await fetch(timeSource, { method: 'HEAD', signal: AbortSignal.timeout(10_000) })
    const theirs = Date.parse(response.headers.get('Date') ?? '')
    const off = Math.abs(theirs - (startedAtMs + Date.now()) / 2)
    if (off > maxClockErrorMs)
      throw new Error(`This clock is ${Math.round(off / 1000)} s off: turn on time synchronization.`)
    return 'is right'
  },
  Apps: (settings) => {
    const missing = platformsWithoutApp(settings)
    return missing.length === 0
      ? 'all platforms have one'
      : `missing, so that no one can connect: ${missing.join(', ')}`
  },
}

const causeOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return `${reasonOf(error)}${cause}`
}

/** Tries every setting, and prints a line for each; returns the exit code. */
export const checkAll = async (settings: Settings): Promise<number> => {
  let faults = 0
  for (const [name, check] of Object.entries(checks)) {
    const line = await Promise.resolve()
      .then(() => check(settings))
      .then(
        (detail) => `ok    ${name}: ${detail}`,
        (error: unknown) => {
          faults += 1
          return `fix   ${name}: ${causeOf(error)}`
        },
      )
    process.stdout.write(`${line}\n`)
  }
  return faults === 0 ? 0 : 1
}
