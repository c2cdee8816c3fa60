import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { registryTexts } from '../../infra/commands/platforms.ts'
import { platformIds } from '../../shared/resources.ts'

const root = join(import.meta.dirname, '../..')
const platforms = join(root, 'shared/platforms')

test('the platforms are the folders that have a definition', () => {
  const folders = readdirSync(platforms).filter((name) => existsSync(join(platforms, name, 'definition.ts')))
  expect(folders.toSorted()).toEqual(platformIds.toSorted())
})

test.each(
  Object.entries(await registryTexts()),
)('%s lists what the platforms have (npm run platforms writes it)', (path, text) => {
  expect(readFileSync(join(root, path), 'utf8')).toBe(text)
})
