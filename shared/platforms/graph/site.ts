import type { PlatformApi, PlatformSite } from '../definition.ts'
import type { ErrorClass, ErrorInfo } from '../platform-error.ts'

/** The Graph API of Facebook and Instagram. */
export const graphApi = {
  version: 'v25.0',
  endsOn: '2028-07-29',
  source: 'Graph API, Changelog, Available Graph API versions, 2026-11-24',
} as const satisfies PlatformApi

/** An error of the Graph API (Handling Errors, v25.0). */
export interface GraphError {
  code: number
  subcode: number | undefined
  message: string
}

/** A `Classification`; the class `temporary` leaves the outcome of a publishing call unknown. */
export type GraphClassification = readonly [errorClass: ErrorClass | 'temporary', sentence: string, info?: ErrorInfo]

/** One of Meta's platforms, as the shared calls see it. */
export interface GraphSite {
  platform: PlatformSite
  version: string
  /** Every call proves that it comes from the app's server. */
  appSecretProof?: true
  /** Classifies the platform's own errors; the common ones apply to the rest. */
  classify(error: GraphError): GraphClassification | undefined
}
