import { expect, test } from 'vitest'
import { platformIds } from '../../../shared/resources.ts'
import { start } from '../../support/start.ts'

const prompt = 'Our sourdough course on Saturday has two places left'

test('writes a text for each platform and account, with the voice and the memories of the workspace', async () => {
  const kit = await start()
  const { sessionApi, api, service, accounts, workspaceId } = kit
  await sessionApi.workspaces.updateVoice({ params: { id: workspaceId }, body: { tone: 'like a baker' } })
  const { id } = await api.memory.createCollection({ body: { name: 'Notes' } })
  await api.memory.create({ body: { text: 'The sourdough course begins at nine.', collectionId: id } })
  const { variants, usage } = await sessionApi.ai.generate({
    body: { prompt, platforms: ['x', 'linkedin'], socialAccountIds: [accounts.bluesky], collectionIds: [id] },
  })
  expect(variants.map(({ platform, socialAccountId }) => [platform, socialAccountId])).toEqual([
    ['x', null],
    ['linkedin', null],
    ['bluesky', accounts.bluesky],
  ])
  expect(variants[0]).toEqual({
    platform: 'x',
    socialAccountId: null,
    issues: [],
    content: `${prompt}. The sourdough course begins at nine.`,
  })
  expect(usage.costMicroUsd).toBeGreaterThan(0)
  expect(service.ai.model.prompts().map(({ data }) => JSON.parse(data))).toMatchObject([
    { request: prompt, voice: { tone: 'like a baker' }, memories: ['The sourdough course begins at nine.'] },
    { platform: 'linkedin' },
    { platform: 'bluesky' },
  ])
})

test('returns the issues that validation finds without media, and a title where a platform has one', async () => {
  const { sessionApi } = await start()
  const { variants } = await sessionApi.ai.generate({ body: { prompt, platforms: [...platformIds] } })
  const codes = Object.fromEntries(
    variants.map(({ platform, issues }) => [platform, issues.map(({ code }) => code).toSorted()]),
  )
  expect(codes).toMatchObject({ x: [], linkedin: [], discord: ['metadata_required'] })
  expect(codes['instagram']).toContain('metadata_required')
  const titles = variants.flatMap(({ platform, metadata }) => metadata?.[platform]?.['title'] ?? [])
  expect(titles).toHaveLength(4)
})

test('returns as many variants as requested, and at most one of each platform', async () => {
  const { sessionApi } = await start()
  const { variants } = await sessionApi.ai.generate({ body: { prompt, platforms: ['x', 'slack'], count: 3 } })
  expect(new Set(variants.map(({ content }) => content)).size).toBeGreaterThan(2)
  expect(variants).toHaveLength(6)
  const many = sessionApi.ai.generate({ body: { prompt, platforms: [...platformIds], count: 2 } })
  await expect(many).rejects.toThrow(`${2 * platformIds.length} texts`)
  await expect(sessionApi.ai.generate({ body: { prompt } })).rejects.toThrow(/at least one platform/)
})

test('shortens a text above the limit with the model, and cuts what is still too long', async () => {
  const { sessionApi, service } = await start()
  const sentence = 'The oven is warm and the bread is good. '
  service.ai.model.answerWith(({ system }) => (/above the limits/.test(system) ? 'Short.' : sentence.repeat(20)))
  const first = await sessionApi.ai.generate({ body: { prompt, platforms: ['x'] } })
  expect(first.variants[0]?.content).toBe('Short.')
  service.ai.model.answerWith(() => sentence.repeat(20))
  const second = await sessionApi.ai.generate({ body: { prompt, platforms: ['x'] } })
  expect(second.variants[0]).toMatchObject({ content: sentence.repeat(7).trim(), issues: [] })
})

test('rejects accounts and collections of other workspaces, and a deployment without a model', async () => {
  const { sessionApi } = await start()
  const body = { prompt, platforms: ['x' as const] }
  await expect(sessionApi.ai.generate({ body: { prompt, socialAccountIds: ['acc_other'] } })).rejects.toMatchObject({
    status: 404,
    code: 'account_not_found',
  })
  await expect(sessionApi.ai.generate({ body: { ...body, collectionIds: ['col_other'] } })).rejects.toMatchObject({
    status: 404,
    code: 'collection_not_found',
  })
})

test('returns 503 without a configured model', async () => {
  const { sessionApi } = await start({ ai: { text: 'off' } })
  const body = { prompt, platforms: ['x' as const] }
  const refused = { status: 503, code: 'ai_not_configured' }
  await expect(sessionApi.ai.generate({ body })).rejects.toMatchObject(refused)
  await expect(sessionApi.ai.createJob({ body })).rejects.toMatchObject(refused)
  const rewrite = sessionApi.ai.rewrite({ body: { content: prompt, instruction: 'shorter' } })
  await expect(rewrite).rejects.toMatchObject(refused)
})

test('rejects a personal access token', async () => {
  const { api } = await start()
  const generate = api.ai.generate({ body: { prompt, platforms: ['x'] } })
  await expect(generate).rejects.toMatchObject({ status: 403, code: 'session_required' })
  await expect(api.ai.getUsage()).rejects.toMatchObject({ status: 403, code: 'session_required' })
})
