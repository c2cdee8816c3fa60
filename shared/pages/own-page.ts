import * as z from 'zod/mini'

/** The pages that somebody may be sent on to; what has none of these forms is no page of ours. */
const forms = [/^\/login$/, /^\/device(?:\?user_code=[A-Za-z]{4}-?[A-Za-z]{4})?$/, /^\/invite\?token=\w{1,100}$/]

/** The text if it names one of our pages. */
export const ownPage = (text: string): string | undefined => (forms.some((form) => form.test(text)) ? text : undefined)

/** Where to go afterwards; anything but a page of ours is as good as nothing. */
export const Return = z.optional(z.pipe(z.string(), z.transform(ownPage)))

/** An address with what is known of its parameters. */
export const withQuery = (path: string, values: Readonly<Record<string, string | undefined>>): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) if (value !== undefined) query.set(name, value)
  return query.size === 0 ? path : `${path}?${query}`
}
