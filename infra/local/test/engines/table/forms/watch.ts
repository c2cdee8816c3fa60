import { errorsOf } from './errors.ts'
import { addForms, type Forms, noForms } from './forms.ts'
import { used } from './used.ts'

/** What the table may be called with, and what it may answer. */
export const known: Readonly<Record<keyof Forms, readonly string[]>> = {
  ...used,
  errors: [...errorsOf('oracle'), ...errorsOf('file')],
}

/** The forms that are not among others, with their kinds. */
export const missing = (
  expected: Readonly<Record<keyof Forms, Iterable<string>>>,
  among: Readonly<Record<keyof Forms, Iterable<string>>>,
): string[] =>
  (Object.keys(expected) as (keyof Forms)[]).flatMap((kind) => {
    const there = new Set(among[kind])
    return [...expected[kind]].filter((form) => !there.has(form)).map((form) => `${kind}: ${form}`)
  })

/** An error as the engine throws it. */
interface Refusal {
  type?: string
  members?: { CancellationReasons?: readonly { Code?: string }[] }
}

const namesIn = ({ type, members }: Refusal): string[] => {
  const codes = (members?.CancellationReasons ?? []).map(({ Code }) => Code)
  return [type, ...codes].filter((name) => name !== undefined && name !== 'None') as string[]
}

/** Watches the calls to an embedded table. */
export const watchTable = () => {
  const forms = noForms()
  return {
    forms,
    watch(operation: string, input: unknown, refusal?: unknown): void {
      addForms(forms, { operation, input, errors: namesIn((refusal ?? {}) as Refusal) })
    },
    /** Throws where a call had a form that is not listed: then the oracle may not judge it. */
    assertKnown(): void {
      const unknown = missing(forms, known)
      if (unknown.length === 0) return
      throw new Error(
        `The table was called in forms that infra/local/test/engines/table/forms does not list:\n${unknown.join('\n')}`,
      )
    },
  }
}
