import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { client } from '../../functions/client.ts'
import { type Route, routes } from '../../functions/routes.ts'
import { migrate } from '../../infra/deploy/operator/migrate.ts'
import { changePauses } from '../../infra/deploy/operator/pauses.ts'
import { settleRestore } from '../../infra/deploy/operator/settle-restore.ts'
import type { Item } from '../../shared/db/table.ts'
import { openSession } from '../../shared/identity/open-session.ts'
import { dayMs, minuteMs } from '../../shared/time.ts'
import { setPlan } from '../../shared/workspaces/plan.ts'
import { tracesOfPerson } from '../deletion/people.ts'
import { type Kit, start } from '../support/start.ts'
import { everyNth } from '../support/thin.ts'
import { type Answer, type Call, callRoute } from '../support/world/ask.ts'
import { password } from '../support/world/preparations.ts'
import { scanTable } from '../support/world/rows.ts'
import { uncounted } from '../support/world/uncounted.ts'
import { tracesOf } from '../workspaces/full-workspace.ts'
import { laterValue, load, marksOf, nameOf, releasedTables, withLaterValues } from './released-table.ts'

// The rows that this release writes, and those of a made-up next one, meet every reader and every worker.

const slow = { timeout: 240_000 }

const released = releasedTables()
const withMore = (rows: readonly Item[]) => rows.map((row) => ({ ...row, addedLater: { of: ['any', 'form'] } }))

const tables: { name: string; rows: readonly Item[]; strange: readonly Item[] }[] = [
  { name: 'of a next release that adds an attribute', rows: withMore(released[0] ?? []), strange: [] },
  { name: 'of a next release that adds words', ...withLaterValues(withMore(released[0] ?? [])) },
]

const textOf = (row: Item | undefined, name: string) => String(row?.[name])
const ofType = (rows: readonly Item[], type: string) => rows.filter((row) => row['type'] === type)

/** The rows of a type, without those that are marked as deleted. */
const present = (rows: readonly Item[], type: string) =>
  ofType(rows, type).filter(({ deletedAt, deletedAtMs }) => deletedAt === undefined && deletedAtMs === undefined)

/** A workspace with its rows, and a user who may see all of it. */
interface RowSet {
  workspaceId: string
  slug: string
  token: string
  rows: readonly Item[]
}

const rowSetsIn = async ({ ctx }: Kit, rows: readonly Item[]): Promise<RowSet[]> => {
  const rowSets: RowSet[] = []
  for (const workspace of ofType(rows, 'Workspace')) {
    const workspaceId = textOf(workspace, 'id')
    const own = rows.filter((row) => row['workspaceId'] === workspaceId)
    // Of several owners the one who has made most sees all of it.
    const madeBy = ({ userId }: Item) => own.filter((row) => [row['userId'], row['createdBy']].includes(userId)).length
    const owners = ofType(own, 'Member').filter(({ role }) => role === 'owner')
    const owner = owners.toSorted((a, b) => madeBy(b) - madeBy(a))[0]
    const user = ofType(rows, 'User').find(({ id }) => id === owner?.['userId'])
    if (user === undefined) continue
    const { token } = await openSession(ctx, {
      userId: textOf(user, 'id'),
      email: textOf(user, 'email'),
      name: textOf(user, 'name'),
      userAgent: 'test',
    })
    rowSets.push({ workspaceId, slug: textOf(workspace, 'slug'), token, rows: own })
  }
  return rowSets
}

/** The type of a row with its attributes and its words, such as a status. */
const formOf = (row: Item) => marksOf([row]).get(row)?.join() ?? ''

/** The workspaces with a form of row that no earlier one has: the others would repeat the same rows. */
const unlike = (rowSets: readonly RowSet[]): RowSet[] => {
  const seen = new Set<string>()
  return rowSets
    .map((rowSet) => ({ rowSet, forms: new Set(rowSet.rows.map(formOf)) }))
    .toSorted((a, b) => b.forms.size - a.forms.size)
    .flatMap(({ rowSet, forms }) => {
      const added = [...forms].filter((form) => !seen.has(form))
      for (const form of added) seen.add(form)
      return added.length > 0 ? [rowSet] : []
    })
}

type CallsAbout = (rows: readonly Item[]) => Call[]

/** A call about each row of a type, whose attributes are its parameters. */
const about =
  (type: string, params: Readonly<Record<string, string>> = { id: 'id' }): CallsAbout =>
  (rows) =>
    present(rows, type).map((row) => ({
      params: Object.fromEntries(Object.entries(params).map(([name, attribute]) => [name, textOf(row, attribute)])),
    }))

/** The calls of each route that names a row; other routes are called once in each workspace. */
const subjects: Readonly<Record<string, CallsAbout>> = {
  // A request that waits for its text has a row and no job.
  'ai.getJob': (rows) => about('AiJob')(rows.filter(({ type, job }) => type !== 'AiJob' || job !== undefined)),
  'application.get': about('Application', {}),
  'application.listTokens': about('Application', {}),
  'application.listWorkspaces': about('Application', {}),
  'drafts.get': about('Draft'),
  'media.get': about('Asset'),
  'memory.getCollection': about('Collection'),
  'memory.list': (rows) => present(rows, 'Collection').map((row) => ({ query: { collectionId: textOf(row, 'id') } })),
  'posts.calendar': () => [{ query: { from: '2026-12-01', to: '2026-12-31' } }],
  'posts.get': about('Post'),
  'posts.listAttempts': about('Post'),
  'posts.listDeliveries': about('Post'),
  'webhooks.get': about('Endpoint'),
  'webhooks.getDelivery': about('Delivery', { id: 'endpointId', deliveryId: 'id' }),
  'webhooks.getReplay': about('Replay', { replayId: 'id' }),
  'webhooks.listDeliveries': about('Endpoint'),
  'workspaces.getExport': about('Export', { id: 'workspaceId', exportId: 'id' }),
}

/** Without routes that call a platform, with credentials of the service that was walked through. */
const readers = routes.filter(
  ({ operation, endpoint: { contract } }) =>
    contract.method === 'GET' &&
    contract.access.kind !== 'anyone' &&
    !/\.(?:discord|pinterest|reddit|slack)/.test(operation),
)

const isPaged = ({ endpoint: { contract } }: Route) =>
  contract.query !== undefined && 'limit' in (contract.query as unknown as { shape: object }).shape

/** The answers of all pages, or the only one. */
const readPages = async (kit: Kit, route: Route, call: Call): Promise<Answer[]> => {
  const answers: Answer[] = []
  let query: Call['query'] = { ...call.query, ...(isPaged(route) ? { limit: '5' } : {}) }
  while (answers.length < 1_000) {
    const answer = await callRoute(kit.url, route, { ...call, query })
    answers.push(answer)
    const { hasMore, nextCursor, offset } = Object(answer.body?.['data'])
    if (hasMore !== true) break
    query = { ...query, ...(nextCursor ? { cursor: nextCursor } : { offset: String(Number(offset) + 5) }) }
  }
  return answers
}

interface ReadResult {
  route: Route
  call: Call
  answers: readonly Answer[]
}

/** Every read, in every workspace, about every row. */
const readAll = async (kit: Kit, rowSets: readonly RowSet[]): Promise<ReadResult[]> => {
  const results: ReadResult[] = []
  for (const { workspaceId, token, rows } of rowSets) {
    for (const route of readers) {
      for (const about of subjects[route.operation]?.(rows) ?? [{ params: { id: workspaceId } }]) {
        const call = { ...about, token, workspaceId }
        results.push({ route, call, answers: await readPages(kit, route, call) })
      }
    }
  }
  return results
}

/** The lists that have a row each of a type. */
const lists: Readonly<Record<string, string>> = {
  'drafts.list': 'Draft',
  'media.list': 'Asset',
  'memory.listCollections': 'Collection',
  'posts.list': 'Post',
  'webhooks.list': 'Endpoint',
}

/** A read that is rejected, without those of workspaces without a plan, and those about a row of the next release. */
const findProblems = (results: readonly ReadResult[], strange: readonly Item[]): string[] => {
  const ids = new Set(strange.map((row) => row['id']))
  // The devices and settings of a person are one row.
  const isAboutStrange = ({ route, call }: ReadResult) =>
    [call.workspaceId, ...Object.values(call.params ?? {})].some((id) => ids.has(id)) ||
    (strange.length > 0 && route.group === 'notifications')
  return results.flatMap((result) =>
    result.answers
      .filter(({ status, body }) => {
        if (status === 409) return !(body?.['code'] === 'newer_release' && isAboutStrange(result))
        return status >= 300 && status !== 402
      })
      .map(({ status, text }) => `${result.route.operation} ${JSON.stringify(result.call)} answers ${status}: ${text}`),
  )
}

/** The rows that are readable and that their list leaves out. */
const leftOut = (results: readonly ReadResult[], rowSets: readonly RowSet[], strange: readonly Item[]): string[] =>
  results.flatMap(({ route, call, answers }) => {
    const type = lists[route.operation]
    if (type === undefined || answers.some(({ status }) => status === 402)) return []
    const shown = JSON.stringify(answers.map(({ body }) => body))
    const rows = rowSets.find(({ workspaceId }) => workspaceId === call.workspaceId)?.rows ?? []
    const ids = new Set(strange.map(({ id }) => id))
    return present(rows, type)
      .filter((row) => !ids.has(row['id']) && !shown.includes(textOf(row, 'id')))
      .map((row) => `${route.operation} leaves out ${nameOf(row)}`)
  })

const startWith = async (rows: readonly Item[]): Promise<Kit> => {
  const kit = await start({ keepExpired: true, rateLimits: uncounted })
  await load(kit, rows)
  return kit
}

const expectReadable = async (kit: Kit, rows: readonly Item[], strange: readonly Item[]) => {
  const rowSets = unlike(await rowSetsIn(kit, rows))
  const results = await readAll(kit, rowSets)
  expect(results.length).toBeGreaterThan(200)
  expect(findProblems(results, strange)).toEqual([])
  expect(leftOut(results, rowSets, strange)).toEqual([])
}

/** Stripe, which starts without its state, knows no subscription of the record. */
const isOfStripe = (line: string) => line.includes('social-local-billing')

const errorsIn = (lines: readonly string[]) =>
  lines.filter((line) => line.includes('"level":"error"') && !isOfStripe(line))

test.each(
  everyNth(
    3,
    released.map((rows, n) => ({ state: n + 1, rows })),
  ),
)('every read answers, for the rows of this release in state $state', slow, async ({ rows }) => {
  await expectReadable(await startWith(rows), rows, [])
})

describe.each(tables)('a table $name', slow, ({ rows, strange }) => {
  let kit: Kit
  beforeAll(async () => {
    kit = await startWith(rows)
  })
  afterAll(() => kit.close())

  // The second table has the attributes of the first, and additional enumeration values.
  test.skipIf(strange.length === 0)('every read answers, and every list has all rows that can be read', () =>
    expectReadable(kit, rows, strange),
  )

  test('the commands of the operator run', async () => {
    await migrate(kit.ctx)
    await changePauses(kit.ctx, 'pause', {})
    expect(await changePauses(kit.ctx, 'pauses', {})).toContain('the deployment since')
    await settleRestore(kit.ctx, kit.clock.now())
    expect(await changePauses(kit.ctx, 'resume', {})).toBe('Nothing is paused.')
    const workspace = ofType(rows, 'Workspace').find((row) => !strange.includes(row))
    const plan = { status: 'active', planName: 'any', hasAccess: true }
    expect(await setPlan(kit.ctx, textOf(workspace, 'id'), plan)).toBeDefined()
  })

  test('every worker runs without an error, and what the next release has written stays', async () => {
    const from = kit.logged.length
    await kit.service.pass(3 * dayMs, { tickMinutes: 120 })
    expect(errorsIn(kit.logged.slice(from))).toEqual([])
    const now = new Map((await scanTable(kit)).map((row) => [nameOf(row), row]))
    const names = (some: readonly Item[]) => some.map(nameOf)
    expect(names(strange.filter((row) => !JSON.stringify(now.get(nameOf(row)))?.includes(laterValue)))).toEqual([])
    const left = rows.filter((row) => row['addedLater'] !== undefined && now.has(nameOf(row)))
    expect(names(left.filter((row) => now.get(nameOf(row))?.['addedLater'] === undefined))).toEqual([])
  })

  test('every workspace is exported', async () => {
    const rowSets = unlike(await rowSetsIn(kit, rows))
    // Of a workspace whose export has the turn, one row of the two is of an earlier moment.
    for (const { workspaceId, token } of rowSets.filter(({ rows: own }) => ofType(own, 'ExportTurn').length === 0)) {
      const { workspaces } = client({ baseUrl: kit.url, token, workspaceId })
      const { exportId } = await workspaces.export({ params: { id: workspaceId } })
      await kit.service.drain()
      const { status } = await workspaces.getExport({ params: { id: workspaceId, exportId } })
      expect(status, workspaceId).toBe('completed')
    }
  })

  // What a newer release has written ends with it.
  test.skipIf(strange.length > 0)('deletions leave nothing of any workspace and of any person', async () => {
    const rowSets = await rowSetsIn(kit, rows)
    for (const { workspaceId, token, slug } of rowSets) {
      const { workspaces } = client({ baseUrl: kit.url, token, workspaceId })
      await workspaces.delete({ params: { id: workspaceId }, query: { confirm: slug } })
    }
    const { auth } = client({ baseUrl: kit.url })
    const signIn = ({ email }: Item) => auth.signIn({ body: { email: String(email), password } })
    const signedIn = await Promise.allSettled(ofType(rows, 'Credential').map(signIn))
    const people = signedIn.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    expect(people.length).toBeGreaterThan(2)
    for (const { token } of people) await client({ baseUrl: kit.url, token }).auth.deleteAccount({ body: { password } })
    await kit.service.pass(3 * 60 * minuteMs, { tickMinutes: 5 })
    // A push to a remaining user expires by itself.
    const isLeft = ({ type }: Item) => type !== 'Push'
    for (const { workspaceId } of rowSets) expect((await tracesOf(kit, workspaceId)).filter(isLeft)).toEqual([])
    for (const { user } of people) expect(await tracesOfPerson(kit, { userId: user.id, email: user.email })).toEqual([])
  })
})
