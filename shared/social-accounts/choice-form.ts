import * as z from 'zod/mini'

const Ticket = z.string().check(z.maxLength(100))

/** The address of the page where accounts are chosen; it says what was missing when the form was sent. */
export const ChoiceLink = z.object({ ticket: Ticket, missing: z.optional(z.string().check(z.maxLength(20))) })

/** The form of the page where accounts are chosen: one box for each, named by its place in the list. */
export const ChoiceForm = z.catchall(z.object({ ticket: Ticket }), z.string())

/** The places of the boxes that were ticked. */
export const chosenPlaces = (form: Readonly<Record<string, string>>): ReadonlySet<number> =>
  new Set(Object.keys(form).flatMap((name) => (/^account_\d{1,4}$/.test(name) ? [Number(name.slice(8))] : [])))
