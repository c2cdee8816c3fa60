import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { getSharedSetup } from '../support/shared-setup.ts'
import { openInProcess } from './kills/in-process.ts'
import { type Journal, openJournal } from './kills/journal.ts'
import { runLoad } from './kills/load.ts'
import { seeded } from './kills/random.ts'
import { settleAndCompare } from './kills/settle.ts'
import { setStage } from './kills/stage.ts'
import { useTree } from './kills/tree.ts'

const rounds = Number(process.env['KILLS'] ?? 20)
const seed = Number(process.env['KILLS_SEED'] ?? randomInt(2 ** 31))
const members = 8
const pauseMs = 200
/** A life of the service ends after at most so many answers, however fast the machine, or after so long. */
const maxAnswers = 40
const longestLifeMs = 10_000
/** Of all kills, so many in a hundred come while the service still starts. */
const whileStarting = 20

const { folder, tree } = useTree()

/** Waits for so many more answers, and for a short time after the last one. */
const untilAnswered = async ({ answers }: Journal, more: number, afterMs: number): Promise<void> => {
  const enough = answers() + more
  const giveUpAt = performance.now() + longestLifeMs
  while (answers() < enough && performance.now() < giveUpAt) await sleep(5)
  await sleep(afterMs)
}

test(`nothing accepted is lost or done twice when the service is killed ${rounds} times under load`, {
  timeout: 240_000 + rounds * 30_000,
}, async () => {
  console.log(`KILLS=${rounds} KILLS_SEED=${seed}`)
  const before = await openInProcess(folder, await getSharedSetup())
  const stage = await setStage(before, folder, members)
  await before.close()

  const journal = openJournal()
  const random = seeded(seed)
  const stop = new AbortController()
  const load = runLoad(stage, journal, { seed, pauseMs, stop: stop.signal, tree })
  let startingMs = 1_000
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = performance.now()
    const starting = tree.start()
    if (random.percent(whileStarting)) {
      const started = starting.then(() => 'up', String)
      await sleep(random.int(0, startingMs))
      await tree.kill()
      expect(await started).toMatch(/^up$|ended with SIGKILL/)
      continue
    }
    await starting
    startingMs = performance.now() - startedAt
    await untilAnswered(journal, random.int(0, maxAnswers), random.int(0, 300))
    await tree.kill()
  }
  await tree.start()
  stop.abort()
  await load
  await tree.kill()

  console.log([...journal.tally].map(([answer, count]) => `${count} × ${answer}`).join(', '))
  expect(await settleAndCompare(folder, stage, journal)).toEqual([])
})
