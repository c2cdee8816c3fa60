import { test } from 'vitest'
import { play, type Scene } from './doubt-matrix/run.ts'
import { type Subject, subjects } from './doubt-matrix/subjects.ts'

const only = (name: string): readonly Subject[] => subjects.filter((subject) => subject.name === name)
const lostAnswer: Scene = { lost: 'answer', others: 12, readableAfter: 0, death: false }

test('a LinkedIn page post with a lost response is not sent twice after eleven minutes and twelve other posts', async () => {
  await play({ ...lostAnswer, readableAfter: 11 }, only('linkedin page'))
})

test('a post with a lost response on a busy X account is resolved within minutes, not after six hours', async () => {
  await play({ ...lostAnswer, others: 200 }, only('x'))
})

test('a post of a LinkedIn person whose publisher crashed is published within minutes, not after six hours', async () => {
  await play({ ...lostAnswer, death: true }, only('linkedin person'))
})

test('a LinkedIn post whose outcome cannot be proven is reported as unknown after ten minutes and live once', async () => {
  await play({ ...lostAnswer, readableAfter: 11 }, only('linkedin person'))
})

test('a post that never reached Facebook is sent, even after hundreds of other posts on the page', async () => {
  await play({ ...lostAnswer, lost: 'request', others: 200 }, only('facebook'))
})
