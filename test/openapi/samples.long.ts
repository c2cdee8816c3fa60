import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { describedRoutes } from '../../functions/routes.ts'
import { codeSamples } from '../../infra/openapi/samples.ts'
import { installPackage } from '../client/package-folder.ts'
import { sampleFaults } from './sample-faults.ts'

const sampled = describedRoutes.filter((route) => codeSamples(route).length > 0)

test.each(['curl', 'Node.js'] as const)('the samples of all operations in %s do what they show', async (language) => {
  expect(await sampleFaults(sampled, language)).toEqual([])
})

test('the samples of all operations by our client do what they show', async () => {
  const home = await installPackage()
  onTestFinished(home.remove)
  expect(await sampleFaults(sampled, 'TypeScript', join(home.folder, 'node_modules'))).toEqual([])
})
