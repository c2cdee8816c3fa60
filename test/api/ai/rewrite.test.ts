import { expect, test } from 'vitest'
import { start } from '../../support/start.ts'

const content = 'Two places are left on our sourdough course. It begins on Saturday at nine.'

test('carries out each instruction', async () => {
  const { sessionApi } = await start()
  const rewrite = async (body: Parameters<typeof sessionApi.ai.rewrite>[0]['body']) =>
    (await sessionApi.ai.rewrite({ body })).content
  expect((await rewrite({ content, instruction: 'shorter' })).length).toBeLessThan(content.length)
  expect((await rewrite({ content, instruction: 'longer' })).length).toBeGreaterThan(content.length)
  expect(await rewrite({ content, instruction: 'tone', tone: 'warm' })).toContain('(warm)')
  expect(await rewrite({ content, instruction: 'translate', language: 'German' })).toContain('[German]')
  expect(await rewrite({ content, instruction: 'adapt', platform: 'linkedin' })).toBe(content)
})

test('requires what the instruction needs', async () => {
  const { sessionApi } = await start()
  for (const [instruction, field] of [
    ['tone', 'tone'],
    ['translate', 'language'],
    ['adapt', 'platform'],
  ] as const) {
    const refused = sessionApi.ai.rewrite({ body: { content, instruction } })
    await expect(refused).rejects.toThrow(`The instruction "${instruction}" requires "${field}".`)
  }
})

test('stays within the limits of the platform', async () => {
  const { sessionApi, service } = await start()
  service.ai.model.answerWith(() => 'A sentence about bread. '.repeat(100))
  const written = await sessionApi.ai.rewrite({ body: { content, instruction: 'adapt', platform: 'x' } })
  expect(written.issues).toEqual([])
  expect(written.content.length).toBeLessThanOrEqual(280)
  expect(written.content.length).toBeGreaterThan(200)
})
