import { useMemo, useState } from 'preact/hooks'

/** The most characters that a preview shows: as many as the longest post on LinkedIn has. */
const maxShown = 3_000

/** Links, mentions, and hashtags, as a decoration: the platform decides what each of them is. */
const marks =
  /(https?:\/\/\S*[^\s.,;:!?)'"]|(?<![\p{L}\p{M}\p{N}_/@#&])[@#][\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_.@-]*[\p{L}\p{M}\p{N}_])?)/u

/** The most marks of a text, so that one with thousands is drawn as fast as any other. */
const maxMarks = 50

/** A split at one group has its matches at the odd indexes. */
const marked = (text: string) => {
  const pieces = text.split(marks)
  const drawn = pieces.slice(0, 2 * maxMarks).map((piece, n) =>
    n % 2 === 1 ? (
      <span key={n} class="marked">
        {piece}
      </span>
    ) : (
      piece
    ),
  )
  return [...drawn, pieces.slice(2 * maxMarks).join('')]
}

/** The start of a text, without half of a surrogate pair at its end. */
const startOf = (text: string, max: number): string => text.slice(0, max).replace(/[\uD800-\uDBFF]$/, '')

interface TextProps {
  text: string
  /** The most characters that the platform shows before it folds the text. */
  fold: number | undefined
  platformName: string
}

/** A text as people see it. Markup is text, and every paragraph has the direction of its own letters. */
export const PreviewText = ({ text, fold = Number.POSITIVE_INFINITY, platformName }: TextProps) => {
  const [isWhole, setIsWhole] = useState(false)
  const isFolded = text.length > fold && !isWhole
  const shown = startOf(text, isFolded ? fold : maxShown)
  const pieces = useMemo(() => marked(shown), [shown])
  return (
    <>
      <p class="body" dir="auto">
        {pieces}
        {text.length > fold && (
          <button type="button" class="plain" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
            {isFolded ? '… more' : 'less'}
            <span class="unseen"> of the text on {platformName}</span>
          </button>
        )}
      </p>
      {!isFolded && text.length > maxShown && (
        <p class="soft">
          The preview leaves out the last {(text.length - shown.length).toLocaleString('en')} characters.
        </p>
      )}
    </>
  )
}
