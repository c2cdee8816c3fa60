import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { platformIds } from '../../shared/resources.ts'

const root = join(import.meta.dirname, '../..')

/** A platform's own code: its folder in shared/platforms, and its stand-in. */
const own = new RegExp(`^(?:shared|infra/local)/platforms/(?:${platformIds.join('|')})(?:\\.ts$|/)`)

/** The tests of the local service are next to it. */
const isTest = (path: string) => path.startsWith('infra/local/test/')

const sources = ['shared', 'functions', 'infra']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  .filter((path) => /\.(?:ts|mjs)$/.test(path) && !own.test(path) && !isTest(path) && !path.includes('node_modules'))

const id = `["'\`](?:${platformIds.join('|')})["'\`]`

const comparisons = [
  `[!=]==?\\s*${id}`,
  `${id}\\s*[!=]==?`,
  `\\bcase\\s+${id}`,
  `\\b(?:Exclude|Extract)<\\w+,\\s*${id}`,
]

const comparesId = (text: string) => new RegExp(comparisons.join('|')).test(text)

test('a comparison with the ID of a platform is found however it is written', () => {
  const planted = [
    "if (platform === 'bluesky') return",
    "account.platform !== 'x' ? a : b",
    "'reddit' == id",
    "switch (id) { case 'slack': return 1 }",
    "type Others = Exclude<PlatformId, 'bluesky'>",
    "platform ===\n  'instagram'",
  ]
  expect(planted.filter((text) => !comparesId(text))).toEqual([])
  const data = ["const platforms = ['bluesky', 'x']", "{ platform: 'bluesky' }", "kind === 'text'", "by === 'oauth'"]
  expect(data.filter(comparesId)).toEqual([])
})

test('only the code of a platform compares its ID: all other code reads the definitions', () => {
  expect(sources.length).toBeGreaterThan(500)
  expect(sources.filter((path) => comparesId(readFileSync(join(root, path), 'utf8')))).toEqual([])
})
