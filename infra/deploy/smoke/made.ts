import { randomUUID } from 'node:crypto'
import { ApiError } from '../../../functions/client.ts'

/** Something to delete at the end. */
export interface Remains {
  /** A description for the report. */
  what: string
  /** Deletes it; a returned text names what remains. */
  remove(): Promise<unknown>
}

interface Creation<T> {
  what: string
  create(idempotencyKey: string): Promise<T>
  remove(made: T): Promise<unknown>
}

/** Everything that the test has made and not yet deleted, newest first. */
export interface Made {
  create<T>(creation: Creation<T>): Promise<T>
  remains(): Remains[]
  forget(what: string): void
}

const isGone = (error: unknown) => error instanceof ApiError && error.status === 404

export const makeMade = (): Made => {
  let open: Remains[] = []
  return {
    /**
     * Records what is about to be created, before the request. If the response is lost, the cleanup repeats the request with
     * the same idempotency key, which returns the first response, and deletes what that names.
     */
    async create({ what, create, remove }) {
      const key = `smoke-${randomUUID()}`
      let made: Awaited<ReturnType<typeof create>> | undefined
      const remains: Remains = {
        what,
        async remove() {
          try {
            return await remove(made ?? (await create(key)))
          } catch (error) {
            if (isGone(error)) return undefined
            throw error
          }
        },
      }
      open.unshift(remains)
      try {
        made = await create(key)
        return made
      } catch (error) {
        // Refused: there is nothing to delete.
        if (error instanceof ApiError && error.status < 500) open = open.filter((entry) => entry !== remains)
        throw error
      }
    },
    remains: () => [...open],
    forget(what) {
      open = open.filter((entry) => entry.what !== what)
    },
  }
}
