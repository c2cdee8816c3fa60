import { type Context, perContext } from '../context.ts'
import { minuteMs } from '../time.ts'

const ttlMs = 5 * minuteMs
const maxHeld = 500

/** Keeps secrets by name, each for five minutes, so that a rotated one takes effect; the oldest make room for others. */
export const heldSecrets = <Secret>() => {
  const held = perContext(() => new Map<string, { secret: Promise<Secret>; untilMs: number }>())
  return (ctx: Context, name: string, load: () => Promise<Secret>): Promise<Secret> => {
    const kept = held(ctx)
    const known = kept.get(name)
    if (known && known.untilMs > ctx.clock.now()) return known.secret
    kept.delete(name)
    const [oldest] = kept.keys()
    if (oldest !== undefined && kept.size >= maxHeld) kept.delete(oldest)
    const secret = load()
    kept.set(name, { secret, untilMs: ctx.clock.now() + ttlMs })
    // A failure must not be kept as the secret.
    secret.catch(() => kept.delete(name))
    return secret
  }
}
