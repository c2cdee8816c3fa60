import { useState } from 'preact/hooks'
import { Action, Form } from '../form.tsx'
import { Empty, Loading, Pager } from '../parts.tsx'
import { go, route, to } from '../route.ts'
import { api, workspace, zone } from '../store.ts'
import { formatMoment } from '../time.ts'
import { useRead } from '../use-read.ts'
import { Collections, EditCollection, summaryOf } from './collections.tsx'
import { Search } from './search.tsx'
import { Voice } from './voice.tsx'

const perPage = 50

/** The memories of a collection. */
const CollectionPage = ({ id }: { id: string }) => {
  const [cursor, setCursor] = useState<string>()
  const [collection, readCollection] = useRead(() => api().memory.getCollection(id), [id])
  const [page, readPage] = useRead(
    () => api().memory.list({ collectionId: id, limit: perPage, ...(cursor === undefined ? {} : { cursor }) }),
    [id, cursor],
  )
  const readAgain = () => {
    readCollection()
    readPage()
  }
  if (collection === undefined || page === undefined) return <Loading />
  return (
    <section>
      <h1>{collection.name}</h1>
      <p class="soft">
        <a href={to('memory')}>All collections</a> · {summaryOf(collection)}
      </p>
      <div class="actions">
        <EditCollection collection={collection} onDone={readCollection} />
        <Action
          name="Delete"
          of={collection.name}
          text={`This also deletes its memories (${collection.memoryCount}).`}
          call={() => api().memory.deleteCollection(id)}
          done="Collection deleted"
          onDone={() => go(to('memory'))}
        />
      </div>
      <h2>Add a memory</h2>
      <Form
        button="Add"
        fields={[
          {
            name: 'text',
            label: 'Text',
            type: 'lines',
            hint: 'You can’t edit it later. Delete it and add a new one.',
          },
        ]}
        call={({ text }, options) => api().memory.create({ collectionId: id, text: text('text') }, options)}
        done="Added"
        onDone={readAgain}
      />
      {collection.memoryCount > 0 && (
        <>
          <h2>Search</h2>
          <Search collections={[collection]} />
        </>
      )}
      <h2>Memories</h2>
      {page.items.length === 0 ? (
        <Empty>Nothing in this collection yet.</Empty>
      ) : (
        <ul class="rows">
          {page.items.map(({ id: memoryId, text, createdAt }) => (
            <li key={memoryId}>
              <span class="what">
                <span class="whole">{text}</span>
                <span class="soft">{formatMoment(Date.parse(createdAt), zone.value)}</span>
              </span>
              <Action
                name="Delete"
                of={text.slice(0, 40)}
                text="It can no longer be found."
                call={() => api().memory.delete(memoryId, { collectionId: id })}
                done="Deleted"
                onDone={readAgain}
              />
            </li>
          ))}
        </ul>
      )}
      <Pager page={page} cursor={cursor} onTurn={setCursor} />
    </section>
  )
}

const Overview = () => {
  const [page] = useRead(() => api().memory.listCollections({ limit: 100 }), [workspace.value?.id])
  return (
    <section>
      <h1>Memory</h1>
      <p class="soft">Notes and examples the AI draws on.</p>
      {page === undefined ? <Loading /> : <Collections collections={page.items} />}
      {page !== undefined && page.items.length > 0 && (
        <>
          <h2>Search</h2>
          <Search collections={page.items} />
        </>
      )}
      <h2>Voice</h2>
      <Voice />
    </section>
  )
}

/** What AI knows and how it writes: collections of memories, and the voice of the workspace. */
export const MemoryView = () => {
  const { id } = route.value
  return id === '' ? <Overview /> : <CollectionPage key={id} id={id} />
}
