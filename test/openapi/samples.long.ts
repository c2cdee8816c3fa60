import { expect, test } from 'vitest'
import { routes } from '../../functions/routes.ts'
import { codeSamples } from '../../infra/openapi/samples.ts'
import { sampleFaults } from './sample-faults.ts'

const sampled = routes.filter((route) => codeSamples(route).length > 0)

test.each(['curl', 'Node.js'] as const)('the samples of all operations in %s do what they show', async (language) => {
  expect(await sampleFaults(sampled, language)).toEqual([])
})
