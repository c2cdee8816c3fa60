import { seedDemo } from '../../../infra/local/demo/seed.ts'
import { type Service, startService } from '../../../infra/local/service.ts'
import { layoutOf } from '../../../infra/local/start/layout.ts'
import { choosePorts } from '../../../infra/local/start/ports.ts'
import { jsonLog } from '../../../shared/context.ts'
import { virtualClock } from '../../support/clock.ts'
import type { SharedSetup } from '../../support/shared-setup.ts'

const plenty = { calls: 100_000, perSeconds: 60 }

/**
 * Opens a state folder of `npm start` in this process, on a clock that only tests move and without rate limits: before
 * the first start to prepare, and after the last one to let everything settle in no time.
 */
export const openInProcess = async (
  folder: string,
  { assembly, files }: Pick<SharedSetup, 'assembly' | 'files'>,
): Promise<Service> => {
  const layout = layoutOf(folder)
  return startService({
    clock: virtualClock(Date.now()),
    polling: 'manual',
    load: 'source',
    folder: layout.engines,
    ports: await choosePorts(layout.ports),
    rateLimits: { general: plenty, auth: plenty, cli: plenty, ai: plenty },
    log: jsonLog(() => {}),
    assembly,
    files,
  })
}

/** The demonstration's person, workspace and accounts, as `npm start` makes and finds them. */
export const seedFolder = (service: Service, folder: string) => seedDemo(service, layoutOf(folder).demo)
