import { useState } from 'preact/hooks'
import type { Client } from 'social-publishing-client'
import { Form } from '../form.tsx'
import { Empty } from '../parts.tsx'
import { to } from '../route.ts'
import { api } from '../store.ts'
import type { Collection } from './collections.tsx'

type Matches = Awaited<ReturnType<Client['memory']['search']>>
type Passage = Matches['hits'][number]['passage']

/** The most collections of one search (infra/openapi/guides/memory.md). */
const maxCollections = 10

/** A passage with the words of the prompt marked. */
const Marked = ({ passage: { text, highlights } }: { passage: Passage }) => (
  <>
    {highlights.map(({ start, end }, n) => (
      <>
        {text.slice(highlights[n - 1]?.end ?? 0, start)}
        <mark key={start}>{text.slice(start, end)}</mark>
      </>
    ))}
    {text.slice(highlights.at(-1)?.end ?? 0)}
  </>
)

/** Searches collections; with several, the person chooses which. */
export const Search = ({ collections }: { collections: readonly Collection[] }) => {
  const [matches, setMatches] = useState<Matches & { prompt: string }>()
  const ids = collections.map(({ id }) => id)
  const choices = {
    name: 'collectionIds',
    label: 'Collections',
    isMany: true,
    value: ids.slice(0, maxCollections).join('\n'),
    choices: collections.map(({ id, name }) => ({ id, name })),
  }
  return (
    <>
      <Form
        button="Search"
        fields={[{ name: 'prompt', label: 'Search' }, ...(collections.length > 1 ? [choices] : [])]}
        call={async ({ text, list }) => {
          const prompt = text('prompt')
          const collectionIds = collections.length > 1 ? list('collectionIds') : ids
          return { ...(await api().memory.search({ prompt, collectionIds })), prompt }
        }}
        onDone={setMatches}
      />
      {matches !== undefined && (
        <div aria-live="polite">
          <p class="soft">Results for “{matches.prompt}”</p>
          {matches.hits.length === 0 ? (
            <Empty>Nothing matches.</Empty>
          ) : (
            <ul class="rows">
              {matches.hits.map(({ memory, collection, passage }) => (
                <li key={memory.id}>
                  <a href={to(`memory/${collection.id}`)}>
                    <span class="what">
                      <span>
                        <Marked passage={passage} />
                      </span>
                      <span class="soft">{collection.name}</span>
                    </span>
                  </a>
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </>
  )
}
