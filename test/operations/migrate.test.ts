import { expect, test } from 'vitest'
import { migrate } from '../../infra/deploy/operator/migrate.ts'
import { equal } from '../../shared/db/expression.ts'
import { type Item, query, updateOnly } from '../../shared/db/table.ts'
import { posts } from '../../shared/posts/lifecycle/row.ts'
import { dayMs } from '../../shared/time.ts'
import { scheduleOn } from '../journeys/author.ts'
import { type Kit, start } from '../support/start.ts'

const count = 30

const rowsOf = async (kit: Kit): Promise<Item[]> => {
  const { PK } = posts.key({ workspaceId: kit.workspaceId, id: '' })
  return (await query(kit.ctx, { key: equal('PK', PK) })).items
}

const isListed = ({ statusKey }: Item) => statusKey !== undefined

/** Posts as the release before has left them: all of them in the index of statuses. */
const asBefore = async (kit: Kit) => {
  for (let n = 0; n < count; n += 1) await scheduleOn(kit, 'bluesky', `post ${n}`, dayMs)
  const [first] = await rowsOf(kit)
  await kit.api.posts.cancel({ params: { id: String(first?.['id']) } })
  for (const row of await rowsOf(kit)) {
    const statusKey = `WS#${kit.workspaceId}#S#${row['status']}`
    await updateOnly(kit.ctx, { PK: String(row['PK']), SK: String(row['SK']) }, { set: { statusKey } })
  }
}

test('a migration changes every row of the release before, also if it is killed, and at its pace', async () => {
  let killAt = Number.POSITIVE_INFINITY
  const kit = await start()
  const killed: Kit['ctx'] = {
    ...kit.ctx,
    observe: ({ service, action, resource }, run) =>
      kit.ctx.observe({ service, action, resource }, async () => {
        const answer = await run()
        killAt -= 1
        if (killAt === 0) throw new Error('the command was killed')
        return answer
      }),
  }
  await asBefore(kit)
  expect((await rowsOf(kit)).filter(isListed)).toHaveLength(count)
  // After the scan and some of the changes.
  killAt = 9
  await expect(migrate(killed)).rejects.toThrow('killed')
  expect((await rowsOf(kit)).filter(isListed).length).toBeGreaterThan(1)
  const startedMs = kit.clock.now()
  const report = await migrate(kit.ctx, '100')
  const [, read = 0] = /: (\d+) rows read/.exec(report) ?? []
  // The pace holds between pages.
  expect(kit.clock.now() - startedMs).toBeGreaterThanOrEqual((Number(read) - 250) * 10)
  expect((await rowsOf(kit)).filter(isListed).map(({ status }) => status)).toEqual(['cancelled'])
  const { items, total } = await kit.api.posts.list({ query: { status: 'scheduled' } })
  expect([items.length, total]).toEqual([count - 1, count - 1])
  // Done once, it reads nothing again.
  expect(await migrate(kit.ctx)).toBe(report)
})

test('a pace that is none is rejected', async () => {
  const kit = await start()
  await expect(migrate(kit.ctx, 'fast')).rejects.toThrow('--rate takes the rows to read in a second')
})
