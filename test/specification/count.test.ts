import { expect, test } from 'vitest'
import { access } from './access.ts'
import { bodies } from './bodies.ts'
import { fields } from './fields.ts'
import { identity } from './identity.ts'
import { described } from './interface.ts'
import { library } from './library.ts'
import { life } from './life.ts'
import { lists } from './lists.ts'
import { platformMedia } from './platform-media.ts'
import { platformMetadata } from './platform-metadata.ts'
import { platformTexts } from './platform-texts.ts'
import { posts } from './posts.ts'
import { rateLimits } from './rate-limits.ts'
import { routes as specified } from './spec/routes.mjs'

const platforms = { platformMedia, platformMetadata, platformTexts }
const tables = { access, bodies, fields, identity, library, life, lists, posts, rateLimits, ...platforms }
const checks = Object.values(tables).flat()

test('there are many checks of the specification, and none is duplicated', () => {
  const count = checks.length + described.length
  console.log(`${count} checks of the specification`)
  expect(count).toBeGreaterThan(1_900)
  for (const [name, table] of Object.entries(tables)) {
    const titles = table.map(({ route, title }) => `${route}: ${title}`)
    expect(
      titles.filter((title, at) => titles.indexOf(title) !== at),
      name,
    ).toEqual([])
  }
})

test('every route of the specification is checked', () => {
  const checked = new Set(checks.map(({ route }) => route))
  const due = specified.map(({ method, path }) => `${method} ${path}`)
  expect(due.filter((route) => !checked.has(route))).toEqual([])
})
