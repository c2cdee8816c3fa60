import * as z from 'zod/mini'

/** The pages that a redirect may lead to; any other path is not one of our pages. */
const forms = [
  /^\/login$/,
  /^\/workspaces$/,
  /^\/console$/,
  /^\/workspace\?id=ws_[\w-]{1,97}$/,
  /^\/notifications$/,
  /^\/device(?:\?user_code=[A-Za-z]{4}-?[A-Za-z]{4})?$/,
  /^\/billing\?workspace=[a-z0-9-]{1,100}$/,
  /^\/authorize\?[\w.*%+&=-]{1,6000}$/,
  /^\/invite\?token=\w{1,100}$/,
]

/** The path if it names one of our pages. */
export const ownPage = (text: string): string | undefined => (forms.some((form) => form.test(text)) ? text : undefined)

/** Where to go after the form; anything but one of our pages is dropped. */
export const Return = z.optional(z.pipe(z.string(), z.transform(ownPage)))

/** An address with the parameters that have a value. */
export const withQuery = (path: string, values: Readonly<Record<string, string | undefined>>): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) if (value !== undefined) query.set(name, value)
  return query.size === 0 ? path : `${path}?${query}`
}
