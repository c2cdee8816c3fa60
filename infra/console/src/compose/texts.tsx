import { type Checked, Counter, Findings, useValidation } from './check.tsx'
import { Fields } from './fields.tsx'
import { Files } from './files.tsx'
import { isThread, partOf, platformsOf } from './request.ts'
import { change, changePart, emptyPart, form, type Part } from './state.ts'
import { Suggest } from './suggest.tsx'

/** Decided by the API: infra/openapi/guides/threads.md. */
const maxParts = 25

const textId = ({ key }: Part) => `text-${key}`

/** Sets the parts, and the focus to the text of one once it is on the page. */
const setParts = (workspaceId: string, parts: readonly Part[], focus: Part | undefined) => {
  change(workspaceId, { parts })
  if (focus !== undefined) requestAnimationFrame(() => document.getElementById(textId(focus))?.focus())
}

const add = (workspaceId: string) => {
  const part = emptyPart()
  setParts(workspaceId, [...form.value.parts, part], part)
}

const remove = (workspaceId: string, n: number) => {
  const parts = form.value.parts.toSpliced(n, 1)
  setParts(workspaceId, parts, parts[Math.max(0, n - 1)])
}

const move = (workspaceId: string, n: number, by: 1 | -1) => {
  const part = form.value.parts[n]
  if (part !== undefined) setParts(workspaceId, form.value.parts.toSpliced(n, 1).toSpliced(n + by, 0, part), part)
}

interface PartProps {
  workspaceId: string
  part: Part
}

const Text = ({ workspaceId, part, label }: PartProps & { label: string }) => (
  <label class="field">
    {label}
    <textarea
      id={textId(part)}
      rows={6}
      value={part.content}
      onInput={({ currentTarget }) => changePart(workspaceId, part.key, { content: currentTarget.value })}
    />
  </label>
)

/** A post of a thread, with its counters, files, and findings. */
const ThreadPart = ({ workspaceId, part, n }: PartProps & { n: number }) => {
  const checked = useValidation(partOf(form.value, n))
  const total = form.value.parts.length
  const actions = [
    { name: 'Move up', isOff: n === 0, act: () => move(workspaceId, n, -1) },
    { name: 'Move down', isOff: n === total - 1, act: () => move(workspaceId, n, 1) },
    { name: 'Remove', isOff: false, act: () => remove(workspaceId, n) },
  ]
  return (
    <fieldset class="part">
      <legend>
        Post {n + 1} of {total}
      </legend>
      <Text workspaceId={workspaceId} part={part} label={`Text of post ${n + 1}`} />
      <p class="counters">
        {platformsOf(form.value).map(({ id, name }) => (
          <span key={id}>
            {name} <Counter checked={checked} platform={id} />
          </span>
        ))}
      </p>
      <Files workspaceId={workspaceId} part={part} />
      <Findings checked={checked} />
      <div class="actions">
        {actions.map(({ name, isOff, act }) => (
          <button key={name} type="button" disabled={isOff} onClick={act} aria-label={`${name} post ${n + 1}`}>
            {name}
          </button>
        ))}
      </div>
    </fieldset>
  )
}

/** The post, or the posts of a thread one below the other. */
export const Texts = ({ workspaceId, checked }: { workspaceId: string; checked: Checked | undefined }) => {
  const { parts, platformContent } = form.value
  const [first] = parts
  const setOwn = (platform: string, text: string | undefined) => {
    const { [platform]: _before, ...others } = platformContent
    change(workspaceId, { platformContent: text === undefined ? others : { ...others, [platform]: text } })
  }
  const isOne = !isThread(form.value)
  const platforms = platformsOf(form.value)
  if (first === undefined) return null
  return (
    <>
      {isOne ? (
        <Text workspaceId={workspaceId} part={first} label="Text" />
      ) : (
        parts.map((part, n) => <ThreadPart key={part.key} workspaceId={workspaceId} part={part} n={n} />)
      )}
      <p>
        <button type="button" disabled={parts.length >= maxParts} onClick={() => add(workspaceId)}>
          {isOne ? 'Make it a thread' : 'Add a post to the thread'}
        </button>
      </p>
      {platforms.length > 0 && (
        <ul class="variants">
          {platforms.map(({ id, name }) => (
            <li key={id}>
              {isOne && (
                <>
                  <label class="choice">
                    <input
                      type="checkbox"
                      checked={platformContent[id] !== undefined}
                      onChange={({ currentTarget }) => setOwn(id, currentTarget.checked ? first.content : undefined)}
                    />
                    A text of its own on {name}
                  </label>
                  <Counter checked={checked} platform={id} />
                  {platformContent[id] !== undefined && (
                    <textarea
                      rows={4}
                      aria-label={`Text on ${name}`}
                      value={platformContent[id]}
                      onInput={({ currentTarget }) => setOwn(id, currentTarget.value)}
                    />
                  )}
                  <Suggest
                    platform={{ id, name }}
                    text={platformContent[id] ?? first.content}
                    own={platformContent[id]}
                    onChange={(text) => setOwn(id, text)}
                  />
                </>
              )}
              <div class="own">
                <Fields workspaceId={workspaceId} platform={id} />
              </div>
            </li>
          ))}
        </ul>
      )}
      {isOne && <Files workspaceId={workspaceId} part={first} />}
    </>
  )
}
