import { expect, test } from 'vitest'
import { Crash, observeAs, runInvocation } from '../service/invocation.ts'

const effect = { service: 'sqs', action: 'SendMessage', resource: 'events' }

test('after a crash an invocation has no further effect and counts as crashed, even if its code continues', async () => {
  const ran: string[] = []
  const observe = observeAs('run', async ({ action }, run) => {
    const result = await run()
    if (action === 'crash') throw new Crash('died')
    return result
  })
  const act = (action: string) => observe({ ...effect, action }, async () => void ran.push(action))
  const stubborn = runInvocation(async () => {
    await act('before')
    await act('crash').catch(() => undefined)
    await act('after').catch(() => undefined)
    return 'all is well'
  })
  await expect(stubborn).rejects.toThrow(Crash)
  expect(ran).toEqual(['before', 'crash'])
  await runInvocation(() => act('next invocation'))
  expect(ran.at(-1)).toBe('next invocation')
})

test('any other error is left to the code', async () => {
  const observe = observeAs('run', async () => {
    throw new Error('timeout')
  })
  const act = () => observe(effect, async () => 'done').catch(() => 'made good')
  expect(await runInvocation(act)).toBe('made good')
})

test('an effect names the function that caused it', async () => {
  const seen: unknown[] = []
  const observe = observeAs('posts-schedule', (call, run) => {
    seen.push(call)
    return run()
  })
  expect(await observe(effect, async () => 1)).toBe(1)
  expect(seen).toEqual([{ ...effect, functionName: 'posts-schedule' }])
})
