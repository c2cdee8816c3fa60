import { html } from '../pages/html.ts'

/** The page a person sees when they come back from a platform: one sentence, nothing that runs. */
export const connectPage = (sentence: string): string =>
  html`<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Connect an account</title><p>${sentence}</p></html>`
    .markup

/** The address holds a code and a state: they stay in it, and nothing is loaded from elsewhere. */
export const pageHeaders = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
}
