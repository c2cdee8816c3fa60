import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { client } from '../../functions/client.ts'
import { leakedTokenPattern } from '../../shared/identity/token.ts'
import { start } from '../support/start.ts'
import { makeSession } from '../support/world/preparations.ts'

const matchesIn = (text: string) => text.match(new RegExp(leakedTokenPattern, 'g')) ?? []

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const base62 = (length: number) =>
  fc.array(fc.constantFrom(...letters), { minLength: length, maxLength: length }).map((parts) => parts.join(''))
const planted = fc
  .tuple(fc.constantFrom(['pat', 16], ['app', 16], ['ses', 20], ['oat', 46], ['ort', 46]), base62(46), base62(49))
  .map(([[kind, idLength], id, secret]) => `svc_${kind}_${id.slice(0, Number(idLength))}_${secret}`)

test('the pattern finds whole tokens in any surrounding text', () => {
  // A token is surrounded by anything but more of its own letters.
  const around = fc.string({ unit: 'binary' }).map((text) => `${text} `)
  fc.assert(
    fc.property(fc.array(fc.tuple(around, planted), { minLength: 1, maxLength: 5 }), (parts) => {
      const text = parts.map(([before, token]) => `${before}${token}"`).join('')
      expect(matchesIn(text)).toEqual(expect.arrayContaining(parts.map(([, token]) => token)))
    }),
    { numRuns: 400 },
  )
})

test('the pattern matches nothing that only resembles a token', () => {
  const nearly = planted.chain((token) =>
    fc.oneof(
      fc.nat({ max: token.length - 1 }).map((length) => token.slice(0, length)),
      fc.nat({ max: token.length - 1 }).map((at) => `${token.slice(0, at)}-${token.slice(at + 1)}`),
      fc.constant(token.toUpperCase()),
    ),
  )
  fc.assert(
    fc.property(fc.oneof(nearly, fc.string({ unit: 'binary', maxLength: 200 }), base62(120)), (text) => {
      expect(matchesIn(text)).toEqual([])
    }),
    { numRuns: 2_000 },
  )
})

test('the pattern finds real tokens, and none in the sources of this repository', async () => {
  const kit = await start()
  for (const token of [kit.pat, await makeSession(kit)]) expect(matchesIn(`token: "${token}",`)).toEqual([token])
  const root = join(import.meta.dirname, '../..')
  const sources = ['shared', 'functions', 'infra', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
      .map((name) => join(root, folder, name)),
  )
  expect(sources.length).toBeGreaterThan(300)
  expect(sources.filter((path) => matchesIn(readFileSync(path, 'utf8')).length > 0)).toEqual([])
})

test('the pattern is published where tokens are created', async () => {
  const { url } = await start()
  const document = JSON.stringify(await client({ baseUrl: url }).meta.openapi())
  expect(document).toContain(JSON.stringify(leakedTokenPattern).slice(1, -1))
})
