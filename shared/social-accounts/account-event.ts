import type { AccountEventData } from '../events/catalog.ts'
import type { NewEvent } from '../events/event.ts'
import type { SocialAccount } from './social-account.ts'

/** The fields that all events about an account have. */
export const accountData = ({
  id,
  platform,
  username,
  integratorId,
}: Pick<SocialAccount, 'id' | 'platform' | 'username' | 'integratorId'>) => ({
  socialAccountId: id,
  platform,
  username,
  externalId: integratorId ?? null,
})

/** How many events an account has, and which is the last. A new account has none. */
export type EventCount = Pick<SocialAccount, 'eventCount' | 'lastEventId'>

/** The event that follows the last one about an account. */
export const accountEvent = <T extends keyof AccountEventData>(
  type: T,
  { eventCount, lastEventId }: EventCount,
  data: AccountEventData[T],
): NewEvent => ({ type, sequence: eventCount + 1, previousEventId: lastEventId, data })

/** The fields by which the account counts it. */
export const countEvent = ({ eventCount }: EventCount, lastEventId: string): Required<EventCount> => ({
  eventCount: eventCount + 1,
  lastEventId,
})
