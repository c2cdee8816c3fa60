import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { stringsOf } from './strings.ts'

const root = join(import.meta.dirname, '../..')

/** What the console shows: its own texts, and the labels of the fields that a platform has. */
const sources = [
  ...readdirSync(join(root, 'infra/console/src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => `infra/console/src/${name}`),
  ...readdirSync(join(root, 'shared/platforms'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?:^|\/)form\.ts$/.test(name))
    .map((name) => `shared/platforms/${name}`),
].sort()

const strings = sources.map((path) => ({ path, texts: stringsOf(join(root, path)) }))

const sections = strings
  .filter(({ texts }) => texts.length > 0)
  .map(({ path, texts }) => `## ${path}\n\n${texts.map((text) => `- ${text}\n`).join('')}`)

const list = `# What the console says

Each text that people read in the console, by file, in the order of the source; \`…\` is what is known only at run time. [README.md](README.md)
says how to write them. After a change, write the list again: \`npx vitest run test/console/strings.test.ts --update=all\`.

${sections.join('\n')}`

test('the list of the strings of the console is complete', async () => {
  await expect(list).toMatchFileSnapshot('../../infra/console/strings.md')
})

test('the list has texts of elements, attributes, messages, templates, conditions, and fields of platforms', () => {
  const textsOf = (path: string) => strings.find((source) => source.path === path)?.texts
  expect(textsOf('infra/console/src/compose/view.tsx')).toEqual(
    expect.arrayContaining(['Save draft', 'Edit post', '… things to fix']),
  )
  expect(textsOf('infra/console/src/settings/team.tsx')).toContain('Transfer ownership')
  expect(textsOf('infra/console/src/messages.ts')).toContain('This post no longer exists.')
  expect(textsOf('shared/platforms/instagram/form.ts')).toEqual(expect.arrayContaining(['Carousel', 'Audio name']))
})

/** What no text may have, and what to write in its place. */
const rules: readonly (readonly [pattern: RegExp, advice: string])[] = [
  [/\b[a-z]+[A-Z]\w*(?<!\biOS)/, 'a field name: say what it is'],
  [/\w_\w/, 'a constant: say what it means'],
  [/\bplease\b/i, 'no "please"'],
  [/\w\(s\)/, 'write the singular or the plural'],
  [
    /\bcancell(?:ed|ing)\b|\b(?:behavi|col|fav)our|\blicence\b|\b(?:author|custom|organ|recogn)is(?:e|ed|ing|ation)\b/i,
    'US spelling',
  ],
  [/\b(?:nobody|somebody|everybody|anymore|thus|hence|withdrawn)\b/i, 'an everyday word'],
  [
    /\bof (?:its|their|your) own\b|\bgoes out\b|\bas usual\b|\bat once\b|\bon the way\b|\bas JSON\b/i,
    'a standard term',
  ],
  [
    /\b(?:cannot|can’t) be shown\b|\bis (?:not )?(?:kept|saved|withdrawn|pending)\b|\bno (?!longer)\w+ (?:exists|is \w+ed)\b/i,
    'say who does what',
  ],
  [
    /\bIANA\b|\bone of the service\b|\bthe newest first\b|\bwhat is left of\b|\bwhat to look for\b|\bhow to show\b|\ball states\b/i,
    'what people call it',
  ],
  [
    /^Without a\b|^Select the button\b|^Describe it\b|^Make an?\b|^Programs send\b|^From the library$/,
    'a shorter form',
  ],
  [/'/, 'a typographic apostrophe: ’'],
  [/!/, 'no exclamation mark'],
]

test('no text of the console has a field name, an old phrase, or a foreign spelling', () => {
  expect(strings.flatMap(({ texts }) => texts).length).toBeGreaterThan(700)
  const violations = strings.flatMap(({ path, texts }) =>
    texts.flatMap((text) =>
      rules.filter(([pattern]) => pattern.test(text)).map(([, advice]) => `${path}: "${text}": ${advice}`),
    ),
  )
  expect(violations).toEqual([])
})
