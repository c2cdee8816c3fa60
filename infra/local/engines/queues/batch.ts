import { QueueRefusal } from './refusal.ts'

const maxEntries = 10

/** Runs each entry of a batch separately; only a malformed batch is rejected as a whole. */
export function runBatch<Entry extends { Id: string }>(
  entries: readonly Entry[],
  run: (entry: Entry) => object,
): object {
  checkEntries(entries)
  const successful: object[] = []
  const failed: object[] = []
  for (const entry of entries) {
    try {
      successful.push({ Id: entry.Id, ...run(entry) })
    } catch (error) {
      if (!(error instanceof QueueRefusal)) throw error
      failed.push({ Id: entry.Id, SenderFault: true, Code: error.code, Message: error.message })
    }
  }
  return { Successful: successful, ...(failed.length > 0 && { Failed: failed }) }
}

function checkEntries(entries: readonly { Id: string }[]): void {
  const ids = entries.map(({ Id }) => Id)
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index)
  if (ids.length === 0)
    throw new QueueRefusal('EmptyBatchRequest', 'There should be at least one entry in the request.')
  if (ids.length > maxEntries) {
    throw new QueueRefusal(
      'TooManyEntriesInBatchRequest',
      `Maximum number of entries per request are ${maxEntries}. You have sent ${ids.length}.`,
    )
  }
  if (ids.some((id) => !/^[\w-]{1,80}$/.test(id))) {
    throw new QueueRefusal(
      'InvalidBatchEntryId',
      'A batch entry id can only contain alphanumeric characters, hyphens and underscores. It can be at most 80 letters long.',
    )
  }
  if (repeated !== undefined) throw new QueueRefusal('BatchEntryIdsNotDistinct', `Id ${repeated} repeated.`)
}
