import type { ErrorEntries } from '../reason.ts'

/** Memories and their collections. */
export const memoryErrors = {
  collection_not_found: {
    reason: 'missing',
    message: 'This workspace has no memory collection col_01KAJ2K6C8E0G2J4M6P8S0V2X4.',
    meaning: 'The workspace has no collection with this id, or it is private to another person.',
    fix: 'Use an id from GET /api/memory/collections.',
  },
  memory_not_found: {
    reason: 'missing',
    message: 'This collection has no memory mem_01KAJ2K6C8E0G2J4M6P8S0V2X4.',
    meaning: 'The collection has no memory with this id.',
    fix: 'Use an id from GET /api/memory.',
  },
  collection_limit: {
    reason: 'invalid',
    message: 'A workspace has at most 200 memory collections. Delete one first.',
    meaning: 'The workspace has as many collections as it can have.',
    fix: 'Delete a collection first.',
  },
  creator_required: {
    reason: 'forbidden',
    message: 'Only the person who created a collection can make it private.',
    meaning: 'Only the person who created a collection can make it private.',
    fix: 'Ask the person who created it.',
  },
} as const satisfies ErrorEntries
