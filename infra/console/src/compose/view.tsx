import { useEffect, useState } from 'preact/hooks'
import { Empty, Loading, MomentFields, useReadEffect } from '../parts.tsx'
import { go, route, to } from '../route.ts'
import { attempt, say } from '../service.ts'
import { accounts, api, changes, nameOf, type Post, workspace, zone } from '../store.ts'
import { addDays, clockIn, dayIn, formatMoment, momentOf, now } from '../time.ts'
import { Findings, useValidation } from './check.tsx'
import { descriptionOf } from './files.tsx'
import { namesWithThreads, usePlatforms } from './platforms.ts'
import { Previews, readAsset } from './preview.tsx'
import { canHave, contentOf, isThread, targetsOf, threadOf } from './request.ts'
import { change, emptyForm, emptyPart, type File, type Form, forget, form, remembered } from './state.ts'
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

/** A file of a draft: one of the library, or the URL of another host. */
const fileOf = async (id: string): Promise<File> => {
  const asset = id.startsWith('med_') ? await readAsset(id) : undefined
  const { originalFilename: name = id, altText } = asset ?? {}
  return { ...{ key: id, name, id, ...descriptionOf(altText ?? null) }, ...{ progress: undefined, error: undefined } }
}

/** The form of a draft as the service has it. */
const readDraft = async (id: string): Promise<Partial<Form>> => {
  const draft = await api().drafts.get(id)
  const files = await Promise.all(draft.mediaUrls.map(fileOf))
  return {
    ...emptyForm(),
    ...{ accountIds: draft.socialAccountIds, firstComment: draft.firstComment?.text ?? '' },
    platformContent: draft.platformContent as Form['platformContent'],
    metadata: draft.metadata as Form['metadata'],
    parts: [{ ...emptyPart(), content: draft.content, files }],
    draft: { id: draft.id, version: draft.version },
    day: addDays(dayIn(now(), zone.value), 1),
  }
}

/** Stores the descriptions that were typed; false if one could not be stored. */
const storeDescriptions = async (workspaceId: string): Promise<boolean> => {
  for (const { id, altText, storedAltText } of form.value.parts.flatMap(({ files }) => files)) {
    if (id === undefined || altText === storedAltText) continue
    const stored = await attempt(() => api().media.update(id, { altText }))
    if (stored === undefined) return false
    const { idempotencyKey, parts } = form.value
    const withStored = (file: File) => (file.id === id ? { ...file, storedAltText: altText } : file)
    change(workspaceId, {
      parts: parts.map((part) => ({ ...part, files: part.files.map(withStored) })),
      idempotencyKey,
    })
  }
  return true
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
  if (!(await storeDescriptions(workspaceId))) return
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

/**
 * Sends a thread to one account after the other, or at once without `scheduledAt`. An account that has it is no longer chosen,
 * so that another try after an error sends none twice.
 */
const sendThreads = async (workspaceId: string, current: Form, scheduledAt: string | undefined) => {
  const heads: Post[] = []
  for (const { id } of targetsOf(current)) {
    const thread = threadOf(current, id)
    const options = { idempotencyKey: `${current.idempotencyKey}-${id}` }
    const sent = await attempt(() =>
      scheduledAt === undefined
        ? api().posts.publishThreadNow(thread, options)
        : api().posts.scheduleThread({ ...thread, scheduledAt }, options),
    )
    if (sent === undefined) return undefined
    heads.push(sent.threadHeadPost)
    const { accountIds, idempotencyKey } = form.value
    change(workspaceId, { accountIds: accountIds.filter((other) => other !== id), idempotencyKey })
  }
  return heads
}

/** Writes a post to one account or many. */
export const ComposeView = () => {
  const workspaceId = workspace.value?.id ?? ''
  const { query } = route.value
  const [isSending, setIsSending] = useState(false)
  const [asked, askedTime, draftId] = [query.get('day'), query.get('time'), query.get('draft')]

  useEffect(() => {
    form.value = remembered(workspaceId, draftId ?? undefined)
    if (draftId !== null && form.value.draft === undefined) return
    const [only] = accounts.value
    const tomorrow = addDays(dayIn(now(), zone.value), 1)
    change(workspaceId, {
      day: asked ?? (form.value.day === '' ? tomorrow : form.value.day),
      ...(askedTime !== null ? { time: askedTime } : {}),
      ...(askedTime === null && asked === dayIn(now(), zone.value)
        ? { time: clockIn(now() + 3_600_000, zone.value) }
        : {}),
      ...(accounts.value.length === 1 && only !== undefined && form.value.accountIds.length === 0
        ? { accountIds: [only.id] }
        : {}),
    })
  }, [workspaceId, asked, askedTime, draftId, accounts.value.length])

  // A draft that this tab remembers is as it was typed.
  useReadEffect(
    draftId === null ? undefined : async () => (form.value.draft === undefined ? readDraft(draftId) : undefined),
    [workspaceId, draftId],
    (read) => change(workspaceId, read),
  )

  usePlatforms()
  const current = form.value
  const body = contentOf(current)
  const isLong = isThread(current)
  // The posts of a thread are checked one by one.
  const checked = useValidation(isLong ? { ...body, socialAccountIds: [] } : body)
  const momentMs = momentOf(`${current.day}T${current.time}`, zone.value)
  const isWaiting = current.parts.some(({ files }) => files.some(({ id }) => id === undefined))

  const send = async () => {
    if (isWaiting) return say('A file is not uploaded yet. Wait for it, or remove it.', true)
    if (body.socialAccountIds.length === 0) return say('Choose an account.', true)
    if (current.when === 'later' && momentMs === undefined) return say('Choose a day and a time.', true)
    setIsSending(true)
    const { idempotencyKey } = current
    const scheduledAt = current.when === 'now' ? undefined : new Date(momentMs ?? 0).toISOString()
    const isDescribed = await storeDescriptions(workspaceId)
    const sent = !isDescribed
      ? undefined
      : isLong
        ? await sendThreads(workspaceId, current, scheduledAt)
        : await attempt(() =>
            scheduledAt === undefined
              ? api().posts.publishNow(body, { idempotencyKey })
              : api().posts.schedule({ ...body, scheduledAt }, { idempotencyKey }),
          )
    setIsSending(false)
    if (sent === undefined) return
    const { draft } = current
    if (draft !== undefined) await attempt(() => api().drafts.delete(draft.id))
    forget(workspaceId)
    changes.value += 1
    const [first] = sent
    const count = `${sent.length} ${isLong ? 'thread' : 'post'}${sent.length === 1 ? '' : 's'}`
    say(
      current.when === 'now'
        ? `${count} on the way.`
        : `${count} scheduled for ${formatMoment(momentMs ?? 0, zone.value)}.`,
    )
    go(
      current.when === 'now' && sent.length === 1 && first !== undefined
        ? to(`post/${first.id}`)
        : to('calendar', { day: current.when === 'now' ? dayIn(now(), zone.value) : current.day }),
    )
  }

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
        <form
          class="compose"
          onSubmit={(event) => {
            event.preventDefault()
            void send()
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
        <Previews />
      </div>
    </section>
  )
}
