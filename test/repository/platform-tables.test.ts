import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { platformViews } from '../../infra/openapi/platforms.ts'
import { furtherPlatforms } from '../specification/deviations.ts'

const textOf = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8')

/** The rows of the table that follows a heading, without its head. */
const tableBelow = (path: string, heading: string): string[] => {
  const [, section = ''] = textOf(path).split(`\n## ${heading}\n`)
  const lines = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('|'))
  return lines.slice(2)
}

const views = platformViews()
const names = views.map(({ name }) => name)
type View = (typeof views)[number]

const formatCount = (count: number) => count.toLocaleString('en-US')

/** The limit of all posts, and behind it that of a tier or of a kind of posts. */
const charactersOf = ({ text: { measures } }: View): string => {
  const inCharacters = measures.filter(({ unit }) => unit === 'characters')
  return (inCharacters.length > 0 ? inCharacters : measures)
    .map(({ max, unit, tier, when = {} }) => {
      const whose = [tier, ...Object.values(when).flat()].filter(Boolean).join(', ')
      const limit = unit === 'bytes' ? `${formatCount(max)} bytes` : formatCount(max)
      return whose === '' ? limit : `${limit} (${whose})`
    })
    .join('; ')
}

/** How many files a post takes; where a kind of posts takes more than others do, that is behind it. */
const filesOf = (kind: 'image' | 'video', { media }: View): string => {
  const all = media.map(({ when, ...rule }) => ({ max: rule[kind]?.max ?? 0, whose: Object.values(when ?? {}).flat() }))
  const longestView = all.reduce((largest, view) => (view.max > largest.max ? view : largest), { max: 0, whose: [] })
  const usual = all.find(({ max, whose }) => max > 0 && whose.length === 0)?.max ?? longestView.max
  return usual === longestView.max ? String(usual) : `${usual}; ${longestView.max} (${longestView.whose.join(', ')})`
}

test('the platforms of the README are those of the definitions, with their limits', () => {
  const rows = views.map((view) => {
    const cells = [view.name, view.connectedBy, charactersOf(view), filesOf('image', view), filesOf('video', view)]
    return `| ${cells.join(' | ')} |`
  })
  expect(tableBelow('README.md', 'Platforms')).toEqual(rows)
})

test('the first sentence of the README names every platform, in the same order', () => {
  const [, list = ''] = /\*\*(.+?)\*\*/s.exec(textOf('README.md')) ?? []
  const named = list.split(/,\s+(?:and\s+)?/).map((name) => name.replace(/\s+Pages$/, ''))
  expect(named).toEqual(names)
})

test('the deployment guide has the app of every platform that needs one', () => {
  const rows = tableBelow('infra/README.md', 'Platform apps').map((row) => row.split(' | ')[0]?.replace('| ', '') ?? '')
  const expected = views
    .filter(({ connectedBy, namesServer }) => connectedBy === 'browser' && !namesServer)
    .map(({ name }) => name)
  expect(rows.map((name) => name.replace(' Pages', '')).sort()).toEqual(expected.sort())
})

test('platforms other than those of the specification come last, and the README calls them extensions', () => {
  const further = views.slice(12).filter(({ id }) => furtherPlatforms.some((platform) => platform === id))
  expect(further).toHaveLength(furtherPlatforms.length)
  const list = new Intl.ListFormat('en').format(further.map(({ name }) => name))
  expect(textOf('README.md')).toContain(`${list} are extensions of the twelve platforms of the specification`)
})
