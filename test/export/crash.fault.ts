import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeExport, type StepBounds } from '../../shared/export/step.ts'
import { dayMs, minuteMs } from '../../shared/time.ts'
import { crashAfter } from '../support/crash-after.ts'
import { type Kit, start } from '../support/start.ts'
import { everyNth } from '../support/thin.ts'
import { makeAsset } from '../support/world/preparations.ts'
import { apiOf, download, leftOf } from './exports.ts'
import { readArchive, recordsIn } from './read-archive.ts'

let kit: Kit
beforeAll(async () => {
  kit = await start({ quotas: { exports: 10_000 } })
  await Promise.all([makeAsset(kit), makeAsset(kit)])
  for (const content of ['One', 'Two', 'Three']) await kit.api.drafts.create({ body: { content } })
  await kit.service.drain()
  // The steps are made by hand.
  kit.service.queues.faults.onSend = ({ queueName }) => (queueName.endsWith('-export') ? 'lose' : 'keep')
})
afterAll(() => kit.close())

/** A step takes one file and makes a checkpoint after each. */
const small: StepBounds = { stepMs: 0, checkpointBytes: 1, partBytes: 5 * 1024 * 1024 }
/** One step takes everything. */
const whole: StepBounds = { ...small, stepMs: minuteMs, checkpointBytes: 100 * 1024 * 1024 }

const request = async () => {
  const { exportId } = await kit.sessionApi.workspaces.export({ params: { id: kit.workspaceId } })
  return exportId
}
const statusOf = async (exportId: string) =>
  (await kit.sessionApi.workspaces.getExport({ params: { id: kit.workspaceId, exportId } })).status

const stepWith = (bounds: StepBounds) =>
  crashAfter(kit.ctx, (ctx, exportId: string) => makeExport(ctx, { workspaceId: kit.workspaceId, exportId }, bounds))

/** Makes steps until the export has ended; each begins after the lease of a holder that died. */
const finish = async (exportId: string, bounds: StepBounds) => {
  const step = stepWith(bounds)
  for (let n = 0; (await statusOf(exportId)) === 'running'; n += 1) {
    expect(n).toBeLessThan(60)
    kit.clock.pass(6 * minuteMs)
    await step(exportId)
  }
  // What the segments were needed for is over.
  await step(exportId)
}

const check = async (exportId: string, where: string) => {
  const files = await readArchive(await download(kit, exportId))
  const manifest = JSON.parse(files.get('manifest.json')?.toString() ?? '')
  expect({ where, names: manifest.files.map(({ name }: { name: string }) => name) }).toEqual({
    where,
    names: [...files.keys()].filter((name) => name !== 'manifest.json'),
  })
  expect(
    recordsIn(files, 'drafts')
      .map(({ content }) => content)
      .toSorted(),
  ).toEqual(['One', 'Three', 'Two'])
  expect([...files.keys()].filter((name) => name.startsWith('media/')).length).toBe(2)
  const left = (await leftOf(kit)).filter((key) => key.includes(exportId))
  expect({ where, left: left.map((key) => key.split('/').at(-1)) }).toEqual({ where, left: ['archive.zip'] })
}

test('an export whose holder dies after any effect is finished by the next, and leaves nothing else behind', async () => {
  const step = stepWith(whole)
  const sample = await request()
  const effects = await step(sample)
  expect(await statusOf(sample)).toBe('completed')
  expect(effects).toContain('CompleteMultipartUpload')
  await finish(sample, whole)
  await check(sample, 'no death')
  for (const [at, action] of everyNth(3, effects.entries())) {
    // A death after a read is one before it, and one that loses a message is left to the sweeper.
    if (['BatchGetItem', 'Query', 'GetObject', 'SendMessage'].includes(action)) continue
    const exportId = await request()
    await step(exportId, at)
    await finish(exportId, whole)
    await check(exportId, `after effect ${at}: ${action}`)
  }
}, 120_000)

test('an export of many steps has every file once, wherever each of them dies', async () => {
  const exportId = await request()
  const step = stepWith(small)
  let deaths = 0
  for (let n = 0; n < 30 && (await statusOf(exportId)) === 'running'; n += 1) {
    kit.clock.pass(6 * minuteMs)
    // Every other step dies, each a little later than the one before.
    await (n % 2 === 0 ? step(exportId, 2 + (n % 5)).catch(() => undefined) : step(exportId))
    deaths += n % 2 === 0 ? 1 : 0
  }
  expect(deaths).toBeGreaterThan(5)
  await finish(exportId, small)
  await check(exportId, 'many steps')
}, 120_000)

test('an upload that S3 has forgotten is begun again, and an archive that cannot be made fails without remains', async () => {
  const exportId = await request()
  await stepWith(small)(exportId)
  const broken = crashAfter({ ...kit.ctx, observe: (_effect, run) => run() }, (ctx, id: string) =>
    makeExport(ctx, { workspaceId: kit.workspaceId, exportId: id }, small),
  )
  for (let n = 0; n < 8; n += 1) {
    kit.clock.pass(6 * minuteMs)
    // It dies before its first checkpoint each time.
    await broken(exportId, 2).catch(() => undefined)
  }
  kit.clock.pass(6 * minuteMs)
  await finish(exportId, small)
  expect(await statusOf(exportId)).toBe('failed')
  expect((await leftOf(kit)).filter((key) => key.includes(exportId))).toEqual([])
})

test('an archive is deleted when it expires, and with its workspace, wherever the export is', async () => {
  const exportId = await request()
  await finish(exportId, whole)
  kit.clock.pass(7 * dayMs + minuteMs)
  await stepWith(whole)(exportId)
  expect(await statusOf(exportId)).toBe('expired')
  const { id, slug } = await kit.sessionApi.workspaces.create({ body: { name: 'Short', timezone: 'UTC' } })
  const api = apiOf(kit, id)
  const { exportId: doomed } = await api.workspaces.export({ params: { id } })
  const step = crashAfter(kit.ctx, (ctx, of: string) => makeExport(ctx, { workspaceId: id, exportId: of }, small))
  await step(doomed)
  expect((await leftOf(kit, id)).length).toBeGreaterThan(0)
  await api.workspaces.delete({ params: { id }, query: { confirm: slug } })
  await kit.service.drain()
  expect(await leftOf(kit, id)).toEqual([])
  // A holder that did not know writes nothing that stays.
  await step(doomed)
  expect(await leftOf(kit, id)).toEqual([])
})
