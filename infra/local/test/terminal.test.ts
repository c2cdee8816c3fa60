import { expect, test } from 'vitest'
import { activityLine } from '../start/activity.ts'

test('the terminal says of a lost response that its outcome is looked up', () => {
  const line = { message: 'attempt ended', platform: 'bluesky', postId: '01M', state: 'unknown', errorClass: 'unknown' }
  const shown = activityLine(JSON.stringify({ timestamp: '2026-11-24T08:00:00.000Z', ...line }))
  expect(shown).toContain('outcome unknown, is looked up')
  expect(shown).not.toContain('unknown unknown')
})
