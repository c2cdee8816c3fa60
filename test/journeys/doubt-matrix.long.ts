import { afterAll, expect, test } from 'vitest'
import { nameOf, play, scenes } from './doubt-matrix/run.ts'
import { subjects } from './doubt-matrix/subjects.ts'

let cells = 0
afterAll(() => {
  console.log(`${cells} cells: none doubled, none unsettled five minutes after its platform could be read`)
})

test.each(scenes.map((scene) => [nameOf(scene), scene] as const))('%s', async (_, scene) => {
  cells += await play(scene)
})

test('every cell ran', () => {
  expect(cells).toBe(scenes.length * subjects.length)
})
