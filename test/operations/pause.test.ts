import { expect, test } from 'vitest'
import { type Client, client } from '../../functions/client.ts'
import { changePauses, type PauseOptions } from '../../infra/deploy/operator/pauses.ts'
import type { ObserveFunction } from '../../infra/local/service/invocation.ts'
import { get, put, update } from '../../shared/db/table.ts'
import { pausesKey } from '../../shared/pauses/pauses.ts'
import { minuteMs } from '../../shared/time.ts'
import { eventsOf, listen, liveCount, scheduleOn } from '../journeys/author.ts'
import { expectSound } from '../journeys/invariants.ts'
import { callTool, connectedAssistant, mcpClient } from '../mcp/assistant.ts'
import { browserOf } from '../pages/test-browser.ts'
import { type Kit, start } from '../support/start.ts'
import { scanTable } from '../support/world/rows.ts'

const text = (n: number) => `paused ${n}`

/** What is paused, and how many posts on Bluesky and on Discord are live during the pause. */
const scopes: { name: string; optionsOf(kit: Kit): PauseOptions; live: [number, number] }[] = [
  { name: 'the deployment', optionsOf: () => ({}), live: [0, 0] },
  { name: 'Bluesky', optionsOf: () => ({ platform: 'bluesky' }), live: [0, 1] },
  { name: 'the workspace', optionsOf: ({ workspaceId }) => ({ workspace: workspaceId }), live: [0, 0] },
]

const moments = ['before the publisher starts', 'after it has claimed'] as const

test.each(
  scopes.flatMap((scope) => moments.map((moment) => ({ ...scope, moment }))),
)('$name is paused $moment: posts are sent once, after it is resumed', async ({ optionsOf, live, moment }) => {
  let paused: Promise<unknown> | undefined
  let isArmed = false
  const observe: ObserveFunction = async ({ functionName, action }, run) => {
    const isLastLook = functionName === 'publish-post' && (paused !== undefined || action === 'UpdateItem')
    if (isArmed && isLastLook) {
      paused ??= changePauses(kit.ctx, 'pause', optionsOf(kit))
      await paused
    }
    return run()
  }
  const kit: Kit = await start({ observe })
  await listen(kit)
  await scheduleOn(kit, 'bluesky', text(0), 5 * minuteMs)
  await scheduleOn(kit, 'discord', text(1), 5 * minuteMs)
  await kit.service.pass(4 * minuteMs)
  if (moment === 'after it has claimed') isArmed = true
  else expect(await changePauses(kit.ctx, 'pause', { ...optionsOf(kit), reason: 'test' })).toMatch(/\(test\)\.$/)
  await kit.service.pass(30 * minuteMs, { tickMinutes: 1 })
  expect(await changePauses(kit.ctx, 'pauses', {})).toMatch(/^Paused: .* since 2030-/)
  expect([liveCount(kit, text(0)), liveCount(kit, text(1))]).toEqual(live)
  expect(await changePauses(kit.ctx, 'resume', optionsOf(kit))).toBe('Nothing is paused.')
  await kit.service.pass(2 * minuteMs)
  expect([liveCount(kit, text(0)), liveCount(kit, text(1))]).toEqual([1, 1])
  await expectSound(kit)
})

test('webhooks of a paused workspace arrive after it is resumed', async () => {
  const kit = await start()
  await listen(kit)
  const { id } = await scheduleOn(kit, 'discord', text(0), 20 * minuteMs)
  const before = kit.inbox.deliveries().length
  await changePauses(kit.ctx, 'pause', { workspace: kit.workspaceId })
  await kit.api.posts.cancel({ params: { id } })
  await kit.service.pass(10 * minuteMs, { tickMinutes: 1 })
  expect(kit.inbox.deliveries().length).toBe(before)
  await changePauses(kit.ctx, 'resume', { workspace: kit.workspaceId })
  await kit.service.pass(16 * minuteMs)
  expect(eventsOf(kit, id).at(-1)?.type).toBe('post.cancelled')
})

test('a pause that only a newer release knows stops everything with one alarm, until the deployment is resumed', async () => {
  const kit = await start()
  await listen(kit)
  await scheduleOn(kit, 'bluesky', text(0), 5 * minuteMs)
  await changePauses(kit.ctx, 'pause', { platform: 'discord' })
  const strange = { scope: { kind: 'queue', name: 'deliver' }, sinceMs: kit.clock.now(), by: 'ann' }
  const known = { scope: { kind: 'platform', id: 'discord' }, sinceMs: kit.clock.now() }
  await update(kit.ctx, pausesKey, { set: { pauses: [strange, known] } })
  await kit.service.pass(30 * minuteMs, { tickMinutes: 1 })
  expect(liveCount(kit, text(0))).toBe(0)
  const errors = kit.logged.filter((line) => line.includes('"level":"error"')).map((line) => JSON.parse(line))
  expect(new Set(errors.map(({ message }) => message))).toEqual(new Set(['operator action needed']))
  expect(errors[0]).toMatchObject({ reason: expect.stringContaining('newer release'), OperatorActionNeeded: 1 })
  expect(await changePauses(kit.ctx, 'pauses', {})).toMatch(/^Paused: the queue since .*; platform discord since /)
  // A change by this release keeps it whole.
  await changePauses(kit.ctx, 'resume', { platform: 'discord' })
  expect(await get(kit.ctx, pausesKey)).toMatchObject({ pauses: [strange] })
  expect(await changePauses(kit.ctx, 'resume', {})).toBe('Nothing is paused.')
  await kit.service.pass(2 * minuteMs)
  expect(liveCount(kit, text(0))).toBe(1)
  await expectSound(kit)
})

test('a scope that does not exist is rejected', async () => {
  const kit = await start()
  await expect(changePauses(kit.ctx, 'pause', { platform: 'myspace' })).rejects.toThrow(
    'There is no platform "myspace"',
  )
  await expect(changePauses(kit.ctx, 'pause', { workspace: 'ws_none' })).rejects.toThrow('no workspace "ws_none"')
})

/** The rows that are no counters of calls, as text. */
const rowsOf = async (kit: Kit): Promise<string[]> =>
  (await scanTable(kit))
    .filter(({ type }) => type !== 'Count')
    .map((row) => JSON.stringify(row))
    .sort()

const refused = { status: 503, code: 'unavailable', message: expect.stringContaining('takes no changes') }

/** What was refused, each with the seconds of `Retry-After`. */
const refusalsOf = (calls: readonly Promise<unknown>[]) =>
  Promise.all(
    calls.map((call) =>
      call.then(
        () => 'accepted',
        (error) => {
          expect(error).toMatchObject(refused)
          return error.headers.get('Retry-After')
        },
      ),
    ),
  )

/** A call that creates, one that changes, and one that deletes. */
const changesOf = ({ drafts }: Client, id: string) => [
  drafts.create({ body: { content: 'new' } }),
  drafts.update({ params: { id }, body: { content: 'other' } }),
  drafts.delete({ params: { id } }),
]

test('with --intake, changes are refused for every kind of caller, reads are not, and resume accepts changes again', async () => {
  const kit = await start()
  await kit.sessionApi.application.register({ body: { name: 'Planner' } })
  const { token } = await kit.sessionApi.application.createToken({ body: { name: 'Backend' } })
  const application = client({ baseUrl: kit.url, workspaceId: kit.workspaceId, token })
  const child = await application.application.createWorkspace({ body: { name: 'Mill', timezone: 'UTC' } })
  const inChild = client({ baseUrl: kit.url, workspaceId: child.id, token })
  const assistant = await mcpClient(kit, (await connectedAssistant(kit)).token)
  const draft = await kit.api.drafts.create({ body: { content: 'before' } })
  const ofChild = await inChild.drafts.create({ body: { content: 'before' } })
  await callTool(assistant, 'get_workspace')
  const own = browserOf(kit, kit.sessionToken)
  const page = await own.open('/workspaces')

  expect(await changePauses(kit.ctx, 'pause', { intake: true, reason: 'restore' })).toMatch(
    /^Paused: the deployment, and refuses changes, since 2030-.* \(restore\)\.$/,
  )
  const before = await rowsOf(kit)
  for (const [api, id] of [
    [kit.api, draft.id],
    [kit.sessionApi, draft.id],
    [inChild, ofChild.id],
  ] as const) {
    expect(await refusalsOf(changesOf(api, id))).toEqual(['60', '60', '60'])
  }
  const sent = { content: 'new', idempotencyKey: 'a-draft-of-mine' }
  const called = await callTool(assistant, 'create_draft', sent)
  expect([called.error, called.details]).toEqual([refused.message, expect.objectContaining({ code: 'unavailable' })])
  const posted = await own.submit(page, 'workspaces', { name: 'Another', timezone: 'UTC' })
  expect([posted.status, posted.headers.get('Retry-After')]).toEqual([503, '60'])
  expect(posted.text).toContain('takes no changes')
  expect(posted.text).toContain('value="Another"')
  expect(await rowsOf(kit)).toEqual(before)

  expect((await kit.api.drafts.list()).items).toMatchObject([{ id: draft.id, content: 'before' }])
  expect((await kit.sessionApi.drafts.list()).total).toBe(1)
  expect((await inChild.drafts.list()).total).toBe(1)
  expect((await callTool(assistant, 'list_drafts')).data).toMatchObject({ total: 1 })
  expect((await own.open('/workspaces')).status).toBe(200)
  // Who sends no valid token learns nothing of it.
  const stranger = client({ baseUrl: kit.url, token: 'none', workspaceId: kit.workspaceId })
  await expect(stranger.drafts.create({ body: { content: 'new' } })).rejects.toMatchObject({ status: 401 })

  expect(await changePauses(kit.ctx, 'resume', {})).toBe('Nothing is paused.')
  expect((await kit.api.drafts.create({ body: { content: 'new' } })).content).toBe('new')
  expect((await kit.sessionApi.drafts.create({ body: { content: 'new' } })).content).toBe('new')
  expect((await inChild.drafts.create({ body: { content: 'new' } })).content).toBe('new')
  expect((await callTool(assistant, 'create_draft', sent)).error).toBeUndefined()
  const again = await own.submit(page, 'workspaces', { name: 'Another', timezone: 'UTC' })
  expect(again.status).toBe(303)
})

test('a pause without --intake accepts changes, and replaces one with it', async () => {
  const kit = await start()
  const create = () => kit.api.drafts.create({ body: { content: 'new' } })
  await changePauses(kit.ctx, 'pause', {})
  expect((await create()).content).toBe('new')
  kit.clock.pass(minuteMs)
  const text = await changePauses(kit.ctx, 'pause', { intake: true })
  expect(text).toBe('Paused: the deployment, and refuses changes, since 2030-01-01T12:01:00.000Z.')
  expect(await changePauses(kit.ctx, 'pauses', {})).toBe(text)
  // Other pauses leave it.
  await changePauses(kit.ctx, 'pause', { platform: 'x' })
  await changePauses(kit.ctx, 'resume', { platform: 'x' })
  expect(await refusalsOf([create()])).toEqual(['60'])
  expect(await changePauses(kit.ctx, 'pause', {})).toMatch(/^Paused: the deployment since [^;]*\.$/)
  expect((await create()).content).toBe('new')
})

test('a restored table accepts changes, unless its own row refuses them', async () => {
  const kit = await start()
  const create = () => kit.api.drafts.create({ body: { content: 'new' } })
  const row = { ...pausesKey, type: 'Pauses', version: 3, table: 'the-earlier-table' }
  const others = [{ kind: 'deployment' }, { kind: 'queue', name: 'deliver' }]
  await put(kit.ctx, { ...row, pauses: others.map((scope) => ({ scope, sinceMs: kit.clock.now() })) })
  expect((await create()).content).toBe('new')
  const scope = { kind: 'deployment', intake: true }
  await put(kit.ctx, { ...row, pauses: [{ scope, sinceMs: kit.clock.now() }] })
  expect(await refusalsOf([create()])).toEqual(['60'])
  await changePauses(kit.ctx, 'resume', {})
  expect((await create()).content).toBe('new')
})

test('--intake is an option of pause, for the whole deployment', async () => {
  const kit = await start()
  const { ctx, workspaceId } = kit
  const whole = 'Give --intake without --platform and --workspace: changes are refused in the whole deployment.'
  await expect(changePauses(ctx, 'pause', { intake: true, platform: 'x' })).rejects.toThrow(whole)
  await expect(changePauses(ctx, 'pause', { intake: true, workspace: workspaceId })).rejects.toThrow(whole)
  await expect(changePauses(ctx, 'resume', { intake: true })).rejects.toThrow('Give --intake to pause')
  expect(await changePauses(ctx, 'pauses', {})).toBe('Nothing is paused.')
})
