import type { resolveReferences } from './references.ts'
import type { UpdateDraftRequest } from './requests.ts'

/** Maps a request to the row: the fields to set, and the names of the fields to clear. */
export const toDraftChange = (request: UpdateDraftRequest, resolved: ReturnType<typeof resolveReferences>) => {
  const { id: _, metadata, ...plain } = request
  const laid = { ...plain, ...resolved, metadata: metadata && JSON.stringify(metadata) }
  const sent = Object.entries(laid).filter(([, value]) => value !== undefined)
  return {
    set: Object.fromEntries(sent.filter(([, value]) => value !== null)),
    remove: sent.filter(([, value]) => value === null).map(([name]) => name),
  }
}
