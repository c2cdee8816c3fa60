import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseAst } from 'vitest/node'
import { former } from './words/former.ts'
import { vague } from './words/vague.ts'

const root = join(import.meta.dirname, '../..')

const sources = ['shared', 'functions', 'infra', 'test']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  .filter(
    (path) =>
      /\.(?:tsx?|mjs)$/.test(path) && !path.includes('node_modules') && path !== 'test/repository/words/former.ts',
  )

const wordsOf = (path: string) => new Set(readFileSync(join(root, path), 'utf8').match(/[A-Za-z_$][\w$]*/g))

test('no source uses a word that a standard one has replaced', () => {
  expect(sources.length).toBeGreaterThan(1_500)
  const violations = sources.flatMap((path) =>
    [...wordsOf(path)]
      .filter((word) => Object.hasOwn(former, word))
      .map((word) => `${path}: ${word} is ${former[word]} now`),
  )
  expect(violations).toEqual([])
})

/** Documents that were never in the repository, and how they were cited. */
const citations =
  /\(spec[,)]|\bplatforms-[ab]\b|\breliability, [A-Z]\d|\bdesign, decision\b|\bperformance\.md\b|\bshape\.md\b/

test('no source cites a document outside of the repository', () => {
  const violations = sources.flatMap((path) =>
    readFileSync(join(root, path), 'utf8')
      .split('\n')
      .flatMap((line, at) => (citations.test(line) ? `${path}:${at + 1}: ${line.trim()}` : [])),
  )
  expect(violations.filter((line) => !line.startsWith('test/repository/words.test.ts:'))).toEqual([])
})

const isNamed = (node: object): node is { name: string } =>
  'type' in node &&
  (node.type === 'Identifier' || node.type === 'PrivateIdentifier') &&
  'name' in node &&
  typeof node.name === 'string'

const takesOne = (node: object): boolean =>
  'type' in node &&
  node.type === 'ArrowFunctionExpression' &&
  'params' in node &&
  Array.isArray(node.params) &&
  node.params.some((each) => isNamed(each) && each.name === 'one')

/** The names in a part of the code, each as often as it is used; a parameter `one` of a lambda is `(one)`. */
const namesIn = (node: unknown): string[] => {
  if (typeof node !== 'object' || node === null) return []
  const below = Object.values(node).flatMap(namesIn)
  if (isNamed(node)) return [node.name, ...below]
  return takesOne(node) ? ['(one)', ...below] : below
}

/** The words of a name: `keptRows` has two. Nothing is vague about `notFound` and `atMost`. */
const partsOf = (name: string): string[] =>
  name === '(one)'
    ? [name]
    : (name.replaceAll(/not_?found|at_?most/gi, '').match(/[A-Z]?[a-z]+/g) ?? []).map((part) => part.toLowerCase())

const folderOf = (path: string) => (path.startsWith('infra/local/test/') ? 'test' : path.split('/', 1)[0])

test('no vague word names more than it did', () => {
  const counts = Object.fromEntries(
    Object.keys(vague).map((word) => [word, { shared: 0, functions: 0, infra: 0, test: 0 }]),
  )
  for (const folder of ['shared', 'functions', 'infra', 'test'] as const) {
    const own = sources.filter((path) => folderOf(path) === folder && !path.startsWith('test/repository/words/'))
    for (const path of own.filter((name) => /\.tsx?$/.test(name))) {
      const lang = path.endsWith('.tsx') ? 'tsx' : 'ts'
      const names = namesIn(parseAst(readFileSync(join(root, path), 'utf8'), { lang }))
      for (const part of names.flatMap(partsOf)) {
        const count = counts[part] ?? counts[part.replace(/s$/, '')]
        if (count) count[folder] += 1
      }
    }
  }
  expect(counts, 'Where a count has risen, name the thing. Where it fell, lower the number in words/vague.ts.').toEqual(
    vague,
  )
})
