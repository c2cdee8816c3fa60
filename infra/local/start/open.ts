import { setTimeout as sleep } from 'node:timers/promises'
import { showMainJob } from '../demo.ts'
import { seedDemo } from '../seed.ts'
import { startService } from '../service.ts'
import { build } from './build.ts'
import type { Layout } from './layout.ts'
import { divertLog } from './log-file.ts'
import { operatorVariables } from './operator-variables.ts'
import type { StartOptions } from './options.ts'
import type { Ports } from './ports.ts'
import { step } from './progress.ts'
import { resume } from './resume.ts'
import { summarize } from './summary.ts'
import { writeWhileRunning } from './write-while-running.ts'

const clock = { now: () => Date.now(), sleep: (ms: number) => sleep(ms) }
const closeWithinMs = 5_000

export interface Opened {
  /** What went wrong in the show. */
  problems: string[]
  close(): Promise<void>
}

/** Brings the service up as it is deployed, shows it at work where that is wanted, and says where everything is. */
export const open = async (layout: Layout, ports: Ports, options: StartOptions): Promise<Opened> => {
  const columns = process.stdout.isTTY ? process.stdout.columns : undefined
  const print = divertLog(layout.log)
  await build(print)
  const service = await step(print, 'Starting engines, stand-ins and API', () =>
    startService({ polling: 'real', clock, load: 'bundle', folder: layout.engines, ports }),
  )
  await resume(service.context)
  writeWhileRunning(layout.operator, operatorVariables())
  const demo = await step(print, 'Seeding the demo user', () => seedDemo(service, layout.demo))
  const problems = options.demo ? await showMainJob(service, demo, print, columns) : []
  const { baseUrl, mediaUrl, inboxUrl, platformsUrl } = service
  writeWhileRunning(layout.service, { baseUrl, mediaUrl, inboxUrl, platformsUrl, ...demo })
  print(summarize(service, demo, layout.log))
  if (!options.once) print('Ctrl-C ends it; what is scheduled goes out after the next start.\n')
  for (const problem of problems) process.stderr.write(`${problem}\n`)
  // All state survives an abort, so shutdown does not wait for long.
  return { problems, close: () => Promise.race([service.close(), sleep(closeWithinMs)]) }
}
