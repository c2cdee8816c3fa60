import type { Route } from '../../../../functions/routes.ts'
import type { Callers, Person } from './callers.ts'
import { type Caller, type Outcome, outcomeOf, type TestWorkspace } from './outcome.ts'
import { type Rule, ruleOf } from './rule.ts'

/** One call of the product of everything that decides about access, and what must come of it. */
export interface Cell {
  route: Route
  caller: Caller
  header: TestWorkspace | undefined
  expected: Outcome
}

type Combination = readonly [caller: Caller, header: TestWorkspace | undefined]

const scopesOf = ({ person }: Caller) => person?.limits?.scopes ?? []

/** The relevant tokens of a person: all with one scope or every one, or just those that the rule is about. */
const telling = (tokens: readonly Caller[], { scope }: Rule, each: boolean) =>
  tokens.filter((token) => {
    const scopes = scopesOf(token)
    if (scopes.length > 1) return scope !== null && !scopes.includes(scope)
    return each || scopes.some((granted) => granted === '*' || granted === scope)
  })

const tokenCombinations = (rule: Rule, { session, tokens }: Person, { paid, unpaid, foreign }: Callers) => {
  const isActive = session.person?.suspended === false && session.person.roles.has(paid.id)
  const [bound, boundElsewhere] = [tokens.get(paid.id) ?? [], tokens.get(unpaid.id) ?? []]
  const ofEverything = bound.filter((token) => scopesOf(token).includes('*'))
  const headers = rule.workspace ? [unpaid, foreign, undefined] : [undefined]
  return [
    ...telling(bound, rule, isActive).map((token): Combination => [token, paid]),
    ...telling(boundElsewhere, rule, false).map((token): Combination => [token, unpaid]),
    ...ofEverything.flatMap((token) => headers.map((header): Combination => [token, header])),
  ]
}

const combinationsOf = (rule: Rule, callers: Callers): Combination[] => {
  const { paid, unpaid, foreign, nowhere, persons, strangers } = callers
  const headers = rule.workspace ? [paid, unpaid, foreign, nowhere, undefined] : [paid, undefined]
  return [
    ...strangers.flatMap((caller) => [paid, undefined].map((header): Combination => [caller, header])),
    ...persons.flatMap(({ session }) => headers.map((header): Combination => [session, header])),
    ...persons.flatMap((person) => tokenCombinations(rule, person, callers)),
  ]
}

/** All cells of a route; where no token is needed, only tokens that would be refused elsewhere matter. */
export const cellsOf = (route: Route, callers: Callers): Cell[] => {
  const rule = ruleOf(route)
  const combinations =
    rule.scope === 'public'
      ? callers.strangers.map((caller): Combination => [caller, undefined])
      : combinationsOf(rule, callers)
  return combinations.map(([caller, header]) => ({ route, caller, header, expected: outcomeOf(rule, caller, header) }))
}
