import { startCore } from './service/core.ts'
import type { Core, ServiceOptions } from './service/options.ts'
import { type StandIns, startStandIns } from './service/stand-ins.ts'

export type { ServiceOptions } from './service/options.ts'
export { systemClock } from './service/system-clock.ts'

/** The service with stand-ins for everything outside of it; Stripe only with billing. */
export interface Service extends Core, Pick<StandIns, 'ai' | 'platforms' | 'push' | 'stripe' | 'inbox'> {
  readonly inboxUrl: string
  readonly platformsUrl: string
  readonly pushUrl: string
}

/** Starts the service with stand-ins for everything outside of it. */
export const startService = async (options: ServiceOptions): Promise<Service> => {
  const { core, outside } = await startCore(options, startStandIns(options))
  const { ai, platforms, push, stripe, inbox } = outside
  const urls = { inboxUrl: inbox.url, platformsUrl: platforms.url, pushUrl: push.url }
  return { ...core, ai, platforms, push, stripe, inbox, ...urls }
}
