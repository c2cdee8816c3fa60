import { Empty, Loading } from './parts.tsx'
import { to } from './route.ts'
import { attempt } from './service.ts'
import { api, changes, workspace, zone } from './store.ts'
import { formatMoment } from './time.ts'
import { useRead } from './use-read.ts'

/** The drafts of the workspace, the newest first. */
export const DraftsView = () => {
  const [drafts] = useRead(() => api().drafts.list({ limit: 100 }), [workspace.value?.id])
  return (
    <section>
      <h1>Drafts</h1>
      {drafts === undefined ? (
        <Loading />
      ) : drafts.items.length === 0 ? (
        <Empty>
          No draft is saved. <a href={to('compose')}>Write a post</a>, and save it for later.
        </Empty>
      ) : (
        <ul class="rows">
          {drafts.items.map(({ id, name, content, updatedAt }) => (
            <li key={id}>
              <a href={to('compose', { draft: id })}>
                <span class="what">
                  <span class="text">{(name ?? content).slice(0, 160) || 'Without a text'}</span>
                  <span class="soft">Changed {formatMoment(Date.parse(updatedAt), zone.value)}</span>
                </span>
              </a>
              <button
                type="button"
                class="plain"
                aria-label={`Delete the draft ${(name ?? content).slice(0, 40)}`}
                onClick={async () => {
                  if ((await attempt(() => api().drafts.delete(id))) !== undefined) changes.value += 1
                }}
              >
                Delete
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
