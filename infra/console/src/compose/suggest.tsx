import { signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import { type Client, SocialError } from 'social-publishing-client'
import { attempt } from '../service.ts'
import { api } from '../store.ts'

type Rewritten = Awaited<ReturnType<Client['ai']['rewrite']>>

/** A deployment without a model says so in its response to a call only (infra/openapi/guides/ai.md). */
const hasModel = signal(true)

interface SuggestProps {
  platform: { id: string; name: string }
  /** The text as it would go out. */
  text: string
  /** The text of this platform alone, if there is one. */
  own: string | undefined
  onChange: (own: string | undefined) => void
}

/** Adapts the text to a platform. The author sees the result first, and can take it back. */
export const Suggest = ({ platform: { id, name }, text, own, onChange }: SuggestProps) => {
  const [suggested, setSuggested] = useState<Rewritten>()
  const [replaced, setReplaced] = useState<{ own: string | undefined; by: string }>()
  const [isAsking, setIsAsking] = useState(false)
  if (!hasModel.value) return null
  const ask = async () => {
    setIsAsking(true)
    const platform = id as 'x'
    const result = await attempt(async () => {
      try {
        return await api().ai.rewrite({ content: text, instruction: 'adapt', platform })
      } catch (error) {
        if (error instanceof SocialError && error.code === 'ai_not_configured') hasModel.value = false
        throw error
      }
    })
    setIsAsking(false)
    if (result !== undefined) setSuggested(result)
  }
  return (
    <div class="suggest">
      <button type="button" class="plain" disabled={isAsking || text.trim() === ''} onClick={ask}>
        {isAsking ? 'Writing…' : 'Rewrite with AI'}
        <span class="unseen"> for {name}</span>
      </button>
      {replaced !== undefined && own === replaced.by && (
        <button
          type="button"
          class="plain"
          onClick={() => {
            onChange(replaced.own)
            setReplaced(undefined)
          }}
        >
          Undo
          <span class="unseen"> the text for {name}</span>
        </button>
      )}
      {suggested !== undefined && (
        <fieldset>
          <legend>Suggestion for {name}</legend>
          <blockquote aria-live="polite">{suggested.content}</blockquote>
          {suggested.issues.map(({ code, message }) => (
            <p key={code} class="soft">
              {message}
            </p>
          ))}
          <button
            type="button"
            onClick={() => {
              setReplaced({ own, by: suggested.content })
              onChange(suggested.content)
              setSuggested(undefined)
            }}
          >
            Apply
          </button>
          <button type="button" class="plain" onClick={() => setSuggested(undefined)}>
            Dismiss
          </button>
        </fieldset>
      )}
    </div>
  )
}
