import { Refusal } from '../errors/refusal.ts'

/** More versions than a client needs to name. */
const maxTags = 50

/** An entity tag, weak or strong (RFC 9110, 8.8.3). */
const tags = /(?:W\/)?"[!\x23-\x7e\x80-\uffff]*"/g

/** The strong ETag of a version of a resource; every change increases the version. */
export const tagOf = (version: number): string => `"${version}"`

const malformed = () =>
  new Refusal('invalid', '"If-Match" must be an ETag with its quotes, several separated by commas, or *.', {
    code: 'invalid_input',
    field: 'If-Match',
  })

/**
 * The versions that If-Match accepts; undefined if it accepts any. Weak tags and tags of other resources match no
 * version (RFC 9110, 13.1.1).
 */
export const versionsIn = (ifMatch: string | undefined): readonly number[] | undefined => {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined
  const found = ifMatch.match(tags) ?? []
  const places = ifMatch
    .replace(tags, '""')
    .split(',')
    .map((place) => place.trim())
    .filter((place) => place !== '')
  if (places.length === 0 || places.some((place) => place !== '""')) throw malformed()
  if (found.length > maxTags) {
    throw new Refusal('invalid', `"If-Match" must have at most ${maxTags} tags.`, {
      code: 'invalid_input',
      field: 'If-Match',
    })
  }
  return [...new Set(found.flatMap((tag) => (/^"[1-9]\d{0,14}"$/.test(tag) ? Number(tag.slice(1, -1)) : [])))]
}
