import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { momentOfPost } from './calendar/moment.ts'
import { Dialog, menuText } from './dialog.tsx'
import { accountName, PostIcon, textOf } from './parts.tsx'
import { go, to } from './route.ts'
import { accounts, api, nameOf, type Post, workspace, zone } from './store.ts'
import { dayIn, formatDay } from './time.ts'
import { settle, useRead } from './use-read.ts'

interface Choice {
  kind: string
  name: string
  run?: () => unknown
  post?: Post
}

/** How many choices of a kind the menu shows. */
const perKind = 8
/** The most requests of a search: each reads at most 1,000 posts. */
const maxPages = 20

/** The newest posts with this text, of all time. `isCut` if earlier ones were not searched. */
const findPosts = async (q: string, signal: AbortSignal) => {
  await settle(signal)
  const posts: Post[] = []
  let pages = 0
  let isCut = false
  for await (const page of api().posts.list.pages({ q, limit: perKind }, { signal })) {
    posts.push(...page.items)
    pages += 1
    isCut = page.hasMore && pages === maxPages
    if (posts.length >= perKind || isCut) break
  }
  return { posts: posts.slice(0, perKind), isCut }
}

interface MenuProps {
  views: Readonly<Record<string, string | undefined>>
  commands: readonly Omit<Choice, 'kind'>[]
}

/** Everything that the text names: commands, views, accounts, drafts, and posts. */
const useChoices = (q: string, { views, commands }: MenuProps) => {
  const [drafts] = useRead(() => api().drafts.list({ limit: 100 }), [workspace.value?.id])
  const [read] = useRead(q === '' ? undefined : (signal) => findPosts(q, signal), [q])
  const local: Choice[] = [
    ...commands.map((command) => ({ kind: 'Action', ...command })),
    ...Object.entries(views).flatMap(([view, name = '']) =>
      name === '' ? [] : [{ kind: 'View', name, run: () => go(to(view)) }],
    ),
    { kind: 'Action', name: 'Connect an account', run: () => go(to('accounts')) },
    ...accounts.value.map((account) => ({
      kind: 'Account',
      name: nameOf(account),
      run: () => go(to('calendar', { account: account.id })),
    })),
    ...(drafts?.items ?? []).map(({ id, name, content }) => ({
      kind: 'Draft',
      name: (name ?? content).slice(0, 160) || 'Untitled',
      run: () => go(to('compose', { draft: id })),
    })),
  ]
  const matching = local.filter(({ name }) => name.toLowerCase().includes(q.toLowerCase()))
  const byKind = [...Map.groupBy(matching, ({ kind }) => kind).values()].flatMap((own) => own.slice(0, perKind))
  const ofPosts = (read?.posts ?? []).map((post) => ({
    kind: formatDay(dayIn(momentOfPost(post), zone.value), { dateStyle: 'medium' }),
    name: textOf(post).slice(0, 160),
    run: () => go(to(`post/${post.id}`)),
    post,
  }))
  const isReading = q !== '' && read === undefined
  return { choices: [...byKind, ...ofPosts], isReading, isCut: read?.isCut }
}

/** Finds views, actions, accounts, drafts, and posts: the combobox with a listbox of the WAI-ARIA practices. */
export const Menu = (props: MenuProps) => {
  const input = useRef<HTMLInputElement>(null)
  const [active, setActive] = useState(0)
  const text = menuText.value ?? ''
  const { choices, isReading, isCut } = useChoices(text.trim(), props)
  const at = Math.min(active, choices.length - 1)
  // After the window has opened, whose first button has the focus then.
  useLayoutEffect(() => input.current?.focus(), [])
  const close = () => {
    menuText.value = undefined
  }
  const choose = (choice: Choice | undefined) => {
    if (choice === undefined) return
    close()
    choice.run?.()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (by !== undefined) setActive((at + by + choices.length) % choices.length)
    else if (event.key === 'Enter') choose(choices[at])
    else return
    event.preventDefault()
  }
  return (
    <Dialog title="Search everything" onClose={close}>
      <input
        ref={input}
        role="combobox"
        aria-label="Posts, drafts, accounts, and actions"
        aria-autocomplete="list"
        aria-expanded={choices.length > 0}
        aria-controls="choices"
        aria-activedescendant={choices.length > 0 ? `choice-${at}` : undefined}
        maxLength={200}
        value={text}
        onInput={({ currentTarget }) => {
          menuText.value = currentTarget.value
          setActive(0)
        }}
        onKeyDown={onKeyDown}
      />
      {choices.length > 0 && (
        <div role="listbox" id="choices" class="menu" aria-label="Results">
          {choices.map((choice, n) => (
            <button
              key={n}
              type="button"
              role="option"
              id={`choice-${n}`}
              tabIndex={-1}
              aria-selected={n === at}
              ref={n === at ? (option) => option?.scrollIntoView({ block: 'nearest' }) : null}
              onClick={() => choose(choice)}
            >
              {choice.post !== undefined && <PostIcon post={choice.post} />}
              <span class="text">{choice.name}</span>
              <span class="soft">
                {choice.post !== undefined && <span class="unseen">{accountName(choice.post)}, </span>}
                {choice.kind}
              </span>
            </button>
          ))}
        </div>
      )}
      <p class="soft" role="status">
        {isReading ? 'Searching posts…' : choices.length === 0 ? 'Nothing matches.' : ''}
        {isCut && ' Only your newest posts were searched.'}
      </p>
    </Dialog>
  )
}
