import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { jsonLog } from '../../../shared/context.ts'
import { repeatBackups } from '../backup/repeat.ts'
import type { Queues } from '../engines/queues.ts'
import { type Print, step } from '../progress.ts'
import { startCore } from '../service/core.ts'
import { systemClock as clock } from '../service/system-clock.ts'
import type { Layout } from '../start/layout.ts'
import { operatorVariables } from '../start/operator-variables.ts'
import { resume } from '../start/resume.ts'
import { writeWhileRunning } from '../start/write-while-running.ts'
import { startInternet } from './internet.ts'
import { deliverBy } from './mail.ts'
import { openMasterKey } from './master-key.ts'
import { makeMetrics } from './metrics.ts'
import { ownerLink } from './owner.ts'
import { portFault } from './port-fault.ts'
import type { Settings } from './settings.ts'
import { describeStart } from './summary.ts'
import { readingsOf, serveMetrics, watchAlarms } from './watch.ts'

/** What is run, and from which folder. */
export interface Server {
  /** How a person starts it. */
  command: string
  /** The folder of the functions' bundle and of the templates. */
  folder: string
  /** The program of an operator's commands. */
  operator: string
  /** The folder of `serve.json`. */
  home: string
  /** Builds that folder unless it is there. */
  prepare(print: Print): Promise<void>
}

/** Below what service managers wait. */
const closeWithinMs = 8_000

/** Starts the service with the platforms as they are; returns what ends it. */
export const open = async (
  settings: Settings,
  layout: Layout,
  { folder, operator, prepare }: Server,
): Promise<() => Promise<void>> => {
  const print = (text: string) => void process.stderr.write(text)
  const masterKey = openMasterKey(layout.engines, settings.keyFile)
  await prepare(print)
  const { port, listenAddress: address, baseUrl, mediaUrl, trustedProxies } = settings
  let queues: Queues | undefined
  const deliverMail = deliverBy(settings, print)
  const metrics = makeMetrics(
    readingsOf(settings, () => queues),
    watchAlarms(settings, deliverMail).see,
  )
  const names = [baseUrl, mediaUrl].map((origin) => new URL(origin).hostname)
  const { core } = await step(print, 'Starting the service', () =>
    startCore(
      {
        polling: 'real',
        clock,
        load: 'together',
        bundles: folder,
        assembly: join(folder, 'assembly'),
        folder: layout.engines,
        ports: { api: port },
        front: { address, names, trustedProxies },
        logRequests: true,
        isDurable: true,
        seeLine: metrics.see,
        masterKey: masterKey.key,
        keySecret: randomBytes(32).toString('hex'),
        deliverMail,
      },
      startInternet(settings),
    ).catch((error: unknown) => {
      throw portFault(error, { port, setting: 'port', address })
    }),
  )
  queues = core.queues
  await resume(core.context)
  await serveMetrics(settings, metrics, core.context)
  writeWhileRunning(layout.operator, operatorVariables())
  repeatBackups({ ...settings, operator }, jsonLog())
  const link = await ownerLink(core.context, settings.owner)
  print(describeStart(settings, { link, hasNewKey: masterKey.isNew }))
  // All state survives an abort, so shutdown does not wait for long.
  return () => Promise.race([core.close(), sleep(closeWithinMs)])
}
