import { test } from 'vitest'
import { play, type Scene } from './doubt-matrix/run.ts'
import { type Subject, subjects } from './doubt-matrix/subjects.ts'

const only = (name: string): readonly Subject[] => subjects.filter((subject) => subject.name === name)
const lostAnswer: Scene = { lost: 'answer', others: 12, readableAfter: 0, death: false }

test('a post on a LinkedIn page whose answer was lost is not sent twice after eleven minutes and twelve other posts', async () => {
  await play({ ...lostAnswer, readableAfter: 11 }, only('linkedin page'))
})

test('a post whose answer was lost on a busy X account is published minutes later, not open for six hours', async () => {
  await play({ ...lostAnswer, others: 200 }, only('x'))
})

test('a post of a LinkedIn person whose publisher died is published minutes later, not open for six hours', async () => {
  await play({ ...lostAnswer, death: true }, only('linkedin person'))
})

test('a post of a LinkedIn person that cannot be proven is told as unknown after ten minutes, and live once', async () => {
  await play({ ...lostAnswer, readableAfter: 11 }, only('linkedin person'))
})

test('a post that Facebook never got is sent, although hundreds were published on the page meanwhile', async () => {
  await play({ ...lostAnswer, lost: 'request', others: 200 }, only('facebook'))
})
