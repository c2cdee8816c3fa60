import { variables } from '../../../shared/resources.ts'

/** The variables of this process by which another one reaches the same engines. */
export const operatorVariables = (): Record<string, string | undefined> => {
  const names = Object.keys(process.env).filter(
    (name) => name.startsWith('AWS_') || variables.some((variable) => variable === name),
  )
  return Object.fromEntries(names.map((name) => [name, process.env[name]]))
}
