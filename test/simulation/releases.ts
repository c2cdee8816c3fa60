import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Load, loadSource } from '../../infra/local/service/functions.ts'
import { OutboundError } from '../../shared/net/outbound.ts'
import { minuteMs } from '../../shared/time.ts'
import { nextRelease } from '../support/next-release.ts'
import { patchedTree } from '../support/patched-tree.ts'
import type { Draw } from './draw.ts'
import type { Loop } from './loop.ts'

/** Whether an invocation that begins now runs the next release. */
export type IsNext = (invocation: { functionName: string; name: string; nowMs: number }) => boolean

/**
 * Most runs have one release. In the others, either each invocation has one of two, or each function goes to the next one
 * at its own moment, and back.
 */
export const isNextOf = (draw: Draw, startMs: number): IsNext | undefined => {
  if (draw('releases') >= 0.25) return undefined
  if (draw('releases are mixed') < 0.5) return ({ name }) => draw(`release of ${name}`) < 0.5
  const fromMs = startMs + draw('rollout') * 5 * minuteMs
  const untilMs = fromMs + draw('rollback') * 10 * minuteMs
  return ({ functionName, nowMs }) => {
    const lateMs = draw(`rollout of ${functionName}`) * minuteMs
    return fromMs + lateMs <= nowMs && nowMs < untilMs + lateMs
  }
}

/** The sources of the next release, in a separate folder. */
export const makeNextRelease = (): string =>
  patchedTree(join(mkdtempSync(join(tmpdir(), 'next-release-')), 'tree'), nextRelease)

/** The functions of this tree and of the next release, which share contexts; each invocation knows which of both it is. */
export const loadReleases = async (loop: Loop, tree: string): Promise<Load> => {
  const imported = (file: string) => import(join(tree, file))
  const [present, next] = [
    await loadSource(),
    await ((await imported('infra/local/service/functions.ts')) as { loadSource: typeof loadSource }).loadSource(),
  ]
  const { OutboundError: NextError } = (await imported('shared/net/outbound.ts')) as {
    OutboundError: typeof OutboundError
  }
  // The next release knows only its own errors.
  const translated = (error: unknown) =>
    error instanceof OutboundError ? new NextError(error.code, error.sent, error.message, error.cause) : error
  return (plan, ctx, variables) => {
    const runPresent = present(plan, ctx, variables)
    const observe: typeof ctx.observe = (effect, run) =>
      ctx.observe(effect, run).catch((error: unknown) => Promise.reject(translated(error)))
    const runNext = next(plan, { ...ctx, observe }, variables)
    return (event) => (loop.task()?.isNext ? runNext : runPresent)(event)
  }
}
