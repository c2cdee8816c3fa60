import type { PlatformSite } from '../definition.ts'
import type { ErrorClass, ErrorInfo } from '../platform-error.ts'

/** The Graph API's version for Facebook and Instagram, and its end (Graph API, Changelog, 2026-11-24). */
export const graphVersion = 'v25.0'
export const graphVersionEndsOn = '2028-07-29'

/** An error of the Graph API (Handling Errors, v25.0). */
export interface GraphError {
  code: number
  subcode: number | undefined
  message: string
}

/** A `Classification`; the class `temporary` leaves the outcome of a publishing call unknown. */
export type GraphClassification = readonly [errorClass: ErrorClass | 'temporary', sentence: string, info?: ErrorInfo]

/** One of Meta's platforms, as the calls see it that all of them share. */
export interface GraphSite {
  platform: PlatformSite
  version: string
  /** Every call proves that it comes from the server of the app. */
  appSecretProof?: true
  /** Classifies the platform's own errors; the common ones apply to the rest. */
  classify(error: GraphError): GraphClassification | undefined
}
