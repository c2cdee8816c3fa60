import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sources } from '../../shared/export/sources/every.ts'
import { exportAnswers } from './answers.ts'

const shared = new URL('../../shared/', import.meta.url)

/** The types of rows that the code stores: two words at most, each with a capital letter. */
const typesIn = (source: string) =>
  [...source.matchAll(/\btype: '([A-Z][a-z]\w*|XCap|OAuthState)'/g)].map(([, type]) => type ?? '')

test('every type of row is exported, or there is a reason why it is not', () => {
  const files = globSync('**/*.ts', { cwd: shared })
  const types = new Set(files.flatMap((file) => typesIn(readFileSync(new URL(file, shared), 'utf8'))))
  expect(types.size).toBeGreaterThan(40)
  expect(Object.keys(exportAnswers).toSorted()).toEqual([...types].toSorted())
})

test('every kind of records has rows, and every answer names a kind', () => {
  const kinds = Object.values(exportAnswers).flatMap((answer) => ('as' in answer ? [answer.as] : []))
  expect([...new Set(kinds)].toSorted()).toEqual(sources.map(({ name }) => name).toSorted())
})
