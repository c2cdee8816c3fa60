import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describedRoutes } from '../../functions/routes.ts'
import { codeSamples } from '../../infra/openapi/samples.ts'
import { installPackage } from '../client/package-folder.ts'
import { sampleFaults } from './sample-faults.ts'

const sampled = describedRoutes.filter((route) => codeSamples(route).length > 0)

const root = join(import.meta.dirname, '../..')

let home: Awaited<ReturnType<typeof installPackage>>
beforeAll(async () => {
  home = await installPackage()
}, 120_000)
afterAll(() => home?.remove())

test('every operation that programs call has a sample by our client and in four languages', () => {
  expect(describedRoutes.length - sampled.length).toBe(6)
  for (const route of sampled) {
    expect(codeSamples(route).map(({ label }) => label)).toEqual(['curl', 'TypeScript', 'Node.js', 'Python', 'Go'])
  }
})

test('the samples of all operations by our client compile against its types', async () => {
  const files = sampled.map((route) => {
    const source = codeSamples(route).find(({ label }) => label === 'TypeScript')?.source ?? ''
    expect(source).toContain(`await client.${route.operation}(`)
    return { name: `${route.operation}.ts`, source }
  })
  await Promise.all(files.map(({ name, source }) => writeFile(join(home.folder, name), source)))
  const compilerOptions = {
    target: 'es2023',
    module: 'nodenext',
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUnusedLocals: true,
    noEmit: true,
  }
  const project = join(home.folder, 'tsconfig.json')
  await writeFile(project, JSON.stringify({ compilerOptions, files: files.map(({ name }) => name) }))
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const { stdout } = await promisify(execFile)(process.execPath, [compiler, '-p', project]).catch((error) => error)
  expect(stdout).toBe('')
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

test('the samples of posts by our client do what they show', async () => {
  const posts = sampled.filter(({ group }) => group === 'posts')
  expect(await sampleFaults(posts, 'TypeScript', join(home.folder, 'node_modules'))).toEqual([])
})
