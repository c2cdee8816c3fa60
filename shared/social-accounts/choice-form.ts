import * as z from 'zod/mini'

const Ticket = z.string().check(z.maxLength(100))

/** The URL of the page where accounts are selected; `missing` says what was missing in the submitted form. */
export const ChoiceLink = z.object({ ticket: Ticket, missing: z.optional(z.string().check(z.maxLength(20))) })

/** The form of the page where accounts are selected: one checkbox for each, named by its position in the list. */
export const ChoiceForm = z.catchall(z.object({ ticket: Ticket }), z.string())

/** The positions of the selected checkboxes. */
export const chosenPlaces = (form: Readonly<Record<string, string>>): ReadonlySet<number> =>
  new Set(Object.keys(form).flatMap((name) => (/^account_\d{1,4}$/.test(name) ? [Number(name.slice(8))] : [])))
