import type { ComponentChildren } from 'preact'
import { isSignedOut, readFailure } from './service.ts'
import { type Account, accountOf, nameOf, type Post, platformName } from './store.ts'

/** The states of a post: a word and a shape, so that none depends on color. */
const marks: Readonly<Record<string, string>> = {
  scheduled: '◷',
  published: '✓',
  failed: '✕',
  cancelled: '–',
  draft: '✎',
}

/** A state as people spell it. */
export const wordOf = (status: string): string => (status === 'cancelled' ? 'canceled' : status)

export const State = ({ status }: Pick<Post, 'status'>) => (
  <span class={`state ${status}`}>
    <span aria-hidden="true">{marks[status] ?? '·'}</span> {wordOf(status)}
  </span>
)

export const Mark = ({ status }: Pick<Post, 'status'>) => (
  <span class={`mark ${status}`} aria-hidden="true">
    {marks[status] ?? '·'}
  </span>
)

/** Whether something works, as a word and a shape. */
export const Health = ({ isGood, children }: { isGood: boolean; children: ComponentChildren }) => (
  <span class={`state ${isGood ? 'published' : 'failed'}`}>
    <span aria-hidden="true">{isGood ? marks['published'] : marks['failed']}</span> {children}
  </span>
)

/** The account of a post by its name, or the platform where the account is gone. */
export const accountName = ({ socialAccountId, platform }: Pick<Post, 'socialAccountId' | 'platform'>): string => {
  const account = accountOf(socialAccountId)
  return account === undefined ? platformName(platform) : nameOf(account)
}

interface PlatformArt {
  logo?: string
  color?: string
  actions: readonly string[]
}

/** What makes platforms recognizable, by platform (../icons.ts). */
declare const PLATFORM_ART: Readonly<Record<string, PlatformArt>>

const Shape = ({ shape, color }: { shape: string; color?: string | undefined }) => (
  <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" style={color === undefined ? {} : { '--brand': color }}>
    <path d={shape} />
  </svg>
)

/** The logo of a platform, or its initial. Text beside it says the same. */
export const PlatformIcon = ({ platform }: { platform: string }) => {
  const { logo, color } = PLATFORM_ART[platform] ?? {}
  return logo === undefined ? (
    <span class="icon" aria-hidden="true">
      {platformName(platform).charAt(0).toUpperCase()}
    </span>
  ) : (
    <Shape shape={logo} color={color} />
  )
}

/** What a platform shows below a post, for the eye. */
export const PlatformActions = ({ platform }: { platform: string }) => (
  <div class="below" aria-hidden="true">
    {PLATFORM_ART[platform]?.actions.map((shape) => (
      <Shape key={shape} shape={shape} />
    ))}
  </div>
)

/** The picture of an account with the logo of its platform, or only the logo. Text beside it says the same. */
export const AccountIcon = ({ account, platform }: { account: Account | undefined; platform: string }) =>
  account?.pictureUrl == null ? (
    <PlatformIcon platform={platform} />
  ) : (
    <span class="face" aria-hidden="true">
      <img src={account.pictureUrl} alt="" loading="lazy" />
      <PlatformIcon platform={platform} />
    </span>
  )

/** The same for the account of a post. */
export const PostIcon = ({
  post: { socialAccountId, platform },
}: {
  post: Pick<Post, 'socialAccountId' | 'platform'>
}) => <AccountIcon account={accountOf(socialAccountId)} platform={platform} />

export const textOf = ({ content, mediaUrls }: Pick<Post, 'content' | 'mediaUrls'>): string =>
  content.trim() === '' ? `${mediaUrls.length} ${mediaUrls.length === 1 ? 'file' : 'files'}` : content

/** A text of the API, whose Markdown has code and nothing else. */
export const WithCode = ({ text }: { text: string }) => (
  <>{text.split('`').map((part, n) => (n % 2 === 0 ? part : <code key={n}>{part}</code>))}</>
)

interface PropertiesProps {
  values: Readonly<Record<string, string>>
  /** Numbers, to be read at a glance. */
  isLarge?: boolean
}

/** Values by their names. */
export const Properties = ({ values, isLarge = false }: PropertiesProps) => (
  <dl class={isLarge ? 'figures' : 'properties'}>
    {Object.entries(values).map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)

interface FilterProps {
  label: string
  /** What the list says while nothing is chosen. */
  all: string
  choices: readonly { id: string; name: string }[]
  value: string
  onChange: (id: string) => void
}

/** A list that filters what the view shows. */
export const Filter = ({ label, all, choices, value, onChange }: FilterProps) => (
  <label>
    <span class="unseen">{label}</span>
    <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
      <option value="">{all}</option>
      {choices.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  </label>
)

interface PagerProps {
  page: { nextCursor?: string | undefined } | undefined
  /** Undefined on the first page. */
  cursor: string | undefined
  onTurn: (cursor: string | undefined) => void
}

/** Goes through the pages of a list. */
export const Pager = ({ page, cursor, onTurn }: PagerProps) => (
  <div class="actions">
    {cursor !== undefined && (
      <button type="button" onClick={() => onTurn(undefined)}>
        First page
      </button>
    )}
    {page?.nextCursor !== undefined && (
      <button type="button" onClick={() => onTurn(page.nextCursor)}>
        Next page
      </button>
    )}
  </div>
)

interface MomentFieldsProps {
  day: string
  time: string
  onChange: (values: { day: string } | { time: string }) => void
}

/** A day and a time on the clocks of the workspace. */
export const MomentFields = ({ day, time, onChange }: MomentFieldsProps) => (
  <>
    <label>
      Day
      <input type="date" required value={day} onInput={({ currentTarget }) => onChange({ day: currentTarget.value })} />
    </label>
    <label>
      Time
      <input
        type="time"
        required
        value={time}
        onInput={({ currentTarget }) => onChange({ time: currentTarget.value })}
      />
    </label>
  </>
)

/** What a view says where it has nothing to show yet. */
export const Empty = ({ children }: { children: ComponentChildren }) => <p class="empty">{children}</p>

/** What a view says until it has read what it shows. After an error, the notice offers to try again. */
export const Loading = () => (
  <p class="empty" role="status">
    {readFailure.value === undefined && !isSignedOut.value ? 'Loading…' : 'Couldn’t load this.'}
  </p>
)
