import type { ObserveFunction } from '../../infra/local/service/invocation.ts'
import { Crash } from '../support/crash.ts'
import { type Kit, start } from '../support/start.ts'
import { listen } from './author.ts'
import { expectSound } from './invariants.ts'

/** What only looks: a death after it is the one after the effect before it. */
const looks = new Set(['BatchGetItem', 'GetItem', 'Query', 'GetObject', 'HeadObject', 'Decrypt', 'GetSecretValue'])

interface Seam {
  dieAfter: number | undefined
  effects: string[]
}

/** A service in which the named functions can be made to die after one of their effects. */
export const beginDying = async (functions: ReadonlySet<string>): Promise<{ kit: Kit; seam: Seam }> => {
  const seam: Seam = { dieAfter: undefined, effects: [] }
  const observe: ObserveFunction = async (effect, run) => {
    const isRead = looks.has(effect.action) || effect.action.startsWith('GET ')
    if (!functions.has(effect.functionName) || isRead) return run()
    const dies = seam.effects.length === seam.dieAfter
    seam.effects.push(`${effect.functionName} ${effect.service} ${effect.action}`)
    const result = await run()
    if (dies) throw new Crash('after an effect')
    return result
  }
  const kit = await start({ observe })
  await listen(kit)
  return { kit, seam }
}

/**
 * Plays a scenario again and again, each time with a death after another effect; a death before an effect is the one
 * after the effect before it. Returns the effects it has without a death.
 */
export const dieAfterEach = async (
  kit: Kit,
  seam: Seam,
  scenario: (name: string) => Promise<void>,
): Promise<readonly string[]> => {
  seam.dieAfter = undefined
  seam.effects = []
  await scenario('no death')
  const effects = [...seam.effects]
  for (let n = 0; n < effects.length; n += 1) {
    seam.dieAfter = n
    seam.effects = []
    await scenario(`death after effect ${n}`)
  }
  seam.dieAfter = undefined
  await expectSound(kit)
  return effects
}
