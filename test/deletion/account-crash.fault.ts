import { expect, test } from 'vitest'
import { purgeAccount } from '../../shared/deletion/account/purge.ts'
import { hourMs } from '../../shared/time.ts'
import { crashAfter } from '../support/crash-after.ts'
import { start } from '../support/start.ts'
import { password } from '../support/world/preparations.ts'
import { join, makePerson, tracesOfPerson } from './people.ts'

/** A crash after a read leaves what a crash before it left. */
const isWrite = (action: string) => !['BatchGetItem', 'Query'].includes(action)

test('a worker that dies after any effect of the removal of an account leaves nothing when it is called again', async () => {
  const kit = await start()
  kit.service.queues.faults.onSend = ({ queueName }) => (queueName.endsWith('-purge') ? 'lose' : 'keep')
  const pass = crashAfter(kit.ctx, (ctx, userId: string) => purgeAccount(ctx, { userId }))
  const makeDeleted = async () => {
    const person = await makePerson(kit)
    await join(kit, kit.sessionApi, kit.workspaceId, person)
    const inSeed = person.inside(kit.workspaceId)
    await inSeed.memory.createCollection({ body: { name: 'Diary', isPrivate: true } })
    await inSeed.team.invite({ params: { id: kit.workspaceId }, body: { email: `to-${person.email}`, role: 'member' } })
    await person.api.auth.deleteAccount({ body: { password } })
    await kit.service.drain()
    return person
  }
  const sample = await makeDeleted()
  const effects = await pass(sample.userId)
  const deaths = effects.flatMap((action, at) => (isWrite(action) ? [at] : []))
  expect(deaths.length).toBeGreaterThan(4)
  const people = [sample]
  for (const at of deaths) {
    const person = await makeDeleted()
    await pass(person.userId, at)
    people.push(person)
  }
  // Some die in the last pass, too.
  kit.clock.pass(hourMs)
  for (const [n, person] of people.entries()) {
    if (n > 0 && n < 3) await pass(person.userId, n)
    await pass(person.userId)
  }
  for (const person of people) {
    const kinds = (await tracesOfPerson(kit, person)).map(({ type }) => type)
    // The removal of private collections has its own worker.
    expect(kinds.filter((type) => type !== 'AuditEntry' && type !== 'Collection')).toEqual([])
  }
}, 120_000)
