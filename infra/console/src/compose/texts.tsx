import { signal } from '@preact/signals'
import type { ChangeFiles } from '../media/uploads.tsx'
import { PlatformIcon } from '../parts.tsx'
import { filesFor, textFor } from './block.ts'
import { type Checked, Counter, Findings, findingsOf, useValidation } from './check.tsx'
import { Fields } from './fields.tsx'
import { Files } from './files.tsx'
import { partOf, platformsOf } from './request.ts'
import { change, changePart, emptyPart, form, isThread, type Part } from './state.ts'
import { Suggest } from './suggest.tsx'

/** Decided by the API: infra/openapi/guides/threads.md. */
const maxParts = 25

const textId = ({ key }: Part) => `text-${key}`

/** Sets the parts, and the focus to the text of one after it is on the page. */
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

const PartFiles = ({ workspaceId, part }: PartProps) => {
  const set: ChangeFiles = (to) => {
    const now = form.value.parts.find(({ key }) => key === part.key)
    if (now !== undefined) changePart(workspaceId, part.key, { files: to(now.files) })
  }
  return <Files files={part.files} change={set} />
}

const Counters = ({ checked }: { checked: Checked | undefined }) => (
  <p class="counters">
    {platformsOf(form.value).map(({ id, name }) => (
      <span key={id}>
        {name} <Counter checked={checked} platform={id} />
      </span>
    ))}
  </p>
)

/** A post of a thread, with its counters, files, and findings. A thread that is scheduled has its number of posts. */
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
      <Counters checked={checked} />
      <PartFiles workspaceId={workspaceId} part={part} />
      <Findings checked={checked} />
      {form.value.edited === undefined && (
        <div class="actions">
          {actions.map(({ name, isOff, act }) => (
            <button key={name} type="button" disabled={isOff} onClick={act} aria-label={`${name} post ${n + 1}`}>
              {name}
            </button>
          ))}
        </div>
      )}
    </fieldset>
  )
}

interface Chosen {
  id: string
  name: string
}

/** Without one of the keys. */
const without = <T,>(values: Readonly<Record<string, T>>, key: string): Readonly<Record<string, T>> => {
  const { [key]: _gone, ...others } = values
  return others
}

/** The text and the files of one platform: the shared ones until someone changes them here. */
const Own = ({ workspaceId, platform: { id, name }, checked }: PanelProps & { platform: Chosen }) => {
  const { parts, platformContent, platformFiles } = form.value
  const own = platformContent[id]
  const shared = parts[0]?.content ?? ''
  const setText = (text: string | undefined) =>
    change(workspaceId, {
      platformContent:
        text === undefined ? without(platformContent, id) : { ...form.value.platformContent, [id]: text },
    })
  const setFiles: ChangeFiles = (to) =>
    change(workspaceId, { platformFiles: { ...form.value.platformFiles, [id]: to(filesFor(form.value, id)) } })
  return (
    <>
      <label class="field">
        Text on {name}
        <textarea
          rows={6}
          value={textFor(form.value, id)}
          onInput={({ currentTarget: { value } }) => setText(value === shared ? undefined : value)}
        />
      </label>
      <p class="counters">
        <Counter checked={checked} platform={id} />
        {own === undefined ? (
          <span class="soft">Type to customize it for {name}.</span>
        ) : (
          <button type="button" class="plain" onClick={() => setText(undefined)}>
            Use the shared text
          </button>
        )}
      </p>
      <Findings checked={checked} platform={id} area="text" />
      <Suggest platform={{ id, name }} text={textFor(form.value, id)} own={own} onChange={setText} />
      <Files label={`Files on ${name}`} files={filesFor(form.value, id)} change={setFiles} />
      {platformFiles[id] !== undefined && (
        <p>
          <button
            type="button"
            class="plain"
            onClick={() => change(workspaceId, { platformFiles: without(platformFiles, id) })}
          >
            Use the shared files
          </button>
        </p>
      )}
      <Findings checked={checked} platform={id} area="files" />
    </>
  )
}

interface PanelProps {
  workspaceId: string
  checked: Checked | undefined
}

const Options = ({ workspaceId, platform: { id }, checked }: PanelProps & { platform: Chosen }) => (
  <>
    <Findings checked={checked} platform={id} area="options" />
    <Fields key={id} workspaceId={workspaceId} platform={id} />
  </>
)

/** What all networks share: the text with its files, or the posts of a thread. */
const Shared = ({ workspaceId, checked }: PanelProps) => {
  const { parts, edited } = form.value
  const [first] = parts
  const isOne = !isThread(form.value)
  if (first === undefined) return null
  return (
    <>
      {isOne ? (
        <>
          <Text workspaceId={workspaceId} part={first} label="Text" />
          <Counters checked={checked} />
          <Findings checked={checked} area="text" />
          <PartFiles workspaceId={workspaceId} part={first} />
          <Findings checked={checked} area="files" />
        </>
      ) : (
        parts.map((part, n) => <ThreadPart key={part.key} workspaceId={workspaceId} part={part} n={n} />)
      )}
      {edited === undefined && (
        <p>
          <button type="button" disabled={parts.length >= maxParts} onClick={() => add(workspaceId)}>
            {isOne ? 'Turn into thread' : 'Add post'}
          </button>
        </p>
      )}
    </>
  )
}

/** A rewrite of the text for the only network that gets it. */
const SharedSuggestion = ({ workspaceId, platform }: { workspaceId: string; platform: Chosen }) => {
  const { key = '', content = '' } = form.value.parts[0] ?? {}
  return (
    <Suggest
      platform={platform}
      text={content}
      own={content}
      onChange={(text = '') => changePart(workspaceId, key, { content: text })}
    />
  )
}

/** The tab that is shown: a platform, or what all share. */
const shownTab = signal('')

export const showTab = (id: string): void => {
  shownTab.value = id
}

/** The tab to which a key leads. */
const tabAt = (ids: readonly string[], key: string, current: string): string | undefined => {
  const n = ids.indexOf(current)
  const next = { ArrowRight: n + 1, ArrowLeft: n - 1, Home: 0, End: ids.length - 1 }[key]
  return next === undefined ? undefined : ids[(next + ids.length) % ids.length]
}

/** The post: what all networks share in one tab, and each network in another. */
export const Texts = ({ workspaceId, checked }: PanelProps) => {
  const platforms = platformsOf(form.value)
  const [only] = platforms
  const tab = platforms.find(({ id }) => id === shownTab.value)
  if (platforms.length < 2) {
    return (
      <>
        <Shared workspaceId={workspaceId} checked={checked} />
        {only !== undefined && !isThread(form.value) && <SharedSuggestion workspaceId={workspaceId} platform={only} />}
        {only !== undefined && !(isThread(form.value) && form.value.edited !== undefined) && (
          <Options workspaceId={workspaceId} platform={only} checked={checked} />
        )}
      </>
    )
  }
  const findings = findingsOf(checked)
  const tabs = [{ id: '', name: 'All networks' }, ...platforms]
  const ids = tabs.map(({ id }) => id)
  return (
    <div class="tabs">
      <div role="tablist" aria-label="Networks">
        {tabs.map(({ id, name }) => {
          const issues = findings.filter(({ platform, isIssue }) => isIssue && platform === id).length
          const isShown = id === (tab?.id ?? '')
          return (
            <button
              key={id}
              type="button"
              role="tab"
              id={`tab-${id}`}
              aria-selected={isShown}
              aria-controls="network"
              tabIndex={isShown ? 0 : -1}
              onClick={() => showTab(id)}
              onKeyDown={({ key }) => {
                const next = tabAt(ids, key, tab?.id ?? '')
                if (next === undefined) return
                showTab(next)
                document.getElementById(`tab-${next}`)?.focus()
              }}
            >
              {id !== '' && <PlatformIcon platform={id} />} {name}
              {issues > 0 && (
                <span class="badge">
                  {issues}
                  <span class="unseen"> to fix</span>
                </span>
              )}
            </button>
          )
        })}
      </div>
      <div role="tabpanel" id="network" class="panel" aria-labelledby={`tab-${tab?.id ?? ''}`}>
        {tab === undefined ? (
          <Shared workspaceId={workspaceId} checked={checked} />
        ) : (
          <>
            {!isThread(form.value) && <Own key={tab.id} workspaceId={workspaceId} platform={tab} checked={checked} />}
            <Options workspaceId={workspaceId} platform={tab} checked={checked} />
          </>
        )}
      </div>
    </div>
  )
}
