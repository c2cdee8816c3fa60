import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { former } from './words/former.ts'

const root = join(import.meta.dirname, '..')

const sources = ['shared', 'functions', 'infra', 'test']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  .filter((path) => /\.(?:ts|mjs)$/.test(path) && !path.includes('node_modules') && path !== 'test/words/former.ts')

const wordsOf = (path: string) => new Set(readFileSync(join(root, path), 'utf8').match(/[A-Za-z_$][\w$]*/g))

test('no source uses a word that a standard one has replaced', () => {
  expect(sources.length).toBeGreaterThan(1_500)
  const found = sources.flatMap((path) =>
    [...wordsOf(path)]
      .filter((word) => Object.hasOwn(former, word))
      .map((word) => `${path}: ${word} is ${former[word]} now`),
  )
  expect(found).toEqual([])
})

/** Documents that were never in the repository, and how they were cited. */
const citations =
  /\(spec[,)]|\bplatforms-[ab]\b|\breliability, [A-Z]\d|\bdesign, decision\b|\bperformance\.md\b|\bshape\.md\b/

test('no source cites a document outside of the repository', () => {
  const found = sources.flatMap((path) =>
    readFileSync(join(root, path), 'utf8')
      .split('\n')
      .flatMap((line, at) => (citations.test(line) ? `${path}:${at + 1}: ${line.trim()}` : [])),
  )
  expect(found.filter((line) => !line.startsWith('test/words.test.ts:'))).toEqual([])
})
