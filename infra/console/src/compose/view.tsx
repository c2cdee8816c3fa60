import { useEffect, useState } from 'preact/hooks'
import { Empty, Loading, MomentFields } from '../parts.tsx'
import { go, route, to } from '../route.ts'
import { say } from '../service.ts'
import { accounts, nameOf, workspace, zone } from '../store.ts'
import { addDays, clockIn, dayIn, formatMoment, momentOf, now } from '../time.ts'
import { useReadEffect } from '../use-read.ts'
import { Findings, useValidation } from './check.tsx'
import { readDraft, saveDraft } from './draft.ts'
import { namesWithThreads, usePlatforms } from './platforms.ts'
import { Previews } from './preview.tsx'
import { canHave, contentOf, isThread } from './request.ts'
import { problemOf, send, showSent } from './send.ts'
import { change, forget, form, remembered } from './state.ts'
import { Texts } from './texts.tsx'

const Accounts = ({ workspaceId }: { workspaceId: string }) => (
  <fieldset>
    <legend>Accounts</legend>
    {accounts.value.length === 0 && (
      <Empty>
        No account is connected yet. <a href={to('accounts')}>Connect one</a>.
      </Empty>
    )}
    <div class="choices">
      {accounts.value.map((account) => (
        <label key={account.id} class="choice">
          <input
            type="checkbox"
            disabled={!account.isConnected || !canHave(form.value, account)}
            checked={form.value.accountIds.includes(account.id) && canHave(form.value, account)}
            onChange={({ currentTarget }) => {
              const others = form.value.accountIds.filter((id) => id !== account.id)
              change(workspaceId, { accountIds: currentTarget.checked ? [...others, account.id] : others })
            }}
          />
          {nameOf(account)}
          {account.isConnected ? '' : ' (connect it again)'}
          {canHave(form.value, account) ? '' : ' (no threads)'}
        </label>
      ))}
    </div>
    {isThread(form.value) && (
      <p class="soft">
        Accounts on {namesWithThreads()} take threads. Each chosen account gets the thread, with one text for all
        platforms.
      </p>
    )}
  </fieldset>
)

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
          <p class={momentMs !== undefined && momentMs <= now() ? 'error' : 'soft'}>
            {momentMs === undefined
              ? `There is no such time in ${zone.value}: the clocks skip it.`
              : momentMs <= now()
                ? 'This time is in the past. Choose a later one.'
                : formatMoment(momentMs, zone.value)}
          </p>
        </div>
      )}
    </fieldset>
  )
}

/** What the address asks for: a day, a time, or a draft. */
const readRequest = () => {
  const { query } = route.value
  return { day: query.get('day'), time: query.get('time'), draftId: query.get('draft') }
}

/** Fills the form as it was left in this tab, with the draft, the day, and the time that the address names. */
const useForm = (workspaceId: string, { day, time, draftId }: ReturnType<typeof readRequest>): void => {
  useEffect(() => {
    form.value = remembered(workspaceId, draftId ?? undefined)
    if (draftId !== null && form.value.draft === undefined) return
    const [only] = accounts.value
    const tomorrow = addDays(dayIn(now(), zone.value), 1)
    change(workspaceId, {
      day: day ?? (form.value.day === '' ? tomorrow : form.value.day),
      ...(time !== null ? { time: time } : {}),
      ...(time === null && day === dayIn(now(), zone.value) ? { time: clockIn(now() + 3_600_000, zone.value) } : {}),
      ...(accounts.value.length === 1 && only !== undefined && form.value.accountIds.length === 0
        ? { accountIds: [only.id] }
        : {}),
    })
  }, [workspaceId, day, time, draftId, accounts.value.length])

  // A draft that this tab remembers is as it was typed.
  useReadEffect(
    draftId === null ? undefined : async () => (form.value.draft === undefined ? readDraft(draftId) : undefined),
    [workspaceId, draftId],
    (read) => change(workspaceId, read),
  )
}

interface ComposerProps {
  workspaceId: string
  checked: ReturnType<typeof useValidation>
}

const Composer = ({ workspaceId, checked }: ComposerProps) => {
  const [isSending, setIsSending] = useState(false)
  const current = form.value
  const isLong = isThread(current)
  const momentMs = momentOf(`${current.day}T${current.time}`, zone.value)
  const submit = async () => {
    const request = { workspaceId, current, momentMs }
    const problem = problemOf(request)
    if (problem !== undefined) return say(problem, { isBad: true })
    setIsSending(true)
    const sent = await send(request)
    setIsSending(false)
    if (sent !== undefined) await showSent(request, sent)
  }
  return (
    <form
      class="compose"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <Accounts workspaceId={workspaceId} />
      <Texts workspaceId={workspaceId} checked={checked} />
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
        <button type="button" disabled={isLong} onClick={() => saveDraft(workspaceId, current)}>
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
      {isLong && <p class="soft">Drafts do not store threads. What you type stays in this tab until it is sent.</p>}
    </form>
  )
}

/** Writes a post to one account or many. */
export const ComposeView = () => {
  const workspaceId = workspace.value?.id ?? ''
  const request = readRequest()
  const { draftId } = request
  useForm(workspaceId, request)
  usePlatforms()
  const current = form.value
  const body = contentOf(current)
  // The posts of a thread are checked one by one.
  const checked = useValidation(isThread(current) ? { ...body, socialAccountIds: [] } : body)
  // Until the draft is read, nothing can be typed: it would be of a new post.
  if (draftId !== null && current.draft?.id !== draftId) {
    return (
      <section>
        <h1>Draft</h1>
        <Loading />
      </section>
    )
  }
  return (
    <section>
      <h1>{current.draft === undefined ? 'New post' : 'Draft'}</h1>
      <div class="composer">
        <Composer workspaceId={workspaceId} checked={checked} />
        <Previews />
      </div>
    </section>
  )
}
