import { afterAll, expect, test } from 'vitest'
import { nameOf, play, type Scene } from './doubt-matrix/run.ts'

/** Two scenes of the whole product, which takes minutes (`.long.ts`). */
const two: readonly Scene[] = [
  { lost: 'answer', others: 200, readableAfter: 11, death: false },
  { lost: 'request', others: 200, readableAfter: 0, death: true },
]

let cells = 0
afterAll(() =>
  console.log(`${cells} cells: none doubled, none unsettled five minutes after its platform could be read`),
)

test.each(two.map((scene) => [nameOf(scene), scene] as const))('%s', async (_, scene) => {
  cells += await play(scene)
  expect(cells).toBeGreaterThanOrEqual(15)
})
