import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { Log } from '../../../shared/context.ts'
import { hourMs, minuteMs } from '../../../shared/time.ts'
import { reasonOf } from '../stop.ts'
import { backupsIn } from './folder.ts'

const lookEveryMs = minuteMs
const retryAfterMs = 10 * minuteMs

interface Plan {
  state: string
  backupFolder?: string | undefined
  /** The hours between two backups. */
  backupHours: number
  maxBackups: number
  /** The program of an operator's commands. */
  operator: string
}

/** The command of an operator, as a process of its own: requests wait for none of its work. */
const startBackup = ({ state, backupFolder = '', maxBackups, operator }: Plan): ChildProcess => {
  const options = ['--keep', String(maxBackups), '--state', state]
  // In a group of its own, Ctrl-C does not reach it before this process ends.
  return spawn(process.execPath, [operator, 'backup', backupFolder, ...options], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Makes a backup when the newest is old enough, until this process ends; a failure is logged, and tried again. */
export const repeatBackups = (plan: Plan, log: Log): void => {
  const { backupFolder, backupHours } = plan
  if (backupFolder === undefined) return
  let running: ChildProcess | undefined
  let retryAtMs = 0

  const isDue = (): boolean => {
    const newest = backupsIn(backupFolder).at(-1)
    // A clock that was wrong delays nothing.
    return newest === undefined || Math.abs(Date.now() - newest.takenAtMs) >= backupHours * hourMs
  }
  const run = async () => {
    running = startBackup(plan)
    const { stdout, stderr } = running
    const [said, reason, [code]] = await Promise.all([
      stdout && text(stdout),
      stderr && text(stderr),
      once(running, 'close'),
    ])
    if (code === 0) return log.info('backup made', { result: said?.trim() })
    throw new Error(reason?.trim() || 'The process was ended.')
  }
  const look = async () => {
    if (running !== undefined || Date.now() < retryAtMs) return
    try {
      if (isDue()) await run()
    } catch (error) {
      retryAtMs = Date.now() + retryAfterMs
      log.error('backup failed', { reason: reasonOf(error) })
    } finally {
      running = undefined
    }
  }
  void look()
  setInterval(look, lookEveryMs).unref()
  process.once('exit', () => running?.kill())
}
