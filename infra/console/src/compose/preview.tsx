import { effect, signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import { knownAsset } from '../media/asset.tsx'
import type { ChosenFile } from '../media/uploads.tsx'
import { Empty, PlatformActions, PlatformIcon } from '../parts.tsx'
import type { Account } from '../store.ts'
import { filesFor, textFor } from './block.ts'
import { knownPlatform } from './platforms.ts'
import { PreviewText } from './preview-text.tsx'
import { targetsOf } from './request.ts'
import { form, isThread } from './state.ts'

interface Look {
  /** About how many characters of a text the platform shows before it folds it. */
  fold?: number
  /** The frame in which one file stands above the text. Absent: up to four stand below it. */
  frame?: 'square' | 'tall' | 'wide'
}

/**
 * How platforms show a post. Folds, as read on November 28, 2026: Instagram, https://help.instagram.com/1643471055915254;
 * LinkedIn on a desktop, https://posttruncate.com/en/platform-limits/; Facebook on a desktop,
 * https://socialk.it/en/tools/social-media-character-limits.
 */
const looks: Readonly<Record<string, Look>> = {
  facebook: { fold: 477 },
  instagram: { fold: 125, frame: 'square' },
  linkedin: { fold: 210 },
  pinterest: { frame: 'square' },
  tiktok: { frame: 'tall' },
  youtube: { frame: 'wide' },
}

/** How long after the last key the previews are drawn, in milliseconds: typing does not wait for them. */
const pauseMs = 300

const settled = signal(form.value)
effect(() => {
  const current = form.value
  const timer = setTimeout(() => {
    settled.value = current
  }, pauseMs)
  return () => clearTimeout(timer)
})

const Shot = ({ file }: { file: ChosenFile }) => {
  const asset = knownAsset(file.id)
  const [isUnplayable, setIsUnplayable] = useState(false)
  if (asset?.mimeType.startsWith('image/')) return <img src={asset.previewUrl} alt={file.altText} />
  const isVideo = asset?.mimeType.startsWith('video/') ?? false
  if (asset !== undefined && isVideo && !isUnplayable)
    return (
      // biome-ignore lint/a11y/useMediaCaption: captions are a file of the post, and not of the preview
      <video
        src={asset.url}
        aria-label={file.altText || asset.originalFilename}
        controls
        preload="metadata"
        onError={() => setIsUnplayable(true)}
      />
    )
  return (
    <span class="file-name">
      <span aria-hidden="true">{isVideo ? '▶' : '▤'}</span> {asset?.originalFilename ?? file.name}
      {file.id === undefined && ' (not uploaded yet)'}
    </span>
  )
}

const Shots = ({ files, frame }: { files: readonly ChosenFile[]; frame: Look['frame'] }) => {
  const shown = files.slice(0, frame === undefined ? 4 : 1)
  const [first] = shown
  if (first === undefined) return null
  const { width = 0, height = 0 } = knownAsset(first.id) ?? {}
  const shape = frame !== undefined && height > width * 1.5 ? 'tall' : frame
  const left = files.length - shown.length
  return (
    <div class={shape === undefined ? 'shots' : `shots frame ${shape}`}>
      {shown.map((file) => (
        <Shot key={file.key} file={file} />
      ))}
      {left > 0 && (
        <span class="left">
          +{left}
          <span class="unseen"> more {left === 1 ? 'file' : 'files'}</span>
        </span>
      )}
    </div>
  )
}

const personOf = ({ displayName, username, providerName }: Account): string => displayName ?? username ?? providerName

const initialsOf = (name: string): string =>
  name
    .split(/[\s._-]+/)
    .flatMap((word) => [...word].slice(0, 1))
    .slice(0, 2)
    .join('')
    .toUpperCase()

const Author = ({ account, note = '' }: { account: Account; note?: string }) => (
  <p class="author">
    <strong dir="auto">{personOf(account)}</strong>{' '}
    <span class="soft">
      {account.username !== null && account.username !== personOf(account) && `@${account.username}`}
      {note}
    </span>
  </p>
)

const Avatar = ({ account }: { account: Account }) => (
  <span class="avatar" aria-hidden="true">
    {account.pictureUrl === null ? initialsOf(personOf(account)) : <img src={account.pictureUrl} alt="" />}
  </span>
)

const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** A poll or a link card, which several platforms have under the same names. */
const Extras = ({ block }: { block: Readonly<Record<string, unknown>> }) => {
  const card = (block['external'] ?? block['article']) as Readonly<Record<string, unknown>> | undefined
  const poll = block['poll'] as Readonly<Record<string, unknown>> | undefined
  const choices = [poll?.['options'] ?? poll?.['answers'] ?? []].flat().map(stringOf)
  const host = /^https?:\/\/([^/]+)/.exec(stringOf(card?.['url']))?.[1] ?? ''
  return (
    <>
      {card !== undefined && (
        <p class="card">
          <strong>{stringOf(card['title'])}</strong>
          <span class="soft">{host}</span>
        </p>
      )}
      {poll !== undefined && (
        <ul class="poll">
          {choices
            .filter((choice) => choice !== '')
            .map((choice, n) => (
              <li key={`${n}${choice}`}>{choice}</li>
            ))}
        </ul>
      )}
    </>
  )
}

interface PreviewProps {
  platform: string
  /** The accounts on it, which all get the same. */
  accounts: readonly [Account, ...Account[]]
}

const Preview = ({ platform, accounts: [account, ...others] }: PreviewProps) => {
  const { parts, metadata, firstComment } = settled.value
  const { fold, frame } = looks[platform] ?? {}
  const known = knownPlatform(platform)
  const title = known?.text.field === 'title' ? undefined : metadata[platform]?.['title']
  const comment = known?.comment === undefined ? '' : firstComment.trim()
  return (
    <article class={`preview ${platform}`} aria-label={`Preview on ${account.providerName}`}>
      <header>
        <PlatformIcon platform={platform} /> {account.providerName}
      </header>
      {parts.map(({ key, files }, n) => {
        const text = textFor(settled.value, platform, n)
        const shots = isThread(settled.value) ? files : filesFor(settled.value, platform)
        return (
          <div key={key} class="said">
            <Avatar account={account} />
            <div>
              <Author account={account} />
              {frame !== undefined && <Shots files={shots} frame={frame} />}
              {n === 0 && typeof title === 'string' && (
                <p class="title" dir="auto">
                  {title}
                </p>
              )}
              {text === '' && shots.length === 0 ? (
                <p class="soft">Start typing to see a preview.</p>
              ) : (
                <PreviewText text={text} fold={fold} platformName={account.providerName} />
              )}
              {frame === undefined && <Shots files={shots} frame={frame} />}
              {n === 0 && <Extras block={metadata[platform] ?? {}} />}
              <PlatformActions platform={platform} />
            </div>
          </div>
        )
      })}
      {comment !== '' && (
        <div class="said comment">
          <Avatar account={account} />
          <div>
            <Author account={account} note=" · First comment" />
            <PreviewText text={comment} fold={undefined} platformName={account.providerName} />
          </div>
        </div>
      )}
      {others.length > 0 && <p class="soft">Also to {new Intl.ListFormat('en').format(others.map(personOf))}.</p>}
    </article>
  )
}

/** As wide as the form and the previews beside it need (style.css). */
const isWide = matchMedia('(min-width: 1000px)')

/** How the post will read on each platform. Accounts on one platform share a preview: they get the same text. */
export const Previews = () => {
  const [isOpen, setIsOpen] = useState(isWide.matches)
  const byPlatform = [...Map.groupBy(targetsOf(settled.value), ({ providerId }) => providerId)]
  return (
    <details class="previews" open={isOpen} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>Preview</summary>
      {isOpen && (
        <>
          <p class="soft">The real post may look slightly different.</p>
          {byPlatform.length === 0 && <Empty>Choose an account to see the post there.</Empty>}
          {byPlatform.map(([platform, [first, ...others]]) =>
            first === undefined ? null : <Preview key={platform} platform={platform} accounts={[first, ...others]} />,
          )}
        </>
      )}
    </details>
  )
}
