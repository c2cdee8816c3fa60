import { setTimeout as sleep } from 'node:timers/promises'
import { seedDemo } from '../demo/seed.ts'
import { showMainJob } from '../demo.ts'
import { step } from '../progress.ts'
import { startService } from '../service.ts'
import { makeActivity } from './activity.ts'
import { build } from './build.ts'
import { openClockShift } from './clock-shift.ts'
import type { Layout } from './layout.ts'
import { divertLog } from './log-file.ts'
import { operatorVariables } from './operator-variables.ts'
import { localAssembly, type StartOptions } from './options.ts'
import type { Ports } from './ports.ts'
import { resume } from './resume.ts'
import { recordRunning } from './running.ts'
import { summarize } from './summary.ts'
import { writeWhileRunning } from './write-while-running.ts'

const clock = { now: () => Date.now(), sleep: (ms: number) => sleep(ms) }
const closeWithinMs = 5_000

/** Here webhooks reach servers on this machine. A deployment refuses that (infra/deploy/stacks/configuration.ts). */
const loopbackOrigins = ['http://127.0.0.1:*', 'http://localhost:*', 'http://[::1]:*']

export interface Opened {
  /** What went wrong in the demo. */
  problems: string[]
  close(): Promise<void>
}

/** Starts the service as deployed, runs the demo if wanted, and prints where everything is. */
export const open = async (layout: Layout, ports: Ports, options: StartOptions): Promise<Opened> => {
  const columns = process.stdout.isTTY ? process.stdout.columns : undefined
  const shift = openClockShift(layout.clock)
  const activity = makeActivity()
  const print = divertLog(layout.log, activity.see)
  await build(print)
  const service = await step(print, 'Starting engines, stand-ins and API', () =>
    startService({
      polling: 'real',
      clock,
      shift,
      load: 'bundle',
      assembly: localAssembly,
      folder: layout.engines,
      ports,
      logRequests: true,
      platformApiEnds: {},
      // A person who tries the guides one after the other makes more than 100 calls a minute, and all count for the demo user.
      rateLimits: { general: { calls: 1_000, perSeconds: 60 } },
      platformLimits: true,
      allowedOrigins: loopbackOrigins,
      // The demonstration publishes before it buys.
      ...(options.billing ? { billing: 'free' as const } : {}),
    }),
  )
  await resume(service.context)
  writeWhileRunning(layout.operator, operatorVariables())
  const { isNew, ...demo } = await step(print, 'Seeding the demo user', () => seedDemo(service, layout.demo))
  const shows = options.demo === 'always' || (options.demo === 'on first start' && isNew)
  const problems = shows ? await showMainJob(service, demo, print, columns) : []
  const { baseUrl, mediaUrl, inboxUrl, platformsUrl, pushUrl } = service
  writeWhileRunning(layout.service, { baseUrl, mediaUrl, inboxUrl, platformsUrl, pushUrl, ...demo })
  recordRunning(options.state)
  print(summarize(service, demo, layout.log))
  if (!options.once) print('Ctrl-C ends it. Posts that come due meanwhile are published after the next start.\n')
  // After the summary, which should stay readable.
  if (!options.quiet && !options.once) activity.printTo(print)
  for (const problem of problems) process.stderr.write(`${problem}\n`)
  // All state survives an abort, so shutdown does not wait for long.
  return { problems, close: () => Promise.race([service.close(), sleep(closeWithinMs)]) }
}
