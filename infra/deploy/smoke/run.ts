import type { Remains } from './made.ts'
import { Failure, isNotAllowed, reasonOf, Skip } from './outcome.ts'
import type { StepResult } from './report.ts'
import { callerSteps } from './steps/caller.ts'
import { contentSteps } from './steps/content.ts'
import { postSteps } from './steps/posts.ts'
import { publicSteps } from './steps/public.ts'
import { publishStep } from './steps/publish.ts'
import { webhookSteps } from './steps/webhooks.ts'
import type { Step, World } from './world.ts'

const journey: readonly Step[] = [...publicSteps, ...callerSteps, ...contentSteps, ...postSteps, ...webhookSteps]

/** The request that failed, unless the reason names it. */
const withCall = (error: unknown, { wire }: World): string => {
  const call = wire.last()?.call
  const reason = reasonOf(error)
  return error instanceof Failure || error instanceof Skip || call === undefined ? reason : `${call} ${reason}`
}

const attempt = async (name: string, world: World, run: () => Promise<unknown>): Promise<StepResult> => {
  const startedAt = performance.now()
  const end = (outcome: StepResult['outcome'], detail: string): StepResult => ({
    step: name,
    outcome,
    ms: Math.round(performance.now() - startedAt),
    requestId: world.wire.last()?.requestId ?? '',
    detail,
  })
  try {
    const detail = await run()
    return end('ok', typeof detail === 'string' ? detail : '')
  } catch (error) {
    if (error instanceof Skip || isNotAllowed(error)) return end('skipped', withCall(error, world))
    return end('failed', withCall(error, world))
  }
}

/** Once more after a failure, which may be transient. */
const removeTwice =
  ({ remove }: Remains) =>
  async () => {
    try {
      return await remove()
    } catch {
      return await remove()
    }
  }

/** Runs the journey, then deletes what it created, whatever happened; shows each step as it ends. */
export const runSmoke = async (world: World, show: (result: StepResult) => void): Promise<StepResult[]> => {
  const results: StepResult[] = []
  const add = (result: StepResult) => {
    results.push(result)
    show(result)
  }
  const steps = world.options.publish === undefined ? journey : [...journey, publishStep]
  for (const step of steps) {
    if (world.stopped.aborted) break
    const result = await attempt(step.name, world, () => step.run(world))
    const isEnd = step.vital === true && result.outcome !== 'ok'
    add(isEnd ? { ...result, outcome: 'failed' } : result)
    if (isEnd) break
  }
  // What stops the journey must not stop this.
  world.wire.endWith(new AbortController().signal)
  for (const remains of world.made.remains()) {
    const result = await attempt('clean up', world, removeTwice(remains))
    const left = result.outcome === 'ok' ? '' : 'is left: '
    add({
      ...result,
      outcome: result.outcome === 'ok' ? 'ok' : 'failed',
      detail: `${remains.what} ${left}${result.detail}`.trimEnd(),
    })
  }
  return results
}
