import { expect, test } from 'vitest'
import { consumedByTextPost, sumOf } from './text-post.ts'

/** The write units of each row that a text post with one webhook endpoint costs, and why the row is written. */
const written: Readonly<Record<string, readonly [units: number, reason: string]>> = {
  'posts-schedule UpdateItem Count': [1, 'the rate limit of the caller'],
  'posts-schedule TransactWriteItems Post': [2, 'the post'],
  'posts-schedule TransactWriteItems Post in account': [1, 'lists by account'],
  'posts-schedule TransactWriteItems Post in time': [1, 'lists by time'],
  'posts-schedule TransactWriteItems Post in sweep': [1, 'a lost schedule or message is noticed'],
  'posts-schedule TransactWriteItems Counter': [2, 'exact totals of lists'],
  'posts-schedule PutItem RecentText': [1, 'a repeated text is noticed'],
  'posts-schedule TransactWriteItems Outbox': [2, 'post.scheduled, in the transaction of the post'],
  'posts-schedule TransactWriteItems Outbox in sweep': [1, 'a lost message to the relay or the sender is noticed'],
  'publish-post UpdateItem Post': [1, 'lease and journal before the publishing call'],
  'publish-post TransactWriteItems Post': [2, 'status and URL'],
  'publish-post TransactWriteItems Post in account': [1, 'the status by which the list is filtered'],
  'publish-post TransactWriteItems Post in sweep': [1, 'the post is finished'],
  'publish-post TransactWriteItems Counter': [2, 'exact totals of lists'],
  'publish-post TransactWriteItems Outbox': [2, 'post.published, in the transaction of the status'],
  'publish-post TransactWriteItems Outbox in sweep': [1, 'a lost message to the relay or the sender is noticed'],
  // The rest is written for each of the two events.
  'deliver-webhook PutItem Delivery': [2, 'the attempt and its outcome in the log'],
  'deliver-webhook UpdateItem Outbox': [2, 'the event is settled'],
  'deliver-webhook UpdateItem Outbox in sweep': [2, 'the event is settled'],
}

const unitsOf = async (text: string): Promise<Record<string, number>> => {
  const rows = (await consumedByTextPost(text)).filter(({ writeUnits }) => writeUnits > 0)
  const units = rows.map(({ functionName, operation, itemType, index, writeUnits }) => [
    `${functionName} ${operation} ${itemType}${index === undefined ? '' : ` in ${index}`}`,
    writeUnits,
  ])
  return { ...Object.fromEntries(units), total: sumOf(rows, 'writeUnits') }
}

const sentence = 'We ship the new calendar today: plan a week of posts in one view, and drag them to another hour. Yay'

test('a text post of 100 characters with one webhook endpoint costs 28 write units, each with its reason', async () => {
  expect(sentence).toHaveLength(100)
  const expected = Object.entries(written).map(([row, [units]]) => [row, units])
  expect(await unitsOf(sentence)).toEqual({ ...Object.fromEntries(expected), total: 28 })
})

test('a text of 280 characters makes the post larger than a kilobyte while it is published: three units more', async () => {
  const text = `${sentence} ${sentence.toUpperCase()} ${[...sentence].toReversed().join('').slice(0, 78)}`
  expect(text).toHaveLength(280)
  expect(await unitsOf(text)).toMatchObject({
    'publish-post UpdateItem Post': 2,
    'publish-post TransactWriteItems Post': 4,
    total: 31,
  })
})
