import { expect, test } from 'vitest'
import { consumedByTextPost, sumOf } from './text-post.ts'

/** A text of 100 characters. */
const text = 'We ship the new calendar today: plan a week of posts in one view, and drag them to another hour. Yay'

/** The write units of each row that a text post with one webhook endpoint costs. */
const written: Readonly<Record<string, number>> = {
  'posts-schedule UpdateItem Count': 1,
  'posts-schedule TransactWriteItems Post': 2,
  'posts-schedule TransactWriteItems Post in account': 1,
  'posts-schedule TransactWriteItems Post in status': 1,
  'posts-schedule TransactWriteItems Post in sweep': 1,
  'posts-schedule TransactWriteItems Outbox': 2,
  'posts-schedule TransactWriteItems Outbox in sweep': 1,
  'posts-schedule TransactWriteItems Counter': 2,
  'relay-events UpdateItem Outbox': 2,
  'relay-events UpdateItem Outbox in sweep': 2,
  'relay-events PutItem Delivery': 2,
  'relay-events PutItem Delivery in sweep': 2,
  'deliver-webhook UpdateItem Delivery': 4,
  'deliver-webhook UpdateItem Delivery in sweep': 2,
  'prepare-post UpdateItem Post': 1,
  'prepare-post UpdateItem Post in sweep': 2,
  'publish-post UpdateItem Post': 1,
  'publish-post TransactWriteItems Post': 2,
  'publish-post TransactWriteItems Post in account': 2,
  'publish-post TransactWriteItems Post in status': 2,
  'publish-post TransactWriteItems Post in sweep': 1,
  'publish-post TransactWriteItems Outbox': 2,
  'publish-post TransactWriteItems Outbox in sweep': 1,
  'publish-post TransactWriteItems Counter': 2,
}

test('a text post with one webhook endpoint costs 41 write units', async () => {
  const rows = (await consumedByTextPost(text)).filter(({ writeUnits }) => writeUnits > 0)
  const units = rows.map(({ functionName, operation, itemType, index, writeUnits }) => [
    `${functionName} ${operation} ${itemType}${index === undefined ? '' : ` in ${index}`}`,
    writeUnits,
  ])
  expect(Object.fromEntries(units)).toEqual(written)
  expect(sumOf(rows, 'writeUnits')).toBe(41)
})
