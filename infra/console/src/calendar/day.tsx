import { Dialog } from '../dialog.tsx'
import { Empty, Loading } from '../parts.tsx'
import { to } from '../route.ts'
import { zone } from '../store.ts'
import { dayIn, formatDay, now } from '../time.ts'
import { Row, useRange } from './list.tsx'
import { type Filters, groupsOf } from './read.ts'

/** Every post of a day. */
export const DayDialog = ({ day, filters, onClose }: { day: string; filters: Filters; onClose: () => void }) => {
  const read = useRange({ from: day, to: day, filters })
  return (
    <Dialog title={formatDay(day)} onClose={onClose}>
      {read === undefined ? (
        <Loading />
      ) : read.posts.length === 0 ? (
        <Empty>No posts on this day.</Empty>
      ) : (
        <ul class="rows">
          {groupsOf(read.posts).map((group) => (
            <Row key={group.groupId} group={group} />
          ))}
        </ul>
      )}
      {day >= dayIn(now(), zone.value) && (
        <p>
          <a class="button main" href={to('compose', { day })}>
            New post on this day
          </a>
        </p>
      )}
    </Dialog>
  )
}
