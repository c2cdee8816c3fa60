import { type Context, perContext } from '../context.ts'
import { PlatformError } from '../platforms/platform-error.ts'

/** A server that people name can keep a login waiting: the login then ends, and leaves room for others. */
const maxMs = 10_000

/**
 * How many logins can wait for servers at the same time, for one caller and in total: a quarter of the calls that one
 * machine works on.
 */
const maxOpen = { ofCaller: 3, inAll: 8 } as const

const busy = () => new PlatformError('transient', 'Other logins wait for their servers.')
const tooSlow = () => new PlatformError('transient', `The server did not answer within ${maxMs / 1000} seconds.`)

/** The callers of the logins that wait: people, or addresses of people without a session. */
const open = perContext((): string[] => [])

/**
 * Calls a server that a person named, for a login, within the time and the number of logins that may wait. On AWS an
 * environment has one call at a time: there, the rate limits and the timeout bound how many a caller can occupy. Throws a
 * PlatformError.
 */
export const withinLogins = async <T>(ctx: Context, run: () => Promise<T>): Promise<T> => {
  const callers = open(ctx)
  const caller = ctx.request?.userId ?? ctx.request?.ip ?? ''
  const own = callers.filter((other) => other === caller)
  if (callers.length >= maxOpen.inAll || own.length >= maxOpen.ofCaller) throw busy()
  callers.push(caller)
  const done = run().finally(() => callers.splice(callers.indexOf(caller), 1))
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooSlow()), maxMs)
  })
  return Promise.race([done, late]).finally(() => clearTimeout(timer))
}
