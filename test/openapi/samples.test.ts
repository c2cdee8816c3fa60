import { expect, test } from 'vitest'
import { routes } from '../../functions/routes.ts'
import { codeSamples } from '../../infra/openapi/samples.ts'
import { sampleFaults } from './sample-faults.ts'

const sampled = routes.filter((route) => codeSamples(route).length > 0)

test('every operation that programs call has a sample in four languages', () => {
  expect(routes.length - sampled.length).toBe(6)
  for (const route of sampled) {
    expect(codeSamples(route).map(({ label }) => label)).toEqual(['curl', 'Node.js', 'Python', 'Go'])
  }
})

// The samples of all operations: samples.long.ts.
test.each(['curl', 'Node.js'] as const)('the samples of posts in %s do what they show', async (language) => {
  expect(
    await sampleFaults(
      sampled.filter(({ group }) => group === 'posts'),
      language,
    ),
  ).toEqual([])
})
