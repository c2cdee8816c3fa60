import { formsOf, type Secret, shortest } from './secret.ts'

/** Finds secrets in texts, in any form: each text is read once, however many secrets there are. */
export const makeScanner = (secrets: readonly Secret[]) => {
  const byBeginning = new Map<string, { form: string; secret: Secret }[]>()
  for (const secret of secrets) {
    for (const form of formsOf(secret)) {
      const beginning = form.slice(0, shortest)
      byBeginning.set(beginning, [...(byBeginning.get(beginning) ?? []), { form, secret }])
    }
  }
  return (text: string): Set<Secret> => {
    const leaked = new Set<Secret>()
    for (let at = 0; at + shortest <= text.length; at += 1) {
      for (const { form, secret } of byBeginning.get(text.slice(at, at + shortest)) ?? []) {
        if (text.startsWith(form, at)) leaked.add(secret)
      }
    }
    return leaked
  }
}
