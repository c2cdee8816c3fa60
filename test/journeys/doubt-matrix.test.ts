import { afterAll, expect, test } from 'vitest'
import { everyNth } from '../support/thin.ts'
import { nameOf, play, type Scene } from './doubt-matrix/run.ts'

/** A diagonal: every platform meets every value of each of the four. The whole product takes minutes (`.long.ts`). */
const diagonal: readonly Scene[] = [
  { lost: 'answer', others: 200, readableAfter: 11, death: false },
  { lost: 'answer', others: 12, readableAfter: 300, death: true },
  { lost: 'request', others: 200, readableAfter: 0, death: true },
  { lost: 'request', others: 1, readableAfter: 11, death: false },
]

let cells = 0
afterAll(() =>
  console.log(`${cells} cells: none doubled, none unsettled five minutes after its platform could be read`),
)

test.each(everyNth(2, diagonal).map((scene) => [nameOf(scene), scene] as const))('%s', async (_, scene) => {
  cells += await play(scene)
  expect(cells).toBeGreaterThanOrEqual(15)
})
