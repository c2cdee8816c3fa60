import { expect, test } from 'vitest'
import type { MediaFile } from '../../shared/media/media-file.ts'
import { definition } from '../../shared/platforms/discord/definition.ts'
import { checkPost } from '../../shared/platforms/rules/check-post.ts'
import { anyPicture } from './any-file.ts'

const issues = (more: object, media: readonly MediaFile[] = []) => {
  const metadata = { channelId: '1300000000000000102', ...more }
  return checkPost(definition, { socialAccountId: 'acc', content: 'Hi', metadata, media })
}
const codes = (more: object) => issues(more).map(({ code }) => code)
const invalid = ['metadata_invalid']

const letters = (count: number) => 'x'.repeat(count)
const field = { name: 'Flour', value: 'Rye' }

test.each([
  ['title', 256, (text: string) => ({ title: text })],
  ['description', 4096, (text: string) => ({ description: text })],
  ['name of the author', 256, (text: string) => ({ author: { name: text } })],
  ['name of a field', 256, (text: string) => ({ fields: [{ ...field, name: text }] })],
  ['value of a field', 1024, (text: string) => ({ fields: [{ ...field, value: text }] })],
  ['footer', 2048, (text: string) => ({ footer: { text } })],
] as const)('the %s of an embed has at most %d characters', (_, max, embedOf) => {
  const check = (text: string) => codes({ embeds: [embedOf(text)] })
  for (const count of [1, max - 1, max]) {
    expect(check(letters(count))).toEqual([])
    expect(check('😀'.repeat(count))).toEqual([])
  }
  expect(check(letters(max + 1))).toEqual(invalid)
  expect(check(' ')).toEqual(invalid)
})

test('a message has 1 to 10 embeds, an embed up to 25 fields', () => {
  for (const count of [1, 9, 10]) expect(codes({ embeds: Array(count).fill({ title: 'a' }) })).toEqual([])
  for (const count of [0, 11]) expect(codes({ embeds: Array(count).fill({ title: 'a' }) })).toEqual(invalid)
  for (const count of [1, 24, 25]) expect(codes({ embeds: [{ fields: Array(count).fill(field) }] })).toEqual([])
  expect(codes({ embeds: [{ fields: Array(26).fill(field) }] })).toEqual(invalid)
})

test('an embed shows something', () => {
  const image = { url: 'https://bakery.test/loaf.png' }
  for (const embed of [{ image }, { thumbnail: image }, { author: { name: 'a' } }, { fields: [field] }]) {
    expect(codes({ embeds: [embed] })).toEqual([])
  }
  for (const embed of [{}, { color: 1 }, { url: 'https://bakery.test' }, { fields: [] }, 'a', null]) {
    expect(codes({ embeds: [embed] })).toEqual(invalid)
  }
})

test('a color is a number of 24 bits, an image has an https URL', () => {
  for (const color of [0, 1, 0xff_ff_fe, 0xff_ff_ff]) expect(codes({ embeds: [{ title: 'a', color }] })).toEqual([])
  for (const color of [-1, 0x1_00_00_00, 1.5, '#ffffff']) {
    expect(codes({ embeds: [{ title: 'a', color }] })).toEqual(invalid)
  }
  const urlOf = (length: number) => `https://bakery.test/${letters(length - 20)}`
  for (const name of ['image', 'thumbnail']) {
    const check = (url: unknown) => codes({ embeds: [{ [name]: { url } }] })
    for (const length of [2047, 2048]) expect(check(urlOf(length))).toEqual([])
    for (const url of [urlOf(2049), 'http://bakery.test/a.png', 'attachment://a.png', 1]) {
      expect(check(url)).toEqual(invalid)
    }
  }
  for (const iconUrl of ['http://bakery.test/a.png', 'a']) {
    expect(codes({ embeds: [{ author: { name: 'a', iconUrl } }] })).toEqual(invalid)
    expect(codes({ embeds: [{ footer: { text: 'a', iconUrl } }] })).toEqual(invalid)
  }
})

test('the embeds of a message have at most 6,000 characters together', () => {
  const used = {
    title: letters(100),
    author: { name: letters(100) },
    fields: [{ name: letters(100), value: letters(600) }],
    footer: { text: letters(100) },
  }
  const check = (count: number) =>
    issues({ embeds: [{ ...used, description: letters(4000) }, { description: letters(count) }] })
  for (const count of [999, 1000]) expect(check(count)).toEqual([])
  expect(check(1001)).toMatchObject([
    {
      code: 'metadata_invalid',
      field: 'metadata.discord.embeds',
      message: 'Discord: the embeds have 6001/6000 characters together.',
      next: 'Shorten them by 1.',
    },
  ])
})

test('a poll has a question, 2 to 10 answers, and up to 32 days', () => {
  const poll = { question: 'Rye or spelt?', answers: ['Rye', 'Spelt'] }
  const check = (more: object) => codes({ poll: { ...poll, ...more } })
  for (const count of [1, 299, 300]) expect(check({ question: letters(count) })).toEqual([])
  for (const question of [letters(301), ' ', 1]) expect(check({ question })).toEqual(invalid)
  for (const count of [2, 9, 10]) expect(check({ answers: Array(count).fill('a') })).toEqual([])
  for (const count of [1, 11]) expect(check({ answers: Array(count).fill('a') })).toEqual(invalid)
  for (const count of [54, 55]) expect(check({ answers: ['a', letters(count)] })).toEqual([])
  for (const answer of [letters(56), '']) expect(check({ answers: ['a', answer] })).toEqual(invalid)
  for (const durationHours of [1, 2, 767, 768]) expect(check({ durationHours })).toEqual([])
  for (const durationHours of [0, 769, 1.5]) expect(check({ durationHours })).toEqual(invalid)
  for (const isMultiselect of [true, false]) expect(check({ isMultiselect })).toEqual([])
  expect(check({ isMultiselect: 'yes' })).toEqual(invalid)
})

test('a poll may accompany only a text', () => {
  const poll = { question: 'Rye or spelt?', answers: ['Rye', 'Spelt'] }
  const at = { code: 'metadata_invalid', field: 'metadata.discord.poll' }
  const next = 'or leave out metadata.discord.poll.'
  expect(issues({ poll }, [anyPicture()])).toMatchObject([{ ...at, next: `Remove the files, ${next}` }])
  expect(issues({ poll, embeds: [{ title: 'a' }] })).toMatchObject([
    { ...at, next: `Remove metadata.discord.embeds, ${next}` },
  ])
  expect(issues({ embeds: [{ title: 'a' }] }, [anyPicture()])).toEqual([])
})
