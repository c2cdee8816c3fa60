import { column } from './bluesky.ts'
import { runColumn } from './run.ts'

/** A post with gates is created with them by another call, whose repeat is refused: the lookup after it finds the post. */
runColumn({
  ...column,
  create: 'POST /xrpc/com.atproto.repo.applyWrites',
  async draft(kit, text, withMedia) {
    const metadata = { bluesky: { replyGate: ['followers'], disableQuotes: true } }
    return { ...(await column.draft(kit, text, withMedia)), metadata }
  },
})
