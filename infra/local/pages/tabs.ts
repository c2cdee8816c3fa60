/** The servers that have pages; each writes its address here when it listens. */
export interface PageServers {
  console?: string
  platforms?: string
  clock?: string
  inbox?: string
  push?: string
}

/** Label → address of every local page, in one order; those of a server that does not run have no address. */
export const tabsOf = ({
  console,
  platforms,
  clock,
  inbox,
  push,
}: PageServers): Readonly<Record<string, string | undefined>> => ({
  Console: console,
  Platforms: platforms,
  Requests: platforms && `${platforms}/calls`,
  Faults: platforms && `${platforms}/fault-panel`,
  Clock: clock,
  Webhooks: inbox,
  Bus: inbox && `${inbox}/bus`,
  Mail: inbox && `${inbox}/mail`,
  Push: push,
})
