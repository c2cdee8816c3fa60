import { statfsSync } from 'node:fs'
import type { Context } from '../../../shared/context.ts'
import { readPauses } from '../../../shared/pauses/pauses.ts'
import { hourMs, minuteMs } from '../../../shared/time.ts'
import { backupsIn } from '../backup/folder.ts'
import type { DeliverMail } from '../engines/mail.ts'
import type { Queues } from '../engines/queues.ts'
import { type Answer, listen, send } from '../pages/server.ts'
import { reasonOf } from '../stop.ts'
import { type Alarm, makeAlarms, metricAlarms } from './alarms.ts'
import type { Metrics, Reading } from './metrics.ts'
import { portFault } from './port-fault.ts'
import type { Settings } from './settings.ts'

/** When the newest backup was made; undefined if there is none. */
const backedUpAtMs = ({ backupFolder }: Settings): number | undefined =>
  backupFolder === undefined ? undefined : backupsIn(backupFolder).at(-1)?.takenAtMs

/** What the metrics of the functions do not say. */
export const readingsOf = (settings: Settings, queues: () => Queues | undefined): Reading[] => {
  const blocks = (part: 'blocks' | 'bavail') => () => {
    const disk = statfsSync(settings.state)
    return disk[part] * disk.bsize
  }
  return [
    {
      name: 'queue_messages',
      help: 'Messages in each queue, also those that wait or are worked on.',
      label: 'queue',
      read: () => queues()?.counts() ?? [],
    },
    { name: 'disk_bytes', help: 'The size of the disk of the state.', read: blocks('blocks') },
    { name: 'disk_free_bytes', help: 'What is free of it.', read: blocks('bavail') },
    {
      name: 'backup_timestamp_seconds',
      help: 'When the newest backup was made.',
      read() {
        const atMs = backedUpAtMs(settings)
        return atMs === undefined ? undefined : atMs / 1000
      },
    },
  ]
}

/** Whether the service can work: its table answers, and nothing is paused after a restore. */
const isReady = async (ctx: Context): Promise<boolean> => {
  try {
    return !(await readPauses(ctx)).isRestored
  } catch {
    return false
  }
}

const lowDisk = 0.1
/** How many intervals a backup may be old. */
const maxIntervals = 2

/** The alarms that only one machine has. */
const stateAlarms = (settings: Settings): Alarm[] => {
  const { state, backupFolder, backupHours } = settings
  const startedAtMs = Date.now()
  return [
    {
      name: 'disk-space',
      meaning: `Less than a tenth of the disk of ${state} is free. Free space, or the service cannot store anything.`,
      rule: {
        isOn() {
          const { bavail, blocks } = statfsSync(state)
          return bavail / blocks < lowDisk
        },
      },
    },
    {
      name: 'backup-age',
      meaning: `The newest backup in ${backupFolder} is too old. The lines "backup failed" of the log have the reason.`,
      rule: {
        isOn: () =>
          backupFolder !== undefined &&
          Date.now() - (backedUpAtMs(settings) ?? startedAtMs) > maxIntervals * backupHours * hourMs,
      },
    },
  ]
}

/** Emails the owner about alarms. */
export const watchAlarms = (settings: Settings, deliver: DeliverMail) => {
  const alarms = makeAlarms([...metricAlarms, ...stateAlarms(settings)], {
    now: () => Date.now(),
    async send(notice) {
      const { mailFrom: from, owner } = settings
      await deliver({ ...notice, from, to: [owner], sentAt: new Date().toISOString() })
    },
  })
  setInterval(alarms.check, minuteMs).unref()
  return alarms
}

const answer = async (route: string, metrics: Metrics, ctx: Context): Promise<Answer> => {
  if (route === 'GET /metrics')
    return { status: 200, headers: { 'content-type': 'text/plain; version=0.0.4' }, body: await metrics.print() }
  if (route !== 'GET /ready') return { status: 404, body: 'GET /metrics, or GET /ready\n' }
  return (await isReady(ctx))
    ? { status: 200, body: { status: 'ready' } }
    : { status: 503, body: { status: 'waiting' } }
}

/** Serves metrics and readiness at a port of their own, which the proxy need not reach. */
export const serveMetrics = async (
  { metricsPort, listenAddress: address }: Settings,
  metrics: Metrics,
  ctx: Context,
): Promise<void> => {
  if (metricsPort === undefined) return
  const listener = await listen(metricsPort, { address }).catch((error: unknown) => {
    throw portFault(error, { port: metricsPort, setting: 'metricsPort', address })
  })
  listener.onRequest(({ method, url = '' }, response) => {
    answer(`${method} ${url.split('?', 1)[0]}`, metrics, ctx)
      .catch((error: unknown): Answer => ({ status: 500, body: `${reasonOf(error)}\n` }))
      .then((result) => send(response, result))
  })
}
