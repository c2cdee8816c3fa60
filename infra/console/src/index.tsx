import { options, render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { AccountsView } from './accounts.tsx'
import { AttentionView } from './attention.tsx'
import { CalendarView } from './calendar/view.tsx'
import { ComposeView } from './compose/view.tsx'
import { Notice } from './dialog.tsx'
import { DraftsView } from './drafts.tsx'
import { FirstSteps } from './first-steps.tsx'
import { MediaView } from './media/view.tsx'
import { MemoryView } from './memory/view.tsx'
import { NumbersView } from './numbers/view.tsx'
import { Loading } from './parts.tsx'
import { PersonMenu } from './person.tsx'
import { PostView } from './post/view.tsx'
import { route, to } from './route.ts'
import { baseUrl, isSignedOut, retries, tryAgain } from './service.ts'
import { SettingsView } from './settings/view.tsx'
import { Overlays } from './shortcuts.tsx'
import { begin, changes, choose, countFailed, failedCount, findPosts, isReady, workspace, workspaces } from './store.ts'
import { aheadMs } from './time.ts'
import { WebhooksView } from './webhooks/view.tsx'

/** Every view, in the order of the navigation; one without a name is reached from another one. */
const views = {
  calendar: { name: 'Calendar', View: CalendarView },
  attention: { name: 'Needs attention', View: AttentionView },
  compose: { name: 'New post', View: ComposeView },
  drafts: { name: 'Drafts', View: DraftsView },
  media: { name: 'Media', View: MediaView },
  memory: { name: 'Memory', View: MemoryView },
  accounts: { name: 'Accounts', View: AccountsView },
  webhooks: { name: 'Webhooks', View: WebhooksView },
  numbers: { name: 'Reliability', View: NumbersView },
  settings: { name: 'Settings', View: SettingsView },
  post: { name: undefined, View: PostView },
} as const

const names = Object.fromEntries(Object.entries(views).map(([view, { name }]) => [view, name]))

const isView = (text: string): text is keyof typeof views => Object.hasOwn(views, text)

const login = `${baseUrl}/login?return=${encodeURIComponent('/console')}`

const SignedOut = () => (
  <div class="banner" role="alert">
    You’ve been signed out. Your text is safe.{' '}
    <a href={login} target="_blank" rel="noopener">
      Sign in
    </a>{' '}
    in a new tab, then{' '}
    <button
      type="button"
      onClick={() => {
        isSignedOut.value = false
        tryAgain()
      }}
    >
      continue
    </button>
    .
  </div>
)

/** The pages of the local service, by name: the stand-ins and what they got. A deployment has none. */
const useLocalPages = (): Readonly<Record<string, string>> => {
  const [pages, setPages] = useState<Readonly<Record<string, string>>>({})
  useEffect(() => {
    if (!/^(?:127\.0\.0\.1|localhost)$/.test(location.hostname)) return
    fetch(`${baseUrl}/local-pages.json`)
      .then((response): Promise<Record<string, string>> | Record<string, string> => {
        const ahead = Date.parse(response.headers.get('Date') ?? '') - Date.now()
        if (ahead > 5_000) aheadMs.value = ahead
        return response.ok ? response.json() : {}
      })
      .then(({ Console: _own, ...others }) => setPages(others))
      .catch(() => {})
  }, [])
  return pages
}

const LocalPages = () => {
  const pages = Object.entries(useLocalPages())
  return pages.length === 0 ? null : (
    <nav class="local" aria-label="Local pages">
      {pages.map(([name, url]) => (
        <a key={name} href={url}>
          {name}
        </a>
      ))}
    </nav>
  )
}

/** Scrolls a navigation that is wider than a phone to its current link. */
const reveal = (link: HTMLElement | null) => {
  if (link?.parentElement) link.parentElement.scrollLeft = link.offsetLeft - link.offsetWidth
}

const Header = () => (
  <header class="top">
    <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
      Skip to the content
    </button>
    {route.value.view === 'compose' && (
      <button type="button" class="skip" onClick={() => document.querySelector<HTMLElement>('main textarea')?.focus()}>
        Skip to the text
      </button>
    )}
    <span class="brand">Social Publishing</span>
    <nav aria-label="Views">
      {Object.entries(views).map(([view, { name }]) =>
        name === undefined ? null : (
          <a
            key={view}
            ref={route.value.view === view ? reveal : null}
            href={to(view)}
            aria-current={route.value.view === view ? 'page' : undefined}
          >
            {name}
            {view === 'attention' && failedCount.value > 0 && <span class="badge">{failedCount.value}</span>}
          </a>
        ),
      )}
    </nav>
    <label class="workspace">
      <span class="unseen">Workspace</span>
      <select value={workspace.value?.id} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        {workspaces.value?.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
    <PersonMenu />
    <LocalPages />
  </header>
)

const App = () => {
  useEffect(() => {
    void begin()
  }, [retries.value])
  useEffect(() => {
    if (!isReady.value || workspace.value === undefined) return
    void countFailed()
    void findPosts()
  }, [isReady.value, workspace.value?.id, changes.value])
  const { view } = route.value
  const known = isView(view) ? view : 'calendar'
  useEffect(() => {
    document.title = `${views[known].name ?? 'Post'} · Social Publishing`
  }, [known])
  // The first read says that no one is signed in: then there is nothing to keep.
  if (isSignedOut.value && workspaces.value === undefined) {
    location.replace(login)
    return null
  }
  if (workspaces.value?.length === 0) {
    location.replace(`${baseUrl}/workspaces`)
    return null
  }
  const { View } = views[known]
  return (
    <>
      <Header />
      {isSignedOut.value && <SignedOut />}
      <Notice isPage />
      {isReady.value && <Overlays views={names} />}
      <main id="main" tabIndex={-1}>
        {isReady.value && known === 'calendar' && <FirstSteps />}
        {isReady.value ? <View key={workspace.value?.id} /> : <Loading />}
      </main>
    </>
  )
}

// A view reads what it shows in an effect: it begins at once, and not after the next frame.
options.requestAnimationFrame = setTimeout

const root = document.getElementById('app')
if (root !== null) {
  root.textContent = ''
  render(<App />, root)
}
