import type { Client } from 'social-publishing-client'
import { Action, type Field, type Values } from '../form.tsx'
import { Empty } from '../parts.tsx'
import { go, to } from '../route.ts'
import { api } from '../store.ts'

export type Collection = Awaited<ReturnType<Client['memory']['getCollection']>>

/** The colors that a new collection takes by name (shared/memory/collection.ts). */
const colors = ['red', 'orange', 'yellow', 'green', 'teal', 'blue', 'purple', 'pink']

const fieldsOf = (collection?: Collection): Field[] => {
  const color = collection?.color ?? ''
  const names = color === '' || colors.includes(color) ? colors : [color, ...colors]
  return [
    { name: 'name', label: 'Name', value: collection?.name ?? '' },
    {
      name: 'color',
      label: 'Color',
      isOptional: true,
      value: color,
      choices: [{ id: '', name: 'None' }, ...names.map((id) => ({ id, name: id }))],
    },
    {
      name: 'isPrivate',
      label: 'Privacy',
      isMany: true,
      value: collection?.isPrivate ? 'true' : '',
      choices: [{ id: 'true', name: 'Only you can see it' }],
    },
  ]
}

const requestOf = ({ text, list }: Values) => ({
  name: text('name'),
  color: text('color') || null,
  isPrivate: list('isPrivate').length > 0,
})

/** How many memories a collection has, and who sees it. */
export const summaryOf = ({ memoryCount, isPrivate, color }: Collection): string =>
  [`${memoryCount} ${memoryCount === 1 ? 'memory' : 'memories'}`, isPrivate ? 'only you' : undefined, color]
    .filter(Boolean)
    .join(' · ')

export const EditCollection = ({ collection, onDone }: { collection: Collection; onDone: () => void }) => (
  <Action
    name="Edit"
    button="Save"
    of={collection.name}
    fields={fieldsOf(collection)}
    call={(values) => api().memory.updateCollection(collection.id, requestOf(values))}
    done="Changes saved"
    onDone={onDone}
  />
)

/** The collections, and a way to create one. */
export const Collections = ({ collections }: { collections: readonly Collection[] }) => (
  <>
    {collections.length === 0 ? (
      <Empty>No collections yet.</Empty>
    ) : (
      <ul class="rows">
        {collections.map((collection) => (
          <li key={collection.id}>
            <a href={to(`memory/${collection.id}`)}>
              <span class="what">
                <span class="text">{collection.name}</span>
                <span class="soft">{summaryOf(collection)}</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
    )}
    <p class="actions">
      <Action
        isMain
        name="New collection"
        button="Create"
        fields={fieldsOf()}
        call={(values, options) => api().memory.createCollection(requestOf(values), options)}
        onDone={({ id }) => go(to(`memory/${id}`))}
      />
    </p>
  </>
)
