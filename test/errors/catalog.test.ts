import { expect, test } from 'vitest'
import { catalog } from '../../shared/errors/catalog.ts'
import type { ErrorEntry } from '../../shared/errors/entry.ts'
import { issueCodes } from '../../shared/errors/issue.ts'
import { answeringSources, textPatterns } from './sources.ts'

const sources = answeringSources()
const entries: readonly [code: string, entry: ErrorEntry][] = Object.entries(catalog)

/** Sentences that the specification fixes, without a period (Errors, "Specific bodies"). */
const specified = ['Rate limit exceeded', 'X monthly posting cap reached']

const twice = (texts: readonly string[]) => texts.filter((text, at) => texts.indexOf(text) !== at)

test('every code is used, and every code of validation is in the catalog', () => {
  expect(entries.length).toBeGreaterThan(100)
  const unused = entries.filter(([code]) => !sources.some((source) => new RegExp(`\\b${code}\\b`).test(source)))
  expect(unused.map(([code]) => code)).toEqual([])
  expect(issueCodes.filter((code) => !(code in catalog))).toEqual([])
})

test('no two codes mean the same, and every sentence is a whole one', () => {
  for (const part of ['message', 'meaning'] as const) expect(twice(entries.map(([, entry]) => entry[part]))).toEqual([])
  for (const [code, { message, meaning, fix }] of entries) {
    for (const sentence of [message, meaning, fix]) {
      if (!specified.includes(sentence)) expect(sentence, code).toMatch(/^[A-Z"`].*\.$/s)
    }
  }
})

test('each message is one that the sources write', () => {
  const patterns = textPatterns(sources, 8)
  const isWritten = (text: string) => patterns.some((pattern) => pattern.test(text))
  const lastSentence = (message: string) => message.split(/(?<=\.) (?=[A-Z"])/).at(-1) ?? ''
  const invented = entries.filter(([code, { message }]) => {
    // Validation joins a finding and what to do about it.
    const isIssue = issueCodes.some((one) => one === code)
    return !isWritten(message) && !(isIssue && isWritten(lastSentence(message)))
  })
  expect(invented.map(([code, { message }]) => `${code}: ${message}`)).toEqual([])
})
