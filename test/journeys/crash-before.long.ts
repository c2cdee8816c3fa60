import { expect, test } from 'vitest'
import { makeCrashBench } from './crash-points.ts'
import { expectSound } from './invariants.ts'

test('a crash before any effect of scheduling and publishing loses and duplicates nothing', {
  timeout: 240_000,
}, async () => {
  const bench = await makeCrashBench()
  const effects = await bench.run('no crash')
  expect(effects.length).toBeGreaterThanOrEqual(30)
  console.log(`${effects.length} crash points before an effect:\n${effects.join('\n')}`)
  for (let at = 0; at < effects.length; at += 1) await bench.run(`before ${at}`, { at, side: 'before' })
  const { total } = await bench.kit.api.posts.list({ query: { status: 'published' } })
  expect(total).toBe(2 * (effects.length + 1))
  await expectSound(bench.kit)
})
