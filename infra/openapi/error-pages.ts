import { routes } from '../../functions/routes.ts'
import { catalog, type ErrorCode } from '../../shared/errors/catalog.ts'
import { statusOf } from '../../shared/errors/reason.ts'
import type { ErrorPage } from '../../shared/pages/error-code-page.ts'
import { errorExamples } from './error-answers.ts'
import { errorsOf } from './errors-of.ts'

const codesOf = new Map(
  routes.map(({ endpoint: { contract } }) => [`${contract.method} ${contract.path}`, errorsOf(contract)]),
)

/** What more operations return than this is no property of an operation. */
const maxListed = 30

const operationsWith = (code: ErrorCode): string[] => {
  const operations = [...codesOf].flatMap(([operation, codes]) => (codes.includes(code) ? [operation] : []))
  return operations.length > maxListed ? [] : operations
}

/** The content of each code's page, by code. */
export const errorPages = (): Record<string, ErrorPage> =>
  Object.fromEntries(
    Object.entries(catalog).map(([code, { reason, meaning, fix }]) => [
      code,
      {
        status: statusOf[reason],
        meaning,
        fix,
        example: errorExamples[code]?.value ?? {},
        operations: operationsWith(code as ErrorCode),
      },
    ]),
  )
