import { useEffect, useState } from 'preact/hooks'
import { Empty, MomentFields } from '../parts.tsx'
import { go, route, to } from '../route.ts'
import { attempt, baseUrl, say, type service } from '../service.ts'
import { accounts, api, changes, nameOf, workspace, zone } from '../store.ts'
import { addDays, clockIn, dayIn, formatMoment, momentOf } from '../time.ts'
import { Fields, usePlatforms } from './fields.tsx'
import { Files } from './files.tsx'
import { contentOf, platformsOf } from './request.ts'
import { change, emptyForm, type Form, forget, form, remembered } from './state.ts'

type Checked = Awaited<ReturnType<typeof service.posts.validate>>

/** How long after the last key the text is checked, in milliseconds. */
const pauseMs = 500

/** What the service says about the post: the same checks as when it is sent. */
const useValidation = (body: ReturnType<typeof contentOf>): Checked | undefined => {
  const [checked, setChecked] = useState<Checked>()
  const text = JSON.stringify(body)
  useEffect(() => {
    if (body.socialAccountIds.length === 0) {
      setChecked(undefined)
      return
    }
    const ending = new AbortController()
    const timer = setTimeout(async () => {
      const result = await attempt(() => api().posts.validate(body, { signal: ending.signal, maxRetries: 0 }))
      if (result !== undefined) setChecked(result)
    }, pauseMs)
    return () => {
      clearTimeout(timer)
      ending.abort()
    }
  }, [text])
  return checked
}

const Counter = ({ checked, platform }: { checked: Checked | undefined; platform: string }) => {
  // Accounts of one platform can have limits of their own: the tightest counts.
  const lengths = checked?.lengths.filter((length) => length.platform === platform) ?? []
  const [first] = lengths.toSorted((a, b) => a.max - a.used - (b.max - b.used))
  if (first === undefined) return null
  return (
    <span class={first.used > first.max ? 'counter over' : 'counter'}>
      {first.used}/{first.max} {first.unit === 'bytes' ? 'bytes' : ''}
    </span>
  )
}

const Accounts = ({ workspaceId }: { workspaceId: string }) => (
  <fieldset>
    <legend>Accounts</legend>
    {accounts.value.length === 0 && (
      <Empty>
        No account is connected yet. <a href={`${baseUrl}/workspace?id=${workspaceId}`}>Connect one</a>.
      </Empty>
    )}
    <div class="choices">
      {accounts.value.map((account) => (
        <label key={account.id} class="choice">
          <input
            type="checkbox"
            disabled={!account.isConnected}
            checked={form.value.accountIds.includes(account.id)}
            onChange={({ currentTarget }) => {
              const others = form.value.accountIds.filter((id) => id !== account.id)
              change(workspaceId, { accountIds: currentTarget.checked ? [...others, account.id] : others })
            }}
          />
          {nameOf(account)}
          {account.isConnected ? '' : ' (connect it again)'}
        </label>
      ))}
    </div>
  </fieldset>
)

const Texts = ({ workspaceId, checked }: { workspaceId: string; checked: Checked | undefined }) => {
  const { content, platformContent } = form.value
  const platforms = platformsOf(form.value)
  const setOwn = (platform: string, text: string | undefined) => {
    const { [platform]: _before, ...others } = platformContent
    change(workspaceId, { platformContent: text === undefined ? others : { ...others, [platform]: text } })
  }
  return (
    <>
      <label class="field">
        Text
        <textarea
          rows={6}
          value={content}
          onInput={({ currentTarget }) => change(workspaceId, { content: currentTarget.value })}
        />
      </label>
      {platforms.length > 0 && (
        <ul class="variants">
          {platforms.map(({ id, name }) => (
            <li key={id}>
              <label class="choice">
                <input
                  type="checkbox"
                  checked={platformContent[id] !== undefined}
                  onChange={({ currentTarget }) => setOwn(id, currentTarget.checked ? content : undefined)}
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
              <div class="own">
                <Fields workspaceId={workspaceId} platform={id} />
              </div>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

const Findings = ({ checked }: { checked: Checked | undefined }) => {
  const all = [...(checked?.issues ?? []), ...(checked?.warnings ?? [])]
  if (all.length === 0) return null
  const isIssue = (n: number) => n < (checked?.issues.length ?? 0)
  return (
    <ul class="findings" aria-live="polite">
      {all.map(({ message, next }, n) => (
        <li key={`${n}${message}`} class={isIssue(n) ? 'bad' : 'warning'}>
          <strong>{isIssue(n) ? 'Fix' : 'Check'}:</strong> {message} {next}
        </li>
      ))}
    </ul>
  )
}

const When = ({ workspaceId, momentMs }: { workspaceId: string; momentMs: number | undefined }) => {
  const { when, day, time } = form.value
  return (
    <fieldset>
      <legend>When</legend>
      <div class="choices">
        {(['later', 'now'] as const).map((choice) => (
          <label key={choice} class="choice">
            <input
              type="radio"
              name="when"
              checked={when === choice}
              onChange={() => change(workspaceId, { when: choice })}
            />
            {choice === 'now' ? 'Publish now' : 'Schedule'}
          </label>
        ))}
      </div>
      {when === 'later' && (
        <div class="moment">
          <MomentFields day={day} time={time} onChange={(values) => change(workspaceId, values)} />
          <p class={momentMs !== undefined && momentMs <= Date.now() ? 'error' : 'soft'}>
            {momentMs === undefined
              ? `There is no such time in ${zone.value}: the clocks skip it.`
              : momentMs <= Date.now()
                ? 'This time is in the past. Choose a later one.'
                : formatMoment(momentMs, zone.value)}
          </p>
        </div>
      )}
    </fieldset>
  )
}

const openDraft = async (workspaceId: string, id: string) => {
  const draft = await attempt(() => api().drafts.get(id))
  if (draft === undefined) return
  change(workspaceId, {
    ...emptyForm(),
    ...{ accountIds: draft.socialAccountIds, content: draft.content, firstComment: draft.firstComment?.text ?? '' },
    platformContent: draft.platformContent as Form['platformContent'],
    metadata: draft.metadata as Form['metadata'],
    files: draft.mediaUrls.map((id) => ({ key: id, name: id, id, altText: '', progress: undefined, error: undefined })),
    draft: { id: draft.id, version: draft.version },
    day: addDays(dayIn(Date.now(), zone.value), 1),
  })
}

const saveDraft = async (workspaceId: string, current: Form) => {
  const { firstComment, platformContent, metadata, mediaUrls, ...rest } = contentOf(current)
  // A draft keeps a field that is absent: what was removed is sent as such.
  const body = {
    ...rest,
    platformContent: platformContent ?? {},
    metadata: metadata ?? {},
    mediaUrls: mediaUrls ?? [],
    firstComment: firstComment ?? null,
  }
  const { draft } = current
  const saved = await attempt(() =>
    draft === undefined
      ? api().drafts.create(body, { idempotencyKey: current.idempotencyKey })
      : api().drafts.update(draft.id, body, { ifMatch: `"${draft.version}"` }),
  )
  if (saved === undefined) return
  // With what was typed meanwhile.
  const typed = form.value
  if (draft === undefined) forget(workspaceId)
  change(workspaceId, { ...typed, draft: { id: saved.id, version: saved.version } })
  go(to('compose', { draft: saved.id }), { replace: true })
  say('The draft is saved.')
}

/** Writes a post to one account or many. */
export const ComposeView = () => {
  const workspaceId = workspace.value?.id ?? ''
  const { query } = route.value
  const [isSending, setIsSending] = useState(false)
  const [asked, draftId] = [query.get('day'), query.get('draft')]

  useEffect(() => {
    form.value = remembered(workspaceId, draftId ?? undefined)
    if (draftId !== null && form.value.draft === undefined) {
      void openDraft(workspaceId, draftId)
      return
    }
    const [only] = accounts.value
    const tomorrow = addDays(dayIn(Date.now(), zone.value), 1)
    change(workspaceId, {
      day: asked ?? (form.value.day === '' ? tomorrow : form.value.day),
      ...(asked === dayIn(Date.now(), zone.value) ? { time: clockIn(Date.now() + 3_600_000, zone.value) } : {}),
      ...(accounts.value.length === 1 && only !== undefined && form.value.accountIds.length === 0
        ? { accountIds: [only.id] }
        : {}),
    })
  }, [workspaceId, asked, draftId, accounts.value.length])

  usePlatforms()
  const current = form.value
  const body = contentOf(current)
  const checked = useValidation(body)
  const momentMs = momentOf(`${current.day}T${current.time}`, zone.value)
  const isWaiting = current.files.some(({ id }) => id === undefined)

  const send = async () => {
    if (isWaiting) return say('Upload the files first, or remove them.', true)
    if (current.accountIds.length === 0) return say('Choose an account.', true)
    if (current.when === 'later' && momentMs === undefined) return say('Choose a day and a time.', true)
    setIsSending(true)
    const { idempotencyKey } = current
    const sent = await attempt(() =>
      current.when === 'now'
        ? api().posts.publishNow(body, { idempotencyKey })
        : api().posts.schedule({ ...body, scheduledAt: new Date(momentMs ?? 0).toISOString() }, { idempotencyKey }),
    )
    setIsSending(false)
    if (sent === undefined) return
    const { draft } = current
    if (draft !== undefined) await attempt(() => api().drafts.delete(draft.id))
    forget(workspaceId)
    changes.value += 1
    const [first] = sent
    const count = `${sent.length} ${sent.length === 1 ? 'post' : 'posts'}`
    say(
      current.when === 'now'
        ? `${count} on the way.`
        : `${count} scheduled for ${formatMoment(momentMs ?? 0, zone.value)}.`,
    )
    go(
      current.when === 'now' && sent.length === 1 && first !== undefined
        ? to(`post/${first.id}`)
        : to('calendar', { day: current.when === 'now' ? dayIn(Date.now(), zone.value) : current.day }),
    )
  }

  return (
    <section>
      <h1>{current.draft === undefined ? 'New post' : 'Draft'}</h1>
      <form
        class="compose"
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        <Accounts workspaceId={workspaceId} />
        <Texts workspaceId={workspaceId} checked={checked} />
        <Files workspaceId={workspaceId} />
        <label class="field">
          First comment
          <textarea
            rows={2}
            value={current.firstComment}
            onInput={({ currentTarget }) => change(workspaceId, { firstComment: currentTarget.value })}
          />
        </label>
        <When workspaceId={workspaceId} momentMs={momentMs} />
        <Findings checked={checked} />
        <div class="actions">
          <button class="main" type="submit" disabled={isSending}>
            {isSending ? 'Sending…' : current.when === 'now' ? 'Publish now' : 'Schedule'}
          </button>
          <button type="button" onClick={() => saveDraft(workspaceId, current)}>
            Save draft
          </button>
          <button
            type="button"
            class="plain"
            onClick={() => {
              forget(workspaceId)
              go(to('compose'))
            }}
          >
            Clear
          </button>
        </div>
      </form>
    </section>
  )
}
