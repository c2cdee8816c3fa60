import { invalid } from '../../aws-server.ts'
import type { IndexSchema } from '../schema.ts'

interface Selection {
  IndexName?: string | undefined
  ProjectionExpression?: string | undefined
  Select?: 'SPECIFIC_ATTRIBUTES' | 'COUNT' | 'ALL_ATTRIBUTES' | 'ALL_PROJECTED_ATTRIBUTES' | undefined
}

/** Rejects a `Select` that conflicts with the other parameters (API reference, Query and Scan, "Select"). */
export const assertSelectable = ({ IndexName, ProjectionExpression, Select }: Selection, isQuery: boolean): void => {
  if (Select === 'ALL_PROJECTED_ATTRIBUTES' && IndexName === undefined) {
    throw invalid('ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName')
  }
  if (Select === 'SPECIFIC_ATTRIBUTES' && ProjectionExpression === undefined) {
    // AWS lists this error of Query among those of constraints, but not that of Scan.
    throw invalid(
      `${isQuery ? '1 validation error detected: ' : ''}Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES`,
    )
  }
  if (ProjectionExpression === undefined || Select === undefined || Select === 'SPECIFIC_ATTRIBUTES') return
  const what = Select === 'COUNT' ? 'only the Count' : Select
  throw invalid(`Cannot specify the ProjectionExpression when choosing to get ${what}`)
}

/** Rejects a projection that the index does not contain. */
export const assertInIndex = ({ Select }: Selection, index: IndexSchema | undefined): void => {
  if (Select !== 'ALL_ATTRIBUTES' || index?.included === undefined) return
  throw invalid(
    `One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for global secondary index ${index.name} because its projection type is not ALL`,
  )
}
