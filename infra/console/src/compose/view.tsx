import { useEffect, useState } from 'preact/hooks'
import { AccountIcon, Empty, Loading, MomentFields } from '../parts.tsx'
import { go, route, to } from '../route.ts'
import { say } from '../service.ts'
import { accounts, nameOf, workspace, zone } from '../store.ts'
import { addDays, clockIn, dayIn, formatMoment, momentOf, now } from '../time.ts'
import { useReadEffect } from '../use-read.ts'
import { findingsOf, useValidation } from './check.tsx'
import { readDraft, saveDraft } from './draft.ts'
import { readCopy, readEdited, saveEdited } from './edit.ts'
import { namesWithThreads, readPlatforms, usePlatforms } from './platforms.ts'
import { Previews } from './preview.tsx'
import { canHave, contentOf } from './request.ts'
import { problemOf, send, showSent } from './send.ts'
import { change, type Form, forget, form, isThread, remembered } from './state.ts'
import { showTab, Texts } from './texts.tsx'

/** The accounts to choose from: all, or those of the posts that are edited. */
const offered = ({ edited }: Form) =>
  edited === undefined
    ? accounts.value
    : accounts.value.filter(({ id }) => edited.posts.some(({ accountId }) => accountId === id))

const Accounts = ({ workspaceId }: { workspaceId: string }) => (
  <fieldset>
    <legend>Accounts</legend>
    {accounts.value.length === 0 && (
      <Empty>
        No accounts yet. <a href={to('accounts')}>Connect one</a>.
      </Empty>
    )}
    <div class="choices">
      {offered(form.value).map((account) => (
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
          <AccountIcon account={account} platform={account.providerId} />
          <bdi>{nameOf(account)}</bdi>
          {account.isConnected ? '' : ' (reconnect)'}
          {canHave(form.value, account) ? '' : ' (doesn’t support threads)'}
        </label>
      ))}
    </div>
    {isThread(form.value) && form.value.edited === undefined && (
      <p class="soft">
        Accounts on {namesWithThreads()} support threads. Each chosen account gets the thread, with the same text.
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
            {day === '' || time === ''
              ? 'Choose a day and a time.'
              : momentMs === undefined
                ? `The clocks in ${zone.value} skip this time. Choose another one.`
                : momentMs <= now()
                  ? 'Pick a time in the future.'
                  : formatMoment(momentMs, zone.value)}
          </p>
        </div>
      )}
    </fieldset>
  )
}

/** What the address names: a day, a time, a draft, a post to change, or a post to copy. */
const readRequest = () => {
  const { query } = route.value
  return {
    day: query.get('day'),
    time: query.get('time'),
    draftId: query.get('draft'),
    editedId: query.get('post'),
    copiedId: query.get('copy'),
  }
}

type Requested = ReturnType<typeof readRequest>

/** Whether the form is that of the address. Until a draft or a post is read, nothing can be typed. */
const isShown = ({ draftId, editedId, copiedId }: Requested): boolean =>
  copiedId === null &&
  (draftId ?? undefined) === form.value.draft?.id &&
  (editedId ?? undefined) === form.value.edited?.id

const readForm = async ({ draftId, editedId, copiedId }: Requested): Promise<Partial<Form> | undefined> => {
  await readPlatforms()
  if (copiedId !== null) return readCopy(copiedId)
  if (draftId !== null) return readDraft(draftId)
  return editedId === null ? undefined : readEdited(editedId)
}

/** Fills the form as this tab remembers it, with the draft, the post, the day, and the time that the address names. */
const useForm = (workspaceId: string, requested: Requested): void => {
  const { day, time, draftId, editedId, copiedId } = requested
  const keys = [workspaceId, draftId, editedId, copiedId]
  useEffect(() => {
    form.value = remembered(workspaceId, draftId ?? editedId ?? undefined)
    showTab('')
    if (!isShown(requested) || editedId !== null) return
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
  }, [...keys, day, time, accounts.value.length])

  // What this tab remembers is newer than what the service has.
  useReadEffect(
    async () => (isShown(requested) ? undefined : readForm(requested)),
    keys,
    (read) => {
      change(workspaceId, read)
      if (copiedId !== null) go(to('compose'), { replace: true })
    },
  )
}

interface ComposerProps {
  workspaceId: string
  checked: ReturnType<typeof useValidation>
}

/** What is left to fix, with a way to the network that it is about. */
const Problems = ({ checked }: Pick<ComposerProps, 'checked'>) => {
  const issues = findingsOf(checked).filter(({ isIssue }) => isIssue)
  const [first] = issues
  if (first === undefined) return null
  return (
    <button type="button" class="plain error" onClick={() => showTab(first.platform)}>
      {issues.length === 1 ? '1 thing to fix' : `${issues.length} things to fix`}
    </button>
  )
}

const nameOfAction = ({ when, edited }: Form, isSending: boolean): string => {
  if (isSending) return edited === undefined ? 'Sending…' : 'Saving…'
  if (when === 'now') return 'Publish now'
  return edited === undefined ? 'Schedule' : 'Save changes'
}

const Composer = ({ workspaceId, checked }: ComposerProps) => {
  const [isSending, setIsSending] = useState(false)
  const current = form.value
  const { edited } = current
  const isLong = isThread(current)
  const momentMs = momentOf(`${current.day}T${current.time}`, zone.value)
  const submit = async () => {
    const request = { workspaceId, current, momentMs }
    const problem = problemOf(request)
    if (problem !== undefined) return say(problem, { isBad: true })
    setIsSending(true)
    const sent = edited === undefined ? await send(request) : await saveEdited(workspaceId, current, momentMs)
    setIsSending(false)
    if (sent !== undefined) await showSent(request, sent)
  }
  const leave = () => {
    forget(workspaceId)
    go(edited === undefined ? to('compose') : to(`post/${edited.id}`))
    if (edited === undefined) change(workspaceId, { day: addDays(dayIn(now(), zone.value), 1) })
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
      {isLong && edited === undefined && (
        <p class="soft">Drafts can’t store threads. Your text stays in this tab until you send it.</p>
      )}
      <div class="actions send">
        <button class="main" type="submit" disabled={isSending}>
          {nameOfAction(current, isSending)}
        </button>
        {edited === undefined && (
          <button type="button" disabled={isLong} onClick={() => saveDraft(workspaceId, current)}>
            Save draft
          </button>
        )}
        <button type="button" class="plain" onClick={leave}>
          {edited === undefined ? 'Clear' : 'Discard changes'}
        </button>
        <Problems checked={checked} />
      </div>
    </form>
  )
}

const titleOf = ({ draftId, editedId }: Requested): string =>
  editedId !== null ? 'Edit post' : draftId === null ? 'New post' : 'Draft'

/** Writes a post to one account or many, or changes posts that are not live. */
export const ComposeView = () => {
  const workspaceId = workspace.value?.id ?? ''
  const requested = readRequest()
  useForm(workspaceId, requested)
  usePlatforms()
  const body = contentOf(form.value)
  // The posts of a thread are checked one by one.
  const checked = useValidation(isThread(form.value) ? { ...body, socialAccountIds: [] } : body)
  return (
    <section>
      <h1>{titleOf(requested)}</h1>
      {isShown(requested) ? (
        <div class="composer">
          <Composer workspaceId={workspaceId} checked={checked} />
          <Previews />
        </div>
      ) : (
        <Loading />
      )}
    </section>
  )
}
