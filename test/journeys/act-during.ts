import { ApiError } from '../../functions/client.ts'
import type { ObserveFunction } from '../../infra/local/service/invocation.ts'
import { minuteMs } from '../../shared/time.ts'
import { type Kit, start } from '../support/start.ts'
import { listen, type PlatformName, scheduleOn } from './author.ts'

type Act = (kit: Kit, id: string) => Promise<unknown>

export const cancel: Act = (kit, id) => kit.api.posts.cancel({ params: { id } })

export const remove: Act = (kit, id) => kit.api.posts.delete({ params: { id } })

export const reschedule: Act = (kit, id) =>
  kit.api.posts.reschedule({
    params: { id },
    body: { scheduledAt: new Date(kit.clock.now() + 600 * minuteMs).toISOString() },
  })

export const update: Act = (kit, id) =>
  kit.api.posts.update({ params: { id }, body: { content: 'raced, and changed' } })

/** Does something to a post just before the n-th effect of its publisher, and returns the answer. */
export const actDuring = async (n: number, act: Act, platform: PlatformName, text: string) => {
  let seen = 0
  let answered: number | undefined
  let once: (() => Promise<void>) | undefined
  const observe: ObserveFunction = async (effect, go) => {
    if (effect.functionName === 'publish-post' && seen++ === n) await once?.()
    return go()
  }
  const kit = await start({ observe })
  await listen(kit)
  const { id } = await scheduleOn(kit, platform, text, 5 * minuteMs)
  once = async () => {
    once = undefined
    answered = await act(kit, id).then(
      () => 200,
      (error: unknown) => {
        if (error instanceof ApiError) return error.status
        throw error
      },
    )
  }
  await kit.service.pass(30 * minuteMs)
  return { kit, id, answered, reached: seen > n }
}
