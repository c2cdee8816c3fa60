import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { client } from '../../functions/client.ts'
import { platformIds } from '../../shared/resources.ts'
import { seeded } from './kills/random.ts'
import { useTree } from './kills/tree.ts'

const rounds = 12
const seed = Number(process.env['KILLS_SEED'] ?? randomInt(2 ** 31))
/** Each life may be this much longer than the one before, so that on any machine some end in each step of the start. */
const longerMs = 1_000

const { tree } = useTree()

test(`a first start killed ${rounds} times creates the demo data once`, {
  timeout: 60_000 + rounds * 30_000,
}, async () => {
  console.log(`KILLS_SEED=${seed}`)
  const random = seeded(seed)
  for (let round = 0; round < rounds; round += 1) {
    const started = tree.start().then(() => 'up', String)
    await sleep(random.int(0, (round + 2) * longerMs))
    await tree.kill()
    expect(await started).toMatch(/^up$|ended with SIGKILL/)
  }
  const { baseUrl, sessionToken: token, workspaceId, accounts } = await tree.start()
  expect(Object.keys(accounts).sort()).toEqual([...platformIds].sort())
  const api = client({ baseUrl, token, workspaceId })
  expect((await api.workspaces.list()).map(({ id }) => id)).toEqual([workspaceId])
  expect(await api.webhooks.list()).toHaveLength(1)
  const connected = (await api.socialAccounts.list()).map(({ id }) => id)
  expect(connected).toEqual(expect.arrayContaining(Object.values(accounts)))
})
