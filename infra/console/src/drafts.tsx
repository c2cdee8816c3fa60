import { Empty, Loading } from './parts.tsx'
import { to } from './route.ts'
import { attempt, say } from './service.ts'
import { api, changes, workspace, zone } from './store.ts'
import { formatMoment } from './time.ts'
import { useRead } from './use-read.ts'

/** Deletes a draft, and offers to create it again. */
const remove = async (id: string): Promise<void> => {
  const { drafts } = api()
  const deleted = await attempt(async () => {
    // The list cuts a long draft.
    const draft = await drafts.get(id)
    await drafts.delete(id, { ifMatch: `"${draft.version}"` })
    return draft
  })
  if (deleted === undefined) return
  const { id: _id, version: _version, createdAt: _createdAt, updatedAt: _updatedAt, ...body } = deleted
  const undo = async () => {
    if ((await attempt(() => drafts.create(body))) !== undefined) say('Draft restored.')
    changes.value += 1
  }
  say('Draft deleted.', { undo })
  changes.value += 1
}

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
          No drafts yet. <a href={to('compose')}>Write a post</a> and save it for later.
        </Empty>
      ) : (
        <ul class="rows">
          {drafts.items.map(({ id, name, content, updatedAt }) => (
            <li key={id}>
              <a href={to('compose', { draft: id })}>
                <span class="what">
                  <span class="text">{(name ?? content).slice(0, 160) || 'Untitled'}</span>
                  <span class="soft">Changed {formatMoment(Date.parse(updatedAt), zone.value)}</span>
                </span>
              </a>
              <button
                type="button"
                class="plain"
                aria-label={`Delete the draft ${(name ?? content).slice(0, 40)}`}
                onClick={() => remove(id)}
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
