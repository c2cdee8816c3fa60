import { type Context, perContext } from '../context.ts'
import { minuteMs } from '../time.ts'

const ttlMs = 5 * minuteMs
const maxCached = 500

/** Caches secrets by name, each for five minutes, so that a rotated one takes effect. The oldest is evicted first. */
export const cachedSecrets = <Secret>() => {
  const cache = perContext(() => new Map<string, { secret: Promise<Secret>; untilMs: number }>())
  return (ctx: Context, name: string, load: () => Promise<Secret>): Promise<Secret> => {
    const cached = cache(ctx)
    const known = cached.get(name)
    if (known && known.untilMs > ctx.clock.now()) return known.secret
    cached.delete(name)
    const [oldest] = cached.keys()
    if (oldest !== undefined && cached.size >= maxCached) cached.delete(oldest)
    const secret = load()
    cached.set(name, { secret, untilMs: ctx.clock.now() + ttlMs })
    // A failure must not be cached as the secret.
    secret.catch(() => cached.delete(name))
    return secret
  }
}
