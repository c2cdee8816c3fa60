/** A form as Stripe reads it: `items[0][price]=p` is `{ items: { 0: { price: 'p' } } }`. */
export interface Form {
  readonly [name: string]: string | Form | undefined
}

type Open = { [name: string]: string | Open }

const namesIn = (key: string): string[] => key.split(/[[\]]+/).filter((name) => name !== '')

export const parseForm = (text: string): Form => {
  const form: Open = {}
  for (const [key, value] of new URLSearchParams(text)) {
    const names = namesIn(key)
    const last = names.pop()
    let inner = form
    for (const name of names) {
      const next = inner[name]
      const open: Open = typeof next === 'object' ? next : {}
      inner[name] = open
      inner = open
    }
    if (last !== undefined) inner[last] = value
  }
  return form
}

export const textIn = (form: Form | undefined, name: string): string | undefined => {
  const value = form?.[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

export const formIn = (form: Form | undefined, name: string): Form | undefined => {
  const value = form?.[name]
  return typeof value === 'object' ? value : undefined
}

export const numberIn = (form: Form | undefined, name: string): number | undefined => {
  const text = textIn(form, name)
  return text === undefined ? undefined : Number(text)
}

/** The members of a list, in order. */
export const listIn = (form: Form | undefined, name: string): Form[] =>
  Object.values(formIn(form, name) ?? {}).filter((value) => typeof value === 'object')
