import { afterAll, beforeAll, expect, test } from 'vitest'
import { client } from '../../functions/client.ts'
import { blueskySeed } from '../../infra/local/platforms/bluesky/seed.ts'
import type { FunctionEffect, ObserveFunction } from '../../infra/local/service/invocation.ts'
import { purgeWorkspace } from '../../shared/deletion/purge.ts'
import { minuteMs } from '../../shared/time.ts'
import { type Kit, start } from '../support/start.ts'
import { tracesOf } from './full-workspace.ts'

/** What a worker only looks at changes nothing: a deletion before it is one before what comes next. */
const reads = ['BatchGetItem', 'Query', 'Decrypt']
const workers = ['prepare-post', 'publish-post', 'relay-events', 'deliver-webhook'] as const

/** What is done before one effect of a function, once. */
interface Ambush {
  functionName: string
  nth: number
  act: () => Promise<void>
}

const effects: FunctionEffect[] = []
let ambush: Ambush | undefined
/** Loses the message by which a deletion begins immediately. */
let isLosing = false

const observe: ObserveFunction = async (effect, run) => {
  const nth = effects.filter(({ functionName }) => functionName === effect.functionName).length
  effects.push(effect)
  if (isLosing && effect.functionName === 'workspaces-delete' && effect.action === 'SendMessage') {
    throw new Error('lost on the way to the queue')
  }
  if (ambush?.functionName === effect.functionName && ambush.nth === nth) {
    const { act } = ambush
    ambush = undefined
    await act()
  }
  return run()
}

const lieInAmbush = (next?: Ambush) => {
  effects.length = 0
  ambush = next
}

const effectsOf = (name: string) => effects.filter(({ functionName }) => functionName === name)

let kit: Kit
beforeAll(async () => {
  kit = await start({ observe })
})
afterAll(() => kit.close())

/** A workspace with an account and a webhook: its deletion, and a post that goes its way. */
const open = async () => {
  const { id, slug } = await kit.sessionApi.workspaces.create({ body: { name: 'Brief', timezone: 'UTC' } })
  const api = client({ baseUrl: kit.url, token: kit.sessionToken, workspaceId: id })
  const { handle: identifier, appPassword } = blueskySeed.account
  const account = await api.socialAccounts.connectBluesky({ body: { identifier, appPassword } })
  const url = `${kit.service.inboxUrl}/hooks/${slug}`
  await api.webhooks.create({ body: { name: 'all', url, events: ['post.published'] } })
  const remove = () => api.workspaces.delete({ params: { id }, query: { confirm: slug } })
  const content = `From ${slug}`
  const post = async () => {
    const scheduledAt = new Date(kit.clock.now() + 3 * minuteMs).toISOString()
    await api.posts.schedule({ body: { socialAccountIds: [account.id], content, scheduledAt } })
    await kit.service.pass(5 * minuteMs, { tickMinutes: 30 })
  }
  const isLive = () => kit.platforms.published().some(({ text }) => text === content)
  return { id, remove, post, isLive }
}

const calmEffects = async () => {
  const calm = await open()
  lieInAmbush()
  await calm.post()
  expect(calm.isLive()).toBe(true)
  return calm.id
}

test('a workspace that is deleted before any effect of a worker on its post’s way stays deleted', async () => {
  const calmId = await calmEffects()
  const moments = workers.flatMap((name) =>
    effectsOf(name).flatMap(({ action }, nth) => (reads.includes(action) ? [] : [[name, nth] as const])),
  )
  expect(moments.length).toBeGreaterThan(10)
  const gone: string[] = []
  for (const [functionName, nth] of moments) {
    const { id, remove, post } = await open()
    const act = async () => {
      gone.push(id)
      await remove()
      await purgeWorkspace(kit.ctx, { workspaceId: id })
    }
    lieInAmbush({ functionName, nth, act })
    await post()
  }
  expect(gone).toHaveLength(moments.length)
  // A whole row may come behind the first pass; half a row never does.
  const late = (await tracesOf(kit, 'ws_')).filter(({ PK }) => gone.some((id) => String(PK).startsWith(`WS#${id}`)))
  expect(late.filter(({ PK, type }) => type === undefined && !String(PK).includes('#COUNT#'))).toEqual([])
  await kit.service.pass(75 * minuteMs, { tickMinutes: 15 })
  const traces = JSON.stringify(await tracesOf(kit, 'ws_'))
  expect(gone.filter((id) => traces.includes(id))).toEqual([])
  expect(traces).toContain(calmId)
  expect(kit.logged.filter((line) => line.includes('"error"'))).toEqual([])
}, 60_000)

test('a post of a deleted workspace is not published although its rows still exist', async () => {
  await calmEffects()
  const claim = effectsOf('publish-post').findIndex(({ action }) => action === 'UpdateItem')
  expect(claim).toBeGreaterThan(1)
  isLosing = true
  for (const nth of [1, claim - 1]) {
    const { remove, post, isLive } = await open()
    lieInAmbush({ functionName: 'publish-post', nth, act: async () => void (await remove()) })
    await post()
    expect(ambush).toBeUndefined()
    expect({ nth, isLive: isLive() }).toEqual({ nth, isLive: false })
  }
  isLosing = false
}, 60_000)
